import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { failure, messageOf } from '../shared/failure';
import { settle, type Outcome } from '../shared/concurrency';
import {
	numberingOf,
	strongerNumbering,
	type Numbering,
	type SurveyData,
} from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isTooMany } from '../shared/transport/retry';
import { readConcurrently } from './api/readConcurrently';
import {
	isNoSurvey,
	isNotFound,
	isRefusedEverywhere,
	readCampaign,
	readRecipientsAmount,
	readSurvey,
} from './api/reads';
import { selectionWithPhases } from './api/selection';
import {
	afterPoll,
	campaignsToRead,
	isLargeCampaign,
	isRead,
	type Attempt,
} from './campaigns/pollSchedule';
import { processSurveyData } from './campaigns/processSurveyData';
import { contentsOf, noteOpen, watchedCampaigns, type Watched } from './campaigns/watchedCampaigns';
import { closingItem } from './closingItem';
import type { NewEvent } from './dedupe/newEvents';
import { DamagedRowsError } from './dedupe/seenRows';
import { eventItems, type Output } from './items';
import { sample } from './sample';
import { readSettings, type Settings } from './settings';
import { loadState } from './state/loadState';
import { withMutex } from './state/mutex';
import { forgetProcessState, processState } from './state/processState';
import { damagedState, type CampaignState } from './state/savedState';

/** How long a poll may take where n8n does not say it (before getPollBudgetMs): the shortest interval there is. */
const DEFAULT_BUDGET_MS = 60_000;

/** The share of that time after which nothing more is begun, so that what was begun can end within it. */
const SHARE = 0.6;

/** The most items of one poll: what is new beyond them comes with the next polls, so that n8n's memory stays bounded. */
const MOST_ITEMS = 10_000;

/** Why nothing more is read in this poll. */
type Stop = 'tooManyRequests' | 'accessRefused';

/** What came of one read: a campaign with its items, or what went wrong; and whether it is the last one of this poll. */
type Read = Outcome<Processed> & { stop?: Stop };

/** A campaign after a read, its new events, and the survey with the rows of these alone. */
type Processed = {
	campaign: CampaignState;
	news: NewEvent[];
	isHeld: boolean;
	/** The item of its closing. */
	closing?: IDataObject;
	survey: SurveyData;
	numbering: Numbering | undefined;
};

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
	const { events, surveyClosed, emitExisting } = settings;
	const watched = watchedCampaigns(state, selection, {
		now,
		isServiceTime: sentAt !== undefined,
		listedUntil: known.listedUntil,
		foundClosed: known.foundClosed,
		events,
		surveyClosed,
		emitExisting,
		restarted,
	});
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
	const isLarge = (id: string) => isLargeCampaign(watched, id);
	const reads = await readConcurrently<Read>(
		listStop ? [] : due,
		{ deadline, isLarge, isLast: ({ stop }) => stop !== undefined || room <= 0 },
		async (id) => {
			const campaign = watched.campaigns.get(id) ?? { events };
			const outcome = await settle(
				async () => await readData(context, watched, id, campaign, settings, deadline),
			);
			if ('error' in outcome) {
				if (isNotFound(outcome.error)) watched.foundClosed.delete(id);
				return { ...outcome, stop: await stopAfter(outcome.error) };
			}
			const read = await settle(async () =>
				processCampaign(id, campaign, outcome.result, { now, most: room }),
			);
			if ('result' in read) {
				const { news, closing } = read.result;
				room -= news.length + (closing ? 1 : 0);
				if (closing) watched.foundClosed.delete(id);
			}
			return { ...read, stop: outcome.result.wasLimited ? 'tooManyRequests' : undefined };
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

/** Says of a failure whether nothing more is to be read after it; asks the service at most once who the caller is. */
function stopCheck(
	context: IPollFunctions,
	deadline: number,
): (error: unknown) => Promise<Stop | undefined> {
	let refused: Promise<boolean> | undefined;
	return async (error) => {
		if (isTooMany(error)) return 'tooManyRequests';
		if (!isAccessRefusal(error)) return undefined;
		refused ??= isRefusedEverywhere(context, deadline);
		return (await refused) ? 'accessRefused' : undefined;
	};
}

/** What one reading of a campaign brought. */
type Data = {
	survey: SurveyData;
	wasLimited: boolean;
	/** Whether it was closed before its survey data was asked for. */
	isClosed: boolean;
	/** How many recipients its report counts; asked for at its closing alone. */
	reported: number;
};

/** Reads a campaign, and notes in its state that it is open where the list does not say how far it has got. @throws NodeApiError */
async function readData(
	context: IPollFunctions,
	{ listed, foundClosed }: Watched,
	id: string,
	campaign: CampaignState,
	{ surveyClosed }: Settings,
	deadline: number,
): Promise<Data> {
	const phase = listed.get(id)?.phase;
	const isListed = phase !== undefined && phase !== 'takenForLive';
	const isClosed = phase === 'closed' || (!isListed && foundClosed.has(id));
	const data = await readSurvey(context, id, deadline);
	let { wasLimited } = data;
	if (surveyClosed && !isListed && !isClosed) {
		// The rows first: under a rate limit another request before them could cost this campaign its turn.
		const asked = await settle(async () => await readCampaign(context, id, deadline));
		if ('error' in asked) {
			wasLimited ||= isTooMany(asked.error);
			context.logger.warn(
				`Whether campaign ${id} is closed is not known: ${messageOf(asked.error)}`,
			);
		} else {
			noteOpen(campaign, asked.result.phase, surveyClosed);
			// Its last responses are those of the next reading.
			if (asked.result.phase === 'closed' && campaign.open) foundClosed.add(id);
		}
	}
	const reported =
		isClosed && campaign.open ? await readRecipientsAmount(context, id, deadline) : 0;
	return { survey: data.survey, wasLimited, isClosed, reported };
}

/** What is new in the survey data of a campaign. @throws DamagedRowsError */
function processCampaign(
	id: string,
	before: CampaignState,
	{ survey, isClosed, reported }: Data,
	{ now, most }: { now: number; most: number },
): Processed {
	const processed = processSurveyData(before, survey, { now, isClosed, most });
	// The other rows are let go: the items are built after all campaigns are read.
	const result = [...new Set(processed.news.map(({ row }) => row))];
	return {
		...processed,
		closing: processed.isClosing ? closingItem(id, survey, reported) : undefined,
		survey: { ...survey, result },
		numbering: numberingOf(survey),
	};
}

/** The error that names the chosen campaigns that are no surveys: nothing would ever come of them. */
async function refusalOfNoSurveys(
	context: IPollFunctions,
	reads: Map<string, Read>,
	{ campaigns, listed }: Watched,
	deadline: number,
): Promise<Error | undefined> {
	const names: string[] = [];
	for (const [id, read] of reads) {
		// The service may say so once of a survey that is known.
		const isRefused = 'error' in read && isNoSurvey(read.error) && !campaigns.get(id)?.rows;
		if (!isRefused) continue;
		const known = listed.get(id)?.name;
		const asked = await settle(async () =>
			known === undefined ? await readCampaign(context, id, deadline) : { name: known },
		);
		names.push(`"${('result' in asked && asked.result.name) || id}"`);
	}
	if (names.length === 0) return undefined;
	return failure(context)(
		names.length === 1 ? `${names.join()} is not a survey` : `${names.join(', ')} are not surveys`,
		'Only surveys have responses that the trigger can read. Remove what is none from Campaigns, then publish the workflow again.',
	);
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
	{ campaigns, notSurveys, listed }: Watched,
	{ watch }: Settings,
	isRefused: boolean,
): { attempts: Map<string, Attempt>; errors: unknown[] } {
	const attempts = new Map<string, Attempt>();
	const errors: unknown[] = [];
	for (const [id, read] of reads) {
		if ('result' in read) {
			const { campaign, news, isHeld, closing } = read.result;
			campaigns.set(id, campaign);
			attempts.set(id, news.length > 0 || isHeld || closing ? 'news' : 'quiet');
			continue;
		}
		const { error } = read;
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
