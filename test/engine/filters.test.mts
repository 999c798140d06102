import type { INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../../emulator/emulator.mts';
import { documentedEndpoints } from '../kit/contract.mts';
import { locator } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

type Case = {
	filters: INodeParameters;
	/** Creates two records. With the filter, the list must contain only `listed`, or both if `widens` is set. */
	records: (emulator: Emulator) => { listed: string; other: string };
	/** Whether the filter adds records to the list. A list without this filter contains only `other`. */
	widens?: true;
};

/** Parameters for paging, which are not filters. */
const PAGING = ['limit', 'skip', 'previousLastId'];

const service = useService({ seed: 5, people: 6, groups: 1, campaigns: 0, channels: 1 });

const early = Date.UTC(2026, 0, 14, 23, 15);
const late = Date.UTC(2026, 0, 14, 23, 45);
/** The time 23:30 UTC, written in the time zone of the workflow. */
const between = '2026-01-15T00:30:00';

type Given = Parameters<Emulator['state']['addCampaign']>[0] &
	Parameters<Emulator['state']['addBroadcast']>[0];

/** Returns a case with two campaigns or broadcasts that are created with different fields. */
function sendable(
	kind: 'campaign' | 'broadcast',
	filters: INodeParameters,
	listed: Partial<Given>,
	other: Partial<Given>,
): Case {
	return {
		filters,
		records: ({ state }) => {
			const add = (own: Partial<Given>) => {
				const given = { name: 'A', description: 'B', title: 'A', message: 'B', ...own };
				return (kind === 'campaign' ? state.addCampaign(given) : state.addBroadcast(given))._id;
			};
			return { listed: add(listed), other: add(other) };
		},
	};
}

const wentLive = (liveAt: number) => ({ status: '1' as const, liveAt });

/** Returns the cases for filters that campaigns and broadcasts have in common. */
const ofSendables = (kind: 'campaign' | 'broadcast'): Record<string, Case> => ({
	[`${kind}.getAll minLiveDate`]: sendable(
		kind,
		{ minLiveDate: between },
		wentLive(late),
		wentLive(early),
	),
	[`${kind}.getAll maxLiveDate`]: sendable(
		kind,
		{ maxLiveDate: between },
		wentLive(early),
		wentLive(late),
	),
	[`${kind}.getAll onlyApi`]: sendable(
		kind,
		{ scope: 'onlyApi' },
		{ viaApi: true },
		{ viaApi: false },
	),
	[`${kind}.getAll all`]: {
		filters: { scope: 'all' },
		records: (emulator) => {
			const { _id } = emulator.state.plainUser;
			const theirs = { ownerId: _id, senderId: _id };
			return sendable(kind, {}, theirs, {}).records(emulator);
		},
		widens: true,
	},
});

const cases: Record<string, Case> = {
	...ofSendables('campaign'),
	...ofSendables('broadcast'),
	'campaign.getAll status': sendable('campaign', { status: '3' }, { status: '3' }, { status: '1' }),
	'campaign.getAll category': sendable(
		'campaign',
		{ category: 'HR' },
		{ categories: ['IT', 'HR'] },
		{ categories: ['IT'] },
	),
	'recipientGroup.getAll own': {
		filters: { own: true },
		records: ({ state }) => ({
			listed: state.addRecipientGroup('Mine')._id,
			other: state.addRecipientGroup('Theirs', [], state.plainUser._id)._id,
		}),
	},
	'template.getAll category': {
		filters: { category: 'HR' },
		records: ({ state }) => ({
			listed: state.addTemplate({ name: 'A', categories: ['HR'] })._id,
			other: state.addTemplate({ name: 'B', categories: ['IT'] })._id,
		}),
	},
	'channelManager.getAll conditions': {
		filters: { conditions: '{"email":"listed@example.com"}' },
		records: ({ state }) => {
			const manager = (email: string) => {
				const { _id } = state.consoleUsers.add({ email, firstName: 'A', lastName: 'B' });
				channel().managers.set(_id, ['channel_admin']);
				return _id;
			};
			return { listed: manager('listed@example.com'), other: manager('other@example.com') };
		},
	},
	'channelManagerGroup.getAll conditions': {
		filters: { conditions: '{"name":"Listed"}' },
		records: ({ state }) => {
			const group = (name: string) => {
				const { _id } = state.addConsoleUserGroup(name);
				channel().managerGroups.set(_id, ['channel_admin']);
				return _id;
			};
			return { listed: group('Listed'), other: group('Other') };
		},
	},
	'channelRecipient.getAll conditions': {
		filters: { conditions: '{"email":"listed@example.com"}' },
		records: ({ state }) => {
			const recipient = (email: string) => {
				const { _id: personId } = state.people.add({ email });
				channel().recipients.set(personId, { linkId: state.ids.next(), personId });
				return personId;
			};
			return { listed: recipient('listed@example.com'), other: recipient('other@example.com') };
		},
	},
};

const channel = () => first(service.emulator.state.channels.values());

const filters = documentedEndpoints()
	.filter(({ operationId }) => operationId.endsWith('.getAll'))
	.flatMap(({ operationId, fields }) =>
		fields.filter((name) => !PAGING.includes(name)).map((name) => `${operationId} ${name}`),
	);

test('the cases cover every documented filter, and no other filter', () => {
	expect(filters.length).toBeGreaterThan(0);
	expect(Object.keys(cases).sort()).toEqual([...filters].sort());
});

test.each(Object.entries(cases))(
	'applies the filter %s',
	async (filter, { filters: given, records, widens }) => {
		const [, resource = ''] = /^(\w+)\./.exec(filter) ?? [];
		const { listed, other } = records(service.emulator);
		const ids = async (more: INodeParameters) => {
			const parameters = {
				...(resource.startsWith('channel') ? { channelId: locator(channel()._id) } : {}),
				...(resource === 'template' ? {} : { returnAll: true }),
				filters: more,
			};
			const { json, error } = await service.run(resource, 'getAll', parameters);
			expect(error).toBeUndefined();
			const found = json.map(({ _id }) => _id);
			return [listed, other].filter((id) => found.includes(id));
		};
		expect(await ids({})).toEqual(widens ? [other] : [listed, other]);
		expect(await ids(given)).toEqual(widens ? [listed, other] : [listed]);
	},
);
