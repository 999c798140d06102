import {
	broadcastEntry,
	campaignEntry,
	channelEntry,
	disambiguate,
	labelOfEntry,
	namedEntry,
	personEntry,
	templateEntry,
	type ToEntry,
} from '../../nodes/shared/lists/entry.ts';
import type { Entry } from '../../nodes/shared/transport/ttlCache.ts';
import type { IDataObject } from 'n8n-workflow';

const entry = (toEntry: ToEntry, record: IDataObject) =>
	toEntry({ _id: 'a', ...record }, 'Europe/Berlin');

const named = (name: string, more: Partial<Entry> = {}) => ({
	id: 'a',
	name,
	shown: name,
	...more,
});

test.each<[ToEntry, IDataObject, Entry]>([
	[namedEntry, { name: ' Team ' }, named('Team')],
	[namedEntry, { name: ' ' }, named('a')],
	[namedEntry, { name: 7 }, named('a')],
	[
		campaignEntry,
		{
			name: 'Pulse',
			title: 'T',
			status: '1',
			campaignUrl: 'https://c',
			categories: ['HR', 7, 'IT'],
		},
		named('Pulse', { state: 'live', status: '1', url: 'https://c', categories: ['HR', 'IT'] }),
	],
	[campaignEntry, { title: 'T', campaignUrl: 7 }, named('T')],
	[campaignEntry, { name: 'P', status: '9' }, named('P', { status: '9' })],
	[campaignEntry, { name: 'P', status: 1 }, named('P')],
	[campaignEntry, { name: 'P', categories: 'HR' }, named('P')],
	[
		broadcastEntry,
		{ title: 'Hello', name: 'N', status: '3', broadcastUrl: 'https://b' },
		named('Hello', { state: 'closed', status: '3', url: 'https://b' }),
	],
	[broadcastEntry, { name: 'N' }, named('N')],
	[
		broadcastEntry,
		{
			liveDate: '2026-11-21T13:05:00.000Z',
			sender: { displayName: 'Ada Lovelace', email: 'ada@example.com' },
			recipientAmount: 120,
		},
		named('21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients'),
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
	[channelEntry, { title: 'T', status: '3' }, named('T', { state: 'archived', status: '3' })],
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

test('labelOfEntry adds the state to the name', () => {
	expect(labelOfEntry({ ...named('Pulse'), state: 'live' })).toBe('Pulse (live)');
	expect(labelOfEntry({ ...named('Pulse'), shown: 'Pulse · a' })).toBe('Pulse · a');
});

test('disambiguate adds the ID if several entries have the same name and the same state', () => {
	const entryOf = (id: string, name: string, state?: string) => named(name, { id, state });
	const live = [entryOf('2', 'P', 'live'), entryOf('3', 'P', 'live')];
	const entries = [entryOf('1', 'P'), ...live, entryOf('4', 'P'), entryOf('5', 'Q')];
	const shown = disambiguate(entries).map((one) => one.shown);
	expect(shown).toEqual(['P · 1', 'P · 2', 'P · 3', 'P · 4', 'Q']);
	expect(disambiguate(entries.slice(0, 2))).toEqual(entries.slice(0, 2));
	const apart = [entryOf('1', 'P', 'live'), entryOf('2', 'P', 'draft')];
	expect(disambiguate(apart)).toEqual(apart);
});
