import { any, first, nobody, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, list, ok, done, refused, expectViolations } = useEmulator({
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
const fieldsOf = (record: object) => Object.keys(record).sort().join(' ');
const query = (conditions: object) =>
	`?${new URLSearchParams({ conditions: JSON.stringify(conditions) }).toString()}`;

const listFields =
	'_id aDate defaults description mDate name ownerId paused sharedGroups sharedUsers status title';

describe('channels', () => {
	test('create with defaults, title from name', async () => {
		const created = await ok<Channel>('POST /channel', { name: 'News' });
		expect(fieldsOf(created).split(' ')).toEqual(
			[...listFields.split(' '), 'adminIds', 'pinned'].sort(),
		);
		const { _id, email, firstName, lastName } = emulator.state.superUser;
		expect(created).toMatchObject({
			name: 'News',
			title: 'News',
			status: '1',
			paused: false,
			pinned: false,
			aDate: timeAfter(),
			defaults: {
				template: '',
				enableEmail: true,
				enablePushNotification: true,
				enableComments: false,
				commentVisibility: '1',
			},
			ownerId: { _id, displayName: 'Ada Admin', firstName, lastName, email },
		});
		await ok('POST /channel', {});
	});

	test('take every default under its request name', async () => {
		const template = first(emulator.state.templates.values())._id;
		const same = { template, enableEmail: false, commentVisibility: '0' };
		const { _id, defaults } = await ok<Channel>('POST /channel', {
			defaults: { ...same, enableSms: false, enableAppNotification: false, enableComment: true },
		});
		expect(defaults).toEqual({ ...same, enablePushNotification: false, enableComments: true });
		expect(emulator.state.channels.get(_id)?.defaults.enableSms).toBe(false);
	});

	test('update changes what is sent', async () => {
		const body = { title: '', defaults: { enableEmail: false } };
		expect(await ok(`PUT ${path()}`, body)).toMatchObject({
			name: 'Channel 1',
			title: '',
			defaults: { enableEmail: false, enablePushNotification: true },
		});
	});

	test('list newest first without query, get with pinned', async () => {
		const { data, total } = await list<Channel[]>('GET /channel');
		expect(data.map(({ name }) => name)).toEqual(['Channel 2', 'Channel 1']);
		expect([total, fieldsOf(first(data))]).toEqual([2, listFields]);
		const got = await ok<Channel>(`GET ${path()}`);
		expect(fieldsOf(got)).toBe(listFields.replace('sharedGroups', 'pinned sharedGroups'));
		emulator.switches.pageCap = { channel: 1 };
		expect(await ok('GET /channel')).toHaveLength(1);
	});

	test('archive and restore', async () => {
		expect(await refused(`POST ${path('/restore')}`)).toBe(invalid);
		for (const [action, status] of [
			['archive', '3'],
			['archive', '3'],
			['restore', '1'],
		] as const)
			expect(await ok(`POST ${path(`/${action}`)}`)).toMatchObject({ status });
	});

	test('are seen by those who have to do with them', async () => {
		expect(await plain.ok('GET /channel')).toEqual([]);
		expect(await plain.refused(`GET ${path()}`)).toBe(invalid);
		const user = 'paul.plain@company.example';
		await done(`PUT ${path('/manager')}`, { user, permissions: ['channel_admin'] });
		expect(await plain.ok('GET /channel')).toHaveLength(1);
	});

	test('campaigns take the delivery settings of the channel', async () => {
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
		for (const field of ['sharedGroups', 'recipientEmails', 'recipientGroups', 'recipients'])
			expect(await refused(`POST ${path('/campaign')}`, { ...required, [field]: [] })).toBe(
				invalid,
			);
		expectViolations(4);
	});

	test('broadcasts go out at once', async () => {
		const required = { title: 'x', message: 'x' };
		const fields = { ...required, emoji: '🎉', actionLink: 'https://company.example' };
		const { _id } = await ok<Channel>(`POST ${path('/broadcast')}`, fields);
		expect(await ok(`GET /broadcast/${_id}`)).toMatchObject({ status: '1' });
		const draft = { ...required, status: 'draft' };
		expect(await refused(`POST ${path('/broadcast')}`, draft)).toBe(invalid);
		expectViolations(1);
	});
});

describe('managers', () => {
	const managers = () => path('/manager');

	test('are listed with permissions', async () => {
		const { data, total } = await list<object[]>(`GET ${managers()}`);
		expect([total, fieldsOf(first(data))]).toEqual([
			3,
			'_id active activeConsole displayName email lastName permissions',
		]);
	});

	test('are set by id, email, HR-system id or username, and removed', async () => {
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

	test('are not set by a username that two console users have', async () => {
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

	test.each([
		[{}, 0],
		[{ user: 'nobody', permissions: [] }, 0],
		[{ user: 'x', permissions: 'channel_admin' }, 1],
	])('%j is told to be wrong', async (body, violations) => {
		expect(await refused(`PUT ${managers()}`, body)).toBe(invalid);
		expectViolations(violations);
	});

	test('come in pages and by conditions', async () => {
		const users = emulator.state.consoleUsers.values();
		for (const { _id } of users) seeded().managers.set(_id, ['channel_admin']);
		const page = await list<object[]>(`GET ${managers()}`);
		expect([page.data.length, page.total]).toEqual([20, 32]);
		expect(await ok(`GET ${managers()}?skip=20&limit=50`)).toHaveLength(12);
		const [email, other] = [users[7]?.email, users[8]?.email];
		const found = await ok(`GET ${managers()}${query({ email, active: true })}`);
		expect(found).toEqual([expect.objectContaining({ email })]);
		const several = query({ email: { $in: [email, other] } });
		expect(await list(`GET ${managers()}${several}`)).toHaveProperty('total', 2);
	});
});

test('conditions in the query are JSON, unless the switch says otherwise', async () => {
	const nested = `GET ${path('/manager')}?conditions[active]=true` as const;
	const json = `GET ${path('/manager')}${query({ active: true })}` as const;
	expect(await refused(nested)).toBe(invalid);
	expect(await refused(`GET ${path('/manager')}?conditions=[]`)).toBe(invalid);
	expectViolations(2);
	const operator = query({ email: { $where: '1' } });
	expect(await refused(`GET ${path('/manager')}${operator}`)).toBe(invalid);
	emulator.switches.conditionsQueryFormat = 'either';
	for (const request of [nested, json]) expect(await ok(request)).toHaveLength(3);
	emulator.switches.conditionsQueryFormat = 'deepObject';
	await refused(json);
});

test('manager groups are listed, set and removed', async () => {
	const groups = path('/managerGroup');
	const groupId = emulator.state.consoleUserGroups.values()[3]?._id;
	const permissions = ['channel_admin'];
	await done(`PUT ${groups}`, { groupId, permissions });
	const { data, total } = await list<object[]>(`GET ${groups}`);
	expect([total, data[2]]).toEqual([
		3,
		{
			_id: groupId,
			name: 'Console group 4',
			desc: 'Editors of team 4',
			deleted: false,
			default: false,
			roles: ['editor'],
			mDate: timeAfter(),
			aDate: timeAfter(),
			permissions,
		},
	]);
	await done(`DELETE ${groups}/${groupId}`);
	expect(await refused(`DELETE ${groups}/${groupId}`)).toBe(invalid);
	expect(await refused(`PUT ${groups}`, { groupId: nobody, permissions: [] })).toBe(invalid);
});

describe('recipients', () => {
	const recipientsPath = () => path('/recipient');
	const add = (body: object) => done(`POST ${recipientsPath()}`, body);
	const remove = (body: object) => done(`POST ${recipientsPath()}/remove`, body);
	const expectCount = async (total: number) =>
		expect(await list(`GET ${recipientsPath()}?limit=1`)).toMatchObject({ total });

	test('are listed with their link', async () => {
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

	describe('of a channel without any', () => {
		beforeEach(() => seeded().recipients.clear());

		test('are added by email, id, HR-system id and username, and removed', async () => {
			const [one, two, three, four] = emulator.state.people.values();
			const recipients = [one?.email, two?._id, three?.hrId, four?.username];
			await add({ recipients });
			await add({ recipients });
			await expectCount(4);
			await remove({ recipients: recipients.slice(1) });
			await expectCount(1);
		});

		test('are added by group and by condition, the latter only active ones', async () => {
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

		test('unknown ones refuse the call or are passed over', async () => {
			const recipients = [first(emulator.state.people.values()).email, 'no@body.example'];
			for (const body of [{ recipients }, { lists: [nobody] }])
				expect(await refused(`POST ${recipientsPath()}`, body)).toBe(invalid);
			await expectCount(0);
			emulator.switches.unknownChannelRecipients = 'ignore';
			await add({ recipients, lists: [nobody] });
			await expectCount(1);
		});
	});

	test.each([
		['either', 'nonsense'],
		['json', 'lastName=Berg'],
		['expression', '{"lastName":"Berg"}'],
	] as const)('with conditions as %s, %s is refused', async (format, condition) => {
		emulator.switches.conditionsFormat = format;
		expect(await refused(`POST ${recipientsPath()}`, { conditions: [condition] })).toBe(invalid);
	});
});

test.each<[method: string, path: string, body?: object]>([
	['GET', ''],
	['PUT', '', {}],
	['POST', '/archive'],
	['POST', '/restore'],
	['GET', '/manager'],
	['PUT', '/manager', { user: 'x', permissions: [] }],
	['DELETE', '/manager', { user: 'x' }],
	['GET', '/managerGroup'],
	['PUT', '/managerGroup', { groupId: 'x', permissions: [] }],
	['DELETE', '/managerGroup/x'],
	['GET', '/recipient'],
	['POST', '/recipient', {}],
	['POST', '/recipient/remove', {}],
	['POST', '/campaign', { name: 'x', description: 'x' }],
	['POST', '/broadcast', { title: 'x', message: 'x' }],
])('%s of an unknown channel%s is "Invalid parameters"', async (...[method, rest, body]) => {
	expect(await refused(`${method} /channel/${nobody}${rest}`, body)).toBe(invalid);
	expectViolations(0);
});
