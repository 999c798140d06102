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
import { required } from '../kit/required.mts';
import { tableOf } from '../kit/table.mts';
import { parseAs } from '../kit/typed.mts';

const kinds: Partial<Record<string, ToEntry>> = {
	...{ named: namedEntry, campaign: campaignEntry, broadcast: broadcastEntry },
	...{ channel: channelEntry, template: templateEntry, person: personEntry },
};

const entry = (toEntry: ToEntry, record: IDataObject) =>
	toEntry({ _id: 'a', ...record }, 'Europe/Berlin');

const named = (name: string, more: Partial<DropDownEntry> = {}) => ({
	id: 'a',
	name,
	label: name,
	...more,
});

/** How the editor shows a record: the kind, the record, the name, and the other fields of its entry. */
const shown = tableOf(`
	named ⇒ {"name": " Team "} ⇒ Team
	named ⇒ {"name": 7} ⇒ a
	campaign ⇒ {"title": "T", "campaignUrl": 7} ⇒ T
	campaign ⇒ {"name": "P", "status": "0", "liveDate": "2026-03-03T09:00:00.000Z"} ⇒ P ⇒ {"label": "P, draft", "status": "0"}
	campaign ⇒ {"name": "P", "status": "3", "liveDate": "2026-03-03T09:00:00.000Z"} ⇒ P ⇒ {"label": "P, closed, went live 3 Mar 2026", "status": "3"}
	campaign ⇒ {"name": "P", "status": "4", "liveDate": "2026-03-03T09:00:00.000Z"} ⇒ P ⇒ {"label": "P, scheduled for 3 Mar 2026", "status": "4"}
	campaign ⇒ {"name": "P", "status": "9", "liveDate": "2026-03-03T09:00:00.000Z"} ⇒ P ⇒ {"label": "P, live date 3 Mar 2026", "status": "9"}
	broadcast ⇒ {"liveDate": "1772582400"} ⇒ 4 Mar 2026, 01:00
	broadcast ⇒ {"liveDate": "2026-03-03 23:30:00+01"} ⇒ 3 Mar 2026, 23:30
	broadcast ⇒ {"liveDate": "3 Mar 2026 23:30"} ⇒ 4 Mar 2026, 00:30
	campaign ⇒ {"name": "P", "status": "4", "liveDate": "soon"} ⇒ P ⇒ {"label": "P, scheduled", "status": "4"}
	campaign ⇒ {"name": "P", "status": 1} ⇒ P ⇒ {"label": "P, live"}
	broadcast ⇒ {"title": "Hello", "name": "N", "status": "3", "broadcastUrl": "https://b"} ⇒ Hello ⇒ {"label": "Hello, closed", "status": "3", "url": "https://b"}
	broadcast ⇒ {"sender": {"firstName": "Ada", "lastName": " "}, "recipientAmount": 1} ⇒ Ada · 1 recipient
	broadcast ⇒ {"liveDate": "soon", "sender": {"email": "ada@example.com"}, "recipientAmount": 0} ⇒ soon · ada@example.com · 0 recipients
	broadcast ⇒ {"sender": "Ada", "recipientAmount": "5", "liveDate": 7} ⇒ a
	channel ⇒ {"name": "News", "title": "T", "status": "1"} ⇒ News ⇒ {"status": "1"}
	channel ⇒ {"title": "T", "status": "3"} ⇒ T ⇒ {"label": "T, archived", "status": "3"}
	template ⇒ {"name": "Plain", "isSurvey": false} ⇒ Plain
	template ⇒ {"name": "Pulse", "isSurvey": true, "categories": ["HR"]} ⇒ Pulse ⇒ {"note": "Survey template", "categories": ["HR"]}
	person ⇒ {"displayName": "Ada", "firstName": "A", "email": "ada@example.com"} ⇒ Ada (ada@example.com)
	person ⇒ {"firstName": "Ada", "lastName": "Lovelace"} ⇒ Ada Lovelace
	person ⇒ {"displayName": "ada@example.com", "email": "ada@example.com"} ⇒ ada@example.com
`).map(([kind = '', record = '', name = '', more = '{}']): [string, IDataObject, DropDownEntry] => [
	...([kind, parseAs<IDataObject>(record)] as const),
	named(name, parseAs<Partial<DropDownEntry>>(more)),
]);

test.each<[string, IDataObject, DropDownEntry]>([
	...shown,
	[
		'campaign',
		{
			...{ name: 'Pulse', title: 'T', status: '1', campaignUrl: 'https://c' },
			// A time without a zone is in UTC. In the time zone of the workflow, the next day has already
			// begun.
			...{ liveDate: '2026-03-03T23:30:00', categories: ['HR', 7, 'IT'] },
		},
		named('Pulse', {
			...{ label: 'Pulse, live since 4 Mar 2026', status: '1', url: 'https://c' },
			categories: ['HR', 'IT'],
		}),
	],
	[
		'campaign',
		{ name: 'Pulse', status: '1', liveDate: '2026-03-03' },
		named('Pulse', { label: 'Pulse, live since 3 Mar 2026', status: '1' }),
	],
	[
		'broadcast',
		{
			...{ liveDate: '2026-11-21T13:05:00.000Z', status: '1', recipientAmount: 120 },
			sender: { displayName: 'Ada Lovelace', email: 'ada@example.com' },
		},
		named('21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients', {
			label: '21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients, live',
			status: '1',
		}),
	],
])('of a %s, %j becomes an entry', (kind, record, expected) => {
	expect(entry(required(kinds[kind], kind), record)).toStrictEqual(expected);
});

test.each(Object.entries(kinds))('skips a %s without an ID', (_kind, toEntry = namedEntry) => {
	for (const _id of ['', 7, null, undefined])
		expect(entry(toEntry, { _id, name: 'N', isSurvey: true, categories: [] })).toBeUndefined();
});

test('disambiguate adds the ID to labels that several entries have', () => {
	const entryOf = (id: string, label: string) => named('P', { id, label });
	const same = [entryOf('1', 'P'), entryOf('2', 'P, live'), entryOf('3', 'P, live')];
	const label = disambiguate(same).map((one) => one.label);
	expect(label).toEqual(['P', 'P, live · 2', 'P, live · 3']);
});
