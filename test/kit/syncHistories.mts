import type { INodeParameters } from 'n8n-workflow';

import type { FaultAction, Switches } from '../../emulator/emulator.mts';
import type { RunResult } from './engine.mts';
import { groupSync, range, unknownModes } from './groupSync.mts';
import fc from './property.mts';
import type { Service } from './service.mts';

/** How many people the emulator of a history knows, and the groups it is seeded with. */
export const HISTORY_SEED = { seed: 13, people: 24, groups: 1, campaigns: 0, surveys: 0 };

/** Somebody whom an input item names: one of the people, somebody unknown, or nobody at all. */
type Named = { person: number; upperCase: boolean } | { stranger: number } | { text: string };

/** What goes wrong, where and how often. */
export type Trouble = {
	where: 'target' | 'members' | 'reads' | 'anything';
	skip: number;
	times: number;
	what: 'busy' | 'busyAfter' | 'refused' | 'page' | 'teapot' | 'missing';
};

/** A sync, and the world that it runs in. */
export type History = {
	mode: 'add' | 'remove' | 'mirror';
	identifyBy: 'email' | 'id';
	group: number[];
	input: Named[];
	chunkSize: number;
	concurrency: number;
	maxRemovalPercent: number;
	switches: Partial<Switches>;
	shown: number | null;
	troubles: Trouble[];
};

/** The service in words of its own: it says nothing about anybody. */
const REFUSAL = 'The recipients of this group cannot be changed at the moment';

const named: fc.Arbitrary<Named> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			person: fc.integer({ min: 0, max: HISTORY_SEED.people - 1 }),
			upperCase: fc.boolean(),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ stranger: fc.integer({ min: 0, max: 9 }) }) },
	{ weight: 1, arbitrary: fc.record({ text: fc.constantFrom('', ' ', 'no address at all') }) },
);

const trouble: fc.Arbitrary<Trouble> = fc.record({
	where: fc.constantFrom('target', 'members', 'reads', 'anything'),
	skip: fc.integer({ min: 0, max: 20 }),
	times: fc.constantFrom(1, 2, 4, Infinity),
	what: fc.constantFrom('busy', 'busyAfter', 'refused', 'page', 'teapot', 'missing'),
});

/** Any world, any trouble. */
export const histories: fc.Arbitrary<History> = fc.record({
	mode: fc.constantFrom('add', 'remove', 'mirror'),
	identifyBy: fc.constantFrom('email', 'id'),
	group: fc.uniqueArray(fc.integer({ min: 0, max: HISTORY_SEED.people - 1 })),
	input: fc.array(named, { minLength: 1, maxLength: 30 }),
	chunkSize: fc.integer({ min: 1, max: 12 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	maxRemovalPercent: fc.constantFrom(0, 20, 50, 100, 100),
	switches: fc
		.record({
			unknown: fc.constantFrom(...unknownModes.map(([, switches]) => switches)),
			unknownIdsMessage: fc.constantFrom(
				'Not all emails founded as recipient in system',
				'Invalid parameters',
			),
		})
		.map(({ unknown, unknownIdsMessage }) => ({ ...unknown, unknownIdsMessage })),
	shown: fc.oneof(
		{ weight: 7, arbitrary: fc.constant(null) },
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }) },
	),
	troubles: fc.array(trouble, { maxLength: 3 }),
});

/** A run of a history: how the group was before and after, and what the node said. */
type Played = {
	before: Set<number>;
	after: Set<number>;
	version: number;
	result: RunResult;
};

/** Plays histories on an emulator and judges what the node says of them. */
export function historian(service: Pick<Service, 'emulator' | 'run'>) {
	const { emailsOf, idsOf, memberIndexes, members, sync, target } = groupSync(service);

	function textOf(entry: Named, { identifyBy }: History): string {
		if ('text' in entry) return entry.text;
		if ('stranger' in entry) {
			return identifyBy === 'email'
				? `stranger${entry.stranger}@people.example`
				: `64f1c0ffee00000000000${100 + entry.stranger}`;
		}
		const [value = ''] = (identifyBy === 'email' ? emailsOf : idsOf)(entry.person);
		return identifyBy === 'email' && entry.upperCase ? value.toUpperCase() : value;
	}

	function prepare({ group, switches, shown, troubles }: History): void {
		service.emulator.reset();
		Object.assign(service.emulator.switches, switches, { leadsTruncated: shown });
		members(...group);
		for (const { where, skip, times, what } of troubles) {
			const action = actionOf(what);
			service.emulator.faults.add({ match: matchOf(where, target()._id), skip, times, action });
		}
	}

	async function run(
		history: History,
		given: { dryRun?: boolean; options?: INodeParameters } = {},
	): Promise<Played> {
		prepare(history);
		const { mode, identifyBy, input, chunkSize, concurrency, maxRemovalPercent } = history;
		const before = new Set(memberIndexes());
		const result = await sync(
			input.map((entry) => textOf(entry, history)),
			{
				mode,
				dryRun: given.dryRun,
				maxRemovalPercent,
				parameters: { identifyBy },
				options: { chunkSize, concurrency, ...given.options },
				onError: 'continueRegularOutput',
			},
		);
		return { before, after: new Set(memberIndexes()), version: target().version, result };
	}

	/** Everything that the node says of a history and that is not so. */
	async function lies(history: History): Promise<string[]> {
		return judge(history, await run(history), (index) => idsOf(index)[0] ?? '');
	}

	/** What a dry run changes or says otherwise than is so. */
	async function dryRunLies(history: History): Promise<string[]> {
		const dry = await run(history, { dryRun: true });
		const found = dry.version > 0 ? ['a dry run changed the group'] : [];
		for (const [index, entry] of history.input.entries()) {
			const { status, reason } = dry.result.json[index] ?? {};
			const lie = dryRunLie(String(status), String(reason), entry, history, dry.before);
			if (lie) found.push(`item ${index}: ${lie}`);
		}
		return found;
	}

	/** Where a dry run, each recipient and the summary of the same world do not say the same; nothing fails in it. */
	async function contradictions(history: History): Promise<string[]> {
		const quiet = { ...history, troubles: [], maxRemovalPercent: 100 };
		const real = (await run(quiet)).result;
		const dry = (await run(quiet, { dryRun: true })).result;
		const summary = (await run(quiet, { options: { output: 'summary' } })).result;
		const drySummary = (await run(quiet, { dryRun: true, options: { output: 'summary' } })).result;
		const counts = countsOf(real);
		const others = {
			dry: countsOf(dry),
			summary: tallyOf(summary),
			drySummary: tallyOf(drySummary),
		};
		return Object.entries(others).flatMap(([name, other]) =>
			JSON.stringify(other) === JSON.stringify(counts)
				? []
				: [`${name} says ${JSON.stringify(other)}, each recipient ${JSON.stringify(counts)}`],
		);
	}

	return { run, lies, dryRunLies, contradictions };
}

function matchOf(where: Trouble['where'], targetId: string) {
	switch (where) {
		case 'target':
			return { path: `/int/v1/recipientGroup/${targetId}/recipients` };
		case 'members':
			return { path: '/int/v1/recipientGroup/*/recipients' };
		case 'reads':
			return { method: 'GET', path: `/int/v1/recipientGroup/${targetId}` };
		case 'anything':
			return { path: /recipientGroup/ };
	}
}

function actionOf(what: Trouble['what']): FaultAction {
	const headers = { 'retry-after': '0' };
	switch (what) {
		case 'busy':
			return { status: 429, headers };
		case 'busyAfter':
			return { status: 503, headers, after: true };
		case 'refused':
			return { status: 200, body: { success: false, message: REFUSAL } };
		case 'page':
			return 'html';
		case 'teapot':
			return { status: 418, body: { success: false, message: 'Gone' } };
		case 'missing':
			return { status: 200, body: { success: false, message: 'Object does not exist' } };
	}
}

/** Whether a reason says that the status is not proved. */
const isDoubt = (reason: unknown) =>
	/does not tell|neither its counts nor|could not be found out/.test(String(reason));

function judge(history: History, played: Played, idOf: (index: number) => string): string[] {
	const { mode, input, group, maxRemovalPercent } = history;
	const { before, after, result } = played;
	const found: string[] = [];
	const wanted = new Set(input.flatMap((entry) => ('person' in entry ? [entry.person] : [])));
	const seen = new Set<string>();
	let doubts = 0;
	for (const [index, entry] of input.entries()) {
		const { status, reason } = result.json[index] ?? {};
		const key = JSON.stringify({ ...entry, upperCase: false });
		const lie = lieAbout(String(status), reason, entry, history, played, seen.has(key));
		if (lie) found.push(`item ${index} is called ${String(status)} (${String(reason)}): ${lie}`);
		if (!('text' in entry)) seen.add(key);
		if (isDoubt(reason) && status !== 'failed') doubts += 1;
	}
	if (doubts > 0 && result.hints.length === 0) found.push('there is doubt, and no hint says so');

	const gone = [...before].filter((person) => !after.has(person));
	const come = [...after].filter((person) => !before.has(person));
	if (mode !== 'remove' && gone.some((person) => wanted.has(person))) {
		found.push('somebody who is wanted was taken out');
	}
	if (come.some((person) => mode === 'remove' || !wanted.has(person))) {
		found.push('somebody who is not wanted came in');
	}
	if (mode === 'add' && gone.length > 0) found.push('Add took somebody out');
	if (mode === 'remove' && gone.some((person) => !wanted.has(person))) {
		found.push('Remove took somebody else out');
	}
	if (mode === 'mirror') {
		const extras = result.json.slice(input.length);
		const told = new Map(extras.map(({ recipient, status }) => [recipient, status]));
		for (const person of range(0, HISTORY_SEED.people)) {
			const status = told.get(idOf(person));
			const out = before.has(person) && !after.has(person);
			if (status === 'removed' && !out) found.push(`person ${person} was not removed`);
			if (out && status !== 'removed' && status !== 'failed') {
				found.push(`that person ${person} was taken out is not said`);
			}
		}
		if (gone.length > 0) {
			const allIn = [...wanted].every((person) => after.has(person));
			if (!allIn) found.push('people were taken out while an addition was missing');
			const surplus = group.filter((person) => !wanted.has(person)).length;
			if (surplus * 100 > maxRemovalPercent * group.length) found.push('the limit was ignored');
			if (after.size === 0) found.push('the group was emptied');
		}
	}
	return found;
}

function lieAbout(
	status: string,
	reason: unknown,
	entry: Named,
	history: History,
	{ before, after }: Played,
	repeated: boolean,
): string | undefined {
	if ('text' in entry) return status === 'invalid' ? undefined : 'it is invalid';
	if (repeated) return status === 'duplicate' ? undefined : 'it is a duplicate';
	if (status === 'failed') return reason ? undefined : 'no reason is given';
	const person = 'person' in entry ? entry.person : -1;
	const [was, is] = [before.has(person), after.has(person)];
	if (isDoubt(reason)) {
		const claimsIn = String(reason).startsWith('In the group now');
		if (claimsIn && !is && !passesOver(history)) return 'not in the group';
		return status === (history.mode === 'remove' ? 'notMember' : 'alreadyMember')
			? undefined
			: 'a doubt with a claim';
	}
	switch (status) {
		case 'added':
			return !was && is ? undefined : 'not so';
		case 'removed':
			return was && !is ? undefined : 'not so';
		case 'alreadyMember':
			// Documented for emails: a call that changes nobody found only members.
			return (was && is) || (history.mode === 'add' && passesOver(history)) ? undefined : 'not so';
		case 'notMember':
			return !was && !is ? undefined : 'not so';
		case 'unknown':
			return 'stranger' in entry ? undefined : 'the service knows them';
	}
	return 'no status';
}

/** A service that takes calls with unknown emails without a word, against its own documentation. */
function passesOver({ identifyBy, switches }: History): boolean {
	return identifyBy === 'email' && switches.unknownEmails === 'ignore';
}

function dryRunLie(
	status: string,
	reason: string,
	entry: Named,
	{ mode }: History,
	before: Set<number>,
): string | undefined {
	if (!('person' in entry) || isDoubt(reason)) return undefined;
	const was = before.has(entry.person);
	const allowed =
		mode === 'remove' ? (was ? 'removed' : 'notMember') : was ? 'alreadyMember' : 'added';
	return ['failed', 'duplicate', allowed].includes(status)
		? undefined
		: `called ${status}, not ${allowed}`;
}

function countsOf({ json }: RunResult): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of json) {
		// An item that only says why a sync refused names nobody.
		if (status !== undefined) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
	}
	return sorted(counts);
}

function tallyOf({ json: [summary = {}] }: RunResult): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const [status, count] of Object.entries(summary)) {
		if (typeof count === 'number' && count > 0) counts[status] = count;
	}
	return sorted(counts);
}

function sorted(counts: Record<string, number>): Record<string, number> {
	return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}
