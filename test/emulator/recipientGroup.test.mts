import type { Switches } from '../../emulator/emulator.mts';
import { any, first, start, textLike, useEmulator } from './client.mts';

const context = useEmulator({ seed: { people: 20, groups: 2, campaigns: 0, surveys: 0 } });

interface Group {
	_id: string;
	name: string;
	leads?: string[];
	leadsTotal: number;
	ownerId: string;
	exclusive: boolean;
}

interface Result {
	successCount: number;
	errorCount: number;
	errorLog?: Record<string, unknown>[];
}

const unknown = 'Not all emails founded as recipient in system';
const nobody = '000000000000000000000000';

const people = () => context.emulator.state.people.values();
const emails = (...positions: number[]): string[] =>
	positions.map((position) => people()[position]?.email ?? '');
const ids = (...positions: number[]): string[] =>
	positions.map((position) => people()[position]?._id ?? '');

async function create(name = 'Team', leads?: string[]): Promise<Group> {
	const body = leads === undefined ? { name } : { name, leads };
	return (await context.client.ok<Group>('POST', '/recipientGroup', { body })).data;
}

async function add(id: string, body: object): Promise<Result> {
	return (await context.client.ok<Result>('POST', `/recipientGroup/${id}/recipients`, { body }))
		.data;
}

async function remove(id: string, body: object): Promise<Result> {
	return (await context.client.ok<Result>('DELETE', `/recipientGroup/${id}/recipients`, { body }))
		.data;
}

const members = (id: string): string[] => context.emulator.state.groupEmails(id);

test('create, get and delete', async () => {
	const group = await create('Team', ids(0, 1));
	expect(group).toEqual({
		_id: textLike(/^[0-9a-f]{24}$/),
		name: 'Team',
		exclusive: false,
		leads: ids(0, 1),
		leadsTotal: 2,
		ownerId: context.emulator.state.superUser._id,
		mDate: new Date(start).toISOString(),
		aDate: new Date(start).toISOString(),
		__v: 0,
	});
	const got = await context.client.ok('GET', `/recipientGroup/${group._id}`);
	expect(got.data).toEqual(group);
	const deleted = await context.client.ok('DELETE', `/recipientGroup/${group._id}`);
	expect(deleted.data).toEqual(group);
	expect(await context.client.refused('DELETE', `/recipientGroup/${group._id}`)).toBe(
		'Object does not exist',
	);
});

test('an unknown one is HTTP 404 with plain text', async () => {
	const answer = await context.client.call('GET', `/recipientGroup/${nobody}`);
	expect(answer.status).toBe(404);
	expect(answer.data).toBe('Not Found');
	expect(String(answer.headers['content-type'])).toContain('text/plain');
});

test('a missing name is told', async () => {
	for (const body of [{}, { name: '' }]) {
		expect(await context.client.refused('POST', '/recipientGroup', { body })).toMatch(
			/`name` is required/,
		);
	}
	expect(context.emulator.violations).toEqual([]);
});

describe('list', () => {
	test('20 by default, by skip and limit, with a total', async () => {
		for (let number = 0; number < 23; number += 1) await create(`Group ${number}`);
		const page = await context.client.ok<Group[]>('GET', '/recipientGroup');
		expect(page.data).toHaveLength(20);
		expect(page.total).toBe(25);
		const rest = await context.client.ok<Group[]>('GET', '/recipientGroup', {
			query: { skip: '20', limit: '10' },
		});
		expect(rest.data).toHaveLength(5);
		expect(first(rest.data).name).toBe('Group 18');
		context.emulator.switches.totalMeans = 'rest';
		const last = await context.client.ok('GET', '/recipientGroup', { query: { skip: '20' } });
		expect(last.total).toBe(5);
		context.emulator.switches.totalMeans = 'page';
		context.emulator.switches.skipMeans = 'nothing';
		const again = await context.client.ok<Group[]>('GET', '/recipientGroup', {
			query: { skip: '20', limit: '10' },
		});
		expect(again.data.map((group) => group.name)).toEqual(
			page.data.slice(0, 10).map((group) => group.name),
		);
		expect(again.total).toBe(10);
		context.emulator.switches.totalInLists = false;
		expect((await context.client.ok('GET', '/recipientGroup')).total).toBeUndefined();
		context.emulator.switches.pageCap = { recipientGroup: 3 };
		expect((await context.client.ok<Group[]>('GET', '/recipientGroup')).data).toHaveLength(3);
		context.emulator.switches.leadsInLists = false;
		const bare = await context.client.ok<Group[]>('GET', '/recipientGroup');
		expect(first(bare.data)).not.toHaveProperty('leads');
	});

	test('in any order', async () => {
		await create('Alpha');
		const names = async () =>
			(await context.client.ok<Group[]>('GET', '/recipientGroup')).data.map((group) => group.name);
		expect(await names()).toEqual(['Sales', 'Engineering', 'Alpha']);
		context.emulator.switches.recipientGroupOrder = 'newestFirst';
		expect(await names()).toEqual(['Alpha', 'Engineering', 'Sales']);
		context.emulator.switches.recipientGroupOrder = 'byName';
		expect(await names()).toEqual(['Alpha', 'Engineering', 'Sales']);
	});

	test('own ones, and exclusive ones of others', async () => {
		const { state } = context.emulator;
		state.addRecipientGroup('Paul', [], { ownerId: state.plainUser._id });
		state.addRecipientGroup('Secret', [], { exclusive: true });
		const names = async (own: string) =>
			(await context.plain.ok<Group[]>('GET', '/recipientGroup', { query: { own } })).data.map(
				(group) => group.name,
			);
		expect(await names('true')).toEqual(['Paul']);
		expect(await names('false')).toEqual(['Sales', 'Engineering', 'Paul']);
		const secret = state.recipientGroups.find((group) => group.name === 'Secret');
		const answer = await context.plain.call('GET', `/recipientGroup/${secret?._id ?? ''}`);
		expect(answer.status).toBe(404);
	});
});

describe('members', () => {
	test('are added by email in any case, and only once', async () => {
		const { _id } = await create();
		const [one = '', two = ''] = emails(0, 1);
		expect(await add(_id, { recipientEmails: [one.toUpperCase(), two, two] })).toEqual({
			successCount: 2,
			errorCount: 0,
		});
		expect(await add(_id, { recipientEmails: [one, two] })).toEqual({
			successCount: 0,
			errorCount: 0,
		});
		expect(members(_id)).toEqual([one, two]);
	});

	test('are added and removed by id', async () => {
		const { _id } = await create();
		expect(await add(_id, { recipientIds: ids(0, 1, 2) })).toEqual({
			successCount: 3,
			errorCount: 0,
		});
		expect(await remove(_id, { recipientIds: ids(1, 5) })).toEqual({
			successCount: 1,
			errorCount: 0,
		});
		expect(members(_id)).toEqual(emails(0, 2));
	});

	test('are removed by email with a JSON body', async () => {
		const { _id } = await create('Team', ids(0, 1));
		const [one = ''] = emails(0);
		expect(await remove(_id, { recipientEmails: [one.toUpperCase()] })).toEqual({
			successCount: 1,
			errorCount: 0,
		});
		expect(await remove(_id, { recipientEmails: [one] })).toEqual({
			successCount: 0,
			errorCount: 0,
		});
		expect(members(_id)).toEqual(emails(1));
	});

	test('are reset', async () => {
		const { _id } = await create('Team', ids(0, 1));
		expect(await add(_id, { recipientIds: ids(1, 2), reset: true })).toEqual({
			successCount: 2,
			errorCount: 0,
		});
		expect(members(_id)).toEqual(emails(1, 2));
		await add(_id, { reset: true });
		expect(members(_id)).toEqual([]);
	});

	test('ids and emails exclude each other', async () => {
		const { _id } = await create();
		const body = { recipientIds: [], recipientEmails: [] };
		for (const method of ['POST', 'DELETE'] as const) {
			expect(
				await context.client.refused(method, `/recipientGroup/${_id}/recipients`, { body }),
			).toContain('mutually exclusive');
		}
		expect(context.emulator.violations).toHaveLength(2);
	});

	test('of an unknown group can not be changed', async () => {
		for (const method of ['POST', 'DELETE'] as const) {
			expect(
				await context.client.refused(method, `/recipientGroup/${nobody}/recipients`, { body: {} }),
			).toBe('Object does not exist');
		}
	});
});

describe('unknown recipients', () => {
	test('refuse the whole call, which then changes nothing', async () => {
		const { _id } = await create('Team', ids(0));
		const body = { recipientEmails: [...emails(1), 'no@body.example'], reset: true };
		expect(
			await context.client.refused('POST', `/recipientGroup/${_id}/recipients`, { body }),
		).toBe(unknown);
		expect(
			await context.client.refused('DELETE', `/recipientGroup/${_id}/recipients`, {
				body: { recipientEmails: [...emails(0), 'no@body.example'] },
			}),
		).toBe(unknown);
		context.emulator.switches.unknownIdsMessage = 'Unknown ids';
		expect(
			await context.client.refused('POST', `/recipientGroup/${_id}/recipients`, {
				body: { recipientIds: [nobody] },
			}),
		).toBe('Unknown ids');
		expect(members(_id)).toEqual(emails(0));
		expect(context.emulator.violations).toEqual([]);
	});

	const shapes: [Switches['errorLogShape'], object, object][] = [
		['field', { email: 'No@Body.example' }, { _id: nobody }],
		[
			'recipientField',
			{ recipientEmail: 'No@Body.example', message: any(String) },
			{ recipientId: nobody, message: any(String) },
		],
		[
			'valueError',
			{ value: 'No@Body.example', error: any(String) },
			{ value: nobody, error: any(String) },
		],
		[
			'nested',
			{ recipient: { email: 'No@Body.example' }, reason: any(String) },
			{ recipient: { _id: nobody }, reason: any(String) },
		],
		[
			'text',
			{ message: 'Recipient No@Body.example not found in system' },
			{ message: `Recipient ${nobody} not found in system` },
		],
		['index', { index: 1, message: any(String) }, { index: 1, message: any(String) }],
		['opaque', { code: 'RECIPIENT_NOT_FOUND' }, { code: 'RECIPIENT_NOT_FOUND' }],
		['lowerCase', { email: 'no@body.example' }, { _id: nobody }],
	];

	test.each(shapes)('or are listed in errorLog, shaped as %s', async (shape, byEmail, byId) => {
		Object.assign(context.emulator.switches, {
			unknownEmails: 'errorLog',
			unknownIds: 'errorLog',
			errorLogShape: shape,
		});
		const { _id } = await create();
		expect(await add(_id, { recipientEmails: [...emails(0), 'No@Body.example'] })).toEqual({
			successCount: 1,
			errorCount: 1,
			errorLog: [byEmail],
		});
		expect(await remove(_id, { recipientIds: [...ids(0), nobody] })).toEqual({
			successCount: 1,
			errorCount: 1,
			errorLog: [byId],
		});
	});

	test('or are passed over', async () => {
		context.emulator.switches.unknownEmails = 'ignore';
		const { _id } = await create();
		expect(await add(_id, { recipientEmails: ['no@body.example', ...emails(0)] })).toEqual({
			successCount: 1,
			errorCount: 0,
		});
	});
});

test('leads may be cut short while leadsTotal is the whole', async () => {
	context.emulator.switches.leadsTruncated = 3;
	const group = first(context.emulator.state.recipientGroups.values());
	const { data } = await context.client.ok<Group>('GET', `/recipientGroup/${group._id}`);
	expect(data.leads).toHaveLength(3);
	expect(data.leadsTotal).toBe(10);
});

test('people of a CSV become known recipients', async () => {
	const { state } = context.emulator;
	const added = state.addPeople([
		{ email: 'csv@people.example', firstName: 'C', lastName: 'SV', hrId: 'X1', active: false },
		{ email: 'CSV@people.example' },
	]);
	expect(added[0]).toBe(added[1]);
	const { _id } = await create();
	expect(await add(_id, { recipientEmails: ['Csv@People.example'] })).toMatchObject({
		successCount: 1,
	});
	expect(state.people.findByReference('X1')).toBe(added[0]);
	expect(state.people.findByReference('csv')).toBe(added[0]);
});
