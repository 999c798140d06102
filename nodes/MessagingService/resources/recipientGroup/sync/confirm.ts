import { messageOf } from '../../../../shared/failure';
import { idOutcome } from './classify';
import {
	changedAll,
	readCounted,
	sumChanged,
	takenBy,
	type Findings,
	type GroupMembers,
	type Mode,
	type Owners,
	type Responses,
	type Sent,
	type Taken,
} from './evidence';
import { isMixed, locate } from './locate';
import type { Recipient } from './readRecipients';
import { findSilentlyIgnored, ignoresUnknownSilently, withoutIgnored } from './resolveRecipients';
import { chunksOf } from './sendInChunks';
import { withStaging } from './staging';
import type { GroupRun, SyncRun } from './syncRun';

/**
 * Finds the proof that the responses of an Add or Remove alone do not give: reads the group again, and finds out which
 * address is whose where that decides. It changes nothing in the group, and what it cannot find out stays unverified.
 */
export async function confirmChanges(run: GroupRun, findings: Findings): Promise<Findings> {
	const { before, sent } = findings;
	if (!sent || run.mode === 'mirror') return findings;
	if (run.identifyBy === 'email') {
		return { ...findings, sent: await confirmEmails(run, before, sent.responses) };
	}
	if (!leavesOpen(sent.responses)) return findings;
	return { ...findings, sent: { ...sent, after: await readAgain(run, before, sent.responses) } };
}

/** Whether the counts of the responses leave open what became of somebody. */
export function leavesOpen({ failed, taken }: Responses): boolean {
	return failed.length > 0 || !taken.every(changedAll);
}

/** Reads the group again as proof of what was done. A failed read does not fail the sync. */
export async function readAgain(
	run: GroupRun,
	before: GroupMembers,
	{ taken }: Responses,
	action = run.mode === 'remove' ? 'remove' : 'add',
): Promise<GroupMembers | undefined> {
	const changed = sumChanged(taken);
	const size = before.ids.size + (action === 'add' ? changed : -changed);
	return await readCounted(async () => await run.api.read(run.groupId), size).catch(
		(error: unknown) => {
			run.log(`The group could not be read again: ${messageOf(error)}`);
			return undefined;
		},
	);
}

/**
 * Finds out which address is whose, for all groups together, as far as that decides what is said of somebody: the owners
 * of all IDs but those of the most frequent kind, which are everybody else's.
 *
 * @param owners the addresses of all groups beside their IDs; each part is in the same groups
 * @returns smaller parts, of which all IDs are of the same kind, as far as that could be found out
 */
export async function locateByKind(
	run: SyncRun,
	owners: Owners[],
	groups: Array<{ group: GroupRun; evidence: Findings }>,
): Promise<Owners[]> {
	const kinds = new Map<string, string>();
	for (const { group, evidence } of groups) {
		const outcomeOf = idOutcome(group, evidence);
		for (const id of evidence.resolved?.members.ids ?? []) {
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
					'Who is who',
					async () =>
						await withStaging(
							run,
							async (staging) => await locate(run, staging, mixed, { explained: 'shown', kindOf }),
						),
				);
	// All IDs of a kind have the same outcome, so any of them stands for any other.
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

/** The IDs of the most frequent kind, and the others with the addresses, where it takes a look to know whose they are. */
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
	// Addresses of nobody among them would be taken for those of the most frequent kind.
	return { rare: ids.size === emails.length && isMixed(rare, kindOf) ? rare : undefined, most };
}

/** Add and Remove by email: whom the calls changed that changed only some, or do not tell. */
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
	const everybodyTold =
		responses.failed.length === 0 && sumChanged(responses.taken) === changed.size;
	const whole = { emails: takenBy({ taken: unclear }), ids: changed };
	// Addresses that were refused or listed as unknown show that the service does not ignore such.
	let mayIgnore = run.mode === 'add' && responses.unknown.length === 0;
	// IDs added by others, or by other calls, stay unattributed until proven.
	const explained = everybodyTold && sumChanged(unclear) === changed.size ? 'counted' : 'no';
	const isEnough = everybodyTold && !run.perRecipient;
	const owners = await quietly(
		run,
		'Who is who',
		async () =>
			await withStaging(run, async (staging) => {
				mayIgnore &&= await ignoresUnknownSilently(staging);
				if (isEnough) return undefined;
				return await locate(run, staging, [whole], { explained, kindOf: () => 'changed' });
			}),
	);
	const split = isEnough ? unclear : unclear.flatMap((taken) => splitByOwners(taken, owners));
	const taken = [...clear, ...split];
	return {
		responses: await checkUnchanged(run, before, { ...responses, taken }, mayIgnore),
		after,
	};
}

/** The IDs that came into the group, or left it; undefined when it was not seen whole before and after. */
function changedIds(
	mode: Mode,
	before: GroupMembers,
	after: GroupMembers | undefined,
): Set<string> | undefined {
	if (!before.complete || !after?.complete) return undefined;
	const [from, to] = mode === 'add' ? [before.ids, after.ids] : [after.ids, before.ids];
	return new Set([...to].filter((id) => !from.has(id)));
}

function uncounted(recipients: Recipient[]): Taken {
	return { recipients, changed: undefined };
}

/** Splits what one call took into those whom it changed, those whom it left, and those of whom it is not known. */
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
	// More were counted than the group shows: then it is not known who was left as they were.
	const short = openOnes.length === 0 && changed !== undefined && changedOnes.length < changed;
	return [
		{ recipients: changedOnes, changed: changedOnes.length },
		uncounted(openOnes),
		short ? uncounted(others) : { recipients: others, changed: 0 },
	].filter((part) => part.recipients.length > 0);
}

/**
 * Add by email: makes sure that those whom a call left as they were are known at all. Where every call changed everybody
 * or nobody, the service's documentation is enough (recipientGroup.addRecipients in emulator/openapi.yaml), unless there
 * are more of them than members. They go into a staging group, which counts those whom the service knows.
 *
 * @param mayIgnore whether the service may silently ignore whom it does not know
 */
async function checkUnchanged(
	run: SyncRun,
	before: GroupMembers,
	responses: Responses,
	mayIgnore: boolean,
): Promise<Responses> {
	const isUnchanged = (taken: Taken) => !changedAll(taken) && taken.changed !== undefined;
	const unchanged = responses.taken.filter(isUnchanged);
	const asked = takenBy({ taken: unchanged });
	const members = before.complete ? before.ids.size : Infinity;
	const areMore = asked.length - sumChanged(unchanged) > members;
	if (run.mode !== 'add' || asked.length === 0 || !(mayIgnore || areMore)) return responses;
	const checked = await quietly(
		run,
		'Who is known to the service',
		async () =>
			await withStaging(run, async (staging) => {
				const values = asked.map(({ value }) => value);
				const changes = await staging.changeAll('add', 'email', values);
				const chunks = chunksOf(asked, run.chunkSize).map(
					(recipients, index): Taken => ({ recipients, changed: changes[index]?.changed }),
				);
				const ignored = await findSilentlyIgnored(run, staging, chunks);
				return { ignored, isWhole: asked.length - sumChanged(chunks) === ignored.size };
			}),
	);
	const marked = responses.taken.map((taken) =>
		isUnchanged(taken) ? { ...taken, unverified: !checked?.isWhole } : taken,
	);
	return { ...responses, ...withoutIgnored(marked, checked?.ignored ?? new Set()) };
}

/** What some work finds out, or nothing when it fails: what only proves something is no reason for a sync to fail. */
async function quietly<Found>(
	run: SyncRun,
	what: string,
	work: () => Promise<Found>,
): Promise<Found | undefined> {
	try {
		return await work();
	} catch (error) {
		run.log(`${what} could not be found out: ${messageOf(error)}`);
		return undefined;
	}
}
