import { nameSome } from './outcomes';
import type { SyncRun } from './syncRun';
import type { Members, Outcome, ReadTarget } from './types';

/** The plan for a target that is changed by ID: the wanted members, and what each step has shown. */
export type Plan = ReadTarget & {
	/** Whether the target could not be read before the first change. */
	isUnread: boolean;
	/** The IDs of the target's recipients, as far as they are known. */
	wanted: Set<string>;
	/** The members in `before` whom Mirror removes, because no row names them. */
	surplus: Set<string>;
	notes: string[];
	/** The replies to the additions and to the removals, by ID. */
	added: Map<string, Outcome>;
	removed: Map<string, Outcome>;
	/** The last read after the additions, and the last read after the removals. */
	afterAdding?: Members | undefined;
	afterRemoving?: Members | undefined;
	/** Why nobody is removed from this target. */
	heldBack?: string;
};

/** IDs that are removed from no target, and why. */
export type Protected = ReadonlyMap<string, string>;

/** Stops a target if Mirror would remove all its members and add nobody. */
export function stopIfEmptied(run: SyncRun, plan: Plan, protectedIds: Protected): void {
	const { before, wanted } = plan;
	if (before.ids.size === 0 || wanted.size > 0 || removalsOf(plan, protectedIds) < before.ids.size)
		return;
	plan.stopped = wouldBeEmptied(run);
}

/** Returns the error of a target in which nobody would be left. */
export function wouldBeEmptied({ container, fail }: SyncRun): Error {
	return fail(
		'The service knows none of the recipients',
		`Mirror would empty the ${container.word}, so nobody was removed. Check the source of the input items and the Recipient parameter.`,
	);
}

/**
 * Stops targets that would lose too many members, before they are changed. A target that is over the limit is not
 * changed. If all targets together are over the limit, no target that would lose somebody is changed. If the limit is
 * above 0, one removal is always allowed. In a dry run, a note says what the real run would do.
 */
export function limitRemovals(run: SyncRun, plans: Plan[], protectedIds: Protected): void {
	const { word } = run.container;
	const loads = plans.map((plan) => ({
		plan,
		removals: removalsOf(plan, protectedIds),
		size: plan.before.ids.size,
	}));
	const total = { removals: 0, size: 0 };
	for (const { removals, size } of loads) {
		total.removals += removals;
		total.size += size;
	}
	const inTotal = excess(run, total, `all ${word}s together`);
	for (const { plan, ...load } of loads) {
		const problem = excess(run, load, `the ${word}`) ?? (load.removals > 0 ? inTotal : undefined);
		if (problem === undefined) continue;
		const what = plans.length > 1 ? `not change this ${word}` : 'stop here and change nothing';
		if (run.dryRun) plan.notes.push(`${problem}. Without Dry Run, Mirror would ${what}.`);
		else {
			plan.stopped = run.fail(
				problem,
				'Nothing was changed. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.',
			);
		}
	}
}

/** Returns how many members Mirror would remove. */
export function removalsOf({ surplus }: Plan, protectedIds: Protected): number {
	return [...surplus].filter((id) => !protectedIds.has(id)).length;
}

function excess(
	{ maxRemovalPercent }: SyncRun,
	{ removals, size }: { removals: number; size: number },
	where: string,
): string | undefined {
	if (removals * 100 <= maxRemovalPercent * size) return undefined;
	if (removals === 1 && maxRemovalPercent > 0) return undefined;
	// The percentage is rounded up, so that the shown percentage never equals the limit.
	const percent = Math.ceil((removals * 1000) / size) / 10;
	return `Mirror would remove ${removals} of the ${size} people in ${where} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}

/** Returns why rows that cannot be read forbid all removals, or undefined if they do not. */
export function unreadableRows(run: SyncRun): string | undefined {
	const unreadable = run.rows.flatMap((row) =>
		!row.recipient && row.status === 'invalid' && !row.isBlank ? [row.given] : [],
	);
	if (unreadable.length === 0 || run.removeDespiteInvalid) return undefined;
	return `${count(unreadable.length, 'item names', 'items name')} a recipient that cannot be read: ${nameSome(unreadable)}`;
}

/** Returns a number with its noun: `1 item names`, `2 items name`. */
export function count(number: number, one: string, several: string): string {
	return `${number} ${number === 1 ? one : several}`;
}
