import type { INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const groups = () => service.emulator.state.recipientGroups;
const firstGroup = () => first(groups().values(), 'group');
const people = () => [...service.emulator.state.people.values()];
const outsider = () =>
	first(
		people().filter(({ _id }) => !firstGroup().members.has(_id)),
		'outsider',
	);
const run = async (operation: string, parameters: INodeParameters = {}) =>
	await service.run('recipientGroup', operation, parameters);
/** Parameters of an operation on the first group. */
const onGroup = (parameters: INodeParameters = {}): INodeParameters => ({
	recipientGroupId: locator(firstGroup()._id),
	...parameters,
});
const unknownEmail = { recipientEmails: 'nobody@nowhere.example' };

describe('create', () => {
	test('an empty group', async () => {
		const { json } = await service.run('recipientGroup', 'create', { name: 'Oslo' });
		expect(service.lastSent).toEqual(['POST /recipientGroup', { name: 'Oslo' }]);
		expect(json).toEqual([expect.objectContaining({ name: 'Oslo', leadsTotal: 0 })]);
	});

	test('with members', async () => {
		const leads = people().map(({ _id }) => _id);
		await run('create', { name: 'Oslo', additionalFields: { leads: leads.join(';') } });
		expect(service.lastRequest.body).toEqual({ name: 'Oslo', leads });
	});
});

describe('get and delete', () => {
	test('get gives the members', async () => {
		const { json } = await service.run('recipientGroup', 'get', onGroup());
		const { _id, members } = firstGroup();
		expect(json).toEqual([expect.objectContaining({ _id, leads: [...members] })]);
	});

	test('delete gives the deleted group, without a body', async () => {
		const { _id } = firstGroup();
		const { json } = await service.run('recipientGroup', 'delete', onGroup());
		expect(service.lastSent).toEqual([`DELETE /recipientGroup/${_id}`, undefined]);
		expect(json).toEqual([expect.objectContaining({ _id })]);
		expect(groups().has(_id)).toBe(false);
	});
});

describe('getAll', () => {
	test.each([true, false])('reads all pages (total in the answer: %s)', async (totalInLists) => {
		service.emulator.switches.totalInLists = totalInLists;
		service.emulator.switches.pageCap = { recipientGroup: 2 };
		const { json } = await service.run('recipientGroup', 'getAll', { returnAll: true });
		const all = groups().values();
		expect(json.map(({ _id }) => _id)).toEqual(all.map(({ _id }) => _id));
		expect(service.requests[0]?.query).toEqual({ limit: '100', skip: '0' });
	});

	test('a group deleted between two pages takes no other with it', async () => {
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

	test('a group that moves from the last page to the first is not lost', async () => {
		const all = Array.from({ length: 5 }, (_, n) => ({ _id: `group-${n}`, name: `Group ${n}` }));
		const moved = [...all.slice(-1), ...all.slice(0, -1)];
		const skips = [0, 2, 4, 0, 2, 4];
		for (const [index, from] of skips.entries()) {
			const data = (index === 0 ? all : moved).slice(from, from + 2);
			service.emulator.faults.on('/recipientGroup', {
				status: 200,
				body: { success: true, data, total: all.length },
			});
		}
		const { json } = await run('getAll', { returnAll: true });
		expect(service.requests.map(({ query }) => query.skip)).toEqual(skips.map(String));
		expect(json.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name));
	});

	test.each([true, false])('sends the filter Own as %s', async (own) => {
		await run('getAll', { filters: { own } });
		expect(service.requests[0]?.query).toMatchObject({ own: String(own), limit: '50' });
	});
});

describe('addRecipients and removeRecipients', () => {
	test('adds by email', async () => {
		const { _id, email } = outsider();
		const parameters = onGroup({ identifyBy: 'email', recipientEmails: email });
		const { json } = await service.run('recipientGroup', 'addRecipients', parameters);
		expect(service.lastRequest.body).toEqual({ recipientEmails: [email] });
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(firstGroup().members.has(_id)).toBe(true);
	});

	test('adds by id, starting anew with Reset', async () => {
		const recipientIds = [outsider()._id];
		await run(
			'addRecipients',
			onGroup({ identifyBy: 'id', recipientIds, options: { reset: true } }),
		);
		expect(service.lastRequest.body).toEqual({ recipientIds, reset: true });
		expect([...firstGroup().members]).toEqual(recipientIds);
	});

	test('an error log comes out as it is', async () => {
		service.emulator.switches.unknownEmails = 'errorLog';
		const { json } = await run('addRecipients', onGroup(unknownEmail));
		const errorLog = [expect.objectContaining({ email: unknownEmail.recipientEmails })];
		expect(json).toEqual([{ successCount: 0, errorCount: 1, errorLog }]);
	});

	test('removes with a JSON body of DELETE', async () => {
		const { _id: groupId, members } = firstGroup();
		const [id = ''] = members;
		const email =
			people()
				.find(({ _id }) => _id === id)
				?.email.toUpperCase() ?? '';
		const parameters = onGroup({ recipientEmails: email });
		const { json } = await service.run('recipientGroup', 'removeRecipients', parameters);
		expect(service.lastSent).toEqual([
			`DELETE /recipientGroup/${groupId}/recipients`,
			{ recipientEmails: [email] },
		]);
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(members.has(id)).toBe(false);
	});
});

test.each<[operation: string, parameters: INodeParameters, message: RegExp]>([
	['create', { name: '={{ " " }}' }, /^Name is empty$/],
	['addRecipients', { recipientEmails: '={{ [] }}' }, /^Recipient Emails is empty/],
	['addRecipients', { identifyBy: 'id', recipientIds: '={{ null }}' }, /^Recipient IDs is empty/],
	[
		'addRecipients',
		{ identifyBy: '={{ "phone" }}', recipientEmails: 'a@b.c' },
		/^Identify By must be /,
	],
	[
		'addRecipients',
		{ identifyBy: '={{ "id" }}', recipientIds: 'a', recipientEmails: 'a@b.c' },
		/cannot be given together/,
	],
])('%s with %j fails before anything is sent', async (operation, parameters, message) => {
	const given = onGroup(parameters);
	expect(await service.failure('recipientGroup', operation, given)).toMatchObject({
		message: expect.stringMatching(message),
		sent: 0,
	});
});

test('the service’s message, and what to do', async () => {
	const recipientGroupId = locator('64f1c0ffee0000000000abcd');
	expect(await service.failure('recipientGroup', 'delete', { recipientGroupId })).toMatchObject({
		message: 'Object does not exist',
	});
	const parameters = onGroup(unknownEmail);
	expect(await service.failure('recipientGroup', 'addRecipients', parameters)).toMatchObject({
		message: 'Not all emails founded as recipient in system',
		advice: expect.stringContaining('carries out nothing'),
	});
});
