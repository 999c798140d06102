import type { INodeParameters } from 'n8n-workflow';

import { locator, searchList } from '../kit/engine.mts';
import { first, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService({ channels: 1, people: 250, consoleUsers: 130 });

const seeded = () => first(service.emulator.state.channels.values());
const onChannel = (parameters: INodeParameters) => ({
	channelId: locator(seeded()._id),
	...parameters,
});
const run = async (resource: string, operation: string, parameters: INodeParameters = {}) =>
	await service.run(resource, operation, onChannel(parameters));
const path = (rest: string) => `/channel/${seeded()._id}/${rest}`;
const succeeded = (ids: object = {}) => [{ success: true, channelId: seeded()._id, ...ids }];

/** Returns a console user who does not manage the channel yet. */
function newManager() {
	const users = [...service.emulator.state.consoleUsers.values()];
	return first(users.filter(({ _id }) => !seeded().managers.has(_id)));
}

describe('channelManager', () => {
	test('getAll sends conditions unchanged', async () => {
		const { _id, email } = newManager();
		seeded().managers.set(_id, ['channel_admin']);
		const conditions = JSON.stringify({ email }, null, 2);
		const { json } = await run('channelManager', 'getAll', { limit: 5, filters: { conditions } });
		expect(json).toMatchObject([{ email, permissions: ['channel_admin'] }]);
		expect(service.requests[0]?.query).toEqual({ limit: '5', skip: '0', conditions });
	});

	const permissions = ['channel_admin', 'channel_pause'];
	test.each([
		['a list', permissions],
		['text', '={{ "channel_admin; channel_pause, channel_admin" }}'],
		['an array from an expression', '={{ ["channel_admin", "channel_pause"] }}'],
	])('set sends the user, and the permissions given as %s', async (_kind, given) => {
		const { _id, email } = newManager();
		const user = ` ${email} `;
		const { json } = await run('channelManager', 'set', { user, permissions: given });
		expect(service.lastSent).toEqual([`PUT ${path('manager')}`, { user: email, permissions }]);
		expect(json).toEqual(succeeded({ user: expect.stringContaining(email) }));
		expect(seeded().managers.get(_id)).toEqual(permissions);
	});

	test('remove sends the user in the body of a DELETE', async () => {
		const [user] = first(seeded().managers);
		const { json } = await run('channelManager', 'remove', { user });
		expect(service.lastSent).toEqual([`DELETE ${path('manager')}`, { user }]);
		expect(json).toEqual(succeeded({ user }));
		expect(seeded().managers.has(user)).toBe(false);
	});
});

describe('channelManagerGroup', () => {
	test('getAll returns groups with their permissions', async () => {
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
		const groups = [...service.emulator.state.consoleUserGroups.values()];
		const { _id: groupId } = first(groups.filter(({ _id }) => !seeded().managerGroups.has(_id)));
		const permissions = ['channel_recipient_edit'];
		const parameters = { groupId: locator(groupId), permissions };
		const { json } = await run('channelManagerGroup', 'set', parameters);
		expect(service.lastSent).toEqual([`PUT ${path('managerGroup')}`, { groupId, permissions }]);
		expect(json).toEqual(succeeded({ groupId }));
		expect(seeded().managerGroups.get(groupId)).toEqual(permissions);
	});

	test('remove sends the group in the path', async () => {
		const [groupId] = first(seeded().managerGroups);
		const groupParameter = { groupId: locator(groupId, 'list') };
		const { json } = await run('channelManagerGroup', 'remove', groupParameter);
		expect(service.lastSent).toEqual([`DELETE ${path(`managerGroup/${groupId}`)}`, undefined]);
		expect(json).toEqual(succeeded({ groupId }));
		expect(seeded().managerGroups.has(groupId)).toBe(false);
	});

	test('the list of groups shows those of the selected channel', async () => {
		const list = async (channelId: string) =>
			await searchList('searchManagerGroups', service.accessKey, {
				parameters: {
					resource: 'channelManagerGroup',
					operation: 'set',
					channelId: locator(channelId, 'list'),
				},
				filter: 'group 2',
			});
		await expect(list('')).rejects.toThrow('Choose the channel first');
		expect(service.requests).toHaveLength(0);
		const { results } = await list(seeded()._id);
		expect(results).toEqual([{ name: 'Console group 2', value: expect.any(String) }]);
		expect(service.lastSent[0]).toBe(`GET ${path('managerGroup')}`);
	});
});

describe('channelRecipient', () => {
	const outsiders = () =>
		service.emulator.state.people.values().filter(({ _id }) => !seeded().recipients.has(_id));

	test('getAll sends conditions with every page', async () => {
		for (const { _id } of outsiders()) {
			seeded().recipients.set(_id, { linkId: `link-${_id}`, personId: _id });
		}
		service.emulator.switches.pageCap = { channelRecipient: 60 };
		const conditions = '{"active":true}';
		const parameters = { returnAll: true, filters: { conditions } };
		const { json } = await run('channelRecipient', 'getAll', parameters);
		const active = service.emulator.state.people.values().filter((person) => person.active);
		expect(json.map(({ _id }) => _id)).toEqual(active.map(({ _id }) => _id));
		expect(new Set(service.requests.map(({ query }) => query.conditions))).toEqual(
			new Set([conditions]),
		);
	});

	test('add sends recipients, groups and conditions', async () => {
		const [someone, another] = outsiders();
		const [one, two] = [required(someone, 'outsider'), required(another, 'second outsider')];
		const group = first(service.emulator.state.recipientGroups.values());
		const { json } = await run('channelRecipient', 'add', {
			recipients: `${one.email}; ${two._id}, ${one.email}\n`,
			additionalFields: {
				lists: [group._id],
				conditions: '{\n  "email": "a@example.com"\n}\n  lastName=Berg, Larsson  \n\n',
			},
		});
		expect(service.lastSent).toEqual([
			`POST ${path('recipient')}`,
			{
				recipients: [one.email, two._id],
				lists: [group._id],
				conditions: ['{"email":"a@example.com"}', 'lastName=Berg, Larsson'],
			},
		]);
		expect(json).toEqual(succeeded());
		for (const id of [one._id, two._id, ...group.members]) {
			expect(seeded().recipients.has(id)).toBe(true);
		}
	});

	test('remove omits empty fields', async () => {
		const [id] = first(seeded().recipients);
		const { json } = await run('channelRecipient', 'remove', {
			recipients: `={{ ["${id}"] }}`,
			additionalFields: { lists: [], conditions: '' },
		});
		expect(service.lastSent).toEqual([`POST ${path('recipient/remove')}`, { recipients: [id] }]);
		expect(json).toEqual(succeeded());
		expect(seeded().recipients.size).toBe(49);
	});
});

const nothing = '={{ $json.nothing }}';
const blank = { recipients: ' , ;\n', additionalFields: { lists: [], conditions: '\n' } };
const permissions = ['channel_admin'];
test.each<[resource: string, operation: string, parameters: INodeParameters, message: string]>([
	['channelManager', 'getAll', { filters: { conditions: '{ email' } }, 'Conditions is not valid'],
	['channelManager', 'set', { user: nothing, permissions }, 'User is empty'],
	['channelManager', 'set', { user: 'a@b.c', permissions: '={{ [] }}' }, 'Permissions is empty'],
	['channelManager', 'remove', { user: nothing }, 'User is empty'],
	['channelManagerGroup', 'set', { groupId: locator(nothing), permissions }, 'Group is missing'],
	['channelRecipient', 'add', {}, 'No recipients are selected'],
	['channelRecipient', 'add', blank, 'No recipients are selected'],
	['channelRecipient', 'remove', { recipients: nothing }, 'No recipients are selected'],
])('%s %s with %j fails before sending', async (resource, operation, parameters, message) => {
	const failure = await service.failure(resource, operation, onChannel(parameters));
	expect(failure).toMatchObject({ message: expect.stringContaining(message), sent: 0 });
});
