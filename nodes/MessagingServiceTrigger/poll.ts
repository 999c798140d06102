import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { failure, messageOf } from '../shared/failure';
import { settle, type Outcome } from '../shared/concurrency';
import { strongerNumbering } from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isTooMany } from '../shared/transport/retry';
import { readConcurrently } from './api/readConcurrently';
import { isNoSurvey, isNotFound, stopCheck, type Stop } from './api/reads';
import { selectionWithPhases } from './api/selection';
import {
	afterPoll,
	campaignsToRead,
	isLargeCampaign,
	isRead,
	type Attempt,
} from './campaigns/pollSchedule';
import { contentsOf, watchedCampaigns, type Watched } from './campaigns/watchedCampaigns';
import { DamagedRowsError } from './dedupe/rowFingerprints';
import { eventItems, type Output } from './items';
import {
	processCampaign,
	readCampaignData,
	refusalOfNoSurveys,
	type Processed,
} from './readCampaignData';
import { sample } from './sample';
import { readSettings, type Settings } from './settings';
import { loadState } from './state/loadState';
import { withMutex } from './state/mutex';
import { forgetProcessState, processState } from './state/processState';
import { damagedState, type Contents } from './state/savedState';

/** The time for a poll if n8n does not state it (versions without getPollBudgetMs): the shortest poll interval. */
const DEFAULT_BUDGET_MS = 60_000;

/** After this share of a poll's time, no read starts, so that reads in flight can finish. */
const SHARE = 0.6;

/** Maximum number of items per poll, to limit n8n's memory. The next polls emit the other new events. */
const MOST_ITEMS = 10_000;

/** The result of reading a campaign: its new events or an error, and why the poll stops reading, if it does. */
type Read = Outcome<Processed> & { stop?: Stop };

type Start = { startedAt: number; deadline: number; restarted: boolean; published: boolean };

/** The static data objects that earlier polls of this process used. */
const polled = new WeakSet<IDataObject>();

/**
 * Reads the survey data of the campaigns that are due and emits the new events. In the editor it returns a sample.
 *
 * @returns the items, or `null` if nothing is new
 * @throws NodeApiError if reads fail and nothing shows that the service works, or if all campaigns are watched and their
 * list cannot be read. The saved state then stays unchanged. From the HTTP status of the error, n8n recognizes refused
 * access and too many requests.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = startedAt + SHARE * (this.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const settings = readSettings(this);
	if (this.getMode() === 'manual') return [await sample(this, settings, startedAt, deadline)];

	const data = this.getWorkflowStaticData('node');
	const isInitial = ['init', 'leadershipChange'].includes(this.getActivationMode());
	// If n8n reloads the workflow for each poll, `data` is a new object in every poll. Even then, `isInitial` is true only
	// in the first poll (n8n 2.41.1).
	const isFirst = !polled.has(data);
	polled.add(data);
	const restarted = isInitial && isFirst;
	const published = !isInitial && isFirst;
	return await withMutex(
		this,
		data,
		async () =>
			await pollCampaigns(this, data, settings, { startedAt, deadline, restarted, published }),
	);
}

async function pollCampaigns(
	context: IPollFunctions,
	data: IDataObject,
	settings: Settings,
	{ startedAt, deadline, restarted, published }: Start,
): Promise<INodeExecutionData[][] | null> {
	if (restarted) forgetProcessState(context);
	const known = processState(context);
	const { state, buffer, save } = loadState(context, data, known);

	const {
		selection,
		sentAt,
		error: listError,
	} = await selectionWithPhases(context, settings, startedAt + known.clockOffsetMs, deadline);
	if (sentAt !== undefined) known.clockOffsetMs = offsetOf(sentAt);
	const now = startedAt + known.clockOffsetMs;
	const watched = watchedCampaigns(state, selection, {
		...settings,
		...known,
		now,
		isServiceTime: sentAt !== undefined,
		restarted,
	});
	const contents = (): Contents => contentsOf(watched, selection.name);
	if (listError !== undefined && 'all' in settings.watch) {
		// Keeps the known campaigns, and the baselines of events that were just selected.
		if (state?.selection === selection.name)
			buffer({ ...contents(), notSurveys: state.notSurveys }, now);
		throw asError(context, listError);
	}

	const { readable, due } = campaignsToRead(watched, selection.from, known.readings, {
		now: startedAt,
		maxGapMs: settings.maxGapMs,
	});
	const { reads, stops } = await readDue(context, watched, due, settings, {
		now,
		deadline,
		listError,
	});
	const isRefused = stops.includes('accessRefused');
	if (published && 'selected' in settings.watch) {
		const refusal = await refusalOfNoSurveys(context, reads, watched, deadline);
		if (refusal) {
			buffer(contents(), now);
			throw refusal;
		}
	}
	const { attempts, errors } = takeReads(context, reads, watched, settings, isRefused);
	const items = buildItems(context, watched, reads, settings.output);
	if (listError !== undefined) {
		errors.unshift(listError);
		context.logger.warn(
			`The list of campaigns could not be read, so it is unknown which campaigns are closed: ${messageOf(listError)}`,
		);
	}
	known.listedUntil = watched.listedUntil;
	known.readings = afterPoll(
		known.readings,
		attempts,
		new Set(watched.campaigns.keys()),
		startedAt,
	);
	// The service works if this poll has read a campaign. If nothing stopped the reads and some campaigns were not due, it
	// probably works, too: campaigns are not due if they were read a short time ago.
	const isWell =
		[...attempts.values()].some(isRead) || (stops.length === 0 && due.length < readable.length);
	if (errors.length > 0 && !isWell) {
		buffer(contents(), now);
		throw gravest(context, errors, isRefused);
	}

	// Nothing can fail after this line, so the saved state and the returned items change together.
	save(contents(), now, items.length > 0);
	return items.length > 0 ? [items] : null;
}

/**
 * Reads the campaigns that are due and finds their new events. Stops early if the service accepts no further requests, or
 * if one poll cannot emit more events.
 *
 * @returns the reads in the order in which they started, and why the poll stops reading, if it does
 */
async function readDue(
	context: IPollFunctions,
	watched: Watched,
	due: string[],
	settings: Settings,
	{ now, deadline, listError }: { now: number; deadline: number; listError: unknown },
): Promise<{ reads: Map<string, Read>; stops: Stop[] }> {
	const stopAfter = stopCheck(context, deadline);
	const listStop = listError === undefined ? undefined : await stopAfter(listError);
	if (listStop) return { reads: new Map(), stops: [listStop] };
	let room = MOST_ITEMS;
	const reads = await readConcurrently<Read>(
		due,
		{
			deadline,
			isLarge: (id) => isLargeCampaign(watched, id),
			isLast: ({ stop }) => stop !== undefined || room <= 0,
		},
		async (id) => {
			const read = await settle(async () => {
				const data = await readCampaignData(context, watched, id, settings, deadline);
				const processed = processCampaign(id, data, { now, most: room });
				room -= processed.newEvents.length + (processed.closing ? 1 : 0);
				return processed;
			});
			if ('error' in read) return { ...read, stop: await stopAfter(read.error) };
			return { ...read, stop: read.result.wasLimited ? 'tooManyRequests' : undefined };
		},
	);
	return { reads, stops: [...reads.values()].flatMap(({ stop }) => stop ?? []) };
}

/**
 * Returns how far the service's clock is ahead of n8n's. The Date header has whole seconds, so a difference of less than
 * two seconds counts as none.
 */
function offsetOf(sentAt: number): number {
	const offset = sentAt - Date.now();
	return Math.abs(offset) < 2_000 ? 0 : offset;
}

/**
 * Builds the items of all campaigns. If one survey shows whether its answer keys count from 0 or from 1, all surveys are
 * taken to count in the same way.
 */
function buildItems(
	context: IPollFunctions,
	watched: Watched,
	reads: Map<string, Read>,
	output: Output,
): INodeExecutionData[] {
	const processed = new Map<string, Processed>();
	for (const [id, read] of reads) if ('result' in read) processed.set(id, read.result);
	for (const { numbering } of processed.values())
		watched.numbering = strongerNumbering(watched.numbering, numbering);
	const { numbering } = watched;
	const warn = (message: string): void => context.logger.warn(message);
	return [...watched.campaigns.keys()].flatMap((id) => {
		const { survey, newEvents, closing } = processed.get(id) ?? {};
		if (!survey || !newEvents) return [];
		const items = eventItems(id, survey, newEvents, { output, numbering, warn });
		return closing ? [...items, { json: closing }] : items;
	});
}

/** Updates the watched campaigns with the results of the reads. @throws NodeOperationError if saved rows are damaged */
function takeReads(
	context: IPollFunctions,
	reads: Map<string, Read>,
	{ campaigns, notSurveys, listed, foundClosed }: Watched,
	{ watch }: Settings,
	isRefused: boolean,
): { attempts: Map<string, Attempt>; errors: unknown[] } {
	const attempts = new Map<string, Attempt>();
	const errors: unknown[] = [];
	for (const [id, read] of reads) {
		if ('result' in read) {
			const { campaign, newEvents, isHeld, closing } = read.result;
			campaigns.set(id, campaign);
			if (closing) foundClosed.delete(id);
			attempts.set(id, newEvents.length > 0 || isHeld || closing ? 'newEvents' : 'quiet');
			continue;
		}
		const { error } = read;
		if (isNotFound(error)) foundClosed.delete(id);
		// Without the saved rows, all rows would be emitted again.
		if (error instanceof DamagedRowsError) throw damagedState(failure(context));
		const isGone = isNotFound(error) || (isAccessRefusal(error) && !isRefused);
		if ('all' in watch && isNoSurvey(error) && campaigns.get(id)?.rows === undefined) {
			campaigns.delete(id);
			notSurveys.add(id);
			attempts.set(id, 'quiet');
		} else if ('all' in watch && isGone && !listed.has(id)) {
			// Not an error: the campaign was deleted, or it is no longer shared with this account.
			attempts.set(id, 'quiet');
		} else {
			errors.push(error);
			attempts.set(id, isTooMany(error) ? 'tooManyRequests' : 'failed');
			context.logger.warn(
				`Campaign ${id} could not be read; the next poll tries again: ${messageOf(error)}`,
			);
		}
	}
	return { attempts, errors };
}

/** Returns the most informative error: a refused access; otherwise, too many requests; otherwise, the first error. */
function gravest(context: IPollFunctions, errors: unknown[], isRefused: boolean): Error {
	const refused = isRefused ? errors.find(isAccessRefusal) : undefined;
	return asError(context, refused ?? errors.find(isTooMany) ?? errors[0]);
}

function asError(context: IPollFunctions, error: unknown): Error {
	return error instanceof Error
		? error
		: new NodeOperationError(context.getNode(), messageOf(error));
}
