import { nobody, textLike, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, list, ok, refused, expectViolations } = useEmulator({
	seed: { people: 20, groups: 2, campaigns: 0, surveys: 0 },
});

interface Group {
	_id: string;
	name: string;
	leads?: string[];
	leadsTotal: number;
}

const people = () => [...emulator.state.people.values()];
const emails = (...positions: number[]) =>
	positions.map((position) => people()[position]?.email ?? '');
const ids = (...positions: number[]) => positions.map((position) => people()[position]?._id ?? '');

const create = (name = 'Team', leads?: string[]) =>
	ok<Group>('POST /recipientGroup', { name, leads });
const add = (id: string, body: object) => ok(`POST /recipientGroup/${id}/recipients`, body);
const remove = (id: string, body: object) => ok(`DELETE /recipientGroup/${id}/recipients`, body);
const members = (id: string) =>
	[...(emulator.state.recipientGroups.get(id)?.members ?? [])].map(
		(personId) => emulator.state.people.get(personId)?.email,
	);
const counts = (successCount: number) => ({ successCount, errorCount: 0 });
const namesIn = (groups: Group[]) => groups.map(({ name }) => name);

test('creates, returns and deletes a group', async () => {
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

describe('list', () => {
	test('returns pages by skip and limit, 20 groups by default, with a total', async () => {
		for (let number = 0; number < 23; number += 1) await create(`Group ${number}`);
		for (const [query, count, name] of [
			['', 20, 'Sales'],
			['?skip=20&limit=10', 5, 'Group 18'],
		] as const) {
			const { data, total } = await list<Group[]>(`GET /recipientGroup${query}`);
			expect([data.length, data[0]?.name, total]).toEqual([count, name, 25]);
		}
	});

	test('returns only own groups with own=true, and shows plain users no exclusive groups of others', async () => {
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
	test('are added and removed only once, whether the email is in upper or lower case', async () => {
		const { _id } = await create();
		const [one = '', two = ''] = emails(0, 1);
		expect(await add(_id, { recipientEmails: [one.toUpperCase(), two, two] })).toEqual(counts(2));
		expect(await add(_id, { recipientEmails: [one, two] })).toEqual(counts(0));
		expect(members(_id)).toEqual([one, two]);
		expect(await remove(_id, { recipientEmails: [one.toUpperCase()] })).toEqual(counts(1));
		expect(await remove(_id, { recipientEmails: [one] })).toEqual(counts(0));
		expect(members(_id)).toEqual([two]);
	});

	test('are added, removed and replaced by ID', async () => {
		const { _id } = await create();
		expect(await add(_id, { recipientIds: ids(0, 1, 2) })).toEqual(counts(3));
		expect(await remove(_id, { recipientIds: ids(1, 5) })).toEqual(counts(1));
		expect(members(_id)).toEqual(emails(0, 2));
		expect(await add(_id, { recipientIds: ids(2, 3), reset: true })).toEqual(counts(2));
		expect(members(_id)).toEqual(emails(2, 3));
		await add(_id, { reset: true });
		expect(members(_id)).toEqual([]);
	});

	test('stay unchanged when a call is refused because of an unknown recipient', async () => {
		const { _id } = await create('Team', ids(0));
		for (const [method, body] of [
			['POST', { recipientEmails: [...emails(1), 'no@body.example'], reset: true }],
			['DELETE', { recipientEmails: [...emails(0), 'no@body.example'] }],
			['DELETE', { recipientIds: [...ids(0), nobody] }],
		] as const)
			await refused(`${method} /recipientGroup/${_id}/recipients`, body);
		expect(members(_id)).toEqual(emails(0));
		expectViolations(0);
	});
});

test('finds an added person by email, HR-system ID and username', async () => {
	const { state } = emulator;
	const person = state.people.add({ email: 'csv@people.example', hrId: 'X1' });
	expect(state.people.add({ email: 'CSV@people.example' })).toBe(person);
	const { _id } = await create();
	expect(await add(_id, { recipientEmails: ['Csv@People.example'] })).toEqual(counts(1));
	for (const reference of ['X1', 'csv'])
		expect(state.people.findByReference(reference)).toBe(person);
});
