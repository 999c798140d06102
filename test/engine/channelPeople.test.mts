import { locator, searchList, type RunOptions, type RunResult } from '../kit/engine.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 1, people: 250, consoleUsers: 130 });

/** Runs an operation on the seeded channel. */
async function run(
	resource: string,
	operation: string,
	parameters: RunOptions['parameters'] = {},
): Promise<RunResult> {
	return await service.run(resource, operation, {
		channelId: locator(seeded()._id),
		...parameters,
	});
}

const seeded = () => first(service.emulator.state.channels.values());
const path = (rest: string) => `/int/v1/channel/${seeded()._id}/${rest}`;

/** A console user who does not manage the channel yet. */
function newManager() {
	const users = [...service.emulator.state.consoleUsers.values()];
	return first(users.filter(({ _id }) => !seeded().managers.has(_id)));
}

function newManagerGroup() {
	const groups = [...service.emulator.state.consoleUserGroups.values()];
	return first(groups.filter(({ _id }) => !seeded().managerGroups.has(_id)));
}

describe('channelManager', () => {
	test('getAll reads all pages', async () => {
		for (const { _id } of service.emulator.state.consoleUsers.values()) {
			seeded().managers.set(_id, ['channel_admin']);
		}
		const { json, error } = await run('channelManager', 'getAll', { returnAll: true });
		expect(error).toBeUndefined();
		expect(new Set(json.map(({ _id }) => _id))).toEqual(new Set(seeded().managers.keys()));
		expect(service.requests.map(({ query }) => query)).toEqual([
			{ limit: '100', skip: '0' },
			{ limit: '100', skip: '100' },
		]);
		expect(service.lastRequest).toMatchObject({ method: 'GET', path: path('manager') });
	});

	test('getAll sends conditions as they were written', async () => {
		const { email } = newManager();
		const conditions = JSON.stringify({ email }, null, 2);
		seeded().managers.set(newManager()._id, ['channel_admin']);
		const { json } = await run('channelManager', 'getAll', {
			limit: 5,
			filters: { conditions },
		});
		expect(json).toMatchObject([{ email, permissions: ['channel_admin'] }]);
		expect(service.requests[0]?.query).toEqual({
			limit: '5',
			skip: '0',
			conditions,
		});
	});

	test('getAll names the field whose text is not JSON', async () => {
		const { error } = await run('channelManager', 'getAll', {
			filters: { conditions: '{ email' },
		});
		expect(error?.message).toBe('Conditions is not valid JSON');
		expect(service.requests).toHaveLength(0);
	});

	test('set sends user and permissions', async () => {
		const { _id, email } = newManager();
		const { json, error } = await run('channelManager', 'set', {
			user: ` ${email} `,
			permissions: ['channel_admin', 'channel_recipient_add'],
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'PUT', path: path('manager') });
		expect(service.lastRequest.body).toEqual({
			user: email,
			permissions: ['channel_admin', 'channel_recipient_add'],
		});
		expect(json).toMatchObject([{ success: true, channelId: seeded()._id }]);
		expect(String(json[0]?.user).trim()).toBe(email);
		expect(seeded().managers.get(_id)).toEqual(['channel_admin', 'channel_recipient_add']);
	});

	test.each([
		['text', '={{ "channel_admin; channel_pause, channel_admin" }}'],
		['an array', '={{ ["channel_admin", "channel_pause"] }}'],
	])('set takes permissions that are not in the list, as %s', async (_kind, permissions) => {
		await run('channelManager', 'set', { user: newManager().email, permissions });
		expect(service.lastRequest.body).toMatchObject({
			permissions: ['channel_admin', 'channel_pause'],
		});
	});

	test.each([
		['User is empty', { user: '={{ $json.user }}', permissions: ['channel_admin'] }],
		['Permissions is empty', { user: 'ada@example.com', permissions: '={{ [] }}' }],
	])('set fails before sending: %s', async (message, parameters) => {
		const { error } = await run('channelManager', 'set', parameters);
		expect(error?.message).toBe(message);
		expect(service.requests).toHaveLength(0);
	});

	test('set keeps the service’s message about an unknown user', async () => {
		const { error } = await run('channelManager', 'set', {
			user: 'nobody@example.com',
			permissions: ['channel_admin'],
		});
		expect(error?.message).toBe('Invalid parameters');
	});

	test('remove sends the user in the body of a DELETE', async () => {
		const [id] = first(seeded().managers);
		const { json, error } = await run('channelManager', 'remove', { user: id });
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'DELETE', path: path('manager') });
		expect(service.lastRequest.body).toEqual({ user: id });
		expect(json).toEqual([{ success: true, channelId: seeded()._id, user: id }]);
		expect(seeded().managers.has(id)).toBe(false);
	});

	test('remove fails before sending without a user', async () => {
		const { error } = await run('channelManager', 'remove', { user: '={{ $json.user }}' });
		expect(error?.message).toBe('User is empty');
		expect(service.requests).toHaveLength(0);
	});
});

describe('channelManagerGroup', () => {
	test('getAll lists groups and their permissions', async () => {
		const { json } = await run('channelManagerGroup', 'getAll', {
			limit: 1,
			filters: { conditions: { name: 'Console group 2' } },
		});
		expect(json).toMatchObject([
			{ name: 'Console group 2', permissions: ['channel_recipient_add'] },
		]);
		expect(service.lastRequest).toMatchObject({ method: 'GET', path: path('managerGroup') });
		expect(service.lastRequest.query).toEqual({
			limit: '1',
			skip: '0',
			conditions: '{"name":"Console group 2"}',
		});
	});

	test('set sends the group in the body', async () => {
		const { _id } = newManagerGroup();
		const { json, error } = await run('channelManagerGroup', 'set', {
			groupId: locator(_id),
			permissions: ['channel_recipient_edit'],
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'PUT', path: path('managerGroup') });
		expect(service.lastRequest.body).toEqual({
			groupId: _id,
			permissions: ['channel_recipient_edit'],
		});
		expect(json).toEqual([{ success: true, channelId: seeded()._id, groupId: _id }]);
		expect(seeded().managerGroups.get(_id)).toEqual(['channel_recipient_edit']);
	});

	test('set fails before sending without a group', async () => {
		const { error } = await run('channelManagerGroup', 'set', {
			groupId: locator('={{ $json.group }}'),
			permissions: ['channel_admin'],
		});
		expect(error?.message).toBe('Group is missing: choose it from the list or enter its ID');
		expect(service.requests).toHaveLength(0);
	});

	test('remove has the group in the path', async () => {
		const [id] = first(seeded().managerGroups);
		const { json } = await run('channelManagerGroup', 'remove', { groupId: locator(id, 'list') });
		expect(service.lastRequest).toMatchObject({
			method: 'DELETE',
			path: path(`managerGroup/${id}`),
		});
		expect(service.lastRequest.body).toBeUndefined();
		expect(json).toEqual([{ success: true, channelId: seeded()._id, groupId: id }]);
		expect(seeded().managerGroups.has(id)).toBe(false);
	});

	test('remove keeps the service’s message about an unknown group', async () => {
		const { error } = await run('channelManagerGroup', 'remove', {
			groupId: locator('64f1c0ffee0000000000abcd'),
		});
		expect(error?.message).toBe('Invalid parameters');
	});

	/** The editor sends the whole node along. */
	const chosen = { resource: 'channelManagerGroup', operation: 'set' };

	test('the list of groups shows those of the chosen channel', async () => {
		const { results } = await searchList('searchManagerGroups', service.accessKey, {
			parameters: { ...chosen, channelId: locator(seeded()._id, 'list') },
			filter: 'group 2',
		});
		expect(results).toEqual([{ name: 'Console group 2', value: expect.any(String) }]);
		expect(service.lastRequest.path).toBe(path('managerGroup'));
	});

	test('the list of groups asks for the channel first', async () => {
		const parameters = { ...chosen, channelId: locator('', 'list') };
		await expect(
			searchList('searchManagerGroups', service.accessKey, { parameters }),
		).rejects.toThrow('Choose the channel first');
		expect(service.requests).toHaveLength(0);
	});
});

describe('channelRecipient', () => {
	const outsiders = () =>
		service.emulator.state.people.values().filter(({ _id }) => !seeded().recipients.has(_id));

	test('getAll gives up to Limit', async () => {
		const { json, items } = await run('channelRecipient', 'getAll', { limit: 3 });
		expect(json).toHaveLength(3);
		expect(json[0]).toMatchObject({ pitchStatus: 'live', oppo: { _type: 'Oppo' } });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
		expect(service.lastRequest).toMatchObject({
			method: 'GET',
			path: path('recipient'),
			query: { limit: '3', skip: '0' },
		});
	});

	test('getAll reads past what a page holds, with conditions', async () => {
		for (const { _id } of outsiders()) {
			seeded().recipients.set(_id, { linkId: `link-${_id}`, personId: _id });
		}
		service.emulator.switches.pageCap = { channelRecipient: 60 };
		const { json } = await run('channelRecipient', 'getAll', {
			returnAll: true,
			filters: { conditions: '{"active":true}' },
		});
		const active = service.emulator.state.people.values().filter((person) => person.active);
		expect(json.map(({ _id }) => _id)).toEqual(active.map(({ _id }) => _id));
		expect(new Set(service.requests.map(({ query }) => query.conditions))).toEqual(
			new Set(['{"active":true}']),
		);
	});

	test('getAll keeps the service’s message', async () => {
		const { error } = await run('channelRecipient', 'getAll', {
			channelId: locator('64f1c0ffee0000000000abcd'),
		});
		expect(error?.message).toBe('Invalid parameters');
	});

	test('add sends recipients, groups and conditions', async () => {
		const [someone, another] = outsiders();
		const [one, two] = [required(someone, 'outsider'), required(another, 'second outsider')];
		const group = first(service.emulator.state.recipientGroups.values());
		const { json, error } = await run('channelRecipient', 'add', {
			recipients: `${one.email}; ${two._id}, ${one.email}\n`,
			additionalFields: {
				lists: [group._id],
				conditions:
					'{\r\n  "email": "a@example.com",\n  "active": true\n}\n  lastName=Berg, Larsson  \n\n',
			},
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'POST', path: path('recipient') });
		expect(service.lastRequest.body).toEqual({
			recipients: [one.email, two._id],
			lists: [group._id],
			conditions: ['{"email":"a@example.com","active":true}', 'lastName=Berg, Larsson'],
		});
		expect(json).toEqual([{ success: true, channelId: seeded()._id }]);
		for (const id of [one._id, two._id, ...group.members]) {
			expect(seeded().recipients.has(id)).toBe(true);
		}
	});

	test('remove sends what was added and leaves out what is empty', async () => {
		const [id] = first(seeded().recipients);
		const { json, error } = await run('channelRecipient', 'remove', {
			recipients: `={{ ["${id}"] }}`,
			additionalFields: { lists: [], conditions: '' },
		});
		expect(error).toBeUndefined();
		expect(service.lastRequest).toMatchObject({ method: 'POST', path: path('recipient/remove') });
		expect(service.lastRequest.body).toEqual({ recipients: [id] });
		expect(json).toEqual([{ success: true, channelId: seeded()._id }]);
		expect(seeded().recipients.size).toBe(49);
	});

	test.each(['add', 'remove'])(
		'%s fails before sending when nobody is named',
		async (operation) => {
			for (const people of [
				{},
				{ recipients: ' , ;\n', additionalFields: { lists: [], conditions: '\n' } },
				{ recipients: '={{ $json.nobody }}' },
			]) {
				const { error } = await run('channelRecipient', operation, people);
				expect(error?.message).toBe('Nobody is named');
			}
			expect(service.requests).toHaveLength(0);
		},
	);

	test.each(['add', 'remove'])('%s keeps the service’s message', async (operation) => {
		const { error } = await run('channelRecipient', operation, {
			recipients: 'nobody@example.com',
		});
		expect(error?.message).toBe('Invalid parameters');
	});
});
