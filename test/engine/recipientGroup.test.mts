import { locator } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const groups = () => service.emulator.state.recipientGroups;
const firstGroup = () => first(groups().values(), 'group');
const people = () => [...service.emulator.state.people.values()];
const outsiders = () => people().filter(({ _id }) => !firstGroup().members.has(_id));

describe('create', () => {
	test('an empty group', async () => {
		const { json } = await service.run('recipientGroup', 'create', { name: 'Oslo' });
		expect(service.lastRequest).toMatchObject({
			method: 'POST',
			path: '/int/v1/recipientGroup',
			body: { name: 'Oslo' },
		});
		expect(json).toEqual([expect.objectContaining({ name: 'Oslo', leadsTotal: 0 })]);
	});

	test('with members', async () => {
		const ids = people()
			.slice(0, 2)
			.map(({ _id }) => _id);
		await service.run('recipientGroup', 'create', {
			name: 'Oslo',
			additionalFields: { leads: ids.join(';') },
		});
		expect(service.lastRequest.body).toEqual({ name: 'Oslo', leads: ids });
	});

	test('without a name nothing is sent', async () => {
		const { error } = await service.run('recipientGroup', 'create', { name: '={{ " " }}' });
		expect(error?.message).toBe('Name is empty');
		expect(service.requests).toEqual([]);
	});
});

describe('get and delete', () => {
	test('get gives the members', async () => {
		const group = firstGroup();
		const { json } = await service.run('recipientGroup', 'get', {
			recipientGroupId: locator(group._id),
		});
		expect(json).toEqual([expect.objectContaining({ _id: group._id, leads: [...group.members] })]);
	});

	test('delete gives the deleted group, without a body', async () => {
		const { _id } = firstGroup();
		const { json } = await service.run('recipientGroup', 'delete', {
			recipientGroupId: locator(_id),
		});
		expect(service.lastRequest).toMatchObject({
			method: 'DELETE',
			path: `/int/v1/recipientGroup/${_id}`,
		});
		expect(service.lastRequest.body ?? null).toBeNull();
		expect(json).toEqual([expect.objectContaining({ _id })]);
		expect(groups().has(_id)).toBe(false);
	});

	test('delete of an unknown group says so', async () => {
		const { error } = await service.run('recipientGroup', 'delete', {
			recipientGroupId: locator('64f1c0ffee0000000000abcd'),
		});
		expect(error?.message).toBe('Object does not exist');
	});
});

describe('getAll', () => {
	test.each([true, false])('reads all pages (total in the answer: %s)', async (totalInLists) => {
		service.emulator.switches.totalInLists = totalInLists;
		service.emulator.switches.pageCap = { recipientGroup: 2 };
		const { json } = await service.run('recipientGroup', 'getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id)).toEqual(
			groups()
				.values()
				.map(({ _id }) => _id),
		);
		expect(service.requests[0]?.query).toEqual({ limit: '100', skip: '0' });
	});

	test('a group deleted between two pages takes no other with it', async () => {
		for (let n = 0; n < 4; n++) await service.run('recipientGroup', 'create', { name: `G${n}` });
		const [first, ...others] = groups()
			.values()
			.map(({ _id }) => _id);
		service.emulator.switches.pageCap = { recipientGroup: 2 };
		let pages = 0;
		service.emulator.onRequest(({ operationId }) => {
			if (operationId !== 'recipientGroup.getAll') return;
			pages += 1;
			if (pages === 2 && first) groups().delete(first);
		});
		const { json } = await service.run('recipientGroup', 'getAll', { returnAll: true });
		expect(json.map(({ _id }) => _id)).toEqual(expect.arrayContaining(others));
	});

	test('a group that moves from the last page to the first is not lost', async () => {
		const all = Array.from({ length: 5 }, (_, n) => ({ _id: `group-${n}`, name: `Group ${n}` }));
		const moved = [...all.slice(-1), ...all.slice(0, -1)];
		const page = (list: typeof all, from: number) => ({
			status: 200,
			body: { success: true, data: list.slice(from, from + 2), total: list.length },
		});
		const answers = [page(all, 0), ...[2, 4, 0, 2, 4].map((from) => page(moved, from))];
		for (const action of answers) {
			service.emulator.faults.add({ match: { path: '/int/v1/recipientGroup' }, action });
		}
		const { json } = await service.run('recipientGroup', 'getAll', { returnAll: true });
		expect(service.requests.map(({ query }) => query.skip)).toEqual(['0', '2', '4', '0', '2', '4']);
		expect(json.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name));
	});

	test('sends the filter', async () => {
		await service.run('recipientGroup', 'getAll', { filters: { own: true } });
		expect(service.requests[0]?.query).toMatchObject({ own: 'true', limit: '50' });
		await service.run('recipientGroup', 'getAll', { filters: { own: false } });
		expect(service.lastRequest.query).toMatchObject({ own: 'false' });
	});
});

describe('addRecipients', () => {
	test('by email', async () => {
		const [person] = outsiders();
		const { json } = await service.run('recipientGroup', 'addRecipients', {
			recipientGroupId: locator(firstGroup()._id),
			identifyBy: 'email',
			recipientEmails: person?.email ?? '',
		});
		expect(service.lastRequest.body).toEqual({ recipientEmails: [person?.email] });
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(firstGroup().members.has(person?._id ?? '')).toBe(true);
	});

	test('by id, starting anew with Reset', async () => {
		const [person] = outsiders();
		await service.run('recipientGroup', 'addRecipients', {
			recipientGroupId: locator(firstGroup()._id),
			identifyBy: 'id',
			recipientIds: [person?._id ?? ''],
			options: { reset: true },
		});
		expect(service.lastRequest.body).toEqual({ recipientIds: [person?._id], reset: true });
		expect([...firstGroup().members]).toEqual([person?._id]);
	});

	test('an unknown address: the service’s message and what to do', async () => {
		const { error } = await service.run('recipientGroup', 'addRecipients', {
			recipientGroupId: locator(firstGroup()._id),
			recipientEmails: 'nobody@nowhere.example',
		});
		expect(error?.message).toBe('Not all emails founded as recipient in system');
		expect(error?.description).toContain('carries out nothing');
	});

	test('an error log comes out as it is', async () => {
		service.emulator.switches.unknownEmails = 'errorLog';
		const { json } = await service.run('recipientGroup', 'addRecipients', {
			recipientGroupId: locator(firstGroup()._id),
			recipientEmails: 'nobody@nowhere.example',
		});
		expect(json).toEqual([
			{
				successCount: 0,
				errorCount: 1,
				errorLog: [expect.objectContaining({ email: 'nobody@nowhere.example' })],
			},
		]);
	});

	test.each([
		[{ recipientEmails: '={{ [] }}' }, /^Recipient Emails is empty/],
		[{ identifyBy: 'id', recipientIds: '={{ null }}' }, /^Recipient IDs is empty/],
		[{ identifyBy: '={{ "phone" }}', recipientEmails: 'a@b.c' }, /^Identify By must be /],
		[
			{ identifyBy: '={{ "id" }}', recipientIds: 'a', recipientEmails: 'a@b.c' },
			/cannot be given together/,
		],
	])('%j fails before anything is sent', async (parameters, message) => {
		const { error } = await service.run('recipientGroup', 'addRecipients', {
			recipientGroupId: locator('x'),
			...parameters,
		});
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});

describe('removeRecipients', () => {
	test('sends the JSON body with DELETE', async () => {
		const group = firstGroup();
		const [id = ''] = group.members;
		const email = people().find(({ _id }) => _id === id)?.email ?? '';
		const { json } = await service.run('recipientGroup', 'removeRecipients', {
			recipientGroupId: locator(group._id),
			recipientEmails: email.toUpperCase(),
		});
		expect(service.lastRequest).toMatchObject({
			method: 'DELETE',
			path: `/int/v1/recipientGroup/${group._id}/recipients`,
			body: { recipientEmails: [email.toUpperCase()] },
		});
		expect(json).toEqual([{ successCount: 1, errorCount: 0 }]);
		expect(firstGroup().members.has(id)).toBe(false);
	});
});
