import { groupSync, MEMBERS, range, statuses, type SyncOptions } from '../kit/groupSync.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { severalGroups } from '../kit/severalGroups.mts';

useFakeSleep();
const service = useService({ seed: 4, people: 40, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, idsOf, members, memberIndexes, sync, syncIds } = groupSync(service);
const { membersOf, names, syncRows } = severalGroups(service);

/** n8n replaces a wait of 0 with its default of one second. */
const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Lets the first call pass and refuses the next calls (two by default). Each call names one person. */
function refuse(method: 'POST' | 'DELETE', times = 2): void {
	const match = { method, path: MEMBERS };
	service.emulator.faults.add({ match, skip: 1, times, action: { refuse: 'Locked' } });
}

const sequential = { chunkSize: 1, concurrency: 1 };
const tried = async (people: number[], options: SyncOptions = {}) =>
	await sync(emailsOf(...people), {
		settings,
		...options,
		options: { ...sequential, ...options.options },
	});

test.each([
	['add', 'POST', [], range(0, 4), { added: 4 }],
	['remove', 'DELETE', range(0, 4), range(0, 4), { removed: 4 }],
	['mirror', 'DELETE', range(0, 10), range(0, 6), { alreadyMember: 6, removed: 4 }],
] as const)(
	'%s: reports what earlier attempts changed, per item and in the summary',
	async (mode, method, before, people, expected) => {
		const given = { mode, maxRemovalPercent: 50 };
		for (const output of ['perRecipient', 'summary']) {
			members(...before);
			refuse(method);
			const { json, error } = await tried([...people], { ...given, options: { output } });
			expect(error).toBeUndefined();
			expect(memberIndexes()).toEqual(mode === 'remove' ? [] : [...people]);
			const all = Object.entries(expected).flatMap(([name, count]) =>
				Array<string>(count).fill(name),
			);
			if (output === 'summary') expect(json[0]).toMatchObject(expected);
			else expect(json.map(({ status }) => status)).toEqual(all);
		}
	},
);

test('reports what earlier attempts changed in each group, even in a group that the sync created', async () => {
	members();
	refuse('POST');
	const name = required(names()[0], 'group');
	const result = await syncRows(
		[0, 1, 2, 3].map((person) => [person < 2 ? name : 'New', person]),
		{
			settings,
			onError: 'stopWorkflow',
			parameters: { mode: 'add' },
			options: { ...sequential, createMissingGroups: true },
		},
	);
	expect(result.error).toBeUndefined();
	expect(statuses(result)).toEqual(['added', 'added', 'added', 'added']);
	expect(names().filter((other) => other === 'New')).toHaveLength(1);
	expect([membersOf(0), membersOf(2)]).toEqual([
		[0, 1],
		[2, 3],
	]);
});

test('keeps what an earlier attempt added if the next one cannot read the group', async () => {
	members();
	refuse('POST', 1);
	const match = { method: 'GET', path: '/int/v1/recipientGroup/*' };
	// The first attempt reads the group before and after the change.
	service.emulator.faults.add({ match, skip: 2, times: Infinity, action: { status: 500 } });
	const options = { settings, parameters: { mode: 'add' }, options: sequential };
	const { error } = await syncIds(idsOf(0, 1), { ...options, onError: 'stopWorkflow' });
	expect(error?.context.summary).toMatchObject({ added: 1, failed: 1 });
});
