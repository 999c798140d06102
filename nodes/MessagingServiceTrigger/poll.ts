import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { settle, type Settled } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { says } from '../shared/serviceMessages';
import { strongerNumbering } from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isRateLimited } from '../shared/transport/retry';
import { listCampaigns, readCampaign } from './api';
import { filtersKey, isTooOld, KEPT_MS, watchCampaigns } from './campaigns';
import type { Task, Watched } from './campaigns';
import { eventItems } from './items';
import { sampleItems } from './sample';
import {
	deadlineOf,
	onePollAtATime,
	readConcurrently,
	readingsAfter,
	sortByTurn,
} from './schedule';
import type { Api, Attempt, Poll } from './schedule';
import { readSettings } from './settings';
import { emitsEveryPoll, forgetReads, loadState, memoryOf, type CampaignState } from './state';
import { hasNoRowsToRead, isClosingPending, isReadNow, pollCampaign, warnOfTooOld } from './survey';
import type { CampaignResult } from './survey';

/** Maximum number of items per poll, to limit n8n's memory. The next polls emit the other new events. */
const MOST_ITEMS = 10_000;

/** A response with more rows is treated as large. */
const LARGE_ROWS = 10_000;

/** The static data objects of earlier polls in this process. */
const knownData = new WeakSet<IDataObject>();

/** The results and errors of the reads, in the order of the queue. */
type ReadResults = Map<Task, Settled<CampaignResult>>;

/**
 * Reads the survey data of the campaigns that are due, and emits the new events. In the editor, it returns a sample.
 *
 * @returns the items, or `null` if nothing is new, if another poll is running, or if another poll took over
 * @throws NodeApiError if all reads fail, or if all campaigns are watched and their list cannot be read. From its HTTP
 *   status, n8n recognizes refused access and too many requests. NodeOperationError if a parameter is invalid, if the saved
 *   state cannot be read, or if a selected campaign is not a survey. The saved state stays unchanged
 */
export async function pollService(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = deadlineOf(this, startedAt);
	const api: Api = { context: this, settings: readSettings(this), startedAt, deadline };
	if (this.getMode() === 'manual') return [await sampleItems(api)];

	const data = this.getWorkflowStaticData('node');
	// `data` is new if n8n has just loaded the workflow. n8n 2 may load it for each poll.
	const isJustLoaded = !knownData.has(data);
	knownData.add(data);
	// Even if n8n loads the workflow for each poll, only the first poll has one of these modes (n8n 2.41.1).
	const isRestart = isJustLoaded && ['init', 'leadershipChange'].includes(this.getActivationMode());
	const memory = memoryOf(this);
	if (isRestart) forgetReads(memory);
	// n8n 1 emits the result of a running poll even if the workflow is published meanwhile. Then both polls would emit it.
	const takesOver = isJustLoaded && emitsEveryPoll(this);
	// If nothing was published, the poll only asks once more which selected campaigns are surveys.
	const mayBeJustPublished = isJustLoaded && !isRestart;
	const poll: Poll = { ...api, memory, mayBeJustPublished, room: MOST_ITEMS };
	return await onePollAtATime(memory, takesOver, (isWanted) => pollCampaigns(poll, data, isWanted));
}

/** @param isWanted tells whether the result of this poll is still used (`onePollAtATime`) */
async function pollCampaigns(
	poll: Poll,
	data: IDataObject,
	isWanted: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { context, settings, memory } = poll;
	const { state, keep } = loadState(context, data, memory);

	// 1. List the campaigns, and decide which are watched and since when.
	const haveFiltersChanged = state !== undefined && state.filters !== filtersKey(poll);
	const liveWithinDays = haveFiltersChanged ? Infinity : undefined;
	const list = await settle(async () => await listCampaigns(poll, liveWithinDays));
	if ('error' in list && 'all' in settings.watch) throw list.error;
	const watched = watchCampaigns(poll, state, 'result' in list ? list.result : undefined);

	// 2. Read the campaigns that are due, and find their new events.
	const tasks = [...watched.tasks.values()];
	const due = tasks.filter((task) => isReadNow(poll, task));
	const reads = await readDue(poll, due);

	// 3. Add the results to the watched campaigns.
	const { attempts, errors } = takeResults(poll, watched, reads);
	const isAnyRead = errors.length < attempts.size;
	if ('error' in list) {
		errors.push(list.error);
		const reason = messageOf(list.error);
		context.logger.warn(`The list of campaigns could not be read; statuses are unknown: ${reason}`);
	}
	const errorOfNonSurveys = await nonSurveyError(poll, watched);
	if (!state?.filters) await settle(async () => await warnOfTooOld(poll));
	if (!isWanted()) return null;
	const items = buildItems(poll, watched, reads);
	const { tasks: watchedById, ...contents } = watched;
	memory.readings = readingsAfter(memory.readings, attempts, watchedById, poll.startedAt);

	// 4. If all reads fail, the poll fails, unless another campaign was read a short time ago and is not due.
	const isAnyNotDue = tasks.some((each) => !hasNoRowsToRead(each.campaign) && !due.includes(each));
	const mostUseful = errors.find(isRateLimited) ?? errors.find(isAccessRefusal) ?? errors[0];
	const error = isAnyRead || isAnyNotDue ? errorOfNonSurveys : mostUseful;
	// If n8n loads the workflow for each poll, a scheduled poll looks like publishing. Then a campaign that is not a
	// survey stops the other campaigns for at most one poll.
	const mayBeScheduled = memory.foundNonSurveys && context.getActivationMode() === 'update';
	memory.foundNonSurveys = errorOfNonSurveys !== undefined;
	if (error !== undefined && (items.length === 0 || !mayBeScheduled)) {
		// With items, nothing is kept: the next poll finds the same events and emits them.
		if (items.length === 0) keep(contents, 'failure');
		throw error;
	}

	// 5. Save. Nothing can fail after this line, so the saved state and the returned items change together.
	keep(contents, items.length > 0 ? 'items' : 'none');
	return items.length > 0 ? [items] : null;
}

/**
 * Reads the campaigns that are due, and finds their new events. "Too many requests" ends this poll's reads. A refusal
 * (401, 403) does not: the next campaign may be readable.
 */
async function readDue(poll: Poll, due: Task[]): Promise<ReadResults> {
	// Room is kept for a closing item per campaign. Half of the room remains, however many campaigns are due.
	poll.room -= Math.min(due.length, MOST_ITEMS / 2);
	const isLarge = ({ listed, campaign }: Task): boolean =>
		Math.max(listed?.recipients ?? 0, campaign.rows ?? 0) > LARGE_ROWS;
	const mayStart = (): boolean => !poll.isRateLimited && poll.room > 0;
	const limits = { deadline: poll.deadline, isLarge, mayStart };
	const read = async (task: Task) => await settle(async () => await pollCampaign(poll, task));
	return await readConcurrently(sortByTurn(due, poll.memory.readings), limits, read);
}

/** Updates the watched campaigns with the results of the reads, and logs failures. */
function takeResults(poll: Poll, watched: Watched, reads: ReadResults) {
	const { campaigns, notSurveys } = watched;
	const { logger } = poll.context;
	const attempts = new Map<string, Attempt>();
	const errors: unknown[] = [];
	for (const [task, read] of reads) {
		const { id } = task;
		const attempt = attemptOf(poll, task, read);
		attempts.set(id, attempt);
		if ('result' in read) {
			campaigns[id] = read.result.campaign;
			watched.numbering = strongerNumbering(watched.numbering, read.result.numbering);
		} else if (attempt === 'notSurvey') {
			delete campaigns[id];
			notSurveys.push(id);
			if ('selected' in poll.settings.watch) logger.warn(`Campaign ${id} is not a survey`);
		} else if (attempt !== 'missing') {
			errors.push(read.error);
			const reason = messageOf(read.error);
			logger.warn(`Campaign ${id} could not be read; the next poll tries again: ${reason}`);
		}
		const campaign = campaigns[id];
		if (task.listed || !campaign || !isDropped(poll, campaign, attempt)) continue;
		const name = 'result' in read ? read.result.survey?.name : undefined;
		if (campaign.closedAt === undefined)
			logger.warn(
				`The live campaign “${name ?? id}” is no longer watched: Live Within Days have passed since its last new event. To watch it for longer, set Watch to Selected Campaigns.`,
			);
		delete campaigns[id];
	}
	return { attempts, errors };
}

function attemptOf(poll: Poll, task: Task, read: Settled<CampaignResult>): Attempt {
	if ('result' in read) {
		const { newEvents, hasMoreEvents } = read.result;
		return newEvents.length > 0 || hasMoreEvents ? 'news' : 'noNews';
	}
	// "Campaign is not a survey" is believed only of a campaign that was never read.
	if (says('noSurvey', read.error) && task.campaign.rows === undefined) return 'notSurvey';
	if (isRateLimited(read.error)) return 'rateLimited';
	return 'all' in poll.settings.watch && !task.listed ? 'missing' : 'failed';
}

/**
 * Whether a campaign that is not on the list is no longer watched. If its Live Within Days have passed, it is dropped
 * after a read without news. If its reads fail, it is dropped seven days later.
 */
function isDropped(poll: Poll, campaign: CampaignState, attempt: Attempt): boolean {
	// A pending closing follows with the next read.
	if (attempt === 'noNews') return !isClosingPending(campaign) && isTooOld(poll, campaign.live);
	return (attempt === 'missing' || attempt === 'failed') && isTooOld(poll, campaign.live, KEPT_MS);
}

/** Returns an error that names the selected campaigns that are not surveys, if the workflow may have been published. */
async function nonSurveyError(poll: Poll, { notSurveys, tasks }: Watched) {
	if ('all' in poll.settings.watch || !poll.mayBeJustPublished || notSurveys.length === 0)
		return undefined;
	const names: string[] = [];
	for (const id of notSurveys) {
		const listed = tasks.get(id)?.listed;
		const asked = await settle(async () => listed ?? (await readCampaign(poll, id)));
		names.push(`"${('result' in asked && asked.result.name) || id}"`);
	}
	return failure(poll.context)(
		names.length === 1 ? `${names.join()} is not a survey` : `${names.join(', ')} are not surveys`,
		'Only surveys have responses that the trigger can read. Choose only surveys, then publish the workflow again.',
	);
}

/** Builds the items of all campaigns in the order of their dates, then the closings. */
function buildItems(poll: Poll, { numbering }: Watched, reads: ReadResults): INodeExecutionData[] {
	const warn = (message: string): void => poll.context.logger.warn(message);
	const options = { output: poll.settings.output, numbering, warn };
	const dated: Array<{ item: INodeExecutionData; time: number }> = [];
	const closings: INodeExecutionData[] = [];
	for (const [{ id }, read] of reads) {
		if ('error' in read) continue;
		const { survey, newEvents, closing } = read.result;
		const items = survey ? eventItems(id, survey, newEvents, options) : [];
		for (const [index, item] of items.entries())
			dated.push({ item, time: newEvents[index]?.time || 0 });
		if (closing) closings.push({ json: closing });
	}
	dated.sort((a, b) => a.time - b.time);
	return [...dated.map(({ item }) => item), ...closings];
}
