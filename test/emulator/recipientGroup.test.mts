import { any, first, nobody, textLike, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, call, list, ok, refused, expectViolations } = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0 },
});

interface Group {
	_id: string;
	name: string;
	leads?: string[];
	leadsTotal: number;
}

const unknown = 'Not all emails founded as recipient in system';
const people = () => [...emulator.state.people.values()];
const emails = (...positions: number[]) =>
	positions.map((position) => people()[position]?.email ?? '');
const ids = (...positions: number[]) => positions.map((position) => people()[position]?._id ?? '');

const create = (name = 'Team', leads?: string[]) =>
	ok<Group>('POST /recipientGroup', { name, leads });
const add = (id: string, body: object) => ok(`POST /recipientGroup/${id}/recipients`, body);
const remove = (id: string, body: object) => ok(`DELETE /recipientGroup/${id}/recipients`, body);
const members = (id: string) => emulator.state.groupEmails(id);
const counts = (successCount: number, errorCount = 0) => ({ successCount, errorCount });
const namesIn = (groups: Group[]) => groups.map(({ name }) => name);

test('create, get and delete', async () => {
	const group = await create('Team', ids(0, 1));
	expect(group).toEqual({
		_id: textLike(/^[0-9a-f]{24}$/),
		name: 'Team',
		exclusive: false,
		leads: ids(0, 1),
		leadsTotal: 2,
		ownerId: emulator.state.superUser._id,
		mDate: timeAfter(),
		aDate: timeAfter(),
		__v: 0,
	});
	for (const method of ['GET', 'DELETE'])
		expect(await ok(`${method} /recipientGroup/${group._id}`)).toEqual(group);
	expect(await refused(`DELETE /recipientGroup/${group._id}`)).toBe('Object does not exist');
});

test('an unknown one is HTTP 404 with plain text', async () => {
	const { status, data, headers } = await call(`GET /recipientGroup/${nobody}`);
	expect([status, data]).toEqual([404, 'Not Found']);
	expect(String(headers['content-type'])).toContain('text/plain');
});

test.each([[{}], [{ name: '' }]])('the missing name in %j is told', async (body) => {
	expect(await refused('POST /recipientGroup', body)).toMatch(/`name` is required/);
	expectViolations(0);
});

describe('list', () => {
	test('20 by default, by skip and limit, with a total', async () => {
		for (let number = 0; number < 23; number += 1) await create(`Group ${number}`);
		const { switches } = emulator;
		const page = async (query = '') => {
			const { data, total } = await list<Group[]>(`GET /recipientGroup${query}`);
			return { count: data.length, name: data[0]?.name, total };
		};
		const whole = { count: 20, name: 'Sales', total: 25 };
		expect(await page()).toEqual(whole);
		expect(await page('?skip=20&limit=10')).toEqual({ count: 5, name: 'Group 18', total: 25 });
		switches.totalMeans = 'rest';
		expect(await page('?skip=20')).toMatchObject({ total: 5 });
		switches.totalMeans = 'page';
		switches.skipMeans = 'nothing';
		expect(await page('?skip=20&limit=10')).toEqual({ ...whole, count: 10, total: 10 });
		switches.totalInLists = false;
		expect(await page()).toEqual({ ...whole, total: undefined });
		switches.pageCap = { recipientGroup: 3 };
		expect(await page()).toMatchObject({ count: 3 });
		switches.leadsInLists = false;
		expect(first(await ok<Group[]>('GET /recipientGroup'))).not.toHaveProperty('leads');
	});

	test.each([
		['oldestFirst', ['Sales', 'Engineering', 'Alpha']],
		['newestFirst', ['Alpha', 'Engineering', 'Sales']],
		['byName', ['Alpha', 'Engineering', 'Sales']],
	] as const)('in the order %s', async (order, names) => {
		await create('Alpha');
		emulator.switches.recipientGroupOrder = order;
		expect(namesIn(await ok<Group[]>('GET /recipientGroup'))).toEqual(names);
	});

	test('own ones, and exclusive ones of others', async () => {
		const { state } = emulator;
		state.addRecipientGroup('Paul', [], { ownerId: state.plainUser._id });
		const secret = state.addRecipientGroup('Secret', [], { exclusive: true });
		for (const [own, names] of [
			[true, ['Paul']],
			[false, ['Sales', 'Engineering', 'Paul']],
		] as const)
			expect(namesIn(await plain.ok<Group[]>(`GET /recipientGroup?own=${own}`))).toEqual(names);
		expect((await plain.call(`GET /recipientGroup/${secret._id}`)).status).toBe(404);
	});
});

describe('members', () => {
	test('are added by email in any case, and only once', async () => {
		const { _id } = await create();
		const [one = '', two = ''] = emails(0, 1);
		expect(await add(_id, { recipientEmails: [one.toUpperCase(), two, two] })).toEqual(counts(2));
		expect(await add(_id, { recipientEmails: [one, two] })).toEqual(counts(0));
		expect(members(_id)).toEqual([one, two]);
	});

	test('are added and removed by id', async () => {
		const { _id } = await create();
		expect(await add(_id, { recipientIds: ids(0, 1, 2) })).toEqual(counts(3));
		expect(await remove(_id, { recipientIds: ids(1, 5) })).toEqual(counts(1));
		expect(members(_id)).toEqual(emails(0, 2));
	});

	test('are removed by email with a JSON body', async () => {
		const { _id } = await create('Team', ids(0, 1));
		const [one = ''] = emails(0);
		expect(await remove(_id, { recipientEmails: [one.toUpperCase()] })).toEqual(counts(1));
		expect(await remove(_id, { recipientEmails: [one] })).toEqual(counts(0));
		expect(members(_id)).toEqual(emails(1));
	});

	test('are reset', async () => {
		const { _id } = await create('Team', ids(0, 1));
		expect(await add(_id, { recipientIds: ids(1, 2), reset: true })).toEqual(counts(2));
		expect(members(_id)).toEqual(emails(1, 2));
		await add(_id, { reset: true });
		expect(members(_id)).toEqual([]);
	});

	test.each(['POST', 'DELETE'])('what %s refuses', async (method) => {
		const { _id } = await create();
		const both = { recipientIds: [], recipientEmails: [] };
		const path = (id: string) => `${method} /recipientGroup/${id}/recipients` as const;
		expect(await refused(path(_id), both)).toContain('mutually exclusive');
		expectViolations(1);
		expect(await refused(path(nobody), {})).toBe('Object does not exist');
	});
});

describe('unknown recipients', () => {
	test('refuse the whole call, which then changes nothing', async () => {
		const { _id } = await create('Team', ids(0));
		emulator.switches.unknownIdsMessage = 'Unknown ids';
		for (const [method, body, message] of [
			['POST', { recipientEmails: [...emails(1), 'no@body.example'], reset: true }, unknown],
			['DELETE', { recipientEmails: [...emails(0), 'no@body.example'] }, unknown],
			['POST', { recipientIds: [nobody] }, 'Unknown ids'],
		] as const)
			expect(await refused(`${method} /recipientGroup/${_id}/recipients`, body)).toBe(message);
		expect(members(_id)).toEqual(emails(0));
		expectViolations(0);
	});

	const [email, text] = ['No@Body.example', any(String)];
	test.each([
		['field', { email }, { _id: nobody }],
		[
			'recipientField',
			{ recipientEmail: email, message: text },
			{ recipientId: nobody, message: text },
		],
		['valueError', { value: email, error: text }, { value: nobody, error: text }],
		[
			'nested',
			{ recipient: { email }, reason: text },
			{ recipient: { _id: nobody }, reason: text },
		],
		[
			'text',
			{ message: `Recipient ${email} not found in system` },
			{ message: `Recipient ${nobody} not found in system` },
		],
		['index', { index: 1, message: text }, { index: 1, message: text }],
		['opaque', { code: 'RECIPIENT_NOT_FOUND' }, { code: 'RECIPIENT_NOT_FOUND' }],
		['lowerCase', { email: 'no@body.example' }, { _id: nobody }],
	] as const)('or are listed in errorLog, shaped as %s', async (shape, byEmail, byId) => {
		const { switches } = emulator;
		switches.unknownEmails = 'errorLog';
		switches.unknownIds = 'errorLog';
		switches.errorLogShape = shape;
		const { _id } = await create();
		const said = (entry: object) => ({ ...counts(1, 1), errorLog: [entry] });
		expect(await add(_id, { recipientEmails: [...emails(0), email] })).toEqual(said(byEmail));
		expect(await remove(_id, { recipientIds: [...ids(0), nobody] })).toEqual(said(byId));
	});

	test('or are passed over', async () => {
		emulator.switches.unknownEmails = 'ignore';
		const { _id } = await create();
		const recipientEmails = ['no@body.example', ...emails(0)];
		expect(await add(_id, { recipientEmails })).toEqual(counts(1));
	});
});

test('people may be locked, put into new groups, and shown one call late', async () => {
	const { switches } = emulator;
	const [locked = '', creator = ''] = ids(0, 1);
	Object.assign(switches, { lockedRecipients: { [locked]: 'Locked' }, errorLogShape: 'opaque' });
	switches.membersOfNewGroups = [creator];
	const { _id, leads } = await create();
	expect(leads).toEqual([creator]);
	const said = { ...counts(1, 1), errorLog: [{ code: 'Locked' }] };
	expect(await add(_id, { recipientIds: ids(0, 2) })).toEqual(said);
	switches.groupReads = 'oneCallBehind';
	const group = await ok<Group>(`GET /recipientGroup/${_id}`);
	expect([group.leads, group.leadsTotal]).toEqual([[creator], 1]);
});

test('leads may be cut short while leadsTotal is the whole', async () => {
	emulator.switches.leadsTruncated = 3;
	const group = first(emulator.state.recipientGroups.values());
	const { leads, leadsTotal } = await ok<Group>(`GET /recipientGroup/${group._id}`);
	expect([leads?.length, leadsTotal]).toEqual([3, 10]);
});

test('people of a CSV become known recipients', async () => {
	const { state } = emulator;
	const [person, same] = state.addPeople([
		{ email: 'csv@people.example', firstName: 'C', lastName: 'SV', hrId: 'X1', active: false },
		{ email: 'CSV@people.example' },
	]);
	expect(same).toBe(person);
	const { _id } = await create();
	expect(await add(_id, { recipientEmails: ['Csv@People.example'] })).toEqual(counts(1));
	for (const reference of ['X1', 'csv'])
		expect(state.people.findByReference(reference)).toBe(person);
});
