/** A plausible mistake, as a change in one place of the source. */
export type Mutant = {
	/** The faulty behavior of the node. */
	name: string;
	file: string;
	/** Occurs exactly once in the file. */
	from: string;
	to: string;
};

const SYNC = 'nodes/MessagingService/resources/recipientGroup/sync';
const TRIGGER = 'nodes/MessagingServiceTrigger';
const SURVEY_DATA = 'nodes/shared/surveyData.ts';

/**
 * Returns the mutants of one file.
 *
 * @param changes the original code and its replacement, by name of the mutant
 */
function inFile(file: string, changes: Record<string, [from: string, to: string]>): Mutant[] {
	return Object.entries(changes).map(([name, [from, to]]) => ({ name, file, from, to }));
}

/** Mutants that make Sync report or do something wrong. */
const sync: Mutant[] = [
	...inFile(`${SYNC}/classify.ts`, {
		'an unverified addition counts as added': [
			"const IN_NOW: Outcome = {\n\tstatus: 'alreadyMember',",
			"const IN_NOW: Outcome = {\n\tstatus: 'added',",
		],
		'a lost response is not mentioned': [
			"return { status: 'failed', reason: lost ? ",
			"return { status: 'failed', reason: lost && !lost ? ",
		],
		'every failure is reported as a lost response': [
			"return { status: 'failed', reason: lost ? ",
			"return { status: 'failed', reason: lost || !lost ? ",
		],
		'no hint mentions unverified statuses': [
			'if (!outcome.unverified) continue;\n\t\tconst whom',
			'if (outcome.unverified) continue;\n\t\tconst whom',
		],
		'a partly failed removal is not reported': [
			'if (!removal && !dryRun) return [];',
			'if (removal ? removal.responses.failed.length > 0 : !dryRun) return [];',
		],
		'a person whom others removed meanwhile is reported as a member': [
			'if (was) return now === false ? TAKEN_OUT : ALREADY_MEMBER;',
			'if (was) return ALREADY_MEMBER;',
		],
		'the summary counts differently from the items': [
			'for (const part of outcomes.values()) add(counts, part.outcome, part.count);',
			'for (const part of outcomes.values()) add(counts, part.outcome, 1);',
		],
		'members who stay although no item names them are not reported': [
			'\t\t...kept.map((id): Line => ({ recipient: id, ...notRemoved(PROTECTED) })),\n',
			'',
		],
	}),
	...inFile(`${SYNC}/confirm.ts`, {
		'IDs that others added are attributed to our recipients': [
			"const attribution = countsMatch && sumChanged(unclear) === changed.size ? 'counted' : 'none';",
			"const attribution = 'shown' as const;",
		],
	}),
	...inFile(`${SYNC}/locate.ts`, {
		'equal counts pass as proof of which ID belongs to whom': [
			"attribution === 'shown' || (await isProved(staging, owners, inside))",
			'true',
		],
	}),
	...inFile(`${SYNC}/sendInChunks.ts`, {
		'the last suspect of a refused chunk is not sent alone': [
			'if (suspects.sent) {\n\t\t\trefusedAlone.push(suspects);',
			'if (suspects.sent || !suspects.sent) {\n\t\t\trefusedAlone.push(suspects);',
		],
		'an ID that the service itself showed is reported as unknown': [
			'if (known) return void fail([recipient], message || UNNAMED);',
			'',
		],
		'any message in an errorLog means unknown': [
			'if (!saysUnknown(message)) {',
			'if (message === null) {',
		],
	}),
	...inFile(`${SYNC}/groupApi.ts`, {
		'a group with missing members counts as complete': [
			"complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,",
			'complete: true,',
		],
		'the count of a call is trusted although the previous attempt may have succeeded': [
			'if (isConsistent && (certain || successCount === sent)) change.changed',
			'if (isConsistent) change.changed',
		],
		'a read that contradicts the counts is trusted': [
			'return Number.isNaN(size) || members.ids.size === size ? members : await readOnce(groupId);',
			'return members;',
		],
	}),
	...inFile(`${SYNC}/plan.ts`, {
		'Mirror removes people although an addition is unverified': [
			'if (unproved !== undefined) return unproved;',
			'',
		],
		'Mirror ignores its limit': [
			'if (removals * 100 <= maxRemovalPercent * size) return undefined;',
			'if (removals * 100 <= 100 * size) return undefined;',
		],
		'a person who moves to a missing group is removed from the current one': [
			'const protectedIds = wantedIds(run.identifyBy, recipientsOfStopped(read), ofStopped);',
			'const protectedIds = new Set<string>();',
		],
		'a person who moves to a group stopped by Maximum Removal is removed from the current one': [
			'for (const { key } of findings.plan.send) protectedIds.add(key);\n\t}',
			'void findings;\n\t}',
		],
		'an invalid item holds back only the removals of its own group': [
			'const heldBack = unresolvedRecipients(run, resolution?.all);',
			'const heldBack = unresolvedRecipients({ ...run, input: read[0]?.group.input ?? [] }, resolution?.all);',
		],
		'Maximum Removal is checked only per group': [
			'return own && !isOneAllowed ? own : total;',
			'return own && !isOneAllowed ? own : undefined;',
		],
		'Maximum Removal blocks a single removal from a small group': [
			'const isOneAllowed = all.length > 1 &&',
			'const isOneAllowed = all.length > 1e9 &&',
		],
	}),
	...inFile(`${SYNC}/syncGroups.ts`, {
		'a dry run changes the group': [
			'const added = run.dryRun',
			'const added = run.dryRun && run.mode === "mirror"',
		],
		'a person who could not be added to a new group is removed from the current one': [
			'for (const id of unprovedIds(sync.group, sync, wanted)) protectedIds.add(id);',
			'void wanted;',
		],
	}),
	...inFile(`${SYNC}/groups.ts`, {
		'a group given by name and by ID counts as two': [
			"groupId !== '' && groupId === group.groupId",
			'groupId !== groupId && groupId === group.groupId',
		],
		'groups are created although more are missing than allowed': [
			'missing.length > mostNew',
			'missing.length > mostNew + 50',
		],
		'two items with the same missing group create it twice': [
			'if (place === undefined) {',
			"if (place === undefined || named[place]?.groupId === '') {",
		],
	}),
	...inFile(`${SYNC}/readRecipients.ts`, {
		'the same person in another group counts as a duplicate': [
			"const place = `${groupOf[itemIndex] ?? ''} ${key}`;",
			'const place = `${key}`;',
		],
	}),
	...inFile(`${SYNC}/idsOfGroups.ts`, {
		'people found by a lost look-up are added to any group': [
			'(emails.length === taken.size && !mayHoldOthers)',
			'emails.length === taken.size',
		],
	}),
	...inFile(`${SYNC}/staging.ts`, {
		'a person whom the service adds to a new group counts as a recipient': [
			'\t\tawait empty(run, staging);\n',
			'',
		],
	}),
];
/** Mutants that make the trigger lose an event or emit it twice. */
const trigger: Mutant[] = [
	...inFile(`${TRIGGER}/campaigns/pollSchedule.ts`, {
		'under a rate limit every poll starts with the same campaign': [
			'turnOf(a) - turnOf(b)',
			'0 * (turnOf(a) - turnOf(b))',
		],
		'quiet campaigns are never read again': [
			'isDue(reading, now, maxGapMs) || isInSlot(id, reading, now, maxGapMs)',
			'reading === undefined',
		],
		'quiet campaigns are read in one burst': [' || isInSlot(id, reading, now, maxGapMs)', ''],
	}),
	...inFile(`${TRIGGER}/campaigns/processSurveyData.ts`, {
		'a response submitted before a late baseline is not emitted': [
			"moment < now && submittedAt(row) > moment ? 'emit' : 'note'",
			"'note'",
		],
		'a reopened survey emits old responses again': [
			'if (!(submittedAt(row) <= until))',
			'if (event >= 0)',
		],
		'the remaining responses of a closed campaign are lost': [
			'isClosed && !isHeld &&',
			'isClosed &&',
		],
		'a closing is emitted before the last responses': ['isAwaited && endsHere', 'isAwaited'],
		'a second submission after reopening is not emitted': [
			"kind === 'user' ? 'skip' : 'note'",
			"'note'",
		],
	}),
	...inFile(`${TRIGGER}/dedupe/newEvents.ts`, {
		'a person who continues answering counts as a new one': [
			'left = withoutFormer(seen, present, event, unseen)',
			'left = unseen',
		],
		'an edited anonymous answer counts as new': ['(isLate && undated <= 0)', '!isLate'],
		'a new row mistaken for an edited one is never emitted': ['Math.max(-missing, 0)', '0'],
		'equal anonymous responses count as one': ['else equals.set(key, [row]);', ''],
		'rows that get a user ID count as new': [
			'added = withoutFormer(seen, present, event, unseen)',
			'added = unseen',
		],
	}),
	...inFile(`${TRIGGER}/campaigns/watchedCampaigns.ts`, {
		'a clock that was ahead makes old campaigns look new': ['from - REMEMBERED_MS', 'from'],
		'responses from before a kill of n8n join a new baseline': [
			'restarted && state ? Math.min(state.at, now) : now',
			'now',
		],
		'a newly selected event emits all existing responses': [
			'emitExisting || isUntouched',
			'emitExisting || !isUntouched',
		],
		'a campaign missing from one list is forgotten': ['from - REMEMBERED_MS', 'Infinity'],
		'a survey that was closed once is never read again': ['\t\tdelete campaign.closed;', ''],
		'a survey closed before it was watched is emitted as closed': [
			"if (phase === 'live' || phase === 'notYetLive')",
			'if (surveyClosed)',
		],
		'an event added to an unread campaign emits all existing responses': [
			"phase === 'notYetLive' && before.rows",
			'before.rows',
		],
		'a campaign that becomes visible emits its existing responses': [
			'live <= lastListedUntil ? now : undefined',
			'undefined',
		],
		'the next poll forgets where answer keys start': [
			'numbering: state?.numbering',
			'numbering: undefined',
		],
		'a clock that was ahead makes new campaigns look old': [
			'lists.length > 0 ? Math.max(...lists) : now - lag',
			'Math.min(Math.max(...[state?.listedUntil ?? -Infinity, options.listedUntil ?? -Infinity]), now)',
		],
	}),
	...inFile(`${TRIGGER}/poll.ts`, {
		'a known survey is dropped when the service once denies that it is a survey': [
			'isNoSurvey(error) && campaigns.get(id)?.rows === undefined',
			'isNoSurvey(error)',
		],
		'a deleted campaign makes every poll fail': [
			'isGone && !listed.has(id)',
			'isGone && listed.has(id)',
		],
		'a failed poll loses the baseline of a newly selected event': [
			'\t\tbuffer(contents(), now);\n\t\tthrow gravest',
			'\t\tthrow gravest',
		],
		"the service's times are compared with n8n's clock": [
			'known.clockOffsetMs = offsetOf(sentAt)',
			'known.clockOffsetMs = 0',
		],
		'a poll has no limit of items': ['const MOST_ITEMS = 10_000;', 'const MOST_ITEMS = 1_000_000;'],
	}),
	...inFile(`${TRIGGER}/state/loadState.ts`, {
		'the state of quiet polls is lost if each poll loads the workflow': [
			'isKept ? buffered.state : base',
			'base',
		],
	}),
	...inFile(`${TRIGGER}/api/selection.ts`, {
		'a campaign missing from the list counts as closed': [
			"?? { phase: 'takenForLive' }",
			"?? { phase: 'closed' }",
		],
	}),
	...inFile(`${TRIGGER}/readCampaignData.ts`, {
		'a campaign missing from the list never closes': [
			'surveyClosed && !isListed',
			'surveyClosed && isListed',
		],
	}),
	...inFile(`${TRIGGER}/state/savedState.ts`, {
		'a restart forgets that a survey is open': [
			'\tif (open !== undefined) campaign.open = open;\n',
			'',
		],
	}),
	...inFile(SURVEY_DATA, {
		'two rows of any survey prove that the service counts from 1': [
			'firstRequired: 2, any: 20',
			'firstRequired: 2, any: 2',
		],
		'an unanswered question is left out': [
			'answers[name] = row[key] ?? null;',
			'if (row[key] !== undefined) answers[name] = row[key];',
		],
	}),
	...inFile(`${TRIGGER}/sample.ts`, {
		'Fetch Test Event shows an example in addition to responses': [
			'if (items.length > 0 || (closings',
			'if ((closings',
		],
	}),
];

export const mutants = { sync, trigger };
