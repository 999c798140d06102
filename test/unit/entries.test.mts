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

test.each<[string, ToEntry, IDataObject, Entry]>([
	['a group', namedEntry, { name: ' Team ' }, named('Team')],
	['a group without a name', namedEntry, { name: ' ' }, named('a')],
	['a group whose name is a number', namedEntry, { name: 7 }, named('a')],
	[
		'a campaign',
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
	['a campaign with a title alone', campaignEntry, { title: 'T', campaignUrl: 7 }, named('T')],
	[
		'a campaign in an unknown state',
		campaignEntry,
		{ name: 'P', status: '9' },
		named('P', { status: '9' }),
	],
	['a campaign whose state is a number', campaignEntry, { name: 'P', status: 1 }, named('P')],
	[
		'a campaign without a list of categories',
		campaignEntry,
		{ name: 'P', categories: 'HR' },
		named('P'),
	],
	[
		'a broadcast',
		broadcastEntry,
		{ title: 'Hello', name: 'N', status: '3', broadcastUrl: 'https://b' },
		named('Hello', { state: 'closed', status: '3', url: 'https://b' }),
	],
	['a broadcast with a name alone', broadcastEntry, { name: 'N' }, named('N')],
	[
		'a broadcast without either',
		broadcastEntry,
		{
			liveDate: '2026-11-21T13:05:00.000Z',
			sender: { displayName: 'Ada Lovelace', email: 'ada@example.com' },
			recipientAmount: 120,
		},
		named('21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients'),
	],
	[
		'a broadcast to one',
		broadcastEntry,
		{ sender: { firstName: 'Ada', lastName: ' ' }, recipientAmount: 1 },
		named('Ada · 1 recipient'),
	],
	[
		'a broadcast to nobody, by somebody without a name',
		broadcastEntry,
		{ liveDate: 'soon', sender: { email: 'ada@example.com' }, recipientAmount: 0 },
		named('soon · ada@example.com · 0 recipients'),
	],
	[
		'a broadcast of which nothing is known',
		broadcastEntry,
		{ sender: 'Ada', recipientAmount: '5', liveDate: 7 },
		named('a'),
	],
	[
		'a channel',
		channelEntry,
		{ name: 'News', title: 'T', status: '1' },
		named('News', { status: '1' }),
	],
	[
		'an archived channel',
		channelEntry,
		{ title: 'T', status: '3' },
		named('T', { state: 'archived', status: '3' }),
	],
	['a template', templateEntry, { name: 'Plain', isSurvey: false }, named('Plain')],
	[
		'a template of surveys',
		templateEntry,
		{ name: 'Pulse', isSurvey: true, categories: ['HR'] },
		named('Pulse', { note: 'Survey template', categories: ['HR'] }),
	],
	[
		'a person',
		personEntry,
		{ displayName: 'Ada', firstName: 'A', email: 'ada@example.com' },
		named('Ada (ada@example.com)'),
	],
	[
		'a person in two names',
		personEntry,
		{ firstName: 'Ada', lastName: 'Lovelace' },
		named('Ada Lovelace'),
	],
	['a person with a last name', personEntry, { lastName: 'Lovelace' }, named('Lovelace')],
	[
		'a person with an email alone',
		personEntry,
		{ email: 'ada@example.com' },
		named('ada@example.com'),
	],
	[
		'a person who is called by the email',
		personEntry,
		{ displayName: 'ada@example.com', email: 'ada@example.com' },
		named('ada@example.com'),
	],
])('%s', (_case, toEntry, record, expected) => {
	expect(entry(toEntry, record)).toStrictEqual(expected);
});

test.each<[string, ToEntry]>([
	['campaign', campaignEntry],
	['broadcast', broadcastEntry],
	['channel', channelEntry],
	['template', templateEntry],
	['person', personEntry],
	['group', namedEntry],
])('a %s without an ID is none', (_case, toEntry) => {
	for (const _id of ['', 7, null, undefined])
		expect(entry(toEntry, { _id, name: 'N', isSurvey: true, categories: [] })).toBeUndefined();
});

test('a search shows the state behind the name', () => {
	expect(labelOfEntry({ ...named('Pulse'), state: 'live' })).toBe('Pulse (live)');
	expect(labelOfEntry({ ...named('Pulse'), shown: 'Pulse · a' })).toBe('Pulse · a');
});

test('a name that several have in one state carries the ID, and no other', () => {
	const of = (id: string, name: string, state?: string): Entry => ({
		id,
		name,
		shown: name,
		state,
	});
	const entries = [
		of('1', 'P'),
		of('2', 'P', 'live'),
		of('3', 'P', 'live'),
		of('4', 'P'),
		of('5', 'Q'),
	];
	expect(disambiguate(entries).map(({ shown }) => shown)).toEqual([
		'P · 1',
		'P · 2',
		'P · 3',
		'P · 4',
		'Q',
	]);
	expect(disambiguate(entries.slice(0, 2))).toEqual(entries.slice(0, 2));
});
