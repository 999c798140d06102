import type { INodeParameters } from 'n8n-workflow';

import { locator, searchList } from '../kit/engine.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 1, people: 250, consoleUsers: 130 });

const onChannel = (parameters: INodeParameters) => ({
	channelId: locator(seeded()._id),
	...parameters,
});
/** Runs an operation on the seeded channel. */
const run = async (resource: string, operation: string, parameters: INodeParameters = {}) =>
	await service.run(resource, operation, onChannel(parameters));
const failure = async (operation: string, parameters: INodeParameters) => {
	const [resource = '', name = ''] = operation.split('.');
	return await service.failure(resource, name, onChannel(parameters));
};

const seeded = () => first(service.emulator.state.channels.values());
const path = (rest: string) => `/channel/${seeded()._id}/${rest}`;

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
		expect(service.lastSent[0]).toBe(`GET ${path('manager')}`);
	});

	test('getAll sends conditions as they were written', async () => {
		const { email } = newManager();
		const conditions = JSON.stringify({ email }, null, 2);
		seeded().managers.set(newManager()._id, ['channel_admin']);
		const { json } = await run('channelManager', 'getAll', { limit: 5, filters: { conditions } });
		expect(json).toMatchObject([{ email, permissions: ['channel_admin'] }]);
		expect(service.requests[0]?.query).toEqual({ limit: '5', skip: '0', conditions });
	});

	test('set sends user and permissions', async () => {
		const { _id, email } = newManager();
		const { json, error } = await run('channelManager', 'set', {
			user: ` ${email} `,
			permissions: ['channel_admin', 'channel_recipient_add'],
		});
		expect(error).toBeUndefined();
		expect(service.lastSent).toEqual([
			`PUT ${path('manager')}`,
			{ user: email, permissions: ['channel_admin', 'channel_recipient_add'] },
		]);
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

	test('remove sends the user in the body of a DELETE', async () => {
		const [id] = first(seeded().managers);
		const { json, error } = await run('channelManager', 'remove', { user: id });
		expect(error).toBeUndefined();
		expect(service.lastSent).toEqual([`DELETE ${path('manager')}`, { user: id }]);
		expect(json).toEqual([{ success: true, channelId: seeded()._id, user: id }]);
		expect(seeded().managers.has(id)).toBe(false);
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
		expect(service.lastSent).toEqual([
			`GET ${path('managerGroup')}`,
			{ limit: '1', skip: '0', conditions: '{"name":"Console group 2"}' },
		]);
	});

	test('set sends the group in the body', async () => {
		const { _id } = newManagerGroup();
		const { json, error } = await run('channelManagerGroup', 'set', {
			groupId: locator(_id),
			permissions: ['channel_recipient_edit'],
		});
		expect(error).toBeUndefined();
		expect(service.lastSent).toEqual([
			`PUT ${path('managerGroup')}`,
			{ groupId: _id, permissions: ['channel_recipient_edit'] },
		]);
		expect(json).toEqual([{ success: true, channelId: seeded()._id, groupId: _id }]);
		expect(seeded().managerGroups.get(_id)).toEqual(['channel_recipient_edit']);
	});

	test('remove has the group in the path', async () => {
		const [id] = first(seeded().managerGroups);
		const { json } = await run('channelManagerGroup', 'remove', { groupId: locator(id, 'list') });
		expect(service.lastSent).toEqual([`DELETE ${path(`managerGroup/${id}`)}`, undefined]);
		expect(json).toEqual([{ success: true, channelId: seeded()._id, groupId: id }]);
		expect(seeded().managerGroups.has(id)).toBe(false);
	});

	/** The editor sends the whole node along. */
	const chosen = { resource: 'channelManagerGroup', operation: 'set' };

	test('the list of groups shows those of the chosen channel', async () => {
		const { results } = await searchList('searchManagerGroups', service.accessKey, {
			parameters: { ...chosen, channelId: locator(seeded()._id, 'list') },
			filter: 'group 2',
		});
		expect(results).toEqual([{ name: 'Console group 2', value: expect.any(String) }]);
		expect(service.lastSent[0]).toBe(`GET ${path('managerGroup')}`);
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
		expect(service.lastSent).toEqual([`GET ${path('recipient')}`, { limit: '3', skip: '0' }]);
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
		expect(service.lastSent).toEqual([
			`POST ${path('recipient')}`,
			{
				recipients: [one.email, two._id],
				lists: [group._id],
				conditions: ['{"email":"a@example.com","active":true}', 'lastName=Berg, Larsson'],
			},
		]);
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
		expect(service.lastSent).toEqual([`POST ${path('recipient/remove')}`, { recipients: [id] }]);
		expect(json).toEqual([{ success: true, channelId: seeded()._id }]);
		expect(seeded().recipients.size).toBe(49);
	});
});

const nothing = '={{ $json.nothing }}';
const permissions = ['channel_admin'];
test.each<[operation: string, parameters: INodeParameters, message: string]>([
	['channelManager.getAll', { filters: { conditions: '{ email' } }, 'Conditions is not valid JSON'],
	['channelManager.set', { user: nothing, permissions }, 'User is empty'],
	[
		'channelManager.set',
		{ user: 'ada@example.com', permissions: '={{ [] }}' },
		'Permissions is empty',
	],
	['channelManager.remove', { user: nothing }, 'User is empty'],
	[
		'channelManagerGroup.set',
		{ groupId: locator(nothing), permissions },
		'Group is missing: choose it from the list or enter its ID',
	],
	...['add', 'remove'].flatMap((operation) =>
		[
			{},
			{ recipients: ' , ;\n', additionalFields: { lists: [], conditions: '\n' } },
			{ recipients: nothing },
		].map((parameters): [string, INodeParameters, string] => [
			`channelRecipient.${operation}`,
			parameters,
			'Nobody is named',
		]),
	),
])('%s with %j fails before anything is sent', async (operation, parameters, message) => {
	expect(await failure(operation, parameters)).toMatchObject({ message, sent: 0 });
});

const unknownId = '64f1c0ffee0000000000abcd';
test.each<[operation: string, parameters: INodeParameters]>([
	['channelManager.set', { user: 'nobody@example.com', permissions }],
	['channelManagerGroup.remove', { groupId: locator(unknownId) }],
	['channelRecipient.getAll', { channelId: locator(unknownId) }],
	['channelRecipient.add', { recipients: 'nobody@example.com' }],
	['channelRecipient.remove', { recipients: 'nobody@example.com' }],
])('%s keeps the service’s message', async (operation, parameters) => {
	expect(await failure(operation, parameters)).toMatchObject({ message: 'Invalid parameters' });
});
