import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { settle } from '../../shared/concurrency';
import { messageOf } from '../../shared/failure';
import { asNodeError, errorItemOrThrow } from '../../shared/transport/errors/apiError';
import { EMAIL } from '../../shared/values';
import { rememberTries } from '../engine/tries';
import { nameMissingRecord } from '../engine/missingRecord';
import { isMissing, type Calls } from './calls';
import { itemsOf, notesOf, problemOf, reportOf, withEarlierTry, type Report } from './report';
import { readRun, type SyncRun } from './parameters';
import { NO_MEMBERS } from './types';
import type { Container, IdentifyBy, MembersApi, ReadTarget, Target, TargetResult } from './types';

/** How a sync of groups and a sync of channels differ. */
export type Kind<Api extends MembersApi> = {
	container: Container;
	/** The parameter that takes the target. */
	field: INodeProperties;
	/** Returns the requests. */
	apiOf: (calls: Calls, identifyBy: IdentifyBy) => Api;
	/** Changes the targets, which were read before. Returns the result of each target. */
	change: (run: SyncRun<Api>, targets: ReadTarget[]) => Promise<TargetResult[]>;
};

/** The reports of the targets from the try before (n8n's Retry On Fail). */
const earlierReports = rememberTries<Report[]>();

/**
 * Runs a sync for all input items together. docs/sync.md says what each status promises.
 *
 * @returns one item per input item and one for each person whom Mirror removes, or one summary per target
 * @throws the error of `readRun` or, at the end of the sync, an error for failed recipients or targets. The error at the
 *   end has the summary in its description and in `context.summary`. If the node continues on errors, it throws only in a
 *   canceled execution.
 */
export async function runSync<Api extends MembersApi>(
	context: IExecuteFunctions,
	kind: Kind<Api>,
): Promise<INodeExecutionData[][]> {
	const { container, apiOf } = kind;
	const read = await settle(async () => await readRun(context, container, apiOf));
	if ('error' in read) return [[errorItemOrThrow(context, read.error, 0)]];
	const { run, targets } = read.result;
	const node = context.getNode();
	const results = await syncTargets(run, targets, kind).catch((error: unknown): TargetResult[] => {
		const stopped = asNodeError(node, error);
		const nothing = { statuses: new Map(), extras: [], notes: [] };
		return targets.map((target) => ({ target, stopped, ...nothing }));
	});
	const tries = earlierReports(context);
	const earlier = tries.recall(0) ?? [];
	const reports = results.map((one, place) => withEarlierTry(earlier[place], reportOf(one)));
	tries.remember(0, reports);
	const problem = problemOf(node, container, reports);
	// The list is what a dry run is for. It fails only if a target that all its items name correctly could not be read.
	const isListed = run.dryRun && !reports.some(({ stopped, target }) => stopped && !target.problem);
	// n8n shows no items of a canceled execution.
	const isShown = (isListed || context.continueOnFail()) && !run.cancelSignal?.aborted;
	if (problem && !isShown) throw problem;
	for (const note of notesOf(container, reports)) run.warn(note);
	return [itemsOf(node, run, reports)];
}

/** Reads all targets, and changes them. */
async function syncTargets<Api extends MembersApi>(
	run: SyncRun<Api>,
	targets: Target[],
	{ field, change }: Kind<Api>,
): Promise<TargetResult[]> {
	if (!targets.some(({ recipients }) => recipients.length > 0)) {
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
	const read = targets.map(async (target) => await readTarget(run, target, field));
	return await change(run, await Promise.all(read));
}

/**
 * Reads a target before the first change. Mirror and a dry run need all its members. A target that cannot be read may be
 * exclusive.
 */
async function readTarget(
	run: SyncRun,
	target: Target,
	field: INodeProperties,
): Promise<ReadTarget> {
	const { idName, word } = run.container;
	let before = NO_MEMBERS;
	try {
		if (target.problem !== undefined) throw target.problem;
		before = { ...NO_MEMBERS, exclusive: true };
		before = target.id === '' ? NO_MEMBERS : await run.api.read(target.id);
		target.name = before.name ?? target.name;
		if (run.mode === 'mirror' && target.recipients.length === 0) {
			throw run.fail('There is no valid recipient to mirror', `The ${word} was not changed.`);
		}
		if (before.complete || (run.mode !== 'mirror' && !run.dryRun)) return { target, before };
		throw run.fail(
			`The service shows only ${before.shown} members of the ${word}`,
			run.mode === 'mirror'
				? `Mirror must see all members to know whom to remove. Nothing was changed in this ${word}. The modes Add and Remove work with this ${word}.`
				: 'A dry run therefore cannot predict the changes. Nothing was changed.',
		);
	} catch (thrown) {
		const error = nameMissingRecord(thrown, [field], { [idName]: target.id });
		const stopped = error instanceof Error ? error : run.fail(messageOf(error));
		const exclusive = before.exclusive && !isMissing(thrown);
		return { target, before: { ...NO_MEMBERS, exclusive }, stopped };
	}
}
