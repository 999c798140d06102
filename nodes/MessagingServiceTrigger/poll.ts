import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { settle, type Settled } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { says } from '../shared/serviceMessages';
import { strongerNumbering } from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isRateLimited } from '../shared/transport/retry';
import { listCampaigns, readCampaign } from './api';
import { filtersOf, isOver, KEPT_MS, watchCampaigns, type Task, type Watched } from './campaigns';
import { eventItems } from './items';
import { sample } from './sample';
import {
	readingsAfter,
	deadlineOf,
	sortByTurn,
	onePollAtATime,
	readConcurrently,
	type Api,
	type Attempt,
	type Poll,
} from './schedule';
import { readSettings } from './settings';
import { loadState, memoryOf } from './state';
import { isReadNow, isResting, readNews, warnOfOlderSurveys, type News } from './survey';

/** Maximum number of items per poll, to limit n8n's memory. The next polls emit the other new events. */
const MOST_ITEMS = 10_000;

/** A response with more rows is treated as large. */
const LARGE_ROWS = 10_000;

/** The static data objects that earlier polls of this process used. */
const polled = new WeakSet<IDataObject>();

/** What a poll found, by task, in the order of the queue. */
type Reads = Map<Task, Settled<News>>;

/**
 * Reads the survey data of the campaigns that are due, and emits the new events. In the editor, it returns a sample.
 *
 * @returns the items, or `null` if nothing is new
 * @throws NodeApiError if all reads fail, or if all campaigns are watched and their list cannot be read. The saved state
 * then stays unchanged. From the HTTP status of the error, n8n recognizes refused access and too many requests.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = deadlineOf(this, startedAt);
	const api: Api = { context: this, settings: readSettings(this), startedAt, deadline };
	if (this.getMode() === 'manual') return [await sample(api)];

	const data = this.getWorkflowStaticData('node');
	const isRestart = ['init', 'leadershipChange'].includes(this.getActivationMode());
	// If n8n reloads the workflow for each poll, `data` is a new object in every poll. Even then, `isRestart` is true only
	// in the first poll (n8n 2.41.1).
	const isFirst = !polled.has(data);
	polled.add(data);
	const memory = memoryOf(this, isRestart && isFirst);
	// n8n 1 emits the result of a running poll even if the workflow is published again. Then two polls would emit the same.
	const takesOver = isFirst && this.getPollBudgetMs === undefined;
	const isPublished = isFirst && !isRestart;
	const published: Poll = { ...api, memory, isPublished, room: MOST_ITEMS };
	return await onePollAtATime(memory, takesOver, (isWanted) =>
		pollCampaigns(published, data, isWanted),
	);
}

/** @param isWanted tells whether the result of this poll is still used. The result of a poll that hung is discarded */
async function pollCampaigns(
	poll: Poll,
	data: IDataObject,
	isWanted: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { context, settings, memory } = poll;
	const { state, keep } = loadState(context, data, memory);

	// 1. List the campaigns, and decide which are watched and since when.
	const isChanged = state !== undefined && state.filters !== filtersOf(poll);
	const listing = listCampaigns(poll, isChanged);
	const list = 'all' in settings.watch ? { result: await listing } : await settle(() => listing);
	const watched = watchCampaigns(poll, state, 'result' in list ? list.result : undefined);

	// 2. Read the campaigns that are due, and find their new events.
	const tasks = [...watched.tasks.values()];
	const due = tasks.filter((task) => isReadNow(poll, task));
	const reads = await readDue(poll, due);

	// 3. Add the results to the watched campaigns.
	const { attempts, errors } = takeReads(poll, watched, reads);
	if ('error' in list) {
		errors.push(list.error);
		const reason = messageOf(list.error);
		context.logger.warn(`The list of campaigns could not be read; statuses are unknown: ${reason}`);
	}
	const refusal = await nonSurveyError(poll, watched);
	if (!state?.filters) await settle(async () => await warnOfOlderSurveys(poll));
	if (!isWanted()) return null;
	const items = buildItems(poll, watched, reads);
	const { tasks: byId, ...contents } = watched;
	memory.readings = readingsAfter(memory.readings, attempts, byId, poll.startedAt);

	// 4. If all reads fail, the poll fails, unless a campaign is not due because it was read a short time ago.
	const isAnyRead = [...attempts.values()].some((each) => each === 'news' || each === 'quiet');
	const isIdle = tasks.some((task) => !isResting(task.campaign) && !due.includes(task));
	const mostUseful = errors.find(isRateLimited) ?? errors.find(isAccessRefusal) ?? errors[0];
	const error = isAnyRead || isIdle ? refusal : mostUseful;
	if (error !== undefined && items.length === 0) keep(contents, 'failure');
	// If n8n loads the workflow for each poll, a scheduled poll looks like publishing. Then a campaign that is not a
	// survey stops the other campaigns for at most one poll.
	const mayBeScheduled = context.getActivationMode() === 'update' && memory.hadNoSurveys === true;
	memory.hadNoSurveys = refusal !== undefined;
	if (error !== undefined && !(mayBeScheduled && items.length > 0)) throw error;

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
	const byId = new Map(due.map((task) => [task.id, task]));
	const inOrder = sortByTurn([...byId.keys()], poll.memory.readings);
	const tasks = inOrder.flatMap((id) => byId.get(id) ?? []);
	const isLarge = ({ listed, campaign }: Task): boolean =>
		Math.max(listed?.recipients ?? 0, campaign.rows ?? 0) > LARGE_ROWS;
	const mayStart = (): boolean => !poll.isLimited && poll.room > 0;
	const read = async (task: Task) => await settle(async () => await readNews(poll, task));
	return await readConcurrently(tasks, { deadline: poll.deadline, isLarge, mayStart }, read);
}

/** Updates the watched campaigns with what was found. */
function takeReads(poll: Poll, { campaigns, notSurveys }: Watched, reads: Reads) {
	const { logger } = poll.context;
	const { watch } = poll.settings;
	const attempts = new Map<string, Attempt>();
	const errors: unknown[] = [];
	for (const [{ id, campaign, listed }, read] of reads) {
		// A campaign over its days is dropped after a read without news, or if reads still fail seven days later.
		let graceMs = KEPT_MS;
		if ('result' in read) {
			const { newEvents, isHeld } = read.result;
			campaigns[id] = read.result.campaign;
			const isNews = newEvents.length > 0 || isHeld;
			attempts.set(id, isNews ? 'news' : 'quiet');
			// Its closing follows with the next read.
			const isClosing = read.result.campaign.open && read.result.campaign.closedAt !== undefined;
			graceMs = isNews || isClosing ? Infinity : 0;
		} else if (says('noSurvey', read.error) && campaign.rows === undefined) {
			// "Campaign is not a survey" is remembered only for a campaign that was never read.
			delete campaigns[id];
			notSurveys.push(id);
			attempts.set(id, 'quiet');
			if ('selected' in watch) logger.warn(`Campaign ${id} is not a survey`);
		} else if ('all' in watch && !listed && !isRateLimited(read.error)) {
			// Not an error: the campaign is missing from the list, because it was deleted or is no longer shared.
			attempts.set(id, 'quiet');
		} else {
			errors.push(read.error);
			attempts.set(id, isRateLimited(read.error) ? 'tooManyRequests' : 'failed');
			const reason = messageOf(read.error);
			logger.warn(`Campaign ${id} could not be read; the next poll tries again: ${reason}`);
		}
		if (attempts.get(id) === 'tooManyRequests') continue;
		if (listed || !isOver(poll, campaigns[id]?.live, graceMs)) continue;
		const name = 'result' in read ? read.result.survey?.name : undefined;
		if (campaigns[id]?.closedAt === undefined)
			logger.warn(
				`The live campaign “${name ?? id}” is no longer watched: Live Within Days have passed since its last new event. To watch it for longer, set Watch to Selected Campaigns.`,
			);
		delete campaigns[id];
	}
	return { attempts, errors };
}

/** Returns an error that names the selected campaigns that are not surveys, if the workflow may have been published. */
async function nonSurveyError(poll: Poll, { notSurveys, tasks }: Watched) {
	if ('all' in poll.settings.watch || !poll.isPublished || notSurveys.length === 0)
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

/**
 * Builds the items of all campaigns in the order of their dates, then the closings. All surveys count their answer keys
 * from the same number. So if one survey shows this number, it applies to all.
 */
function buildItems(poll: Poll, watched: Watched, reads: Reads): INodeExecutionData[] {
	const found = [...reads].flatMap(([{ id }, read]) =>
		'result' in read ? [{ id, ...read.result }] : [],
	);
	for (const each of found)
		watched.numbering = strongerNumbering(watched.numbering, each.numbering);
	const warn = (message: string): void => poll.context.logger.warn(message);
	const options = { output: poll.settings.output, numbering: watched.numbering, warn };
	const dated = found.flatMap(({ id, survey, newEvents }) => {
		const items = survey ? eventItems(id, survey, newEvents, options) : [];
		return items.map((item, place) => ({ item, time: newEvents[place]?.time || 0 }));
	});
	dated.sort((a, b) => a.time - b.time);
	const closings = found.flatMap(({ closing }) => (closing ? [{ json: closing }] : []));
	return [...dated.map(({ item }) => item), ...closings];
}
