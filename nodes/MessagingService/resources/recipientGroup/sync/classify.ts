import {
	changedAll,
	type Evidence,
	type Findings,
	type GroupMembers,
	type Mode,
	type ResolvedRecipients,
	type Responses,
	type SyncRequest,
} from './evidence';
import type { Recipient } from './readRecipients';

/** The possible statuses of a recipient, in the order of the summary (docs/sync.md explains what each guarantees). */
export const STATUSES = [
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

export const NOBODY: Summary = {
	added: 0,
	alreadyMember: 0,
	removed: 0,
	notMember: 0,
	unknown: 0,
	invalid: 0,
	duplicate: 0,
	failed: 0,
};

/** The status of one recipient, with its reason. */
export type Outcome = {
	status: Status;
	reason: string;
	/** Set if the status is not proved; the reason then states what is unknown. */
	unverified?: true;
};

export type Line = Outcome & { recipient: string };

export type Classification = {
	/** One line per input item, in input order. */
	lines: Line[];
	/** Members that no input item of the group names: Mirror removed them, or reports why it did not. */
	extras: Line[];
	summary: Summary;
	/** Remarks about the sync of the group. */
	notes: string[];
	/** The reason of the first failed outcome. */
	firstFailure: string | undefined;
};

/** The number of recipients by outcome; equal outcomes share one entry. */
type Tally = Map<string, { outcome: Outcome; count: number }>;

/** Some recipients, and how many of them had each outcome. */
type Share = { recipients: Recipient[]; outcomes: Tally };

/**
 * Decides the status of every recipient, in all modes and outputs. `invalid` and `duplicate` come from the input, all other
 * statuses from the evidence alone. `added` and `removed` require proof: the group before and after, or a `successCount`
 * that equals the number of recipients sent (recipientGroup.addRecipients in emulator/openapi.yaml).
 */
export function classify(request: SyncRequest, evidence: Evidence): Classification {
	const found = new Map<string, Outcome>();
	const counts: Tally = new Map();
	for (const { recipients, outcomes } of sharesOf(request, evidence)) {
		const [only, another] = outcomes.values();
		if (!only) continue;
		const outcome = another ? ambiguous(request, outcomes, recipients.length) : only.outcome;
		for (const { key } of recipients) found.set(key, outcome);
		if (another && !request.perRecipient) {
			for (const part of outcomes.values()) add(counts, part.outcome, part.count);
		} else add(counts, outcome, recipients.length);
	}
	const missing = failed('stopped' in evidence ? evidence.stopped.message : NEVER_SETTLED);
	const lines = request.input.map((entry): Line => {
		if ('status' in entry) {
			const { given, status, reason } = entry;
			add(counts, { status, reason }, 1);
			return { recipient: given, status, reason };
		}
		const { key, value } = entry.recipient;
		const outcome = found.get(key) ?? missing;
		if (outcome === missing) add(counts, missing, 1);
		return { recipient: value, ...outcome };
	});
	const extras = 'stopped' in evidence ? [] : extrasOf(request, evidence);
	for (const { status, reason, unverified } of extras)
		add(counts, { status, reason, unverified }, 1);
	const failure = [...counts.values()].find(({ outcome }) => outcome.status === 'failed');
	return {
		lines,
		extras,
		summary: summaryOf(counts),
		notes: notesOf(request, evidence, counts),
		firstFailure: failure?.outcome.reason,
	};
}

/** Returns the counts in words: "added 3, failed 1". */
export function inWords(summary: Summary): string {
	const counted = STATUSES.filter((status) => summary[status] > 0);
	return counted.map((status) => `${status} ${summary[status]}`).join(', ') || 'nobody';
}

/**
 * Checks the additions of a Mirror: each must be proved, unless its recipient is proved to be unknown.
 *
 * @returns why an addition is not proved; undefined if all are proved
 */
export function unprovedAddition(request: SyncRequest, findings: Findings): string | undefined {
	const tally: Tally = new Map();
	for (const { outcomes } of sharesOf(request, findings)) {
		for (const { outcome, count } of outcomes.values()) add(tally, outcome, count);
	}
	for (const { outcome, count } of tally.values()) {
		if (outcome.status !== 'failed' && !outcome.unverified) continue;
		const people = count === 1 ? '1 person' : `${count} people`;
		return `the addition of ${people} could not be proved: ${outcome.reason}`;
	}
	return undefined;
}

/** Returns those of the given IDs that are not proved to be members of the group. */
export function unprovedIds(
	request: SyncRequest,
	findings: Findings,
	ids: Iterable<string>,
): string[] {
	const outcomeOf = idOutcome(request, findings);
	return [...ids].filter((id) => {
		const { status, unverified } = outcomeOf(id);
		return unverified || (status !== 'added' && status !== 'alreadyMember');
	});
}

/**
 * Returns a function that returns the outcome for an ID: in mode Remove, the outcome of removing the ID; in the other
 * modes, the outcome of adding it.
 */
export function idOutcome(request: SyncRequest, findings: Findings): (id: string) => Outcome {
	const { before, resolved, sent, removal } = findings;
	const last = removal && 'after' in removal ? removal.after : undefined;
	const isById = request.identifyBy === 'id';
	const change: Change = {
		before,
		after: last?.complete ? last : sent?.after,
		replies: byKey(sent?.responses ?? (isById ? resolved?.responses : undefined)),
		dryRun: request.dryRun,
	};
	if (request.mode === 'remove') return (id) => outcomeOfRemoval(id, change);
	const staged = isById && request.dryRun ? resolved?.members : undefined;
	return (id) => outcomeOfAddition(id, change, staged);
}

/** The service's response for one recipient. */
type Reply = {
	kind: 'unknown' | 'failed' | 'taken' | 'changed';
	reason: string;
	lost?: boolean;
};

type Change = {
	before: GroupMembers;
	after: GroupMembers | undefined;
	replies: Map<string, Reply>;
	dryRun: boolean;
};

/** @param staged the members of the staging group, that is, the accepted recipients; undefined except in a dry run by ID */
function outcomeOfAddition(
	id: string,
	{ before, after, replies, dryRun }: Change,
	staged: GroupMembers | undefined,
): Outcome {
	const was = isAmong(before, id);
	const now = isAmong(after, id);
	if (was) return now === false ? TAKEN_OUT : ALREADY_MEMBER;
	const { kind, reason = '', lost } = replies.get(id) ?? {};
	if (dryRun) {
		if (kind === 'unknown') return { status: 'unknown', reason };
		// In a dry run by email, the IDs come from the service, which therefore knows them.
		if (!staged) return was === false ? WOULD_BE_ADDED : failed();
		if (kind === 'failed') return failed(reason);
		if (kind === 'changed' || staged.ids.has(id)) return WOULD_BE_ADDED;
		return failed(staged.complete ? IGNORED.reason : UNSEEN);
	}
	if (now) return was === false || kind === 'changed' ? ADDED : IN_NOW;
	if (kind === 'unknown') return { status: 'unknown', reason };
	if (kind === 'taken' || kind === 'changed') {
		if (now === false) return kind === 'changed' ? NOT_THERE : IGNORED;
		if (kind === 'changed') return ADDED;
		return was === false ? failed(UNSEEN) : UNSEEN_IN;
	}
	// A read may lag behind a change, so it does not prove that a call without a response changed nothing.
	return failed(reason, lost);
}

function outcomeOfRemoval(id: string, { before, after, replies, dryRun }: Change): Outcome {
	const was = isAmong(before, id);
	const now = isAmong(after, id);
	const { kind, reason = '', lost } = replies.get(id) ?? {};
	if (was === false) {
		if (now) return CAME_IN;
		// Another user added the recipient after the first read, and this call removed them.
		if (kind === 'changed' && !dryRun) return REMOVED;
		return kind === 'unknown' ? { status: 'unknown', reason } : NOT_MEMBER;
	}
	if (dryRun) return was ? WOULD_BE_REMOVED : failed();
	if (now === false) return was || kind === 'changed' ? REMOVED : OUT_NOW;
	if (now) {
		return kind === 'taken' || kind === 'changed' ? failed(STILL_THERE) : failed(reason, lost);
	}
	if (kind === 'changed') return REMOVED;
	if (kind === 'taken') return was ? failed(UNSEEN) : UNSEEN_OUT;
	if (kind === 'unknown' && !was) return { status: 'unknown', reason };
	return failed(reason, lost);
}

/** Whether a person is a member; undefined if the person is not listed and the group was not read completely. */
function isAmong(members: GroupMembers | undefined, id: string): boolean | undefined {
	if (members?.ids.has(id)) return true;
	return members?.complete ? false : undefined;
}

function byKey(responses: Responses | undefined): Map<string, Reply> {
	const replies = new Map<string, Reply>();
	for (const taken of responses?.taken ?? []) {
		const kind = changedAll(taken) ? 'changed' : 'taken';
		for (const { key } of taken.recipients) replies.set(key, { kind, reason: '' });
	}
	for (const { recipient, reason } of responses?.unknown ?? []) {
		replies.set(recipient.key, { kind: 'unknown', reason });
	}
	for (const { recipients, reason, lost } of responses?.failed ?? []) {
		for (const { key } of recipients) replies.set(key, { kind: 'failed', reason, lost });
	}
	return replies;
}

function sharesOf(request: SyncRequest, evidence: Evidence): Share[] {
	if ('stopped' in evidence) return evidence.responses ? problemsIn(evidence.responses, false) : [];
	const { resolved, sent } = evidence;
	if (request.identifyBy === 'id') {
		const outcomeOf = idOutcome(request, evidence);
		return request.recipients.map((one) => all([one], outcomeOf(one.key)));
	}
	if (resolved) return sharesOfResolved(request, evidence, resolved);
	return sent ? sharesOfEmails(request.mode, sent.responses) : [];
}

/**
 * For a Mirror or a dry run that identifies recipients by email: returns the outcomes of the addresses, derived from the
 * outcomes of their IDs.
 */
function sharesOfResolved(
	request: SyncRequest,
	findings: Findings,
	{ responses, owners }: ResolvedRecipients,
): Share[] {
	const { sent, plan } = findings;
	const nobody = request.mode === 'remove' ? NOT_MEMBER : IGNORED;
	// A look-up whose response is lost may still put IDs into the staging group. Mirror adds these IDs to the group, too.
	const shares = problemsIn(responses, sent !== undefined && plan.send.length > 0);
	if (responses.ignored.length > 0) shares.push(all(responses.ignored, nobody));
	const outcomeOf = idOutcome(request, findings);
	for (const { emails, ids } of owners) {
		const outcomes: Tally = new Map();
		for (const id of ids) add(outcomes, outcomeOf(id), 1);
		if (emails.length > ids.size) add(outcomes, nobody, emails.length - ids.size);
		if (emails.length > 0) shares.push({ recipients: emails, outcomes });
	}
	return shares;
}

/**
 * For an Add or a Remove that identifies recipients by email: returns the outcomes of the addresses, derived from the
 * counts in the responses. `confirmChanges` has already tried to find out what the responses left open.
 */
function sharesOfEmails(mode: Mode, responses: Responses): Share[] {
	const shares = problemsIn(responses, true);
	const [changedOne, unchanged, unclear, ignored] =
		mode === 'add'
			? [ADDED, ALREADY_MEMBER, IN_NOW, IGNORED]
			: [REMOVED, NOT_MEMBER, OUT_NOW, NOT_MEMBER];
	if (responses.ignored.length > 0) shares.push(all(responses.ignored, ignored));
	for (const { recipients, changed, unverified } of responses.taken) {
		const outcomes: Tally = new Map();
		if (changed === undefined) add(outcomes, unclear, recipients.length);
		else {
			const left = unverified ? UNSEEN_IN : unchanged;
			if (changed > 0) add(outcomes, changedOne, changed);
			if (changed < recipients.length) add(outcomes, left, recipients.length - changed);
		}
		shares.push({ recipients, outcomes });
	}
	return shares;
}

/** @param mayReach whether a change without a response may have reached the group */
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

/** Returns one outcome for all recipients of a share whose outcomes differ, because it is unknown who had which outcome. */
function ambiguous({ mode, dryRun }: SyncRequest, outcomes: Tally, size: number): Outcome {
	const parts = [...outcomes.values()];
	const failure = parts.find(({ outcome }) => outcome.status === 'failed');
	if (failure) {
		const { count, outcome } = failure;
		return failed(`${count} of ${size} recipients (unknown which): ${outcome.reason}`);
	}
	const [dry, unseen, seen] =
		mode === 'remove' ? [AMBIGUOUS_OUT, UNSEEN_OUT, OUT_NOW] : [AMBIGUOUS_IN, UNSEEN_IN, IN_NOW];
	if (dryRun) return dry;
	return parts.some(({ outcome }) => outcome.unverified) ? unseen : seen;
}

function extrasOf(request: SyncRequest, findings: Findings): Line[] {
	const kept = findings.plan.kept ?? [];
	return [
		...surplusOf(request, findings),
		...kept.map((id): Line => ({ recipient: id, ...notRemoved(PROTECTED) })),
	];
}

function surplusOf({ dryRun }: SyncRequest, { before, plan, removal }: Findings): Line[] {
	if (removal && 'heldBack' in removal) {
		return plan.surplus.map((id) => ({ recipient: id, ...notRemoved(removal.heldBack) }));
	}
	if (!removal && !dryRun) return [];
	const sent = removal;
	const change = { before, after: sent?.after, replies: byKey(sent?.responses), dryRun };
	return plan.surplus.map((id): Line => {
		const outcome = outcomeOfRemoval(id, change);
		const done = dryRun ? SURPLUS_WOULD_BE_REMOVED : SURPLUS_REMOVED;
		if (outcome.status === 'failed') return { recipient: id, ...notRemoved(outcome.reason) };
		return { recipient: id, ...(outcome.status === 'removed' ? done : outcome) };
	});
}

/** Returns the outcome of a person who stays in the group although no input item names them. */
function notRemoved(reason: string): Outcome {
	return failed(`Not removed: ${reason}`);
}

function summaryOf(counts: Tally): Summary {
	const summary = { ...NOBODY };
	for (const { outcome, count } of counts.values()) summary[outcome.status] += count;
	return summary;
}

function notesOf({ dryRun }: SyncRequest, evidence: Evidence, counts: Tally): string[] {
	const notes = 'stopped' in evidence ? [] : [...evidence.warnings];
	if ('removal' in evidence && evidence.removal && 'heldBack' in evidence.removal) {
		const was = dryRun ? 'would be' : 'was';
		notes.push(`Nobody ${was} removed from the group, because ${evidence.removal.heldBack}.`);
	}
	for (const { outcome, count } of counts.values()) {
		if (!outcome.unverified) continue;
		const whom = count === 1 ? '1 recipient' : `${count} recipients`;
		notes.push(
			`The outcome for ${whom} is not proved, but counted as ${outcome.status}: ${outcome.reason}.`,
		);
	}
	return notes;
}

function add(tally: Tally, outcome: Outcome, count: number): Tally {
	const key = `${outcome.status} ${outcome.unverified ?? ''} ${outcome.reason}`;
	const entry = tally.get(key);
	if (entry) entry.count += count;
	else tally.set(key, { outcome, count });
	return tally;
}

/** @param lost whether the change may have been carried out, although no response confirms it */
function failed(given = '', lost = false): Outcome {
	const reason = given || NEVER_SETTLED;
	return { status: 'failed', reason: lost ? `${reason.replace(/\.$/, '')}. ${LOST}` : reason };
}

const LOST =
	'The change may have been carried out, although no response confirms it. It is safe to run the sync again';

const NEVER_SETTLED = 'The outcome for this recipient is unknown';

const UNSEEN =
	'The service accepted the call, but neither its counts nor the group show the outcome for this recipient';

const PROTECTED =
	'an item lists this person for another group, but nothing proves that they are in that other group';

const ADDED: Outcome = { status: 'added', reason: '' };
const ALREADY_MEMBER: Outcome = { status: 'alreadyMember', reason: '' };
const REMOVED: Outcome = { status: 'removed', reason: '' };
const NOT_MEMBER: Outcome = { status: 'notMember', reason: '' };
const WOULD_BE_ADDED: Outcome = { status: 'added', reason: 'Would be added' };
const WOULD_BE_REMOVED: Outcome = { status: 'removed', reason: 'Would be removed' };
const SURPLUS_REMOVED: Outcome = {
	status: 'removed',
	reason: 'Not among the recipients of the input',
};
const SURPLUS_WOULD_BE_REMOVED: Outcome = {
	status: 'removed',
	reason: 'Would be removed: not among the recipients of the input',
};
const IGNORED = failed(
	'The service accepted the call but silently ignored this recipient, who may be unknown to it',
);
const NOT_THERE = failed(
	'The service counted this recipient as added, but the group does not show it',
);
const TAKEN_OUT = failed(
	'Was in the group when this sync started; somebody else has removed this recipient since',
);
const CAME_IN = failed(
	'Was not in the group when this sync started; somebody else has added this recipient since',
);
const STILL_THERE = 'The service accepted the call, but this recipient is still in the group';

const DISPROVED = [IGNORED, NOT_THERE, TAKEN_OUT, CAME_IN, failed(STILL_THERE)].map(
	({ reason }) => reason,
);

/** Whether a failure proves that a recipient to add is not in the group, or that a recipient to remove is in it. */
export function isDisproved({ reason }: Pick<Outcome, 'reason'>): boolean {
	return DISPROVED.includes(reason);
}

const IN_NOW: Outcome = {
	status: 'alreadyMember',
	reason: 'In the group now; the service does not show whether this recipient was in it before',
	unverified: true,
};
const OUT_NOW: Outcome = {
	status: 'notMember',
	reason: 'Not in the group now; the service does not show whether this recipient was in it before',
	unverified: true,
};
const UNSEEN_IN: Outcome = { status: 'alreadyMember', reason: UNSEEN, unverified: true };
const UNSEEN_OUT: Outcome = { status: 'notMember', reason: UNSEEN, unverified: true };
const AMBIGUOUS_IN: Outcome = {
	status: 'alreadyMember',
	reason:
		'Would be in the group after the sync; it is unknown whether this recipient is already in it',
	unverified: true,
};
const AMBIGUOUS_OUT: Outcome = {
	status: 'notMember',
	reason:
		'Would not be in the group after the sync; it is unknown whether this recipient is in it now',
	unverified: true,
};
