import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { settle } from '../../../../shared/concurrency';
import { messageOf } from '../../../../shared/failure';
import {
	choices,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../../../shared/fieldTypes';
import { EMAIL } from '../../../../shared/values';
import { asNodeError, failedItem } from '../../../../shared/transport/errors/apiError';
import { options } from '../../../fields/collections';
import { recipientGroupIdOrNew } from '../../../fields/locators';
import type { Operation } from '../../../engine/declaration';
import { rememberTries } from '../../../engine/item';
import { nameMissingRecord } from '../../../engine/missingRecord';
import { identifyBy } from '../memberFields';
import { changeByEmail } from './changeByEmail';
import { changeById } from './changeById';
import { checkIds, identifyAddresses } from './identify';
import type { Identities, ReadGroup } from './identify';
import { NO_MEMBERS, type GroupResult, type SyncGroup } from './outcomes';
import { itemsOf, notesOf, problemOf, reportOf, withEarlierTry, type Report } from './report';
import { deleteRest } from './temporaryGroups';
import { readRun, type SyncRun } from './syncRun';

const modes = choices({
	add: 'Add these people and keep everybody else',
	mirror: 'Make the group match these people exactly: add missing people and remove all others',
	remove: 'Remove these people and keep everybody else',
});

const outputs = choices({
	perRecipient: [
		'Each Recipient',
		'One item per input item, with its result. Mirror also outputs one item per member who is not in the input.',
	],
	summary: 'One item per group with the counts of its results',
});

/** POST and DELETE /int/v1/recipientGroup/:id/recipients, for all input items in as few requests as possible. */
export const sync: Operation = {
	description:
		'Add the people of all input items to groups, remove them, or make groups match the input exactly',
	builderHint:
		'Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one group per department, set Recipient Group to By Name, with an expression.',
	// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
	notAsTool: [
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Recipient Group: Add Recipients or Recipient Group: Remove Recipients instead. Nothing was sent.',
	],
	execute: syncRecipientGroup,
	fields: [
		recipientGroupIdOrNew,
		identifyBy,
		stringField(
			'recipient',
			'Email address or recipient ID of an input item, depending on "Identify By"',
			{
				required: true,
				placeholder: '{{ $json.email }}',
				hint: 'This field and Recipient Group are evaluated for each input item, so items may name different groups. A group that no item names is not changed. All other fields must be the same for all items.',
			},
		),
		optionsField('mode', modes, 'add', 'What to do with the people in the input items'),
		switchedOff('dryRun', 'Whether to only report what would happen, without changing a group'),
		numberField(
			'maxRemovalPercent',
			20,
			'If Mirror would remove more than this share of a group, it does not change the group. This protects against incomplete input. If the share is above 0, removing one person from a group is always allowed. If Mirror would remove more than this share of all groups together, it changes no group that would lose people.',
			0,
			{
				typeOptions: { minValue: 0, maxValue: 100 },
				displayOptions: { show: { mode: ['mirror'] } },
			},
		),
		options([
			switchedOff(
				'createMissingGroups',
				'Whether to create missing groups that are set By Name. If off, the items of a missing group fail.',
				{ displayOptions: { show: { '/mode': ['add', 'mirror'] } } },
			),
			numberField(
				'maxNewGroups',
				50,
				'Maximum number of groups to create in one run. If more groups are missing, none is created and their items fail. This protects against an expression in Recipient Group that uses the wrong field.',
				1,
				{
					displayName: 'Maximum New Groups',
					displayOptions: { show: { '/mode': ['add', 'mirror'] } },
				},
			),
			optionsField('output', outputs, 'perRecipient', ''),
			numberField('chunkSize', 500, 'Maximum number of recipients per request', 1),
			switchedOff(
				'removeDespiteInvalid',
				'Whether Mirror removes people even if an address cannot be read, or the service shows nobody for it. If this is off, a single address of this kind prevents all removals. Blank addresses never prevent removals.',
				{ displayOptions: { show: { '/mode': ['mirror'] } } },
			),
			numberField('concurrency', 4, 'Maximum number of concurrent requests', 1),
		]),
	],
};

/** The reports of each group from earlier tries (n8n's Retry On Fail), by the group's ID or name. */
const earlierReports = rememberTries<Map<string, Report>>();

/**
 * Runs `recipientGroup.sync` for all input items together. docs/sync.md says what each status promises.
 *
 * @returns one item per input item and one for each person whom Mirror removes, or one summary per group
 * @throws the error of `readRun` or, at the end of the sync, an error for failed recipients or groups. The error at the end
 *   has the summary in its description and in `context.summary`. If the node continues on errors, it throws only in a
 *   canceled execution.
 */
async function syncRecipientGroup(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const read = await settle(async () => await readRun(this));
	if ('error' in read) return [[failedItem(this, read.error, 0)]];
	const { run, groups } = read.result;
	const node = this.getNode();
	const results = await syncGroups(run, groups).catch((error: unknown): GroupResult[] => {
		const stopped = asNodeError(node, error);
		return groups.map((group) => ({ group, outcomes: new Map(), extras: [], notes: [], stopped }));
	});
	await deleteRest(run);
	const tries = earlierReports(this);
	const known = new Map(tries.recall(0));
	const reports = results.map((result) => {
		const key = result.group.groupId || JSON.stringify(result.group.groupName);
		const report = withEarlierTry(known.get(key), reportOf(result));
		known.set(key, report);
		return report;
	});
	tries.remember(0, known);
	const isCanceled = run.cancelSignal?.aborted === true;
	const problem = problemOf(node, reports, isCanceled);
	// n8n shows no items of a canceled execution.
	if (problem && (isCanceled || !this.continueOnFail())) throw problem;
	for (const note of notesOf(reports)) run.warn(note);
	return [itemsOf(node, run, reports)];
}

/** Reads the groups, finds out who is who if the mode needs this, and changes all groups. */
async function syncGroups(run: SyncRun, groups: SyncGroup[]): Promise<GroupResult[]> {
	if (!groups.some(({ recipients }) => recipients.length > 0)) {
		const areEmails = run.rows.some((row) => !row.recipient && EMAIL.test(row.given));
		throw run.fail(
			areEmails && run.identifyBy === 'id'
				? 'The recipients are email addresses, but Identify By is ID'
				: run.mode === 'mirror'
					? 'There is no valid recipient to mirror'
					: 'No input item has a valid recipient',
			`Nothing was changed. Check the source of the input items, and the Recipient and Identify By parameters. The first item has ${run.fields}.`,
		);
	}
	const read = await Promise.all(groups.map(async (group) => await readGroup(run, group)));
	const isByEmail = run.identifyBy === 'email' && !run.dryRun;
	if (isByEmail && run.mode !== 'mirror') return await changeByEmail(run, read, run.mode);
	return await changeById(run, read, await identify(run, read));
}

/** Finds out who the recipients are, if the mode needs this before the first change. */
async function identify(run: SyncRun, groups: ReadGroup[]): Promise<Identities> {
	const isOpen = groups.some(({ stopped }) => !stopped);
	if (isOpen && run.identifyBy === 'email') return await identifyAddresses(run, groups);
	const problems = isOpen && run.dryRun ? await checkIds(run, groups) : new Map();
	return { idsOf: new Map(), problems, done: new Set(), odd: new Set() };
}

/** Reads a group before the first change. Mirror and a dry run need all its members. */
async function readGroup(run: SyncRun, group: SyncGroup): Promise<ReadGroup> {
	try {
		if (group.problem !== undefined) throw group.problem;
		if (run.mode === 'mirror' && group.recipients.length === 0) {
			throw run.fail('There is no valid recipient to mirror', 'The group was not changed.');
		}
		const before = group.groupId === '' ? NO_MEMBERS : await run.api.read(group.groupId);
		group.groupName = before.name ?? group.groupName;
		if (before.exclusive) run.temporary.exclusive = group.groupName ?? group.groupId;
		if (before.complete || (run.mode !== 'mirror' && !run.dryRun)) return { group, before };
		throw run.fail(
			`The service shows only ${before.shown} members of the group`,
			run.mode === 'mirror'
				? 'Mirror must see all members to know whom to remove. Nothing was changed. The modes Add and Remove work with this group.'
				: 'A dry run therefore cannot predict the changes. Nothing was changed.',
		);
	} catch (thrown) {
		const ids = { recipientGroupId: group.groupId };
		const error = nameMissingRecord(thrown, [recipientGroupIdOrNew], ids);
		const stopped = error instanceof Error ? error : run.fail(messageOf(error));
		return { group, before: NO_MEMBERS, stopped };
	}
}
