import { any, first, start, useEmulator } from './client.mts';

const context = useEmulator({
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
	title: string;
	status: string;
	defaults: Record<string, unknown>;
}

const invalid = 'Invalid parameters';
const nobody = '000000000000000000000000';
const channelId = (): string => first(context.emulator.state.channels.values())._id;

const listFields = [
	'_id',
	'aDate',
	'defaults',
	'description',
	'mDate',
	'name',
	'ownerId',
	'paused',
	'sharedGroups',
	'sharedUsers',
	'status',
	'title',
];

describe('channels', () => {
	test('create with defaults, title from name', async () => {
		const { data } = await context.client.ok<Channel>('POST', '/channel', {
			body: { name: 'News' },
		});
		expect(Object.keys(data).sort()).toEqual([...listFields, 'adminIds', 'pinned'].sort());
		expect(data).toMatchObject({
			name: 'News',
			title: 'News',
			status: '1',
			paused: false,
			pinned: false,
			aDate: new Date(start).toISOString(),
			defaults: {
				template: '',
				enableEmail: true,
				enablePushNotification: true,
				enableComments: false,
				commentVisibility: '1',
			},
			ownerId: {
				_id: context.emulator.state.superUser._id,
				displayName: 'Ada Admin',
				firstName: 'Ada',
				lastName: 'Admin',
				email: 'ada.admin@company.example',
			},
		});
		await context.client.ok('POST', '/channel', { body: {} });
	});

	test('take every default under its request name', async () => {
		const template = first(context.emulator.state.templates.values())._id;
		const defaults = {
			template,
			enableEmail: false,
			enableSms: false,
			enableAppNotification: false,
			enableComment: true,
			commentVisibility: '0',
		};
		const { data } = await context.client.ok<Channel>('POST', '/channel', { body: { defaults } });
		expect(data.defaults).toEqual({
			template,
			enableEmail: false,
			enablePushNotification: false,
			enableComments: true,
			commentVisibility: '0',
		});
		expect(context.emulator.state.channels.get(data._id)?.defaults.enableSms).toBe(false);
	});

	test('update changes what is sent', async () => {
		const { data } = await context.client.ok<Channel>('PUT', `/channel/${channelId()}`, {
			body: { title: '', defaults: { enableEmail: false } },
		});
		expect(data).toMatchObject({
			name: 'Channel 1',
			title: '',
			defaults: { enableEmail: false, enablePushNotification: true },
		});
	});

	test('list newest first without query, get with pinned', async () => {
		const list = await context.client.ok<Channel[]>('GET', '/channel');
		expect(list.data.map((channel) => channel.name)).toEqual(['Channel 2', 'Channel 1']);
		expect(list.total).toBe(2);
		expect(Object.keys(first(list.data)).sort()).toEqual(listFields);
		const got = await context.client.ok<Channel>('GET', `/channel/${channelId()}`);
		expect(Object.keys(got.data).sort()).toEqual([...listFields, 'pinned'].sort());
		expect(await context.client.refused('GET', '/channel', { query: { limit: 1 } })).toBe(invalid);
		expect(context.emulator.violations).toHaveLength(1);
		context.emulator.switches.pageCap = { channel: 1 };
		expect((await context.client.ok<Channel[]>('GET', '/channel')).data).toHaveLength(1);
	});

	test('archive and restore', async () => {
		const path = `/channel/${channelId()}`;
		expect(await context.client.refused('POST', `${path}/restore`)).toBe(invalid);
		expect((await context.client.ok<Channel>('POST', `${path}/archive`)).data.status).toBe('3');
		expect((await context.client.ok<Channel>('POST', `${path}/archive`)).data.status).toBe('3');
		expect((await context.client.ok<Channel>('POST', `${path}/restore`)).data.status).toBe('1');
	});

	test('are seen by those who have to do with them', async () => {
		expect((await context.plain.ok<Channel[]>('GET', '/channel')).data).toEqual([]);
		expect(await context.plain.refused('GET', `/channel/${channelId()}`)).toBe(invalid);
		await context.client.done('PUT', `/channel/${channelId()}/manager`, {
			body: { user: 'paul.plain@company.example', permissions: ['channel_admin'] },
		});
		expect((await context.plain.ok<Channel[]>('GET', '/channel')).data).toHaveLength(1);
	});

	test('campaigns take the delivery settings of the channel', async () => {
		const path = `/channel/${channelId()}`;
		await context.client.ok('PUT', path, {
			body: { defaults: { enableEmail: false, enableComment: true, commentVisibility: '0' } },
		});
		const create = async (body: object) => {
			const { data } = await context.client.ok<{ _id: string; campaignUrl: string }>(
				'POST',
				`${path}/campaign`,
				{ body: { name: 'x', description: 'x', ...body } },
			);
			return (await context.client.ok('GET', `/campaign/${data._id}`)).data;
		};
		expect(await create({})).toMatchObject({
			status: '1',
			enableEmail: false,
			enableMobileNotification: true,
			commentVisibility: '0',
			recipientAmount: 30,
		});
		expect(
			await create({ status: 'draft', enableEmail: true, commentVisibility: '1' }),
		).toMatchObject({
			status: '0',
			enableEmail: true,
			commentVisibility: '1',
		});
		await context.client.ok('PUT', path, { body: { defaults: { enableComment: false } } });
		expect(await create({})).toMatchObject({ commentVisibility: 'disabled' });
		expect(await context.client.refused('POST', `${path}/campaign`, { body: { name: 'x' } })).toBe(
			invalid,
		);
		expect(context.emulator.violations).toEqual([]);
		for (const field of ['sharedGroups', 'recipientEmails', 'recipientGroups', 'recipients']) {
			expect(
				await context.client.refused('POST', `${path}/campaign`, {
					body: { name: 'x', description: 'x', [field]: [] },
				}),
			).toBe(invalid);
		}
		expect(context.emulator.violations).toHaveLength(4);
	});

	test('broadcasts go out at once', async () => {
		const path = `/channel/${channelId()}/broadcast`;
		const { data } = await context.client.ok<{ _id: string }>('POST', path, {
			body: { title: 'x', message: 'x', emoji: '🎉', actionLink: 'https://company.example' },
		});
		expect((await context.client.ok('GET', `/broadcast/${data._id}`)).data).toMatchObject({
			status: '1',
		});
		expect(await context.client.refused('POST', path, { body: { title: 'x' } })).toBe(invalid);
		expect(
			await context.client.refused('POST', path, {
				body: { title: 'x', message: 'x', status: 'draft' },
			}),
		).toBe(invalid);
		expect(context.emulator.violations).toHaveLength(1);
	});
});

describe('managers', () => {
	const path = (): string => `/channel/${channelId()}/manager`;

	test('are listed with permissions', async () => {
		const { data, total } = await context.client.ok<Record<string, unknown>[]>('GET', path());
		expect(total).toBe(3);
		expect(Object.keys(first(data)).sort()).toEqual([
			'_id',
			'active',
			'activeConsole',
			'displayName',
			'email',
			'lastName',
			'permissions',
		]);
	});

	test('are set by id, email, HR-system id or username, and removed', async () => {
		const users = context.emulator.state.consoleUsers.values().slice(10, 14);
		const [one, two, three, four] = users;
		const references = [one?._id, two?.email, three?.hrId, four?.username];
		for (const user of references) {
			await context.client.done('PUT', path(), {
				body: { user, permissions: ['channel_recipient_add'] },
			});
		}
		const list = await context.client.ok<{ _id: string }[]>('GET', path());
		expect(list.data.slice(3).map((manager) => manager._id)).toEqual(users.map((user) => user._id));
		for (const user of references) await context.client.done('DELETE', path(), { body: { user } });
		expect((await context.client.ok('GET', path())).total).toBe(3);
		expect(await context.client.refused('DELETE', path(), { body: { user: one?._id } })).toBe(
			invalid,
		);
	});

	test('are not set by a username that two console users have', async () => {
		const { consoleUsers } = context.emulator.state;
		for (const domain of ['one', 'two']) {
			consoleUsers.add({ email: `twin@${domain}.example`, firstName: 'T', lastName: 'T' });
		}
		const body = { user: 'twin', permissions: ['channel_admin'] };
		expect(await context.client.refused('PUT', path(), { body })).toBe(invalid);
		await context.client.done('PUT', path(), { body: { ...body, user: 'twin@one.example' } });
	});

	test('wrong parameters are told', async () => {
		for (const body of [{}, { user: 'nobody', permissions: [] }, { user: 'x' }]) {
			expect(await context.client.refused('PUT', path(), { body })).toBe(invalid);
		}
		expect(context.emulator.violations).toEqual([]);
		expect(
			await context.client.refused('PUT', path(), {
				body: { user: 'x', permissions: 'channel_admin' },
			}),
		).toBe(invalid);
		expect(context.emulator.violations).toHaveLength(1);
	});

	test('come in pages and by conditions', async () => {
		const channel = context.emulator.state.channels.get(channelId());
		const users = context.emulator.state.consoleUsers.values();
		for (const user of users) channel?.managers.set(user._id, ['channel_admin']);
		const page = await context.client.ok<unknown[]>('GET', path());
		expect(page.data).toHaveLength(20);
		expect(page.total).toBe(32);
		const rest = await context.client.ok<unknown[]>('GET', path(), {
			query: { skip: 20, limit: 50 },
		});
		expect(rest.data).toHaveLength(12);
		const email = users[7]?.email ?? '';
		const found = await context.client.ok<{ email: string }[]>('GET', path(), {
			query: { conditions: JSON.stringify({ email, active: true }) },
		});
		expect(found.data.map((manager) => manager.email)).toEqual([email]);
		const several = await context.client.ok<unknown[]>('GET', path(), {
			query: { conditions: JSON.stringify({ email: { $in: [email, users[8]?.email] } }) },
		});
		expect(several.total).toBe(2);
	});
});

describe('conditions in the query', () => {
	const path = (): string => `/channel/${channelId()}/manager`;

	test('are JSON, unless the switch says otherwise', async () => {
		const nested = { query: { 'conditions[active]': 'true' } };
		expect(await context.client.refused('GET', path(), nested)).toBe(invalid);
		expect(await context.client.refused('GET', path(), { query: { conditions: '[]' } })).toBe(
			invalid,
		);
		expect(context.emulator.violations).toHaveLength(2);
		context.emulator.switches.conditionsQueryFormat = 'either';
		expect((await context.client.ok('GET', path(), nested)).total).toBe(3);
		expect(
			(await context.client.ok('GET', path(), { query: { conditions: '{"active":true}' } })).total,
		).toBe(3);
		context.emulator.switches.conditionsQueryFormat = 'deepObject';
		await context.client.refused('GET', path(), { query: { conditions: '{"active":true}' } });
	});

	test('with an unknown operator are refused', async () => {
		expect(
			await context.client.refused('GET', path(), {
				query: { conditions: '{"email":{"$where":"1"}}' },
			}),
		).toBe(invalid);
	});
});

describe('manager groups', () => {
	const path = (): string => `/channel/${channelId()}/managerGroup`;

	test('are listed, set and removed', async () => {
		const group = context.emulator.state.consoleUserGroups.values()[3];
		const groupId = group?._id ?? '';
		await context.client.done('PUT', path(), { body: { groupId, permissions: ['channel_admin'] } });
		const { data, total } = await context.client.ok<Record<string, unknown>[]>('GET', path());
		expect(total).toBe(3);
		expect(data[2]).toEqual({
			_id: groupId,
			name: 'Console group 4',
			desc: 'Editors of team 4',
			deleted: false,
			default: false,
			roles: ['editor'],
			mDate: new Date(start).toISOString(),
			aDate: new Date(start).toISOString(),
			permissions: ['channel_admin'],
		});
		await context.client.done('DELETE', `${path()}/${groupId}`);
		expect(await context.client.refused('DELETE', `${path()}/${groupId}`)).toBe(invalid);
		expect(
			await context.client.refused('PUT', path(), { body: { groupId: nobody, permissions: [] } }),
		).toBe(invalid);
	});
});

describe('recipients', () => {
	const path = (): string => `/channel/${channelId()}/recipient`;
	const emptied = (): void => context.emulator.state.channels.get(channelId())?.recipients.clear();
	const count = async (): Promise<number | undefined> =>
		(await context.client.ok('GET', path(), { query: { limit: 1 } })).total;

	test('are listed with their link', async () => {
		const { data } = await context.client.ok<Record<string, unknown>[]>('GET', path());
		const person = first(context.emulator.state.people.values());
		expect(first(data)).toEqual({
			_id: person._id,
			active: person.active,
			activeConsole: false,
			displayName: any(String),
			email: person.email,
			lastName: person.lastName,
			pitchStatus: 'live',
			oppo: { _id: any(String), pitchStatus: 'live', ceUserId: person._id, _type: 'Oppo' },
		});
		const found = await context.client.ok<unknown[]>('GET', path(), {
			query: { conditions: JSON.stringify({ email: person.email }), limit: 5, skip: 0 },
		});
		expect(found.total).toBe(1);
	});

	test('are added by email, id, HR-system id and username, and removed', async () => {
		emptied();
		const [one, two, three, four] = context.emulator.state.people.values();
		const recipients = [one?.email, two?._id, three?.hrId, four?.username];
		await context.client.done('POST', path(), { body: { recipients } });
		await context.client.done('POST', path(), { body: { recipients } });
		expect(await count()).toBe(4);
		await context.client.done('POST', `${path()}/remove`, {
			body: { recipients: recipients.slice(1) },
		});
		expect(await count()).toBe(1);
	});

	test('are added by group and by condition, the latter only active ones', async () => {
		emptied();
		const group = first(context.emulator.state.recipientGroups.values());
		await context.client.done('POST', path(), { body: { lists: [group._id] } });
		expect(await count()).toBe(15);
		await context.client.done('POST', `${path()}/remove`, { body: { lists: [group._id] } });
		expect(await count()).toBe(0);
		const people = context.emulator.state.people.values();
		const active = people.filter((person) => person.active);
		const lastName = first(active).lastName;
		const inactive = people.find((person) => !person.active);
		if (!inactive) throw new Error('Everybody is active');
		inactive.lastName = lastName;
		const expected = active.filter((person) => person.lastName === lastName).length;
		await context.client.done('POST', path(), {
			body: { conditions: [JSON.stringify({ lastName })] },
		});
		expect(await count()).toBe(expected);
		await context.client.done('POST', `${path()}/remove`, {
			body: { conditions: [`lastName=${lastName}`] },
		});
		expect(await count()).toBe(0);
		await context.client.done('POST', path(), { body: {} });
	});

	test('unknown ones refuse the call or are passed over', async () => {
		emptied();
		const [one] = context.emulator.state.people.values();
		const recipients = [one?.email, 'no@body.example'];
		expect(await context.client.refused('POST', path(), { body: { recipients } })).toBe(invalid);
		expect(await context.client.refused('POST', path(), { body: { lists: [nobody] } })).toBe(
			invalid,
		);
		expect(await count()).toBe(0);
		context.emulator.switches.unknownChannelRecipients = 'ignore';
		await context.client.done('POST', path(), { body: { recipients, lists: [nobody] } });
		expect(await count()).toBe(1);
	});

	test('the switch for the format of conditions', async () => {
		const refused = (condition: string) =>
			context.client.refused('POST', path(), { body: { conditions: [condition] } });
		expect(await refused('nonsense')).toBe(invalid);
		context.emulator.switches.conditionsFormat = 'json';
		expect(await refused('lastName=Berg')).toBe(invalid);
		context.emulator.switches.conditionsFormat = 'expression';
		expect(await refused('{"lastName":"Berg"}')).toBe(invalid);
	});
});

test('an unknown channel is "Invalid parameters" for every operation', async () => {
	const id = nobody;
	const calls = [
		['GET', `/channel/${id}`, undefined],
		['PUT', `/channel/${id}`, {}],
		['POST', `/channel/${id}/archive`, undefined],
		['POST', `/channel/${id}/restore`, undefined],
		['GET', `/channel/${id}/manager`, undefined],
		['PUT', `/channel/${id}/manager`, { user: 'x', permissions: [] }],
		['DELETE', `/channel/${id}/manager`, { user: 'x' }],
		['GET', `/channel/${id}/managerGroup`, undefined],
		['PUT', `/channel/${id}/managerGroup`, { groupId: 'x', permissions: [] }],
		['DELETE', `/channel/${id}/managerGroup/x`, undefined],
		['GET', `/channel/${id}/recipient`, undefined],
		['POST', `/channel/${id}/recipient`, {}],
		['POST', `/channel/${id}/recipient/remove`, {}],
		['POST', `/channel/${id}/campaign`, { name: 'x', description: 'x' }],
		['POST', `/channel/${id}/broadcast`, { title: 'x', message: 'x' }],
	] as const;
	for (const [method, path, body] of calls) {
		expect(await context.client.refused(method, path, body === undefined ? {} : { body })).toBe(
			invalid,
		);
	}
	expect(context.emulator.violations).toEqual([]);
});
