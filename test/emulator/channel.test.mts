import { any, first, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, list, ok, done, refused } = useEmulator({
	seed: {
		people: 30,
		groups: 2,
		campaigns: 0,
		surveys: 0,
		broadcasts: 0,
		channels: 2,
		consoleUsers: 30,
		consoleUserGroups: 4,
	},
});

interface Channel {
	_id: string;
	name: string;
	status: string;
	defaults: object;
}

const invalid = 'Invalid parameters';
const seeded = () => first(emulator.state.channels.values());
const path = (rest = '') => `/channel/${seeded()._id}${rest}`;
const query = (conditions: object) =>
	`?${new URLSearchParams({ conditions: JSON.stringify(conditions) }).toString()}`;

describe('channels', () => {
	test('are created with defaults and with their name as title', async () => {
		const { _id, email, firstName, lastName } = emulator.state.superUser;
		expect(await ok('POST /channel', { name: 'News' })).toEqual({
			...{ _id: any(String), name: 'News', title: 'News', description: '', status: '1' },
			...{ paused: false, pinned: false, aDate: timeAfter(), mDate: timeAfter() },
			defaults: {
				template: '',
				enableEmail: true,
				enablePushNotification: true,
				enableComments: false,
				commentVisibility: '1',
			},
			...{ sharedUsers: [], sharedGroups: [], adminIds: [_id] },
			ownerId: { _id, displayName: 'Ada Admin', firstName, lastName, email },
		});
		await ok('POST /channel', {});
	});

	test('accept every default setting; some settings have different names in requests and responses', async () => {
		const template = first(emulator.state.templates.values())._id;
		const same = { template, enableEmail: false, commentVisibility: '0' };
		const { _id, defaults } = await ok<Channel>('POST /channel', {
			defaults: { ...same, enableSms: false, enableAppNotification: false, enableComment: true },
		});
		expect(defaults).toEqual({ ...same, enablePushNotification: false, enableComments: true });
		expect(emulator.state.channels.get(_id)?.defaults.enableSms).toBe(false);
	});

	test('are listed newest first', async () => {
		const { data, total } = await list<Channel[]>('GET /channel');
		expect([total, ...data.map(({ name }) => name)]).toEqual([2, 'Channel 2', 'Channel 1']);
	});

	test('are visible to their managers', async () => {
		expect(await plain.ok('GET /channel')).toEqual([]);
		expect(await plain.refused(`GET ${path()}`)).toBe(invalid);
		const user = 'paul.plain@company.example';
		await done(`PUT ${path('/manager')}`, { user, permissions: ['channel_admin'] });
		expect(await plain.ok('GET /channel')).toHaveLength(1);
	});

	test('pass their delivery settings to campaigns', async () => {
		const required = { name: 'x', description: 'x' };
		const create = async (body: object) => {
			const sent = { ...required, ...body };
			const { _id } = await ok<Channel>(`POST ${path('/campaign')}`, sent);
			return await ok(`GET /campaign/${_id}`);
		};
		const off = { enableEmail: false, commentVisibility: '0' };
		await ok(`PUT ${path()}`, { defaults: { ...off, enableComment: true } });
		expect(await create({})).toMatchObject({
			...off,
			status: '1',
			enableMobileNotification: true,
			recipientAmount: 30,
		});
		const own = { enableEmail: true, commentVisibility: '1' };
		expect(await create({ ...own, status: 'draft' })).toMatchObject({ ...own, status: '0' });
		await ok(`PUT ${path()}`, { defaults: { enableComment: false } });
		expect(await create({})).toMatchObject({ commentVisibility: 'disabled' });
	});
});

describe('managers', () => {
	const managers = () => path('/manager');

	test('are set by ID, email, HR-system ID or username, and removed', async () => {
		const users = emulator.state.consoleUsers.values().slice(10, 14);
		const [one, two, three, four] = users;
		const references = [one?._id, two?.email, three?.hrId, four?.username];
		for (const user of references)
			await done(`PUT ${managers()}`, { user, permissions: ['channel_recipient_add'] });
		const shown = await ok<Channel[]>(`GET ${managers()}`);
		expect(shown.slice(3).map(({ _id }) => _id)).toEqual(users.map(({ _id }) => _id));
		for (const user of references) await done(`DELETE ${managers()}`, { user });
		expect(await ok(`GET ${managers()}`)).toHaveLength(3);
		expect(await refused(`DELETE ${managers()}`, { user: one?._id })).toBe(invalid);
	});

	test('are not set by a username that two console users share', async () => {
		for (const domain of ['one', 'two'])
			emulator.state.consoleUsers.add({
				email: `twin@${domain}.example`,
				firstName: 'T',
				lastName: 'T',
			});
		const permissions = ['channel_admin'];
		expect(await refused(`PUT ${managers()}`, { user: 'twin', permissions })).toBe(invalid);
		await done(`PUT ${managers()}`, { user: 'twin@one.example', permissions });
	});

	test('are listed in pages and filtered by conditions', async () => {
		const users = emulator.state.consoleUsers.values();
		for (const { _id } of users) seeded().managers.set(_id, ['channel_admin']);
		const page = await list<object[]>(`GET ${managers()}`);
		expect([page.data.length, page.total]).toEqual([20, 32]);
		expect(await ok(`GET ${managers()}?skip=20&limit=50`)).toHaveLength(12);
		const email = users[7]?.email;
		const found = await ok(`GET ${managers()}${query({ email, active: true })}`);
		expect(found).toEqual([expect.objectContaining({ email })]);
		const others = query({ email: { $ne: email } });
		expect(await list(`GET ${managers()}${others}`)).toHaveProperty('total', 31);
	});
});

describe('recipients', () => {
	const recipientsPath = () => path('/recipient');
	const add = (body: object) => done(`POST ${recipientsPath()}`, body);
	const remove = (body: object) => done(`POST ${recipientsPath()}/remove`, body);
	const expectCount = async (total: number) =>
		expect(await list(`GET ${recipientsPath()}?limit=1`)).toMatchObject({ total });

	test('are listed with the record that links them to the channel', async () => {
		const { _id, active, email, lastName } = first(emulator.state.people.values());
		expect(first(await ok<object[]>(`GET ${recipientsPath()}`))).toEqual({
			_id,
			active,
			activeConsole: false,
			displayName: any(String),
			email,
			lastName,
			pitchStatus: 'live',
			oppo: { _id: any(String), pitchStatus: 'live', ceUserId: _id, _type: 'Oppo' },
		});
		expect(await ok(`GET ${recipientsPath()}${query({ email })}&limit=5&skip=0`)).toHaveLength(1);
	});

	describe('of an empty channel', () => {
		beforeEach(() => seeded().recipients.clear());

		test('are added by email, ID, HR-system ID and username, and removed', async () => {
			const [one, two, three, four] = emulator.state.people.values();
			const recipients = [one?.email, two?._id, three?.hrId, four?.username];
			await add({ recipients });
			await add({ recipients });
			await expectCount(4);
			await remove({ recipients: recipients.slice(1) });
			await expectCount(1);
		});

		test('are added and removed by group or by condition; a condition adds only active people', async () => {
			const lists = [first(emulator.state.recipientGroups.values())._id];
			await add({ lists });
			await expectCount(15);
			await remove({ lists });
			await expectCount(0);
			const people = emulator.state.people.values();
			const { lastName } = first(people.filter(({ active }) => active));
			first(people.filter(({ active }) => !active)).lastName = lastName;
			await add({ conditions: [JSON.stringify({ lastName })] });
			await expectCount(
				people.filter((person) => person.active && person.lastName === lastName).length,
			);
			await remove({ conditions: [`lastName=${lastName}`] });
			await expectCount(0);
			await add({});
		});
	});
});
