import { messageOf } from '../../../../shared/failure';
import { needsToSee, readAgain } from './apply';
import {
	append,
	changedAll,
	chunksOf,
	takenBy,
	type Responses,
	type Evidence,
	type ResolvedRecipients,
	type Owners,
	type Taken,
} from './evidence';
import { isMixed, locate } from './locate';
import { findSilentlyIgnored, ignoresUnknownSilently } from './silentlyIgnored';
import type { Recipient } from './readRecipients';
import type { SyncRun } from './syncRun';
import { withStaging } from './staging';
import { idOutcome } from './classify';

/**
 * Finds the proof that the answers alone do not give: reads the group again, and finds out which address is whose where
 * that decides. It changes nothing in the group, and what it cannot find out stays in doubt.
 */
export async function confirm(run: SyncRun, evidence: Evidence): Promise<void> {
	const { resolved: learned, responses: answers } = evidence;
	if (run.identifyBy === 'email' && learned) {
		if (run.perRecipient) learned.owners = await ownersByKind(run, evidence, learned);
	} else if (answers && run.mode !== 'mirror') {
		if (run.identifyBy === 'email') await confirmEmails(run, evidence, answers);
		else if (needsToSee(evidence)) evidence.after = await readAgain(run);
	}
}

/** Mirror by email, and dry runs: what became of the ids is known; whose they are is found out here. */
async function ownersByKind(
	run: SyncRun,
	evidence: Evidence,
	{ owners, silentlyIgnored: passedOver }: ResolvedRecipients,
): Promise<Owners[]> {
	const outcomeOf = idOutcome(evidence);
	const kindOf = (id: string) => {
		const { status, reason } = outcomeOf(id);
		return `${status} ${reason}`;
	};
	const found: Owners[] = [];
	for (const { emails, ids } of owners) {
		const nobody = emails.filter(({ key }) => passedOver.has(key));
		if (nobody.length > 0) found.push({ emails: nobody, ids: new Set() });
		const known = emails.filter(({ key }) => !passedOver.has(key));
		append(found, await locateByKind(run, { emails: known, ids }, kindOf));
	}
	return found;
}

/** Finds the owners of all ids but those of the most frequent kind, which are everybody else's. */
async function locateByKind(
	run: SyncRun,
	whole: Owners,
	kindOf: (id: string) => string,
): Promise<Owners[]> {
	const { emails, ids } = whole;
	const byKind = new Map<string, Set<string>>();
	for (const id of ids) {
		const kind = kindOf(id);
		byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
	}
	const [most, ...others] = [...byKind.values()].sort((a, b) => b.size - a.size);
	// Addresses of nobody among them would be taken for those of the most frequent kind.
	if (!most || others.length === 0 || ids.size !== emails.length) return [whole];
	const rare = new Set(others.flatMap((set) => [...set]));
	const found = await inStaging(run, { emails, ids: rare }, kindOf);
	// All ids of a kind have the same outcome, so any of them stands for any other.
	const rest = [...most];
	return found.map((segment) => ({
		emails: segment.emails,
		ids: new Set([...segment.ids, ...rest.splice(0, segment.emails.length - segment.ids.size)]),
	}));
}

/** Locates in a group of our own; with what is known already where none can be made. */
async function inStaging(
	run: SyncRun,
	whole: Owners,
	kindOf: (id: string) => unknown,
): Promise<Owners[]> {
	if (!isMixed(whole, kindOf)) return [whole];
	try {
		const found = await withStaging(
			run,
			async (staging) => await locate(run, staging, whole, { explained: 'shown', kindOf }),
		);
		return found ?? [whole];
	} catch (error) {
		run.log(`Who is who could not be found out: ${messageOf(error)}`);
		return [whole];
	}
}

/** Add and Remove by email: whom the calls changed that changed only some, or do not tell. */
async function confirmEmails(run: SyncRun, evidence: Evidence, answers: Responses): Promise<void> {
	const unclear = answers.taken.filter((taken) => taken.changed !== 0 && !changedAll(taken));
	if (unclear.length === 0) return await checkUnchanged(run, evidence, answers);
	evidence.after = await readAgain(run);
	const clear = answers.taken.filter((taken) => !unclear.includes(taken));
	const changed = changedIds(evidence);
	if (!changed) {
		answers.taken = [...clear, ...unclear.map(({ recipients }) => untold(recipients))];
		return;
	}
	const counted = sumOf(answers.taken);
	const everybodyTold = answers.failed.length === 0 && counted === changed.size;
	const whole = { emails: takenBy({ taken: unclear }), ids: changed };
	// Addresses that were refused or listed as unknown show that the service does not pass over such.
	const asks = run.mode === 'add' && answers.unknown.length === 0;
	// Ids that others brought in, or other calls, are nobody's here until they were seen to be somebody's.
	const explained = everybodyTold && sumOf(unclear) === changed.size ? 'counted' : 'no';
	let owners: Owners[] | undefined;
	try {
		await withStaging(run, async (staging) => {
			if (asks) evidence.ignoresSilently = await ignoresUnknownSilently(staging);
			if (everybodyTold && !run.perRecipient) return;
			owners = await locate(run, staging, whole, { explained, kindOf: () => 'changed' });
		});
	} catch (error) {
		evidence.ignoresSilently ??= asks;
		run.log(`Who is who could not be found out: ${messageOf(error)}`);
	}
	if (run.perRecipient || !everybodyTold) {
		answers.taken = [...clear, ...unclear.flatMap((taken) => splitByOwners(taken, owners))];
	}
	await checkUnchanged(run, evidence, answers);
}

/** The ids that came into the group, or left it; undefined when it was not seen whole before and after. */
function changedIds({ mode, before, after }: Evidence): Set<string> | undefined {
	if (!before?.complete || !after?.complete) return undefined;
	const [from, to] = mode === 'add' ? [before.ids, after.ids] : [after.ids, before.ids];
	return new Set([...to].filter((id) => !from.has(id)));
}

/** How many recipients calls changed; NaN when one of them does not tell. */
function sumOf(taken: Taken[]): number {
	return taken.reduce((sum, { changed = NaN }) => sum + changed, 0);
}

function untold(recipients: Recipient[]): Taken {
	return { recipients, changed: undefined };
}

/** Splits what one call took into those whom it changed, those whom it left, and those of whom it is not known. */
function splitByOwners(taken: Taken, owners: Owners[] | undefined): Taken[] {
	const { recipients, changed } = taken;
	if (!owners) return [untold(recipients)];
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
		untold(openOnes),
		short ? untold(others) : { recipients: others, changed: 0 },
	].filter((part) => part.recipients.length > 0);
}

/**
 * Add by email: makes sure that those whom a call left as they were are known at all. Where every call changed everybody
 * or nobody, the service's documentation is enough (recipientGroup.addRecipients in emulator/openapi.yaml), unless there
 * are more of them than members. They go into a group of our own, which counts those whom the service knows.
 */
async function checkUnchanged(run: SyncRun, evidence: Evidence, answers: Responses): Promise<void> {
	if (evidence.mode !== 'add') return;
	const unchanged = answers.taken.filter(
		(taken) => !changedAll(taken) && taken.changed !== undefined,
	);
	const asked = takenBy({ taken: unchanged });
	const members = evidence.before?.complete ? evidence.before.ids.size : Infinity;
	if (asked.length - sumOf(unchanged) > members) evidence.ignoresSilently = true;
	if (!evidence.ignoresSilently || asked.length === 0) return;
	try {
		await withStaging(run, async (staging) => {
			const values = asked.map(({ value }) => value);
			const changes = await staging.changeAll('add', 'email', values);
			const chunks = chunksOf(asked, run.chunkSize).map(
				(recipients, index): Taken => ({ recipients, changed: changes[index]?.changed }),
			);
			evidence.silentlyIgnored = await findSilentlyIgnored(run, staging, chunks);
			if (asked.length - sumOf(chunks) !== evidence.silentlyIgnored.size) return;
			for (const { key } of asked) evidence.seenKnown.add(key);
		});
	} catch (error) {
		run.log(`Who is known to the service could not be found out: ${messageOf(error)}`);
	}
}
