import {
	changedAll,
	isAmong,
	recipientsOf,
	type Responses,
	type Evidence,
	type GroupMembers,
} from './evidence';
import type { Recipient } from './readRecipients';

/** What can become of a recipient, in the order of the summary (docs/sync.md says what each promises). */
const STATUSES = [
	'added',
	'alreadyMember',
	'removed',
	'notMember',
	'unknown',
	'invalid',
	'duplicate',
	'failed',
] as const;

export type Status = (typeof STATUSES)[number];

export type Summary = Record<Status, number>;

/** What became of one recipient. */
export type Outcome = {
	status: Status;
	reason: string;
	/** Set where the status is not proved; the reason then says what is not known. */
	doubt?: true;
};

export type Line = Outcome & { recipient: string };

export type Classification = {
	/** One line an input item, in their order. */
	lines: Line[];
	/** The people whom Mirror takes out, whom no input item names. */
	extras: Line[];
	summary: Summary;
	/** What is to be said about the whole run. */
	notes: string[];
	/** The first reason why somebody failed. */
	firstFailure: string | undefined;
};

/** Counts of outcomes; those that say the same are one. */
type Tally = Map<string, { outcome: Outcome; count: number }>;

/** Recipients of whom so many had this outcome and so many that. */
type Share = { recipients: Recipient[]; outcomes: Tally };

/**
 * Says what became of everybody, from the evidence alone: the same in every mode and output. Nothing else in a sync
 * gives a status. `added` and `removed` take proof: seen before and after, or a `successCount` that equals the number
 * sent (recipientGroup.addRecipients in emulator/openapi.yaml).
 */
export function classify(evidence: Evidence): Classification {
	const found = new Map<string, Outcome>();
	const counts: Tally = new Map();
	for (const { recipients, outcomes } of sharesOf(evidence)) {
		const [only, another] = outcomes.values();
		if (!only) continue;
		const outcome = another ? untold(evidence, outcomes, recipients.length) : only.outcome;
		for (const { key } of recipients) found.set(key, outcome);
		if (another && !evidence.perRecipient) {
			for (const part of outcomes.values()) add(counts, part.outcome, part.count);
		} else add(counts, outcome, recipients.length);
	}
	const lost = failed(evidence.stopped ?? NEVER_SETTLED);
	const lines = evidence.input.map((entry): Line => {
		if ('status' in entry) {
			const { given, status, reason } = entry;
			add(counts, { status, reason }, 1);
			return { recipient: given, status, reason };
		}
		const { key, value } = entry.recipient;
		const outcome = found.get(key) ?? lost;
		if (outcome === lost) add(counts, lost, 1);
		return { recipient: value, ...outcome };
	});
	const extras = extrasOf(evidence);
	for (const { status, reason, doubt } of extras) add(counts, { status, reason, doubt }, 1);
	return {
		lines,
		extras,
		summary: summaryOf(counts),
		notes: notesOf(evidence, counts),
		firstFailure: [...counts.values()].find(({ outcome }) => outcome.status === 'failed')?.outcome
			.reason,
	};
}

/** The counts in words: "added 3, failed 1". */
export function inWords(summary: Summary): string {
	const counted = STATUSES.filter((status) => summary[status] > 0);
	return counted.map((status) => `${status} ${summary[status]}`).join(', ') || 'nobody';
}

/**
 * Whether all additions of a Mirror are proved, those of recipients proved unknown apart.
 *
 * @returns why not; undefined when they are
 */
export function unprovedAddition(evidence: Evidence): string | undefined {
	const tally: Tally = new Map();
	for (const { outcomes } of sharesOf(evidence)) {
		for (const { outcome, count } of outcomes.values()) add(tally, outcome, count);
	}
	for (const { outcome, count } of tally.values()) {
		if (outcome.status !== 'failed' && !outcome.doubt) continue;
		const whom = count === 1 ? '1 person' : `${count} people`;
		return `${whom} could not be added for certain: ${outcome.reason}`;
	}
	return undefined;
}

/** What became of an id that is to be in the group. */
export type IdOutcome = (id: string) => Outcome;

/** What becomes of ids, in the mode of the evidence. */
export function idOutcome(evidence: Evidence): IdOutcome {
	const { mode, before, dryRun, resolved: learned, responses: answers, afterRemoval } = evidence;
	const after = afterRemoval?.complete ? afterRemoval : evidence.after;
	const said = byKey(answers ?? (evidence.identifyBy === 'id' ? learned?.responses : undefined));
	const given: Direction = { before, after, said, dryRun, lost: evidence.stopped };
	if (mode === 'remove') return (id) => goingOut(id, given);
	const seen = evidence.identifyBy === 'id' && dryRun ? learned?.members : undefined;
	return (id) => comingIn(id, { ...given, staged: seen });
}

type Said = {
	kind: 'unknown' | 'failed' | 'taken' | 'changed';
	reason: string;
	/** Whether a call that named somebody may have been carried out, although its answer was lost. */
	lost?: boolean;
};

type Direction = {
	before: GroupMembers | undefined;
	after: GroupMembers | undefined;
	said: Map<string, Said>;
	dryRun: boolean;
	/** Why nothing is known of those who were never sent. */
	lost: string | undefined;
	/** In a dry run by id, a group of our own with those whom the service took. */
	staged?: GroupMembers;
};

function comingIn(id: string, { before, after, said, dryRun, lost, staged }: Direction): Outcome {
	const was = isAmong(before, id);
	const now = isAmong(after, id);
	if (was) return now === false ? TAKEN_OUT : ALREADY_MEMBER;
	const { kind, reason, lost: isLost } = said.get(id) ?? {};
	if (dryRun) {
		if (kind === 'unknown') return { status: 'unknown', reason: reason ?? '' };
		if (lost !== undefined) return failed(lost);
		// Ids that the service showed itself need no asking.
		if (!staged) return was === false ? WOULD_BE_ADDED : failed(NEVER_SETTLED);
		if (kind === 'failed') return failed(reason);
		if (kind === 'changed' || staged.ids.has(id)) return WOULD_BE_ADDED;
		return failed(staged.complete ? PASSED_OVER : UNSEEN);
	}
	if (now) return was === false || kind === 'changed' ? ADDED : IN_NOW;
	if (kind === 'unknown') return { status: 'unknown', reason: reason ?? '' };
	if (kind === 'taken' || kind === 'changed') {
		if (now === false) return kind === 'changed' ? NOT_THERE : PASSED_OVER_OUTCOME;
		return kind === 'changed' ? ADDED : UNSEEN_IN;
	}
	return failed(reason ?? lost, isLost && now === undefined);
}

function goingOut(id: string, { before, after, said, dryRun, lost }: Direction): Outcome {
	const was = isAmong(before, id);
	const now = isAmong(after, id);
	const { kind, reason, lost: isLost } = said.get(id) ?? {};
	if (was === false) {
		if (now) return CAME_IN;
		return kind === 'unknown' ? { status: 'unknown', reason: reason ?? '' } : NOT_MEMBER;
	}
	if (dryRun) return lost === undefined && was ? WOULD_BE_REMOVED : failed(lost);
	if (now === false) return was || kind === 'changed' ? REMOVED : OUT_NOW;
	if (now) return failed(kind === 'taken' || kind === 'changed' ? STILL_THERE : reason);
	if (kind === 'changed') return REMOVED;
	if (kind === 'taken') return was ? failed(UNSEEN) : UNSEEN_OUT;
	if (kind === 'unknown' && !was) return { status: 'unknown', reason: reason ?? '' };
	return failed(reason ?? lost, isLost);
}

function byKey(answers: Responses | undefined): Map<string, Said> {
	const said = new Map<string, Said>();
	for (const taken of answers?.taken ?? []) {
		const kind = changedAll(taken) ? 'changed' : 'taken';
		for (const { key } of taken.recipients) said.set(key, { kind, reason: '' });
	}
	for (const { recipient, reason } of answers?.unknown ?? []) {
		said.set(recipient.key, { kind: 'unknown', reason });
	}
	for (const { recipients, reason, lost } of answers?.failed ?? []) {
		for (const { key } of recipients) said.set(key, { kind: 'failed', reason, lost });
	}
	return said;
}

function sharesOf(evidence: Evidence): Share[] {
	if (evidence.identifyBy === 'id') return sharesOfIds(evidence);
	if (evidence.resolved) return sharesOfLearned(evidence, evidence.resolved);
	return evidence.responses ? sharesOfEmails(evidence, evidence.responses) : [];
}

function sharesOfIds(evidence: Evidence): Share[] {
	const { stopped, before, resolved: learned, responses: answers } = evidence;
	if (!before || (stopped !== undefined && !(answers ?? learned))) return [];
	const outcomeOf = idOutcome(evidence);
	return recipientsOf(evidence.input).map((recipient) => ({
		recipients: [recipient],
		outcomes: add(new Map(), outcomeOf(recipient.key), 1),
	}));
}

/** Mirror by email, and dry runs: the ids of the addresses were learned, and what became of the ids is known. */
function sharesOfLearned(
	evidence: Evidence,
	{ responses: answers, owners, silentlyIgnored: passedOver }: Learning,
): Share[] {
	// Whom a look-up found whose answer was lost is sent to the group all the same: whose the ID is cannot be told.
	const shares = problemsIn(
		answers,
		evidence.responses !== undefined && evidence.plan?.send.length !== 0,
	);
	// A sync that stopped before its first change did nothing for anybody.
	if (evidence.stopped !== undefined && !evidence.responses) return shares;
	const outcomeOf = idOutcome(evidence);
	const nobodys = evidence.mode === 'remove' ? NOT_MEMBER : PASSED_OVER_OUTCOME;
	for (const { emails, ids } of owners) {
		const nobody = emails.filter(({ key }) => passedOver.has(key));
		const known = emails.filter(({ key }) => !passedOver.has(key));
		if (nobody.length > 0) shares.push(all(nobody, nobodys));
		const outcomes: Tally = new Map();
		for (const id of ids) add(outcomes, outcomeOf(id), 1);
		if (known.length > ids.size) add(outcomes, nobodys, known.length - ids.size);
		if (known.length > 0) shares.push({ recipients: known, outcomes });
	}
	return shares;
}

type Learning = NonNullable<Evidence['resolved']>;

/** Add and Remove by email: the service's counts tell, refined by `confirm`. */
function sharesOfEmails(evidence: Evidence, answers: Responses): Share[] {
	const shares = problemsIn(answers, true);
	const adding = evidence.mode === 'add';
	const [changedOutcome, unchanged, doubtful] = adding
		? [ADDED, ALREADY_MEMBER, IN_NOW]
		: [REMOVED, NOT_MEMBER, OUT_NOW];
	for (const { recipients, changed } of answers.taken) {
		const nobody = recipients.filter(({ key }) => evidence.silentlyIgnored.has(key));
		const known = recipients.filter(({ key }) => !evidence.silentlyIgnored.has(key));
		if (nobody.length > 0) shares.push(all(nobody, adding ? PASSED_OVER_OUTCOME : NOT_MEMBER));
		if (known.length === 0) continue;
		if (changed === undefined) {
			shares.push(all(known, doubtful));
			continue;
		}
		if (changed > 0 && changed < known.length) {
			const outcomes = add(new Map(), changedOutcome, changed);
			add(outcomes, restOf(evidence, known, unchanged), known.length - changed);
			shares.push({ recipients: known, outcomes });
		} else if (changed > 0) shares.push(all(known, changedOutcome));
		else shares.push(all(known, restOf(evidence, known, unchanged)));
	}
	return shares;
}

/**
 * Those whom a call left as they were. A service that passes over addresses it does not know leaves these as they were,
 * too: they are not in the group before and after.
 */
function restOf(
	{ mode, ignoresSilently: passesOver, seenKnown }: Evidence,
	known: Recipient[],
	unchanged: Outcome,
): Outcome {
	const provedKnown = !passesOver || known.every(({ key }) => seenKnown.has(key));
	return mode === 'remove' || provedKnown ? unchanged : UNSEEN_IN;
}

/** @param mayReach whether what a call changed whose answer was lost may have reached the group */
function problemsIn({ unknown, failed: failures }: Responses, mayReach: boolean): Share[] {
	return [
		...unknown.map(({ recipient, reason }) => all([recipient], { status: 'unknown', reason })),
		...failures.map(({ recipients, reason, lost }) =>
			all(recipients, failed(reason, lost && mayReach)),
		),
	];
}

function all(recipients: Recipient[], outcome: Outcome): Share {
	return { recipients, outcomes: add(new Map(), outcome, recipients.length) };
}

/** What is said of each of some recipients when it could not be found out who of them had which outcome. */
function untold({ mode, dryRun }: Evidence, outcomes: Tally, size: number): Outcome {
	const parts = [...outcomes.values()];
	const failure = parts.find(({ outcome }) => outcome.status === 'failed');
	if (failure) {
		const { count, outcome } = failure;
		return failed(`${count} of ${size} recipients, it is not known which: ${outcome.reason}`);
	}
	const [dry, unseen, seen] =
		mode === 'remove' ? [UNTOLD_OUT, UNSEEN_OUT, OUT_NOW] : [UNTOLD_IN, UNSEEN_IN, IN_NOW];
	if (dryRun) return dry;
	return parts.some(({ outcome }) => outcome.doubt) ? unseen : seen;
}

function extrasOf(evidence: Evidence): Line[] {
	const { plan, removal, dryRun, nobodyRemoved, before, afterRemoval, stopped } = evidence;
	if (!plan || nobodyRemoved !== undefined) return [];
	if (dryRun ? stopped !== undefined : !removal) return [];
	const given = { before, after: afterRemoval, said: byKey(removal), dryRun, lost: stopped };
	return plan.surplus.map((id): Line => {
		const outcome = goingOut(id, given);
		const done = dryRun ? WOULD_BE_REMOVED_AS_SURPLUS : REMOVED_AS_SURPLUS;
		return { recipient: id, ...(outcome.status === 'removed' ? done : outcome) };
	});
}

function summaryOf(counts: Tally): Summary {
	const summary: Summary = {
		added: 0,
		alreadyMember: 0,
		removed: 0,
		notMember: 0,
		unknown: 0,
		invalid: 0,
		duplicate: 0,
		failed: 0,
	};
	for (const { outcome, count } of counts.values()) summary[outcome.status] += count;
	return summary;
}

function notesOf({ warnings, nobodyRemoved, dryRun }: Evidence, counts: Tally): string[] {
	const notes = [...warnings];
	if (nobodyRemoved !== undefined) {
		notes.push(
			`Nobody ${dryRun ? 'would be' : 'was'} removed from the group, because ${nobodyRemoved}.`,
		);
	}
	for (const { outcome, count } of counts.values()) {
		if (!outcome.doubt) continue;
		const whom = count === 1 ? '1 recipient' : `${count} recipients`;
		notes.push(`Not proved for ${whom}, counted as ${outcome.status}: ${outcome.reason}.`);
	}
	return notes;
}

function add(tally: Tally, outcome: Outcome, count: number): Tally {
	const key = `${outcome.status} ${outcome.doubt ?? ''} ${outcome.reason}`;
	const entry = tally.get(key);
	if (entry) entry.count += count;
	else tally.set(key, { outcome, count });
	return tally;
}

/** @param lost whether the change may have been carried out all the same */
function failed(reason: string | undefined, lost = false): Outcome {
	const said = reason || NEVER_SETTLED;
	return { status: 'failed', reason: lost ? `${said.replace(/\.$/, '')}. ${LOST}` : said };
}

const LOST =
	'The change may have been carried out, because no answer came that says so; the sync can be run again, twice does no harm';

const NEVER_SETTLED = 'What became of this recipient is not known';

const PASSED_OVER =
	'The service took the call and passed over this recipient without a word; it may not know it';

const UNSEEN =
	'The service took the call, but neither its counts nor the group show what became of this recipient';

const ADDED: Outcome = { status: 'added', reason: '' };
const ALREADY_MEMBER: Outcome = { status: 'alreadyMember', reason: '' };
const REMOVED: Outcome = { status: 'removed', reason: '' };
const NOT_MEMBER: Outcome = { status: 'notMember', reason: '' };
const WOULD_BE_ADDED: Outcome = { status: 'added', reason: 'Would be added' };
const WOULD_BE_REMOVED: Outcome = { status: 'removed', reason: 'Would be removed' };
const REMOVED_AS_SURPLUS: Outcome = {
	status: 'removed',
	reason: 'Not among the recipients of the input',
};
const WOULD_BE_REMOVED_AS_SURPLUS: Outcome = {
	status: 'removed',
	reason: 'Would be removed: not among the recipients of the input',
};
const PASSED_OVER_OUTCOME = failed(PASSED_OVER);
const NOT_THERE = failed(
	'The service counted this recipient as added, but the group does not show it',
);
const TAKEN_OUT = failed(
	'Was in the group when this sync began, and somebody else has taken this recipient out since',
);
const CAME_IN = failed(
	'Was not in the group when this sync began, and somebody else has added this recipient since',
);
const STILL_THERE = 'The service took the call, but this recipient is still in the group';

const IN_NOW: Outcome = {
	status: 'alreadyMember',
	reason: 'In the group now; the service does not tell whether this recipient was in it before',
	doubt: true,
};
const OUT_NOW: Outcome = {
	status: 'notMember',
	reason: 'Not in the group now; the service does not tell whether this recipient was in it before',
	doubt: true,
};
const UNSEEN_IN: Outcome = { status: 'alreadyMember', reason: UNSEEN, doubt: true };
const UNSEEN_OUT: Outcome = { status: 'notMember', reason: UNSEEN, doubt: true };
const UNTOLD_IN: Outcome = {
	status: 'alreadyMember',
	reason: 'Would be in the group; whether this recipient is in it already could not be found out',
	doubt: true,
};
const UNTOLD_OUT: Outcome = {
	status: 'notMember',
	reason: 'Would not be in the group; whether this recipient is in it now could not be found out',
	doubt: true,
};
