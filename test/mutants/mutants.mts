/** A mistake that somebody could make, as a change of one place in the source. */
export type Mutant = {
	/** What the node then does. */
	name: string;
	file: string;
	/** Stands exactly once in the file. */
	from: string;
	to: string;
};

const SYNC = 'nodes/MessagingService/resources/recipientGroup/sync';
const TRIGGER = 'nodes/MessagingServiceTrigger';
const SURVEY_DATA = 'nodes/shared/surveyData.ts';

/** The mutants of one file: by name the code, which stands exactly once in the file, and its replacement. */
function inFile(file: string, changes: Record<string, [from: string, to: string]>): Mutant[] {
	return Object.entries(changes).map(([name, [from, to]]) => ({ name, file, from, to }));
}

/** What makes Sync say or do what is not so. */
const sync: Mutant[] = [
	{
		name: 'an unproved addition counts as added',
		file: `${SYNC}/classify.ts`,
		from: "const IN_NOW: Outcome = {\n\tstatus: 'alreadyMember',",
		to: "const IN_NOW: Outcome = {\n\tstatus: 'added',",
	},
	{
		name: 'IDs of other people in "after − before" are taken for ours',
		file: `${SYNC}/confirm.ts`,
		from: "const explained = everybodyTold && sumChanged(unclear) === changed.size ? 'counted' : 'no';",
		to: "const explained = 'shown' as const;",
	},
	{
		name: 'equal numbers are taken for proof of whose the IDs are',
		file: `${SYNC}/locate.ts`,
		from: "explained === 'shown' || (await isProved(staging, owners, inside))",
		to: 'true',
	},
	{
		name: 'the last one left of a refused chunk is not sent alone',
		file: `${SYNC}/sendInChunks.ts`,
		from: 'if (suspects.sent) {\n\t\t\trefusedAlone.push(suspects);',
		to: 'if (suspects.sent || !suspects.sent) {\n\t\t\trefusedAlone.push(suspects);',
	},
	{
		name: 'a group of which a page is missing is taken for whole',
		file: `${SYNC}/groupApi.ts`,
		from: "complete: typeof leadsTotal === 'number' && shown.length >= leadsTotal,",
		to: 'complete: true,',
	},
	{
		name: 'a refusal in any words means unknown',
		file: `${SYNC}/groupApi.ts`,
		from: "return saysUnknown(error.message) ? 'unknown' : 'refused';",
		to: "return 'unknown';",
	},
	{
		name: 'the count of a call is believed although the try before may have been carried out',
		file: `${SYNC}/groupApi.ts`,
		from: 'if (told && (certain || successCount === sent)) change.changed',
		to: 'if (told) change.changed',
	},
	{
		name: 'and so is that of the call that follows',
		file: `${SYNC}/sendInChunks.ts`,
		from: 'change.changed === all.length || !all.some((recipient) => lost.has(recipient))',
		to: 'true',
	},
	{
		name: 'Mirror removes people although an addition is not proved',
		file: `${SYNC}/plan.ts`,
		from: 'if (unproved !== undefined) return unproved;',
		to: '',
	},
	{
		name: 'Mirror ignores its limit',
		file: `${SYNC}/plan.ts`,
		from: 'if (removals * 100 <= maxRemovalPercent * size) return undefined;',
		to: 'if (removals * 100 <= 100 * size) return undefined;',
	},
	{
		name: 'an ID that the service showed itself is called unknown',
		file: `${SYNC}/sendInChunks.ts`,
		from: 'if (known) return void fail([recipient], said || UNNAMED);',
		to: '',
	},
	{
		name: 'an ID refused with everybody else is called unknown',
		file: `${SYNC}/sendInChunks.ts`,
		from: 'if (!chunksWithTaken.has(chunkOf.get(recipient))) return void fail(all, reason);',
		to: '',
	},
	{
		name: 'a lost answer is not told',
		file: `${SYNC}/classify.ts`,
		from: "return { status: 'failed', reason: lost ? ",
		to: "return { status: 'failed', reason: lost && !lost ? ",
	},
	{
		name: 'every failure is said to be a lost answer',
		file: `${SYNC}/classify.ts`,
		from: "return { status: 'failed', reason: lost ? ",
		to: "return { status: 'failed', reason: lost || !lost ? ",
	},
	{
		name: 'a doubt is not told beside the items',
		file: `${SYNC}/classify.ts`,
		from: 'if (!outcome.unverified) continue;\n\t\tconst whom',
		to: 'if (outcome.unverified) continue;\n\t\tconst whom',
	},
	{
		name: 'a removal that partly failed is not told',
		file: `${SYNC}/classify.ts`,
		from: 'if (!removal && !dryRun) return [];',
		to: 'if (removal ? removal.responses.failed.length > 0 : !dryRun) return [];',
	},
	{
		name: 'whom others took out meanwhile is called a member',
		file: `${SYNC}/classify.ts`,
		from: 'if (was) return now === false ? TAKEN_OUT : ALREADY_MEMBER;',
		to: 'if (was) return ALREADY_MEMBER;',
	},
	{
		name: 'a dry run changes the group',
		file: `${SYNC}/syncGroups.ts`,
		from: 'const added = run.dryRun',
		to: 'const added = run.dryRun && run.mode === "mirror"',
	},
	{
		name: 'the summary counts differently from the items',
		file: `${SYNC}/classify.ts`,
		from: 'for (const part of outcomes.values()) add(counts, part.outcome, part.count);',
		to: 'for (const part of outcomes.values()) add(counts, part.outcome, 1);',
	},
	{
		name: 'a group given by name and by ID is two',
		file: `${SYNC}/groups.ts`,
		from: "groupId !== '' && groupId === group.groupId",
		to: 'groupId !== groupId && groupId === group.groupId',
	},
	{
		name: 'a group is created although more are missing than allowed',
		file: `${SYNC}/groups.ts`,
		from: 'missing.length > mostNew',
		to: 'missing.length > mostNew + 50',
	},
	{
		name: 'somebody is a repeat also in another group',
		file: `${SYNC}/readRecipients.ts`,
		from: "const place = `${groupOf[itemIndex] ?? ''} ${key}`;",
		to: 'const place = `${key}`;',
	},
	{
		name: 'whoever moves to a group that is not there loses the one they are in',
		file: `${SYNC}/syncGroups.ts`,
		from: 'const unplaced = wantedIds({ ...run, input: lost }, resolution?.groups[open.length]);',
		to: 'const unplaced = new Set<string>();',
	},
	{
		name: 'whoever could not be added where they go loses the group they are in',
		file: `${SYNC}/syncGroups.ts`,
		from: 'for (const id of withoutPlace(group, evidence, wanted)) unplaced.add(id);',
		to: 'void wanted;',
	},
	{
		name: 'whoever goes to a group that Maximum Removal stops loses the one they are in',
		file: `${SYNC}/syncGroups.ts`,
		from: 'for (const { key } of findings.plan.send) unplaced.add(key);\n\t}',
		to: 'void findings;\n\t}',
	},
	{
		name: 'an unreadable item holds back the removals of its own group alone',
		file: `${SYNC}/syncGroups.ts`,
		from: 'const heldBack = unresolvedRecipients(run, resolution?.all);',
		to: 'const heldBack = unresolvedRecipients({ ...run, input: read[0]?.group.input ?? [] }, resolution?.all);',
	},
	{
		name: 'Maximum Removal is decided group by group alone',
		file: `${SYNC}/plan.ts`,
		from: 'return own && !isOneAllowed ? own : total;',
		to: 'return own && !isOneAllowed ? own : undefined;',
	},
	{
		name: 'no person may leave a small group',
		file: `${SYNC}/plan.ts`,
		from: 'const isOneAllowed = all.length > 1 &&',
		to: 'const isOneAllowed = all.length > 1e9 &&',
	},
	{
		name: 'people whom a lost look-up found are put into any group',
		file: `${SYNC}/idsOfGroups.ts`,
		from: '(emails.length === taken.size && !mayHoldOthers)',
		to: 'emails.length === taken.size',
	},
	{
		name: 'whom the service puts into a new group is taken for a recipient',
		file: `${SYNC}/staging.ts`,
		from: '\t\tawait empty(run, staging);\n',
		to: '',
	},
	{
		name: 'a read that the counts contradict is believed',
		file: `${SYNC}/evidence.ts`,
		from: 'return Number.isNaN(size) || members.ids.size === size ? members : await read();',
		to: 'return members;',
	},
	{
		name: 'an errorLog in any words means unknown',
		file: `${SYNC}/sendInChunks.ts`,
		from: 'if (!saysUnknown(said)) {',
		to: 'if (said === null) {',
	},
	{
		name: 'whoever stays without an item that names them is not told',
		file: `${SYNC}/classify.ts`,
		from: '\t\t...kept.map((id): Line => ({ recipient: id, ...notRemoved(NOT_PLACED) })),\n',
		to: '',
	},
	{
		name: 'two items of one missing group create it twice',
		file: `${SYNC}/groups.ts`,
		from: 'if (place === undefined) {',
		to: "if (place === undefined || named[place]?.groupId === '') {",
	},
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
		'a reopened survey emits its old responses again': [
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
		'a person who goes on answering counts as a new one': [
			'left = withoutFormer(seen, present, event, unseen)',
			'left = unseen',
		],
		'an edited anonymous answer is new': ['(isLate && undated <= 0)', '!isLate'],
		'a new row mistaken for an edited one is never emitted': [
			'const mistaken = missing < 0 ?',
			'const mistaken = missing < -Infinity ?',
		],
		'equal anonymous responses count as one': [
			'isEqual || (events & ~known) !== 0',
			'(events & ~known) !== 0',
		],
		'rows that get a user ID are new': [
			'added = withoutFormer(seen, present, event, unseen)',
			'added = unseen',
		],
	}),
	...inFile(`${TRIGGER}/campaigns/watchedCampaigns.ts`, {
		'a clock that was ahead makes old campaigns new': [
			'selection.from - REMEMBERED_MS',
			'selection.from',
		],
		'responses from before a kill of n8n join a new baseline': [
			'restarted && state ? Math.min(state.at, now) : now',
			'now',
		],
		'an added event emits all existing responses': [
			'emitExisting || isUntouched',
			'emitExisting || !isUntouched',
		],
		'a campaign missing from one list is forgotten': ['selection.from - REMEMBERED_MS', 'Infinity'],
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
		'a clock that was ahead makes new campaigns old': [
			'lists.length > 0 ? Math.max(...lists) : now - lag',
			'Math.min(Math.max(...[state?.listedUntil ?? -Infinity, options.listedUntil ?? -Infinity]), now)',
		],
	}),
	...inFile(`${TRIGGER}/poll.ts`, {
		'a known survey is dropped when the service once says it is none': [
			'isNoSurvey(error) && campaigns.get(id)?.rows === undefined',
			'isNoSurvey(error)',
		],
		'a deleted campaign makes every poll fail': [
			'isGone && !listed.has(id)',
			'isGone && listed.has(id)',
		],
		'a failed poll loses the baseline of an added event': [
			'\t\tbuffer(contents, now);\n\t\tthrow gravest',
			'\t\tthrow gravest',
		],
		"the service's times are compared with n8n's clock": [
			'known.clockOffsetMs = offsetOf(sentAt)',
			'known.clockOffsetMs = 0',
		],
		'a poll has no limit of items': ['const MOST_ITEMS = 10_000;', 'const MOST_ITEMS = 1_000_000;'],
	}),
	...inFile(`${TRIGGER}/state/loadState.ts`, {
		'the state of quiet polls is lost where each poll loads the workflow': [
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
		'two rows of any survey show that the service counts from 1': [
			'firstRequired: 2, any: 20',
			'firstRequired: 2, any: 2',
		],
		'an unanswered question is left out': [
			'answers[name] = row[key] ?? null;',
			'if (row[key] !== undefined) answers[name] = row[key];',
		],
	}),
	...inFile(`${TRIGGER}/sample.ts`, {
		'Fetch Test Event shows an example beside responses': [
			'if (items.length > 0 || (closings',
			'if ((closings',
		],
	}),
];

export const mutants = { sync, trigger };
