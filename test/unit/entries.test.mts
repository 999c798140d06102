import {
	broadcastEntry,
	channelEntry,
	personEntry,
} from '../../nodes/MessagingService/lists/locatorLists.ts';
import {
	campaignEntry,
	disambiguate,
	namedEntry,
	templateEntry,
	type ToEntry,
	type DropDownEntry,
} from '../../nodes/shared/lists/dropDownEntry.ts';
import type { IDataObject } from 'n8n-workflow';

const entry = (toEntry: ToEntry, record: IDataObject) =>
	toEntry({ _id: 'a', ...record }, 'Europe/Berlin');

const named = (name: string, more: Partial<DropDownEntry> = {}) => ({
	id: 'a',
	name,
	label: name,
	...more,
});

test.each<[ToEntry, IDataObject, DropDownEntry]>([
	[namedEntry, { name: ' Team ' }, named('Team')],
	[namedEntry, { name: ' ' }, named('a')],
	[namedEntry, { name: 7 }, named('a')],
	[
		campaignEntry,
		{
			name: 'Pulse',
			title: 'T',
			status: '1',
			// A time without a zone is in UTC. In the time zone of the workflow, the next day has already
			// begun.
			liveDate: '2026-03-03T23:30:00',
			campaignUrl: 'https://c',
			categories: ['HR', 7, 'IT'],
		},
		named('Pulse', {
			label: 'Pulse, live since 4 Mar 2026',
			status: '1',
			url: 'https://c',
			categories: ['HR', 'IT'],
		}),
	],
	[campaignEntry, { title: 'T', campaignUrl: 7 }, named('T')],
	[campaignEntry, { name: 'P', status: '1' }, named('P', { label: 'P, live', status: '1' })],
	...(
		[
			['0', 'P, draft'],
			['3', 'P, closed, went live 3 Mar 2026'],
			['4', 'P, scheduled for 3 Mar 2026'],
			['9', 'P, live date 3 Mar 2026'],
		] as const
	).map(([status, label]): [ToEntry, IDataObject, DropDownEntry] => [
		campaignEntry,
		{ name: 'P', status, liveDate: '2026-03-03T09:00:00.000Z' },
		named('P', { label, status }),
	]),
	[
		campaignEntry,
		{ name: 'P', status: '4', liveDate: 'soon' },
		named('P', { label: 'P, scheduled', status: '4' }),
	],
	[campaignEntry, { name: 'P', status: '9' }, named('P', { status: '9' })],
	[campaignEntry, { name: 'P', status: 1 }, { ...named('P'), label: 'P, live' }],
	[campaignEntry, { name: 'P', categories: 'HR' }, named('P')],
	[
		broadcastEntry,
		{ title: 'Hello', name: 'N', status: '3', broadcastUrl: 'https://b' },
		named('Hello', { label: 'Hello, closed', status: '3', url: 'https://b' }),
	],
	[broadcastEntry, { name: 'N' }, named('N')],
	[
		broadcastEntry,
		{
			liveDate: '2026-11-21T13:05:00.000Z',
			status: '1',
			sender: { displayName: 'Ada Lovelace', email: 'ada@example.com' },
			recipientAmount: 120,
		},
		named('21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients', {
			label: '21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients, live',
			status: '1',
		}),
	],
	[
		broadcastEntry,
		{ sender: { firstName: 'Ada', lastName: ' ' }, recipientAmount: 1 },
		named('Ada · 1 recipient'),
	],
	[
		broadcastEntry,
		{ liveDate: 'soon', sender: { email: 'ada@example.com' }, recipientAmount: 0 },
		named('soon · ada@example.com · 0 recipients'),
	],
	[broadcastEntry, { sender: 'Ada', recipientAmount: '5', liveDate: 7 }, named('a')],
	[channelEntry, { name: 'News', title: 'T', status: '1' }, named('News', { status: '1' })],
	[channelEntry, { title: 'T', status: '3' }, named('T', { label: 'T, archived', status: '3' })],
	[templateEntry, { name: 'Plain', isSurvey: false }, named('Plain')],
	[
		templateEntry,
		{ name: 'Pulse', isSurvey: true, categories: ['HR'] },
		named('Pulse', { note: 'Survey template', categories: ['HR'] }),
	],
	[
		personEntry,
		{ displayName: 'Ada', firstName: 'A', email: 'ada@example.com' },
		named('Ada (ada@example.com)'),
	],
	[personEntry, { firstName: 'Ada', lastName: 'Lovelace' }, named('Ada Lovelace')],
	[personEntry, { lastName: 'Lovelace' }, named('Lovelace')],
	[personEntry, { email: 'ada@example.com' }, named('ada@example.com')],
	[
		personEntry,
		{ displayName: 'ada@example.com', email: 'ada@example.com' },
		named('ada@example.com'),
	],
])('%p makes an entry from %j', (toEntry, record, expected) => {
	expect(entry(toEntry, record)).toStrictEqual(expected);
});

test.each([
	...[campaignEntry, broadcastEntry, channelEntry, templateEntry, personEntry, namedEntry],
])('%p skips a record without an ID', (toEntry) => {
	for (const _id of ['', 7, null, undefined])
		expect(entry(toEntry, { _id, name: 'N', isSurvey: true, categories: [] })).toBeUndefined();
});

test('disambiguate adds the ID to labels that several entries have', () => {
	const entryOf = (id: string, label: string) => named('P', { id, label });
	const same = [entryOf('1', 'P'), entryOf('2', 'P, live'), entryOf('3', 'P, live')];
	const label = disambiguate(same).map((one) => one.label);
	expect(label).toEqual(['P', 'P, live · 2', 'P, live · 3']);
	const apart = [
		entryOf('1', 'P, live since 3 Mar 2026'),
		entryOf('2', 'P, live since 4 Mar 2026'),
	];
	expect(disambiguate(apart)).toEqual(apart);
});
