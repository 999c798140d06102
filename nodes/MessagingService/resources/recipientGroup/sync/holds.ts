import { settle } from '../../../../shared/concurrency';
import { wait } from '../../../../shared/transport/retry';
import { failed, NEVER_SHOWN, nameSome } from '../../../sync/outcomes';
import { count, countRemovals, reasonToHold, unreadableRows } from '../../../sync/removals';
import type { Doubt, Plan, Protected } from '../../../sync/removals';
import { sendAll, UNKNOWN_TWICE_MS } from '../../../sync/send';
import type { Identities, Outcome, Recipient } from '../../../sync/types';
import type { GroupRun } from './groupRun';
import { withTemporaryGroups } from './temporaryGroups';

/**
 * Finds out before the additions whether anybody may be removed. If the ID of an item's person is not known, any member
 * may be that person.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed or nobody would be removed
 */
export async function reasonToRemoveNobody(
	run: GroupRun,
	plans: Plan[],
	{ idsOf, problems }: Identities,
	protectedIds: Protected,
): Promise<string | undefined> {
	if (!plans.some((plan) => countRemovals(plan, protectedIds) > 0)) return undefined;
	const open = new Map(problems);
	for (const [key, ids] of idsOf) if (ids.length === 0) open.set(key, failed(NEVER_SHOWN));
	if (run.identifyBy === 'id') for (const id of idsIn(plans)) open.delete(id);
	const doubts = [unreadableRows(run), ...doubtsAbout(open)];
	return reasonToHold(run, plans, doubts) ?? (await sendUnknownAgain(run, problems));
}

/**
 * Finds out after the additions by ID whether anybody may be removed. If no read shows an ID that an item names, the
 * service may show this person under another ID. Groups without additions do not matter: their items fail for their
 * group alone.
 */
export function reasonAfterAdding(run: GroupRun, plans: Plan[]): string | undefined {
	if (run.identifyBy !== 'id') return undefined;
	const shown = idsIn(plans);
	const open = new Map<string, Outcome>();
	for (const { added } of plans) {
		for (const [id, reply] of added) {
			if (shown.has(id)) continue;
			open.set(
				id,
				reply.status === 'failed' || reply.status === 'unknown' ? reply : failed(NEVER_SHOWN),
			);
		}
	}
	return reasonToHold(run, plans, doubtsAbout(open));
}

/** Returns all IDs that a read shows as members. */
function idsIn(plans: Plan[]): Set<string> {
	const reads = plans.flatMap(({ before, afterAdding }) => [
		before,
		...(afterAdding ? [afterAdding] : []),
	]);
	return new Set(reads.flatMap(({ ids }) => [...ids]));
}

/** Returns the reasons not to remove anybody that failed recipients give. */
function doubtsAbout(outcomes: ReadonlyMap<string, Outcome>): Doubt[] {
	const failing = [...outcomes].filter(([, { status }]) => status === 'failed');
	const isHidden = ({ reason }: Outcome) => reason.startsWith(NEVER_SHOWN);
	const doubt = (
		matches: (outcome: Outcome) => boolean,
		why: (people: string, says: string) => string,
		isFinal?: true,
	): Doubt => {
		const some = failing.filter(([, outcome]) => matches(outcome));
		const people = count(some.length, 'recipient', 'recipients');
		const says = some[0] ? ` (${some[0][1].reason})` : '';
		return { recipients: some.map(([key]) => key), why: why(people, says), isFinal };
	};
	return [
		doubt(
			(one) => one.refusedAt === undefined && !isHidden(one),
			(people, says) => `the IDs of ${people} could not be found out${says}`,
			true,
		),
		doubt(
			(one) => one.refusedAt !== undefined,
			(people, says) => `the service refused ${people}, but may know them${says}`,
		),
		doubt(isHidden, (people) => `the service accepted ${people} but shows nobody for them`),
	];
}

/**
 * Sends each unknown address once more, alone, to a new temporary group. If the service now accepts an address, its
 * person may be a member, so nobody is removed.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed
 */
async function sendUnknownAgain(run: GroupRun, problems: Identities['problems']) {
	const unknown = new Map<string, Recipient>();
	for (const { recipient } of run.identifyBy === 'email' ? run.rows : []) {
		if (recipient && problems.get(recipient.key)?.status === 'unknown')
			unknown.set(recipient.key, recipient);
	}
	if (unknown.size === 0) return undefined;
	if (run.budget.remaining < unknown.size) {
		return `there are too many unknown recipients to send each of them once more with ${run.budget.granted} further requests`;
	}
	run.budget.remaining -= unknown.size;
	const times = Array.from(unknown.keys(), (key) => problems.get(key)?.refusedAt ?? 0);
	const since = times.reduce((latest, time) => Math.max(latest, time), 0);
	await wait(since + UNKNOWN_TWICE_MS - Date.now(), run.cancelSignal);
	const known: string[] = [];
	const outcome = await settle(
		async () =>
			await withTemporaryGroups(run, 1, async ([targetId = '']) => {
				await Promise.all(
					Array.from(unknown.values(), async (one) => {
						const sent = await sendAll(run, [one], { action: 'add', targetId, by: 'email' });
						if (sent.problems.get(one)?.status === 'unknown') return;
						known.push(one.key);
						problems.set(one.key, failed(KNOWN_NOW));
					}),
				);
			}),
	);
	if ('error' in outcome)
		return 'it could not be checked a second time whether the unknown recipients are really unknown';
	if (known.length === 0) return undefined;
	return `the service did not know ${count(known.length, 'recipient', 'recipients')} at first, but may know them now: ${nameSome(known)}`;
}

const KNOWN_NOW =
	'At first the service did not know this recipient, but it may know the person now. Run the sync again';
