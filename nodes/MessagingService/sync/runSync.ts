import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { settle } from '../../shared/concurrency';
import { messageOf } from '../../shared/failure';
import { fieldLabel } from '../../shared/field';
import { asNodeError, errorItemOrThrow } from '../../shared/transport/errors/apiError';
import { EMAIL } from '../../shared/email';
import type { Operation } from '../engine/declaration';
import { itemFactory } from '../engine/item';
import { createTryMemory } from '../engine/itemResults';
import { nameMissingRecord } from '../engine/sendItem';
import { isMissing, type Calls } from './calls';
import { checkEarlierRuns } from './earlierRuns';
import { asWritten, valuesOfItems } from './input';
import { itemsOf } from './items';
import { isDryRunRed, problemOf } from './outcome';
import { readRun, type SyncRun } from './parameters';
import { notesOf, reportOf, withEarlierTry, type Report } from './report';
import { failedStatus } from './status';
import { isEmpty, NO_MEMBERS } from './types';
import type { IdentifyBy, MembersApi, ReadTarget, Target, TargetKind, TargetResult } from './types';

/** How a sync of groups and a sync of channels differ. */
export type SyncVariant<Api extends MembersApi> = {
	targetKind: TargetKind;
	/** The operations that change one group or channel, for an error. */
	onlyForOneItem: string;
	/** All fields of the operation. */
	fields: INodeProperties[];
	/** Returns the requests. */
	createApi: (calls: Calls, identifyBy: IdentifyBy) => Api;
	/** Changes the targets, which were read before. Returns the result of each target. */
	changeTargets: (run: SyncRun<Api>, targets: ReadTarget[]) => Promise<TargetResult[]>;
};

/** Returns the operation that syncs the people of all input items. */
export function syncOperation<Api extends MembersApi>(variant: SyncVariant<Api>): Operation {
	const { word, idName } = variant.targetKind;
	return {
		description: `Add people to ${word}s, or remove people from them. Each input item names one person. The mode Mirror adds the people in the items, and removes everybody else.`,
		builderHint: `Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one ${word} per department, set ${fieldLabel(idName)} to By Name, with an expression.`,
		// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
		notAsTool: [
			'Sync works on all input items of a workflow at once and cannot be used as a tool',
			`Use ${variant.onlyForOneItem} instead. Nothing was sent.`,
		],
		async execute() {
			return await runSync(this, variant);
		},
		fields: variant.fields,
	};
}

/** The reports of the targets from the try before (n8n's Retry On Fail), remembered with the first input item. */
const earlierReports = createTryMemory<Report[]>();

/**
 * Runs a sync for all input items together. docs/sync.md says what each status promises.
 *
 * @returns the items of `itemsOf`
 * @throws the error of `readRun` or, at the end of the sync, an error if something turns the run red (`TURNS_RED`). The error
 *   at the end has the summary in its description and in `context.summary`. If the node continues on errors, throws only in
 *   a canceled execution
 */
async function runSync<Api extends MembersApi>(
	context: IExecuteFunctions,
	variant: SyncVariant<Api>,
): Promise<INodeExecutionData[][]> {
	const { targetKind, fields, createApi } = variant;
	const reading = await settle(async () => await readRun(context, targetKind, fields, createApi));
	const node = context.getNode();
	if ('error' in reading) return [await unreadItems(context, targetKind, reading.error)];
	const { run, targets } = reading.result;
	// An error of the whole sync stops every target.
	const results = await syncTargets(context, run, targets, variant).catch((error: unknown) => {
		const stoppedBy = asNodeError(node, error);
		const nothing = { statuses: new Map(), surplus: [], notes: [] };
		return targets.map((target): TargetResult => ({ target, stoppedBy, ...nothing }));
	});
	const first = itemFactory(context)(0);
	const earlier = earlierReports.recall(first) ?? [];
	const reports = results.map((one, index) => withEarlierTry(earlier[index], reportOf(one)));
	earlierReports.remember(first, reports);
	const finalError = problemOf(node, run, reports);
	const isShown = context.continueOnFail() || (run.dryRun && !isDryRunRed(reports));
	// n8n shows no items of a canceled execution.
	if (finalError && (!isShown || run.cancelSignal?.aborted)) throw finalError;
	for (const note of notesOf(targetKind, reports)) run.warn(note);
	return [itemsOf(node, run, reports)];
}

/** Returns an item for each input item of a sync whose parameters cannot be read. @throws unless the node continues on errors */
async function unreadItems(context: IExecuteFunctions, targetKind: TargetKind, error: unknown) {
	errorItemOrThrow(context, error, 0);
	const node = context.getNode();
	const { recipient, dryRun } = node.parameters;
	const reading = await settle(async () => valuesOfItems(context, 'recipient', recipient));
	const values = 'error' in reading ? context.getInputData().map(() => '') : reading.result;
	const rows = values.map((value, itemIndex) => {
		return { itemIndex, given: asWritten(value), ...failedStatus(messageOf(error)) };
	});
	const target = { id: '', name: undefined, rows, recipients: [] };
	const report = reportOf({ target, statuses: new Map(), surplus: [], notes: [] });
	return itemsOf(node, { targetKind, dryRun: dryRun === true, output: 'perRecipient' }, [report]);
}

/** Reads all targets, and changes them. */
async function syncTargets<Api extends MembersApi>(
	context: IExecuteFunctions,
	run: SyncRun<Api>,
	targets: Target[],
	{ fields, changeTargets }: SyncVariant<Api>,
): Promise<TargetResult[]> {
	const named = targets.filter(({ isBlank }) => !isBlank);
	if (named.length > 0 && named.every(namesNobody)) throw noRecipientError(run);
	const reading = targets.map(async (target) => await readTarget(run, target, fields));
	const read = await Promise.all(reading);
	if (run.mode === 'mirror' && !run.dryRun) checkEarlierRuns(context, run, targets);
	return await changeTargets(run, read);
}

const NO_RECIPIENT = 'No item has a valid recipient';

/** Returns the error for input without a valid recipient. */
function noRecipientError({ rows, identifyBy, inputFields, fail }: SyncRun): Error {
	const areEmails = rows.some((row) => !row.recipient && EMAIL.test(row.given));
	return fail(
		areEmails && identifyBy === 'id'
			? 'The recipients are email addresses, but Identify By is ID'
			: NO_RECIPIENT,
		`Nothing was changed. Check the source of the input items, and the Recipient and Identify By parameters. The first item has ${inputFields}.`,
	);
}

const namesNobody = ({ recipients }: Target) => recipients.length === 0;

/**
 * Reads a target before the first change. An error stops only this target. A target that is missing and that only blank
 * items name counts as empty.
 */
async function readTarget(run: SyncRun, target: Target, fields: INodeProperties[]) {
	const stop = (problem: unknown): ReadTarget => {
		const error = nameMissingRecord(problem, fields, { [run.targetKind.idName]: target.id });
		const stoppedBy = error instanceof Error ? error : run.fail(messageOf(error));
		return { target, before: NO_MEMBERS, stoppedBy };
	};
	const isLeft = isOnlyBlank(target);
	if (isLeft && target.isMissing) return { target, before: NO_MEMBERS };
	if (target.problem !== undefined) return stop(target.problem);
	const reading = await settle(async () =>
		target.id === '' ? NO_MEMBERS : await run.api.readMembers(target.id),
	);
	if ('error' in reading && isLeft && isMissing(reading.error))
		return { target, before: NO_MEMBERS };
	if ('error' in reading) return stop(reading.error);
	const before = reading.result;
	target.name = before.name ?? target.name;
	const problem = problemWithTarget(run, { target, before });
	return problem ? stop(problem) : { target, before };
}

/** Whether no item of a target has a text that may be a recipient. */
const isOnlyBlank = ({ rows }: Target) => rows.every((row) => !row.recipient && row.isBlank);

/** Returns why a target cannot be changed. Mirror and dry runs need all its members. */
function problemWithTarget(run: SyncRun, { target, before }: ReadTarget): Error | undefined {
	const { mode, dryRun, fail } = run;
	const { word } = run.targetKind;
	if (mode === 'mirror' && namesNobody(target) && !(isOnlyBlank(target) && isEmpty(before))) {
		return fail(NO_RECIPIENT, `The ${word} was not changed.`);
	}
	if (before.complete || (mode !== 'mirror' && !dryRun)) return undefined;
	const advice =
		mode === 'mirror'
			? `Mirror must see all members to know whom to remove. Nothing was changed in this ${word}. The modes Add and Remove work with this ${word}.`
			: 'A dry run therefore cannot predict the changes. Nothing was changed.';
	return fail(`The service shows only ${before.shown} members of the ${word}`, advice);
}
