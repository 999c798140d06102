import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { messageOf } from '../shared/failure';
import { strongerNumbering } from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isRateLimited } from '../shared/transport/retry';
import { listCampaigns } from './api';
import { isTooOld, KEPT_MS, liveSince, warnOfTooOld, watchCampaigns } from './campaigns';
import type { Task, Watched } from './campaigns';
import { eventItems } from './items';
import { sampleItems } from './sample';
import {
	deadlineOf,
	isFailed,
	onePollAtATime,
	readConcurrently,
	recordAttempt,
	sortByTurn,
} from './schedule';
import type { Api, Poll } from './schedule';
import { readSettings } from './settings';
import { emitsEveryPoll, loadState, memoryOf } from './state';
import {
	countRefusal,
	giveUp,
	isReadNow,
	isUnusable,
	pollCampaign,
	unusableError,
	warnOnceADay,
	type Read,
	type Reads,
} from './survey';

/** Maximum number of items per poll, to limit n8n's memory. The next polls emit the other new events. */
const MOST_ITEMS = 10_000;

/** A response with more rows is treated as large. */
const LARGE_ROWS = 10_000;

/** Whether a poll with this static data object has succeeded. It has an entry for each object of a poll in this process. */
const hasSucceeded = new WeakMap<IDataObject, boolean>();

/**
 * Reads the survey data of the campaigns that are due, and emits the new events. In the editor, it returns a sample.
 *
 * @returns the items, or `null` if nothing is new, if another poll is running, or if another poll took over
 * @throws NodeApiError if all reads fail, or if all campaigns are watched and their list cannot be read. From its HTTP
 *   status, n8n recognizes refused access and too many requests. NodeOperationError if a parameter is invalid, if the saved
 *   state cannot be read, or as `errorOfUnusable`. The saved state stays unchanged
 */
export async function pollService(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = deadlineOf(this, startedAt);
	const api: Api = { context: this, settings: readSettings(this), startedAt, deadline };
	if (this.getMode() === 'manual') return [await sampleItems(api)];

	const data = this.getWorkflowStaticData('node');
	// `data` is new if n8n has just loaded the workflow. n8n 2 may load it for each poll.
	const isNew = !hasSucceeded.has(data);
	if (isNew) hasSucceeded.set(data, false);
	// If publishing fails, n8n 2.41.1 tries four times more with the same `data`. These tries have to fail, too.
	const isFirst = hasSucceeded.get(data) === false;
	// Even if n8n loads the workflow for each poll, only the first poll has one of these modes (n8n 2.41.1).
	const isRestart = isFirst && ['init', 'leadershipChange'].includes(this.getActivationMode());
	const memory = memoryOf(this);
	// Another process may have polled meanwhile. `runningPoll` stays, because it tells a poll that this one takes over.
	if (isRestart) Object.assign(memory, { readings: new Map(), unsaved: undefined });
	// n8n 1 emits the result of a running poll even if the workflow is published meanwhile. Then both polls would emit it.
	const takesOver = isFirst && emitsEveryPoll(this);
	// If nothing was published, the poll only asks once more which selected campaigns are surveys.
	const mayBeJustPublished = isFirst && !isRestart;
	const mayBeScheduled = isNew && this.getActivationMode() === 'update';
	const when = { isRestart, mayBeJustPublished, mayBeScheduled };
	const poll: Poll = { ...api, memory, ...when, room: MOST_ITEMS };
	const result = await onePollAtATime(memory, takesOver, (isWanted) =>
		pollCampaigns(poll, data, isWanted),
	);
	hasSucceeded.set(data, true);
	return result;
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
	const list = await settle(async () => await listCampaigns(poll, liveSince(poll, state)));
	if ('error' in list && 'all' in settings.watch) throw list.error;
	const watched = watchCampaigns(poll, state, 'result' in list ? list.result : undefined);

	// 2. Read the campaigns that are due, and find their new events.
	const tasks = [...watched.tasks.values()];
	const due = tasks.filter((task) => isReadNow(poll, task));
	const reads = await readDue(poll, due);

	// 3. Add the results to the watched campaigns.
	// The failed read of a campaign does not itself show that the service works.
	poll.isWorking = 'result' in list || [...reads.values()].some(({ error }) => !error);
	takeResults(poll, watched, reads);
	const errors = [...reads.values()].filter(isFailed).map(({ error }) => error);
	const isReadable = ({ campaign: { draft, done, refused } }: Task) => !(draft || done || refused);
	const isAnyNotDue = tasks.some((task) => isReadable(task) && !due.includes(task));
	const isAnyRead = isAnyNotDue || errors.length < reads.size;
	if ('error' in list) {
		errors.push(list.error);
		const reason = messageOf(list.error);
		context.logger.warn(`The list of campaigns could not be read; statuses are unknown: ${reason}`);
	}
	const unusable = [...reads].filter(([, read]) => isUnusable(poll, read));
	const isNothingElse = !isAnyNotDue && unusable.length > 0 && unusable.length === reads.size;
	const isStopping = ([{ campaign }]: Read): boolean =>
		isNothingElse || (poll.mayBeJustPublished && campaign.rows === undefined);
	const errorOfUnusable = await unusableError(poll, unusable.filter(isStopping));
	if (!isWanted()) return null;
	if (!state?.filters && 'result' in list) warnOfTooOld(poll, list.result);
	const items = buildItems(poll, watched, reads);
	const { tasks: watchedById, ...contents } = watched;
	for (const id of memory.readings.keys()) if (!watchedById.has(id)) memory.readings.delete(id);

	// 4. If all reads fail, the poll fails, unless another campaign was read a short time ago and is not due.
	const mostUseful = errors.find(isRateLimited) ?? errors.find(isAccessRefusal) ?? errors[0];
	const error = isAnyRead || isNothingElse ? errorOfUnusable : mostUseful;
	// In a scheduled poll, an unusable campaign stops the other campaigns for at most one poll.
	const isPassedOver = poll.mayBeScheduled && memory.foundUnusable && items.length > 0;
	memory.foundUnusable = errorOfUnusable !== undefined;
	if (error !== undefined && !isPassedOver) {
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
async function readDue(poll: Poll, due: Task[]): Promise<Reads> {
	// Room is kept for a closing item per campaign. Half of the room remains, however many campaigns are due.
	poll.room -= Math.min(due.length, MOST_ITEMS / 2);
	const isLarge = ({ listed, campaign }: Task): boolean =>
		Math.max(listed?.recipients ?? 0, campaign.rows ?? 0) > LARGE_ROWS;
	const mayStart = (): boolean => !poll.isRateLimited && poll.room > 0;
	const limits = { deadline: poll.deadline, isLarge, mayStart };
	const read = async (task: Task) => await pollCampaign(poll, task);
	return await readConcurrently(sortByTurn(poll, due), limits, read);
}

/** Updates the watched campaigns with the results of the reads, and gives up reads that have failed for seven days. */
function takeResults(poll: Poll, watched: Watched, reads: Reads): void {
	const { campaigns, notSurveys } = watched;
	const { logger } = poll.context;
	for (const [task, read] of reads) {
		const { id, listed } = task;
		const { attempt, survey } = read;
		const reading = recordAttempt(poll, id, attempt);
		reading.name = survey?.name ?? listed?.name ?? reading.name;
		watched.numbering = strongerNumbering(watched.numbering, read.numbering);
		const campaign = countRefusal(poll, read);
		campaigns[id] = campaign;
		const { name = id } = reading;
		const isOpen = campaign.closedAt === undefined;
		const isGivenUp = (campaign.refused?.ms ?? 0) >= KEPT_MS;
		const isOver = isOpen && !listed && isTooOld(poll, campaign.live);
		if (attempt === 'notSurvey') {
			delete campaigns[id];
			notSurveys.push(id);
			if (isUnusable(poll, read)) logger.warn(`Campaign ${id} is not a survey`);
		} else if (isOver && (attempt === 'noNews' || isGivenUp)) {
			delete campaigns[id];
			logger.warn(
				`The live campaign “${name}” is no longer watched: Live Within Days have passed since its last new event. To watch it for longer, set Watch to Selected Campaigns.`,
			);
		} else if (!isOpen && isGivenUp) {
			const ended = giveUp(id, campaign, name);
			campaigns[id] = ended.campaign;
			reads.set(task, ended);
			logger.warn(`The last responses of “${name}” could not be read for seven days: given up`);
		} else if (isFailed(read)) warnOnceADay(poll, task, read);
	}
}

/** Builds the items of all campaigns in the order of their dates, then the closings. */
function buildItems(poll: Poll, { numbering }: Watched, reads: Reads): INodeExecutionData[] {
	const results = [...reads];
	const dated = results.flatMap(([{ id }, { survey, newEvents }]) =>
		survey ? eventItems(poll, id, survey, newEvents, numbering) : [],
	);
	dated.sort((a, b) => a.time - b.time);
	const closings = results.flatMap(([, { closing }]) => (closing ? [{ json: closing }] : []));
	return [...dated.map(({ item }) => item), ...closings];
}
