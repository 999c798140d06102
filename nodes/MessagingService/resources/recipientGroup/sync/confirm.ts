import { messageOf } from '../../../../shared/failure';
import { idOutcome } from './classify';
import {
	changedAll,
	sumChanged,
	takenBy,
	type GroupMembers,
	type Mode,
	type Owners,
	type Responses,
	type Sent,
	type Taken,
} from './evidence';
import { refusalIn } from './groupApi';
import { isMixed, locate } from './locate';
import type { Recipient } from './readRecipients';
import type { OpenSync } from './plan';
import { findSilentlyIgnored, withoutIgnored } from './resolveRecipients';
import { chunksOf } from './sendInChunks';
import { withStaging, type Staging } from './staging';
import type { GroupRun, SyncRun } from './syncRun';

/**
 * Finds out the outcomes that the responses of an Add or Remove leave open. May read the group again and use a staging
 * group, but does not change the group itself. Outcomes without proof stay unverified.
 */
export async function confirmChanges(
	run: GroupRun,
	before: GroupMembers,
	responses: Responses,
): Promise<Sent> {
	return run.identifyBy === 'email'
		? await confirmEmails(run, before, responses)
		: { responses, after: await readAgain(run, before, responses) };
}

/** Reads the group again to prove the changes. A failed read does not fail the sync. */
export async function readAgain(
	run: GroupRun,
	before: GroupMembers,
	{ taken }: Responses,
	action = run.mode === 'remove' ? 'remove' : 'add',
): Promise<GroupMembers | undefined> {
	const changed = sumChanged(taken);
	const size = before.ids.size + (action === 'add' ? changed : -changed);
	return await run.api.read(run.groupId, size).catch((error: unknown) => {
		run.log(`The group could not be read again: ${messageOf(error)}`);
		return undefined;
	});
}

/**
 * Finds out which address has which ID, for all groups together, but only if the status of a person depends on it. IDs are
 * of one kind if they have the same outcome in every group. In each part of `owners`, the most frequent kind needs no
 * search: once the addresses of all other IDs are known, the IDs of this kind belong to the remaining addresses.
 *
 * @param owners addresses with their IDs, in parts: one for each combination of groups that the input items name
 * @returns smaller parts with IDs of one kind each. If a part has fewer IDs than addresses, or its search failed, its IDs
 * can be of several kinds.
 */
export async function locateByKind(
	run: SyncRun,
	owners: Owners[],
	groups: OpenSync[],
): Promise<Owners[]> {
	const kinds = new Map<string, string>();
	for (const sync of groups) {
		const outcomeOf = idOutcome(sync.group, sync);
		for (const id of sync.resolved?.members.ids ?? []) {
			const { status, reason } = outcomeOf(id);
			kinds.set(id, `${kinds.get(id) ?? ''} ${status} ${reason}`);
		}
	}
	const kindOf = (id: string) => kinds.get(id);
	const parts = owners.map((whole) => byFrequency(whole, kindOf));
	const mixed = parts.flatMap(({ rare }) => (rare ? [rare] : []));
	const found =
		mixed.length === 0
			? []
			: await quietly(
					run,
					'The IDs of the recipients',
					async () =>
						await withStaging(
							run,
							async (staging) =>
								await locate(run, staging, mixed, { attribution: 'shown', kindOf }),
						),
				);
	// All IDs of a kind have the same outcome, so they are interchangeable.
	const restOf = new Map<Recipient | undefined, string[]>();
	for (const { rare, most } of parts) {
		const rest = [...most];
		for (const email of rare?.emails ?? []) restOf.set(email, rest);
	}
	const filled = (found ?? mixed).map(({ emails, ids }) => ({
		emails,
		ids: new Set([...ids, ...(restOf.get(emails[0])?.splice(0, emails.length - ids.size) ?? [])]),
	}));
	return [...owners.filter((_, index) => !parts[index]?.rare), ...filled];
}

/** Separates the IDs of the most frequent kind from the others, which have to be located. */
function byFrequency(
	{ emails, ids }: Owners,
	kindOf: (id: string) => unknown,
): { rare: Owners | undefined; most: Set<string> } {
	const byKind = new Map<unknown, Set<string>>();
	for (const id of ids) {
		const kind = kindOf(id);
		byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
	}
	const [most = new Set<string>(), ...others] = [...byKind.values()].sort(
		(a, b) => b.size - a.size,
	);
	const rare = { emails, ids: new Set(others.flatMap((set) => [...set])) };
	// If there are fewer IDs than addresses, nothing is separated: an address without an ID would get somebody else's ID.
	return { rare: ids.size === emails.length && isMixed(rare, kindOf) ? rare : undefined, most };
}

/**
 * Completes the responses of an Add or Remove by email: finds out whom a call changed, if the call changed only some
 * recipients or returned no count.
 */
async function confirmEmails(
	run: GroupRun,
	before: GroupMembers,
	responses: Responses,
): Promise<Sent> {
	const unclear = responses.taken.filter((taken) => taken.changed !== 0 && !changedAll(taken));
	if (unclear.length === 0) {
		const checked = await checkUnchanged(run, before, responses, false);
		return { responses: checked, after: undefined };
	}
	const after = await readAgain(run, before, responses);
	const clear = responses.taken.filter((taken) => !unclear.includes(taken));
	const changed = changedIds(run.mode, before, after);
	if (!changed) {
		const taken = [...clear, ...unclear.map(({ recipients }) => uncounted(recipients))];
		return { responses: { ...responses, taken }, after };
	}
	const countsMatch = responses.failed.length === 0 && sumChanged(responses.taken) === changed.size;
	const whole = { emails: takenBy({ taken: unclear }), ids: changed };
	// A service that refuses or lists unknown addresses does not ignore them.
	let mayIgnore = run.mode === 'add' && responses.unknown.length === 0;
	// If no call failed and the service counts all changed IDs in the unclear calls, these IDs probably belong to the
	// addresses of those calls. Otherwise, other calls or other people may have added or removed some of the IDs.
	const attribution = countsMatch && sumChanged(unclear) === changed.size ? 'counted' : 'none';
	const isEnough = countsMatch && !run.perRecipient;
	const owners = await quietly(
		run,
		'The IDs of the recipients',
		async () =>
			await withStaging(run, async (staging) => {
				mayIgnore &&= await ignoresUnknownSilently(staging);
				if (isEnough) return undefined;
				return await locate(run, staging, [whole], { attribution, kindOf: () => 'changed' });
			}),
	);
	const split = isEnough ? unclear : unclear.flatMap((taken) => splitByOwners(taken, owners));
	const taken = [...clear, ...split];
	return {
		responses: await checkUnchanged(run, before, { ...responses, taken }, mayIgnore),
		after,
	};
}

/**
 * Tests how the service treats a nonexistent address. The documented response is a refusal. The test removes the address
 * from a staging group, because a removal cannot create a user.
 *
 * @returns whether the service silently ignores the address; also true if the response is inconclusive
 */
async function ignoresUnknownSilently(staging: Staging): Promise<boolean> {
	// A reserved domain, which nobody can register (RFC 2606).
	const nobody = `${crypto.randomUUID()}@nobody.invalid`;
	try {
		const { errorCount } = await staging.change('remove', 'email', [nobody]);
		return errorCount === 0;
	} catch (error) {
		return refusalIn(error) !== 'unknown';
	}
}

/** Returns the IDs that joined the group (mode Add) or left it; undefined if one of the two reads is not complete. */
function changedIds(
	mode: Mode,
	before: GroupMembers,
	after: GroupMembers | undefined,
): Set<string> | undefined {
	if (!before.complete || !after?.complete) return undefined;
	const [from, to] = mode === 'add' ? [before.ids, after.ids] : [after.ids, before.ids];
	return new Set([...to].filter((id) => !from.has(id)));
}

const uncounted = (recipients: Recipient[]): Taken => ({ recipients, changed: undefined });

/** Splits the recipients of a call into changed, unchanged and uncertain ones. */
function splitByOwners(taken: Taken, owners: Owners[] | undefined): Taken[] {
	const { recipients, changed } = taken;
	if (!owners) return [uncounted(recipients)];
	const hits = new Set<Recipient>();
	const open = new Set<Recipient>();
	for (const { emails, ids } of owners) {
		if (ids.size === 0) continue;
		for (const email of emails) (ids.size === emails.length ? hits : open).add(email);
	}
	const changedOnes = recipients.filter((recipient) => hits.has(recipient));
	const openOnes = recipients.filter((recipient) => open.has(recipient));
	const others = recipients.filter((recipient) => !hits.has(recipient) && !open.has(recipient));
	// If the call counted more changes than the group shows, the other recipients may have changed too.
	const short = openOnes.length === 0 && changed !== undefined && changedOnes.length < changed;
	return [
		{ recipients: changedOnes, changed: changedOnes.length },
		uncounted(openOnes),
		short ? uncounted(others) : { recipients: others, changed: 0 },
	].filter((part) => part.recipients.length > 0);
}

/**
 * Checks, for Add by email, whether the service knows the recipients that a call left unchanged. The check adds these
 * recipients to a staging group: the response counts those that the service knows. Without `mayIgnore`, the unchanged
 * recipients should all be members already, so the check is needed only if there are more of them than members.
 *
 * @param mayIgnore whether the service may silently ignore unknown recipients
 */
async function checkUnchanged(
	run: SyncRun,
	before: GroupMembers,
	responses: Responses,
	mayIgnore: boolean,
): Promise<Responses> {
	const isUnchanged = (taken: Taken) => !changedAll(taken) && taken.changed !== undefined;
	const unchanged = responses.taken.filter(isUnchanged);
	const toCheck = takenBy({ taken: unchanged });
	const members = before.complete ? before.ids.size : Infinity;
	const areMore = toCheck.length - sumChanged(unchanged) > members;
	if (run.mode !== 'add' || toCheck.length === 0 || !(mayIgnore || areMore)) return responses;
	const checked = await quietly(
		run,
		'The recipients that the service knows',
		async () =>
			await withStaging(run, async (staging) => {
				const values = toCheck.map(({ value }) => value);
				const changes = await staging.changeAll('add', 'email', values);
				const chunks = chunksOf(toCheck, run.chunkSize).map(
					(recipients, index): Taken => ({ recipients, changed: changes[index]?.changed }),
				);
				const ignored = await findSilentlyIgnored(run, staging, chunks);
				return { ignored, isWhole: toCheck.length - sumChanged(chunks) === ignored.size };
			}),
	);
	const marked = responses.taken.map((taken) =>
		isUnchanged(taken) ? { ...taken, unverified: !checked?.isWhole } : taken,
	);
	return { ...responses, ...withoutIgnored(marked, checked?.ignored ?? new Set()) };
}

/** Returns the result of `work`, or undefined if it fails, because a missing proof does not fail a sync. */
async function quietly<Found>(
	run: SyncRun,
	what: string,
	work: () => Promise<Found>,
): Promise<Found | undefined> {
	try {
		return await work();
	} catch (error) {
		run.log(`${what} could not be determined: ${messageOf(error)}`);
		return undefined;
	}
}
