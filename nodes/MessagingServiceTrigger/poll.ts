import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { failure, messageOf } from '../shared/failure';
import type { Outcome } from '../shared/concurrency';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isTooMany } from '../shared/transport/retry';
import { processSurveyData } from './campaigns/processSurveyData';
import { afterPoll, inTurn, isDue, type Attempt } from './campaigns/pollSchedule';
import { watchedCampaigns, type Watched } from './campaigns/watchedCampaigns';
import { eventItems } from './items';
import { loadState } from './state/loadState';
import { withMutex } from './state/mutex';
import { forgetProcessState, processState } from './state/processState';
import { damagedState, type CampaignState, type Contents } from './state/savedState';
import { sample } from './sample';
import { readConcurrently } from './api/readConcurrently';
import { isNoSurvey, isNotFound, isRefusedEverywhere, readSurvey } from './api/reads';
import { selectionWithPhases } from './api/selection';
import type { Settings } from './settings';
import { readSettings } from './settings';

/** How long a poll may take where n8n does not say it (before getPollBudgetMs): the shortest interval there is. */
const DEFAULT_BUDGET_MS = 60_000;

/** The share of that time after which nothing more is begun, so that what was begun can end within it. */
const SHARE = 0.6;

/** From so many rows on an answer takes so much memory that only one of its kind is read at a time. */
const LARGE_ROWS = 10_000;

/** About what a row takes in the state, in characters (SeenRows). */
const CHARACTERS_A_ROW = 8;

/** What one campaign gave. */
type Taken = { items: INodeExecutionData[]; campaign: CampaignState };

type Circumstances = { startedAt: number; deadline: number; restarted: boolean };

/** Why nothing more is read in this poll. */
type Stop = 'tooManyRequests' | 'accessRefused';

/** How the reading of the campaigns went. */
type Settled = {
	items: INodeExecutionData[];
	attempts: Map<string, Attempt>;
	errors: unknown[];
};

/** The static data that was polled on in this process. */
const polled = new WeakSet<IDataObject>();

/**
 * One poll: reads the survey data of the campaigns that are due and emits what is new. In the editor it shows a sample.
 *
 * @returns the items; `null` when there is no news
 * @throws NodeApiError, with the HTTP status by which n8n knows refused access and too many requests, when the list of
 * all campaigns fails, or when nothing could be read; n8n's memory stays as it was then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = startedAt + SHARE * (this.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const settings = readSettings(this);
	if (this.getMode() === 'manual') return [await sample(this, settings, startedAt, deadline)];

	const data = this.getWorkflowStaticData('node');
	const isInitial = ['init', 'leadershipChange'].includes(this.getActivationMode());
	// Where each poll loads the workflow anew, only the first one is made in these modes (n8n 2.41.1).
	const restarted = isInitial && !polled.has(data);
	polled.add(data);
	return await withMutex(
		this,
		data,
		async () => await emitNews(this, data, settings, { startedAt, deadline, restarted }),
	);
}

async function emitNews(
	context: IPollFunctions,
	data: IDataObject,
	settings: Settings,
	{ startedAt: now, deadline, restarted }: Circumstances,
): Promise<INodeExecutionData[][] | null> {
	const { events, emitExisting, isRaw, maxGapMs } = settings;
	if (restarted) forgetProcessState(context);
	const notes = processState(context);
	const memory = loadState(context, data, notes);
	const list = await selectionWithPhases(context, settings, now, deadline);
	const { selection } = list;
	const watched = watchedCampaigns(memory.state, selection, {
		now,
		events,
		emitExisting,
		restarted,
	});

	let stop: Stop | undefined;
	let access: Promise<boolean> | undefined;
	const onTooMany = () => (stop ??= 'tooManyRequests');
	/** Finds out whether a failure is one of all campaigns, and ends the reading then. */
	const look = async (error: unknown): Promise<void> => {
		if (isTooMany(error)) onTooMany();
		if (!isAccessRefusal(error)) return;
		access ??= isRefusedEverywhere(context, deadline);
		if (await access) stop = 'accessRefused';
	};
	if ('error' in list) {
		await look(list.error);
		if ('all' in settings.watch) {
			const { state } = memory;
			// What is known goes on, with the baseline of an event that was added just now.
			if (state?.selection === selection.name)
				memory.keep({ ...contentsOf(watched, selection.name), notSurveys: state.notSurveys }, now);
			throw gravest(context, [list.error], stop);
		}
	}

	const ask = async (campaignId: string): Promise<Taken> => {
		const survey = await readSurvey(context, campaignId, deadline, onTooMany).catch(
			async (error: unknown) => {
				await look(error);
				throw error;
			},
		);
		const before = watched.campaigns.get(campaignId) ?? { events };
		const isClosed = watched.listed.get(campaignId)?.phase === 'closed';
		const { news, campaign } = processSurveyData(before, survey, { now, isClosed });
		return { items: eventItems(campaignId, survey, news, isRaw, campaign.numbering), campaign };
	};
	const readable = campaignsToRead(watched, selection.from, now);
	const due = readable.filter(
		(id) => isUrgent(watched, id) || isDue(notes.readings.get(id), now, maxGapMs),
	);
	const outcomes = stop
		? new Map<string, Outcome<Taken>>()
		: await readConcurrently(
				inTurn(due, notes.readings),
				{
					deadline,
					isLarge: (id) => isLarge(watched, id),
					mayGoOn: () => stop === undefined,
				},
				ask,
			);

	const { items, attempts, errors } = settle(context, watched, outcomes, settings, stop);
	if ('error' in list) {
		errors.unshift(list.error);
		context.logger.warn(
			`The list of campaigns could not be read, so it is not known which are closed: ${messageOf(list.error)}`,
		);
	}
	const isAnyRead = [...attempts.values()].some((attempt) => ['news', 'quiet'].includes(attempt));
	notes.readings = afterPoll(notes.readings, attempts, new Set(watched.campaigns.keys()), now);
	const contents = contentsOf(watched, selection.name);
	// What is not due was read well not long ago, so it vouches for the service, unless everything is refused.
	const isWell = isAnyRead || (stop === undefined && due.length < readable.length);
	if (errors.length > 0 && !isWell) {
		memory.keep(contents, now);
		throw gravest(context, errors, stop);
	}

	// From here on nothing can fail: what is remembered changes together with what is returned.
	memory.save(contents, now, items.length > 0);
	return items.length > 0 ? [items] : null;
}

/** The campaigns that may have something to read: not over their time, not yet to come, not closed and done. */
function campaignsToRead(
	{ campaigns, listed }: Watched,
	from: number | undefined,
	now: number,
): string[] {
	return [...campaigns]
		.filter(
			([id, { live, closed }]) =>
				!closed &&
				listed.get(id)?.phase !== 'notYetLive' &&
				(from === undefined || (live ?? now) >= from),
		)
		.map(([id]) => id);
}

/** Whether a campaign is to be read at once: it closed, or a baseline of it is still to be taken. */
function isUrgent({ campaigns, listed }: Watched, id: string): boolean {
	return listed.get(id)?.phase === 'closed' || campaigns.get(id)?.due !== undefined;
}

function isLarge({ campaigns, listed }: Watched, id: string): boolean {
	const rows = Object.values(campaigns.get(id)?.rows ?? {});
	const seen = rows.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_A_ROW;
	return Math.max(seen, listed.get(id)?.recipients ?? 0) > LARGE_ROWS;
}

/** Enters the outcomes, and gives all items in the order of the campaigns, and what failed. */
function settle(
	context: IPollFunctions,
	{ campaigns, notSurveys, listed }: Watched,
	outcomes: Map<string, Outcome<Taken>>,
	{ watch }: Settings,
	stop: Stop | undefined,
): Settled {
	const attempts = new Map<string, Attempt>();
	const itemsBy = new Map<string, INodeExecutionData[]>();
	const errors: unknown[] = [];
	for (const [id, outcome] of outcomes) {
		if ('result' in outcome) {
			const { items, campaign } = outcome.result;
			campaigns.set(id, campaign);
			itemsBy.set(id, items);
			attempts.set(id, items.length > 0 ? 'news' : 'quiet');
			continue;
		}
		const { error } = outcome;
		// Going on without what is remembered would give all rows again.
		if (error instanceof RangeError) throw damagedState(failure(context));
		const isGone = isNotFound(error) || (isAccessRefusal(error) && stop !== 'accessRefused');
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
	const items: INodeExecutionData[] = [];
	for (const id of campaigns.keys()) for (const item of itemsBy.get(id) ?? []) items.push(item);
	return { items, attempts, errors };
}

function contentsOf(
	{ since, forgotten, campaigns, notSurveys }: Watched,
	selection: string,
): Contents {
	const contents: Contents = {
		since,
		selection,
		campaigns: Object.fromEntries(campaigns),
		notSurveys: [...notSurveys],
	};
	if (forgotten !== undefined) contents.forgotten = forgotten;
	return contents;
}

/** The error that tells most: that all is refused, then too many requests, then the first. */
function gravest(context: IPollFunctions, errors: unknown[], stop: Stop | undefined): Error {
	const refused = stop === 'accessRefused' ? errors.find(isAccessRefusal) : undefined;
	const error = refused ?? errors.find(isTooMany) ?? errors[0];
	return error instanceof Error
		? error
		: new NodeOperationError(context.getNode(), messageOf(error));
}
