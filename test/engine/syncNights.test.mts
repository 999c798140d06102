import { readFileSync } from 'node:fs';

import { useFakeSleep } from '../kit/fakeSleep.mts';
import { EMPTY } from '../kit/reference/world.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService(EMPTY);

const [, nights = ''] = readFileSync('docs/sync.md', 'utf8').split(
	/^## (?:Three nights|Statuses)$/m,
);
const tables = [...nights.matchAll(/\*\*(.+?)\*\*:[^|]*((?:^\|.*\n)+)/gm)].map(
	([, night = '', table = '']) =>
		[
			night,
			[...table.matchAll(/^\| (\S.*?) \| (\w+) \| `(\w+)` \|$/gm)].map(
				([, item, group, status]) => ({
					...{ item: item ?? '', group, status },
				}),
			),
		] as const,
);

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan'];
/** The page names people. Their items have addresses. */
const addressOf = (item: string): string =>
	NAMES.includes(item) ? `${item.toLowerCase()}@example.com` : item;

test('docs/sync.md has three nights', () => {
	expect(tables.map(([, rows]) => rows.length)).toEqual([4, 4, 5]);
});

test.each(tables)('docs/sync.md, %s: Sync gives the items of the table', async (_night, rows) => {
	const { state } = service.emulator;
	const ids: Record<string, string> = Object.fromEntries(
		NAMES.map((firstName) => {
			const email = addressOf(firstName);
			return [`${firstName}'s ID`, state.people.add({ email, firstName, lastName: '' })._id];
		}),
	);
	const people = Object.values(ids);
	state.addRecipientGroup('Sales', people.slice(0, 3));
	state.addRecipientGroup('Support', people.slice(3));
	const { json } = await service.run(
		'recipientGroup.sync',
		{
			recipientGroupId: { __rl: true, mode: 'name', value: '={{ $json.group }}' },
			...{ identifyBy: 'email', recipient: '={{ $json.item }}', mode: 'mirror' },
			...{ dryRun: false, maxRemovalPercent: 20, options: {} },
		},
		{
			items: rows
				.filter(({ item }) => !item.endsWith("'s ID"))
				.map(({ item, group }) => ({ json: { item: addressOf(item), group: group ?? '' } })),
			onError: 'continueRegularOutput',
		},
	);
	expect(
		json.map(({ recipient, recipientGroupName, status }) => ({
			...{ item: recipient, group: recipientGroupName, status },
		})),
	).toEqual(rows.map((row) => ({ ...row, item: ids[row.item] ?? addressOf(row.item) })));
});
