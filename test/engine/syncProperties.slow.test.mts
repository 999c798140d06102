import fc, { runs } from '../kit/property.mts';

import { groupSync, range, unknownModes } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';
import { HISTORY_SEED, named, strangersName } from '../kit/syncHistories.mts';
import type { History, Named } from '../kit/syncHistory.mts';

const PEOPLE = HISTORY_SEED.people;

const service = useService(HISTORY_SEED);
const { emailsOf, groupNames, idsOf, memberIndexes, members, sync, target } = groupSync(service);

type Case = Pick<
	History,
	| 'mode'
	| 'identifyBy'
	| 'group'
	| 'input'
	| 'chunkSize'
	| 'concurrency'
	| 'maxRemovalPercent'
	| 'switches'
> & {
	dryRun: boolean;
	faults: Array<{ skip: number; status: number; after: boolean }>;
};

/** Services that say in some way whom they do not know. */
const outspoken = unknownModes.map(([, switches]) => switches).slice(0, -1);

const cases: fc.Arbitrary<Case> = fc.record({
	mode: fc.constantFrom('add', 'remove', 'mirror'),
	identifyBy: fc.constantFrom('email', 'id'),
	group: fc.uniqueArray(fc.integer({ min: 0, max: PEOPLE - 1 })),
	input: fc.array(named, { minLength: 1, maxLength: 30 }),
	chunkSize: fc.integer({ min: 2, max: 12 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	maxRemovalPercent: fc.constantFrom(0, 20, 50, 100),
	dryRun: fc.boolean(),
	switches: fc.constantFrom(...outspoken),
	// Each strikes once, so that four tries get through.
	faults: fc.array(
		fc.record({
			skip: fc.integer({ min: 0, max: 15 }),
			status: fc.constantFrom(429, 500, 503),
			after: fc.boolean(),
		}),
		{ maxLength: 3 },
	),
});

/** The text of an input item. */
function textOf(entry: Named, identifyBy: Case['identifyBy']): string {
	if ('text' in entry) return entry.text;
	if ('stranger' in entry) return strangersName(entry.stranger, identifyBy);
	const [value = ''] = (identifyBy === 'email' ? emailsOf : idsOf)(entry.person);
	return identifyBy === 'email' && entry.upperCase ? value.toUpperCase() : value;
}

/** What sync has to make of the group, and report of each item; no statuses when it has to refuse. */
function model({ mode, group, input, maxRemovalPercent, dryRun }: Case): {
	group: number[];
	statuses?: string[];
} {
	const before = new Set(group);
	const wanted = new Set(input.flatMap((entry) => ('person' in entry ? [entry.person] : [])));
	const valid = input.some((entry) => !('text' in entry));
	const surplus = mode === 'mirror' ? group.filter((person) => !wanted.has(person)) : [];
	if (mode === 'mirror') {
		// A dry run lists what would happen beyond the limit, too.
		const tooMany = !dryRun && surplus.length * 100 > maxRemovalPercent * group.length;
		if (!valid || tooMany || (surplus.length > 0 && wanted.size === 0)) return { group };
	}
	const seen = new Set<string>();
	const statuses = input.map((entry): string => {
		if ('text' in entry) return 'invalid';
		const key = 'person' in entry ? `person ${entry.person}` : `stranger ${entry.stranger}`;
		if (seen.has(key)) return 'duplicate';
		seen.add(key);
		if ('stranger' in entry) return 'unknown';
		if (mode === 'remove') return before.has(entry.person) ? 'removed' : 'notMember';
		return before.has(entry.person) ? 'alreadyMember' : 'added';
	});
	const after =
		mode === 'mirror'
			? [...wanted]
			: range(0, PEOPLE).filter((person) =>
					mode === 'add'
						? before.has(person) || wanted.has(person)
						: before.has(person) && !wanted.has(person),
				);
	return { group: after, statuses: [...statuses, ...surplus.map(() => 'removed')] };
}

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

async function run(given: Case) {
	const { mode, identifyBy, input, chunkSize, concurrency, maxRemovalPercent, dryRun } = given;
	return await sync(
		input.map((entry) => textOf(entry, identifyBy)),
		{
			mode,
			parameters: { identifyBy },
			dryRun,
			maxRemovalPercent,
			options: { chunkSize, concurrency },
		},
	);
}

function prepare({ group, switches, faults }: Case): void {
	service.emulator.reset();
	Object.assign(service.emulator.switches, switches);
	members(...group);
	for (const { skip, status, after } of faults) {
		service.emulator.faults.add({
			match: { path: /recipientGroup/ },
			skip,
			// 429 is said before anything is done.
			action: { status, after: after && status !== 429, headers: { 'retry-after': '0' } },
		});
	}
}

test('the group becomes what the model says, a second run changes nothing', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async (given) => {
			prepare(given);
			const expected = model(given);
			const result = await run(given);
			expect(sorted(memberIndexes())).toEqual(sorted(given.dryRun ? given.group : expected.group));
			if (expected.statuses) {
				expect(result.error).toBeUndefined();
				expect(result.json.map(({ status }) => status)).toEqual(expected.statuses);
			} else expect(result.error).toBeDefined();
			expect(groupNames()).toHaveLength(1);
			expect(service.emulator.violations).toEqual([]);
			if (given.dryRun || !expected.statuses) return;

			service.emulator.faults.clear();
			const again = await run(given);
			expect(sorted(memberIndexes())).toEqual(sorted(expected.group));
			expect(again.error).toBeUndefined();
			const changed = again.json.filter(({ status }) => status === 'added' || status === 'removed');
			expect(changed).toEqual([]);
		}),
		{ numRuns: runs(300) },
	);
}, 120_000);

test('nothing that fails for good makes the group less than old and new have in common', async () => {
	await fc.assert(
		fc.asyncProperty(cases, fc.integer({ min: 0, max: 25 }), async (given, reached) => {
			prepare({ ...given, faults: [] });
			service.emulator.faults.add({
				match: { path: /recipientGroup/ },
				skip: reached,
				times: Infinity,
				action: { status: 501, headers: { 'retry-after': '0' } },
			});
			const expected = model(given);
			const common = given.group.filter((person) => expected.group.includes(person));
			const either = new Set([...given.group, ...expected.group]);
			await run(given);
			expect(memberIndexes()).toEqual(expect.arrayContaining(common));
			expect(memberIndexes().filter((person) => !either.has(person))).toEqual([]);
			expect(target().members.size).toBeGreaterThanOrEqual(common.length);
		}),
		{ numRuns: runs(200) },
	);
}, 120_000);
