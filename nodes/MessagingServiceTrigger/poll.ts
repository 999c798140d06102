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
import { DamagedRowsError } from './dedupe/seenRows';
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
import { damagedState } from './state/savedState';

/** How long a poll may take where n8n does not say it (before getPollBudgetMs): the shortest interval there is. */
const DEFAULT_BUDGET_MS = 60_000;

/** The share of that time after which nothing more is begun, so that what was begun can end within it. */
const SHARE = 0.6;

/** The most items of one poll: what is new beyond them comes with the next polls, so that n8n's memory stays bounded. */
const MOST_ITEMS = 10_000;

/** What came of one read: a campaign with its new events, or what went wrong; and why it is the last one of this poll. */
type Read = Outcome<Processed> & { stop?: Stop };

type Start = { startedAt: number; deadline: number; restarted: boolean; published: boolean };

/** The static data that was polled on in this process. */
const polled = new WeakSet<IDataObject>();

/**
 * One poll: reads the survey data of the campaigns that are due and emits what is new. In the editor it shows a sample.
 *
 * @returns the items; `null` when nothing is new
 * @throws NodeApiError, with the HTTP status by which n8n knows refused access and too many requests, when the list of
 * all campaigns fails, or when nothing could be read; what n8n has saved stays as it was then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = startedAt + SHARE * (this.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const settings = readSettings(this);
	if (this.getMode() === 'manual') return [await sample(this, settings, startedAt, deadline)];

	const data = this.getWorkflowStaticData('node');
	const isInitial = ['init', 'leadershipChange'].includes(this.getActivationMode());
	// Where each poll loads the workflow anew, only the first one is made in these modes (n8n 2.41.1).
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
	const isServiceTime = sentAt !== undefined;
	const options = { ...settings, ...known, now, isServiceTime, restarted };
	const watched = watchedCampaigns(state, selection, options);
	if (listError !== undefined && 'all' in settings.watch) {
		// What is known goes on, with the baseline of an event that was added just now.
		if (state?.selection === selection.name)
			buffer({ ...contentsOf(watched, selection.name), notSurveys: state.notSurveys }, now);
		throw asError(context, listError);
	}

	const stopAfter = stopCheck(context, deadline);
	const listStop = listError === undefined ? undefined : await stopAfter(listError);
	const { readable, due } = campaignsToRead(watched, selection.from, known.readings, {
		now: startedAt,
		maxGapMs: settings.maxGapMs,
	});
	let room = MOST_ITEMS;
	const reads = await readConcurrently<Read>(
		listStop ? [] : due,
		{
			deadline,
			isLarge: (id) => isLargeCampaign(watched, id),
			isLast: ({ stop }) => stop !== undefined || room <= 0,
		},
		async (id) => {
			const read = await settle(async () => {
				const data = await readCampaignData(context, watched, id, settings, deadline);
				const processed = processCampaign(id, data, { now, most: room });
				room -= processed.news.length + (processed.closing ? 1 : 0);
				return processed;
			});
			if ('error' in read) return { ...read, stop: await stopAfter(read.error) };
			return { ...read, stop: read.result.wasLimited ? 'tooManyRequests' : undefined };
		},
	);
	const stops = [listStop, ...[...reads.values()].map(({ stop }) => stop)];
	const isRefused = stops.includes('accessRefused');

	if (published && 'selected' in settings.watch) {
		const refusal = await refusalOfNoSurveys(context, reads, watched, deadline);
		if (refusal) {
			buffer(contentsOf(watched, selection.name), now);
			throw refusal;
		}
	}
	const { attempts, errors } = takeReads(context, reads, watched, settings, isRefused);
	const items = buildItems(context, watched, reads, settings.output);
	if (listError !== undefined) {
		errors.unshift(listError);
		context.logger.warn(
			`The list of campaigns could not be read, so it is not known which are closed: ${messageOf(listError)}`,
		);
	}
	known.listedUntil = watched.listedUntil;
	known.readings = afterPoll(
		known.readings,
		attempts,
		new Set(watched.campaigns.keys()),
		startedAt,
	);
	const contents = contentsOf(watched, selection.name);
	// What is not due was read well not long ago, so it vouches for the service, unless everything is refused.
	const isStopped = stops.some((stop) => stop !== undefined);
	const isWell =
		[...attempts.values()].some(isRead) || (!isStopped && due.length < readable.length);
	if (errors.length > 0 && !isWell) {
		buffer(contents, now);
		throw gravest(context, errors, isRefused);
	}

	// From here on nothing can fail: what is saved changes together with what is returned.
	save(contents, now, items.length > 0);
	return items.length > 0 ? [items] : null;
}

/** How far the service's clock is ahead of n8n's; the Date header counts seconds, so a difference below two is none. */
function offsetOf(sentAt: number): number {
	const offset = sentAt - Date.now();
	return Math.abs(offset) < 2_000 ? 0 : offset;
}

/** The items of all campaigns read; what any survey shows of the numbering counts for all. */
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
		const { survey, news, closing } = processed.get(id) ?? {};
		if (!survey || !news) return [];
		const items = eventItems(id, survey, news, { output, numbering, warn });
		return closing ? [...items, { json: closing }] : items;
	});
}

/** Takes over what the reads brought, and says what became of each. @throws NodeOperationError when rows are damaged */
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
			const { campaign, news, isHeld, closing } = read.result;
			campaigns.set(id, campaign);
			if (closing) foundClosed.delete(id);
			attempts.set(id, news.length > 0 || isHeld || closing ? 'news' : 'quiet');
			continue;
		}
		const { error } = read;
		if (isNotFound(error)) foundClosed.delete(id);
		// Going on without them would emit all rows again.
		if (error instanceof DamagedRowsError) throw damagedState(failure(context));
		const isGone = isNotFound(error) || (isAccessRefusal(error) && !isRefused);
		if ('all' in watch && isNoSurvey(error) && campaigns.get(id)?.rows === undefined) {
			campaigns.delete(id);
			notSurveys.add(id);
			attempts.set(id, 'quiet');
		} else if ('all' in watch && isGone && !listed.has(id)) {
			// Deleted, or no longer shared with the caller: nothing is wrong with that.
			attempts.set(id, 'quiet');
		} else {
			errors.push(error);
			attempts.set(id, isTooMany(error) ? 'tooManyRequests' : 'failed');
			context.logger.warn(
				`Campaign ${id} could not be read and is tried again at the next poll: ${messageOf(error)}`,
			);
		}
	}
	return { attempts, errors };
}

/** The error that tells most: that all is refused, then too many requests, then the first. */
function gravest(context: IPollFunctions, errors: unknown[], isRefused: boolean): Error {
	const refused = isRefused ? errors.find(isAccessRefusal) : undefined;
	return asError(context, refused ?? errors.find(isTooMany) ?? errors[0]);
}

function asError(context: IPollFunctions, error: unknown): Error {
	return error instanceof Error
		? error
		: new NodeOperationError(context.getNode(), messageOf(error));
}
