import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const groups = () => service.emulator.state.recipientGroups;
const firstGroup = () => first(groups().values(), 'group');
const people = () => [...service.emulator.state.people.values()];
const run = async (operation: string, parameters: INodeParameters = {}) =>
	await service.run('recipientGroup', operation, parameters);
const onGroup = (parameters: INodeParameters = {}): INodeParameters => ({
	recipientGroupId: locator(firstGroup()._id),
	...parameters,
});

test('create creates a group with or without members', async () => {
	const { json } = await service.run('recipientGroup', 'create', { name: 'Oslo' });
	expect(service.lastSent).toEqual(['POST /recipientGroup', { name: 'Oslo' }]);
	expect(json).toEqual([expect.objectContaining({ name: 'Oslo', leadsTotal: 0 })]);
	const leads = people().map(({ _id }) => _id);
	await run('create', { name: 'Bergen', additionalFields: { leads: leads.join(';') } });
	expect(service.lastRequest.body).toEqual({ name: 'Bergen', leads });
});

test('get returns a group with its members; delete returns the deleted group', async () => {
	const { _id, members } = firstGroup();
	const recipientGroupId = locator(_id);
	const { json } = await service.run('recipientGroup', 'get', { recipientGroupId });
	expect(json).toEqual([expect.objectContaining({ _id, leads: [...members] })]);
	const deleted = await service.run('recipientGroup', 'delete', { recipientGroupId });
	expect(service.lastSent).toEqual([`DELETE /recipientGroup/${_id}`, undefined]);
	expect(deleted.json).toEqual([expect.objectContaining({ _id })]);
	expect(groups().has(_id)).toBe(false);
});

describe('getAll', () => {
	test('reads no more groups than Limit', async () => {
		const { json } = await run('getAll', { limit: 1 });
		expect(json).toHaveLength(1);
		expect(service.requests.map(({ query }) => query)).toEqual([{ limit: '1', skip: '0' }]);
	});

	test('returns every remaining group if one is deleted between two pages', async () => {
		for (let n = 0; n < 4; n++) await run('create', { name: `G${n}` });
		const [gone = '', ...others] = [...groups().values()].map(({ _id }) => _id);
		service.emulator.switches.pageCap = { recipientGroup: 2 };
		let pages = 0;
		service.emulator.onRequest(({ operationId }) => {
			if (operationId === 'recipientGroup.getAll' && ++pages === 2) groups().delete(gone);
		});
		const { json } = await run('getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id)).toEqual(expect.arrayContaining(others));
	});
});

describe('addRecipients and removeRecipients', () => {
	const outsider = () => first(people().filter(({ _id }) => !firstGroup().members.has(_id)));

	test('adds by email', async () => {
		const { _id, email } = outsider();
		const parameters = onGroup({ identifyBy: 'email', recipientEmails: email });
		const { json } = await service.run('recipientGroup', 'addRecipients', parameters);
		expect(service.lastRequest.body).toEqual({ recipientEmails: [email] });
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(firstGroup().members.has(_id)).toBe(true);
	});

	test('adds by ID, and if Reset is on, removes all other members', async () => {
		const recipientIds = [outsider()._id];
		const options = { reset: true };
		await run('addRecipients', onGroup({ identifyBy: 'id', recipientIds, options }));
		expect(service.lastRequest.body).toEqual({ recipientIds, reset: true });
		expect([...firstGroup().members]).toEqual(recipientIds);
	});

	test('returns the error log of an addition', async () => {
		service.emulator.switches.unknownEmails = 'errorLog';
		const email = 'nobody@nowhere.example';
		const { json } = await run('addRecipients', onGroup({ recipientEmails: email }));
		const errorLog = [expect.objectContaining({ email })];
		expect(json).toEqual([{ successCount: 0, errorCount: 1, errorLog }]);
	});

	test('sends a removal as a DELETE with a JSON body', async () => {
		const { _id: groupId, members } = firstGroup();
		const member = first(people().filter(({ _id }) => members.has(_id)));
		const email = member.email.toUpperCase();
		const parameters = onGroup({ recipientEmails: email });
		const { json } = await service.run('recipientGroup', 'removeRecipients', parameters);
		expect(service.lastSent).toEqual([
			`DELETE /recipientGroup/${groupId}/recipients`,
			{ recipientEmails: [email] },
		]);
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(members.has(member._id)).toBe(false);
	});
});

const byId = { identifyBy: '={{ "id" }}' };
test.each<[operation: string, parameters: INodeParameters, message: RegExp]>([
	['create', { name: '={{ " " }}' }, /^Name is empty$/],
	['addRecipients', { recipientEmails: '={{ [] }}' }, /^Recipient Emails is empty/],
	['removeRecipients', { recipientEmails: 'ada@b.c, ada.org' }, /: "ada.org"$/],
	['addRecipients', { ...byId, recipientIds: '={{ null }}' }, /^Recipient IDs is empty/],
	[
		'addRecipients',
		{ ...byId, recipientIds: 'a', recipientEmails: 'a@b.c' },
		/cannot be used together/,
	],
])('%s with %j fails before sending', async (operation, parameters, message) => {
	const failure = await service.failure('recipientGroup', operation, onGroup(parameters));
	expect(failure).toMatchObject({ message: expect.stringMatching(message), sent: 0 });
});
