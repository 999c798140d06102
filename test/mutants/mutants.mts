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

/** What makes the trigger lose something, or tell it twice. */
const trigger: Mutant[] = [
	{
		name: 'under a rate limit every poll begins with the same campaign',
		file: `${TRIGGER}/campaigns/pollSchedule.ts`,
		from: 'return [...campaignIds].sort((a, b) => turnOf(a) - turnOf(b));',
		to: 'return [...campaignIds].sort((a, b) => 0 * (turnOf(a) - turnOf(b)));',
	},
	{
		name: 'what was submitted while the baseline could not be read is no news',
		file: `${TRIGGER}/campaigns/processSurveyData.ts`,
		from: "return moment < now && submittedAt(row) > moment ? 'emit' : 'note';",
		to: "return 'note';",
	},
	{
		name: 'a survey that is reopened gives what was there before it closed',
		file: `${TRIGGER}/campaigns/processSurveyData.ts`,
		from: "if (!(submittedAt(row) <= until)) return 'emit';",
		to: "if (event >= 0) return 'emit';",
	},
	{
		name: 'who goes on answering is new, in the place of who comes',
		file: `${TRIGGER}/dedupe/newEvents.ts`,
		from: 'const left = withoutFormer(seen, present, event, unseen);',
		to: 'const left = unseen;',
	},
	{
		name: 'a clock that was ahead makes old campaigns new ones',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'if (live >= selection.from - REMEMBERED_MS)',
		to: 'if (live >= selection.from)',
	},
	{
		name: 'what came before n8n was killed belongs to a new baseline',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'const baseline = restarted && state ? Math.min(state.at, now) : now;',
		to: 'const baseline = now;',
	},
	{
		name: 'an edited anonymous answer is a new one',
		file: `${TRIGGER}/dedupe/newEvents.ts`,
		from: 'if (missing <= 0 || (isLate && undated <= 0)) continue;',
		to: 'if (missing <= 0 || !isLate) continue;',
	},
	{
		name: 'a new row that was taken for an edited one is never given',
		file: `${TRIGGER}/dedupe/newEvents.ts`,
		from: 'const mistaken = missing < 0 ? latestAliases(seen, present, event, -missing) : [];',
		to: 'const mistaken: KeyedRow[] = [];',
	},
	{
		name: 'equal anonymous responses are one',
		file: `${TRIGGER}/dedupe/newEvents.ts`,
		from: 'if (isEqual || (events & ~known) !== 0) unknown.add(key);',
		to: 'if ((events & ~known) !== 0) unknown.add(key);',
	},
	{
		name: 'an event that is added gives all that is there',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'if (emitExisting || isUntouched) campaign.events |= 1 << event;',
		to: 'if (emitExisting || !isUntouched) campaign.events |= 1 << event;',
	},
	{
		name: 'what is missing from one list is gone',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'if (live >= selection.from - REMEMBERED_MS)',
		to: 'if (live >= selection.from + REMEMBERED_MS * 100)',
	},
	{
		name: 'a survey that was closed once is never read again',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: '\t\tdelete campaign.closed;',
		to: '',
	},
	{
		name: 'a known survey is forgotten when it is once said to be none',
		file: `${TRIGGER}/poll.ts`,
		from: 'isNoSurvey(error) && campaigns.get(id)?.rows === undefined',
		to: 'isNoSurvey(error)',
	},
	{
		name: 'a deleted campaign makes every poll fail',
		file: `${TRIGGER}/poll.ts`,
		from: "} else if ('all' in watch && isGone && !listed.has(id)) {",
		to: "} else if ('all' in watch && isGone && listed.has(id)) {",
	},
	{
		name: 'what quiet polls learn is lost where each poll loads the workflow',
		file: `${TRIGGER}/state/loadState.ts`,
		from: 'const state = isKept ? buffered.state : base;',
		to: 'const state = base;',
	},
	{
		name: 'a poll that fails forgets since when an event is watched',
		file: `${TRIGGER}/poll.ts`,
		from: '\t\tbuffer(contents, now);\n\t\tthrow gravest',
		to: '\t\tthrow gravest',
	},
	{
		name: 'campaigns that are read less often are never read again',
		file: `${TRIGGER}/campaigns/pollSchedule.ts`,
		from: 'if (isUrgent || isDue(reading, now, maxGapMs) || isInSlot(id, reading, now, maxGapMs))',
		to: 'if (isUrgent || reading === undefined)',
	},
	{
		name: 'a survey that was closed before it was watched is closed now',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: "else if (phase === 'live' || phase === 'notYetLive') campaign.open = true;",
		to: 'else campaign.open = true;',
	},
	{
		name: 'what the list does not have is closed',
		file: `${TRIGGER}/api/selection.ts`,
		from: "?? { phase: 'takenForLive' };",
		to: "?? { phase: 'closed' };",
	},
	{
		name: 'what the list does not have is never closed',
		file: `${TRIGGER}/readCampaignData.ts`,
		from: 'if (surveyClosed && !isListed && !isClosed) {',
		to: 'if (surveyClosed && isListed && !isClosed) {',
	},
	{
		name: 'an event that is added to a campaign that was never read gives all that is there',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: "phase === 'notYetLive' && before.rows",
		to: 'before.rows',
	},
	{
		name: 'after a restart no closing is awaited',
		file: `${TRIGGER}/state/savedState.ts`,
		from: '\tif (open !== undefined) campaign.open = open;\n',
		to: '',
	},
	{
		name: 'the rest of a campaign that is closed is forgotten',
		file: `${TRIGGER}/campaigns/processSurveyData.ts`,
		from: 'const endsHere = isClosed && !isHeld && ',
		to: 'const endsHere = isClosed && ',
	},
	{
		name: 'a campaign that becomes visible is new from its first row',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'return live <= lastListedUntil ? now : undefined;',
		to: 'return undefined;',
	},
	{
		name: 'rows that get a user ID are new',
		file: `${TRIGGER}/dedupe/newEvents.ts`,
		from: 'const added = withoutFormer(seen, present, event, unseen);',
		to: 'const added = unseen;',
	},
	{
		name: 'times of the service are measured by the clock of n8n',
		file: `${TRIGGER}/poll.ts`,
		from: 'if (sentAt !== undefined) known.clockOffsetMs = offsetOf(sentAt);',
		to: 'if (sentAt !== undefined) known.clockOffsetMs = 0 * offsetOf(sentAt);',
	},
	{
		name: 'two rows of any survey show that the service counts from 1',
		file: SURVEY_DATA,
		from: 'firstRequired: 2, any: 20',
		to: 'firstRequired: 2, any: 2',
	},
	{
		name: 'what one survey shows of the answer keys is forgotten at the next poll',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'return { listedUntil, numbering: state?.numbering, campaigns,',
		to: 'return { listedUntil, numbering: undefined, campaigns,',
	},
	{
		name: 'a question without an answer is left out',
		file: SURVEY_DATA,
		from: 'answers[name] = row[key] ?? null;',
		to: 'if (row[key] !== undefined) answers[name] = row[key];',
	},
	{
		name: 'Fetch Test Event shows an example beside responses',
		file: `${TRIGGER}/sample.ts`,
		from: 'if (items.length > 0 || (closings',
		to: 'if ((closings',
	},
	{
		name: 'a survey is closed before the last of its responses came',
		file: `${TRIGGER}/campaigns/processSurveyData.ts`,
		from: 'const isClosing = isAwaited && endsHere;',
		to: 'const isClosing = isAwaited;',
	},
	{
		name: 'quiet campaigns are read in one burst',
		file: `${TRIGGER}/campaigns/pollSchedule.ts`,
		from: 'if (isUrgent || isDue(reading, now, maxGapMs) || isInSlot(id, reading, now, maxGapMs))',
		to: 'if (isUrgent || isDue(reading, now, maxGapMs))',
	},
	{
		name: 'a poll emits all there is',
		file: `${TRIGGER}/poll.ts`,
		from: 'const MOST_ITEMS = 10_000;',
		to: 'const MOST_ITEMS = 1_000_000;',
	},
	{
		name: 'a list noted by a clock that was ahead makes old campaigns of new ones',
		file: `${TRIGGER}/campaigns/watchedCampaigns.ts`,
		from: 'const lastListedUntil = lists.length > 0 ? Math.max(...lists) : now - lag;',
		to: 'const lastListedUntil = Math.min(Math.max(state?.listedUntil ?? -Infinity, options.listedUntil ?? -Infinity), now);',
	},
	{
		name: 'who sends again after a survey was reopened is no news',
		file: `${TRIGGER}/campaigns/processSurveyData.ts`,
		from: "return kind === 'user' ? 'skip' : 'note';",
		to: "return 'note';",
	},
];

export const mutants = { sync, trigger };
