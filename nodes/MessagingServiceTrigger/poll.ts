import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { settle, type Outcome } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { strongerNumbering } from '../shared/surveyData';
import { isAccessRefusal } from '../shared/transport/errors/apiError';
import { isTooMany } from '../shared/transport/retry';
import { Clock, isNoSurvey, isNotFound, listCampaigns, readCampaign, type Api } from './api';
import { watchCampaigns, type Times, type Watched } from './campaigns';
import { eventNumbers } from './events';
import { eventItems, type Output } from './items';
import { sample } from './sample';
import { afterPoll, inTurn, isStatusDue, readConcurrently, type Attempt } from './schedule';
import { keysIn, UnreadableKeysError } from './seen';
import { readSettings, type Settings } from './settings';
import {
	loadState,
	memoryOf,
	oneAtATime,
	unreadableState,
	type CampaignState,
	type Contents,
	type Memory,
} from './state';
import { giveUp, isReadNow, processRead, readCampaignData, type Processed } from './survey';

/** The time for a poll if n8n does not state it (versions without getPollBudgetMs): the shortest poll interval. */
const DEFAULT_BUDGET_MS = 60_000;

/** After this share of a poll's time, no read starts, so that reads in flight can finish. */
const SHARE = 0.6;

/** Maximum number of items per poll, to limit n8n's memory. The next polls emit the other new events. */
const MOST_ITEMS = 10_000;

/** A response with more rows counts as large. */
const LARGE_ROWS = 10_000;

/** The static data objects that earlier polls of this process used. */
const polled = new WeakSet<IDataObject>();

/** The result of a read that is given up. */
const NOTHING = { newEvents: [], isHeld: false, isClosed: true, wasAsked: false };

/** What a poll found, by campaign, in the order in which the reads started. */
type Reads = Map<string, Outcome<Processed>>;

/**
 * Reads the survey data of the campaigns that are due and emits the news. In the editor it returns a sample.
 *
 * @returns the items, or `null` if nothing is new
 * @throws NodeApiError if all reads fail, or if all campaigns are watched and their list cannot be read. The saved state
 * then stays unchanged. From the HTTP status of the error, n8n recognizes refused access and too many requests.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = startedAt + SHARE * (this.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const settings = readSettings(this);
	const api: Api = { context: this, clock: new Clock(startedAt), deadline };
	if (this.getMode() === 'manual') return [await sample(api, settings)];

	const data = this.getWorkflowStaticData('node');
	const isInitial = ['init', 'leadershipChange'].includes(this.getActivationMode());
	// If n8n reloads the workflow for each poll, `data` is a new object in every poll. Even then, `isInitial` is true only
	// in the first poll (n8n 2.41.1).
	const isFirst = !polled.has(data);
	polled.add(data);
	const memory = memoryOf(this, isInitial && isFirst);
	return await oneAtATime(memory, async (isWanted) => {
		const isPublished = isFirst && !isInitial;
		return await pollCampaigns(api, data, { memory, settings, isPublished, isWanted });
	});
}

async function pollCampaigns(
	api: Api,
	data: IDataObject,
	{
		memory,
		settings,
		isPublished,
		isWanted,
	}: { memory: Memory; settings: Settings; isPublished: boolean; isWanted: () => boolean },
): Promise<INodeExecutionData[][] | null> {
	const { context, clock } = api;
	const { startedAt } = clock;
	const { state, keep } = loadState(context, data, memory);
	const list = await settle(async () => await listCampaigns(api, settings));
	const campaigns =
		'result' in list ? list.result.map((each) => [each.id, each] as const) : undefined;
	const listed = campaigns && new Map(campaigns);
	const watched = watchCampaigns(state, { listed, settings, times: timesOf(clock), isPublished });
	const fail = (error: unknown): Error => {
		if (isWanted()) keep(contentsOf(watched, clock), 'failure');
		return error instanceof Error
			? error
			: new NodeOperationError(context.getNode(), messageOf(error));
	};
	const errors: unknown[] = [];
	if ('error' in list) {
		if ('all' in settings.watch) throw fail(list.error);
		errors.push(list.error);
		context.logger.warn(
			`The list of campaigns could not be read, so it is unknown which campaigns are closed: ${messageOf(list.error)}`,
		);
	}

	const times = { startedAt, now: clock.now, maxGapMs: settings.maxGapMs, events: settings.events };
	const due = [...watched.readable].flatMap(([id, entry]) => {
		const campaign = watched.campaigns[id];
		const reading = memory.readings.get(id);
		return campaign && isReadNow(id, campaign, entry, reading, times) ? [id] : [];
	});
	const isLimited = errors.some(isTooMany);
	const inOrder = isLimited ? [] : inTurn(due, memory.readings);
	const reads = await readDue(api, watched, inOrder, { settings, memory });
	const refusal = isPublished ? await refusalOfNoSurveys(api, watched, reads, settings) : undefined;
	if (!isWanted()) return null;
	const taken = takeReads(api, watched, reads, settings);
	errors.push(...taken.errors);
	for (const [id, read] of reads)
		if ('result' in read && read.result.wasAsked) {
			const { turn = 0, ...reading } = memory.readings.get(id) ?? {};
			memory.readings.set(id, { ...reading, turn, askedAt: startedAt });
		}
	memory.readings = afterPoll(memory.readings, taken.attempts, watched.readable, startedAt);
	// All fail: the poll fails. A campaign that is not due was read a short time ago.
	const isStopped = isLimited || [...taken.attempts.values()].includes('tooManyRequests');
	const isAnyRead = [...taken.attempts.values()].some(
		(each) => each === 'news' || each === 'quiet',
	);
	const isActive = ({ draft, done }: CampaignState): boolean => draft !== true && done !== true;
	const active = [...watched.readable.keys()].filter((id) => {
		const campaign = watched.campaigns[id];
		return campaign !== undefined && isActive(campaign) && !due.includes(id);
	});
	const isAnyIdle = !isStopped && active.length > 0;
	if (!refusal && errors.length > 0 && !isAnyRead && !isAnyIdle)
		throw fail(errors.find(isTooMany) ?? errors.find(isAccessRefusal) ?? errors[0]);

	const items = buildItems(context, watched, reads, settings.output);
	// A scheduled poll looks like publishing if n8n loads the workflow for each poll. It must not silence other campaigns.
	const mayBeScheduled = context.getActivationMode() === 'update';
	if (refusal && items.length === 0) throw fail(refusal);
	if (refusal && !mayBeScheduled) throw refusal;
	// Nothing can fail after this line, so the saved state and the returned items change together.
	keep(contentsOf(watched, clock), items.length > 0 ? 'items' : 'none');
	return items.length > 0 ? [items] : null;
}

function timesOf({ now, serviceNow, since }: Clock): Times {
	return { now, serviceNow, since };
}

/**
 * Reads the campaigns that are due and finds their news. "Too many requests" ends this poll's reads. A refusal (401, 403)
 * does not: the next campaign may be readable.
 */
async function readDue(
	api: Api,
	{ campaigns, readable, begun }: Watched,
	due: string[],
	{ settings, memory }: { settings: Settings; memory: Memory },
): Promise<Reads> {
	const { clock, deadline } = api;
	let room = MOST_ITEMS;
	const isLarge = (id: string): boolean =>
		Math.max(readable.get(id)?.recipients ?? 0, keysIn(campaigns[id]?.keys)) > LARGE_ROWS;
	const isLast = (read: Outcome<Processed>): boolean =>
		room <= 0 || ('error' in read ? isTooMany(read.error) : read.result.wasLimited);
	return await readConcurrently(due, { deadline, isLarge, isLast }, async (id) => {
		const before = campaigns[id] ?? { since: {}, read: 0 };
		const listed = readable.get(id);
		const read = await settle(async () => {
			const data = await readCampaignData(api, id, before, listed, {
				surveyClosed: settings.surveyClosed,
				isStatusDue: isStatusDue(memory.readings.get(id) ?? {}, clock.startedAt),
			});
			const { now, since } = clock;
			const processed = processRead(id, data, { begun: begun.get(id) ?? 0, since, now, room });
			room -= processed.newEvents.length + (processed.closing ? 1 : 0);
			return processed;
		});
		if ('result' in read || read.error instanceof UnreadableKeysError) return read;
		const given = giveUp(id, before, listed?.name, clock.now);
		const wasLimited = isTooMany(read.error);
		return given ? { result: { ...NOTHING, ...given, wasLimited } } : read;
	});
}

/** Updates the watched campaigns with what was read. @throws NodeOperationError if saved keys cannot be read */
function takeReads(
	{ context }: Api,
	watched: Watched,
	reads: Reads,
	{ watch }: Settings,
): { attempts: Map<string, Attempt>; errors: unknown[] } {
	const { campaigns, readable, notSurveys } = watched;
	const attempts = new Map<string, Attempt>();
	const errors: unknown[] = [];
	for (const [id, read] of reads) {
		if ('result' in read) {
			const { campaign, newEvents, isHeld } = read.result;
			campaigns[id] = campaign;
			attempts.set(id, newEvents.length > 0 || isHeld ? 'news' : 'quiet');
			continue;
		}
		const { error } = read;
		// Without the saved keys, all rows would be emitted again.
		if (error instanceof UnreadableKeysError) throw unreadableState(failure(context));
		const isGone = isNotFound(error) || isAccessRefusal(error);
		if (isNoSurvey(error) && campaigns[id]?.rows === undefined) {
			// "Campaign is not a survey" is remembered only for a campaign that was never read.
			delete campaigns[id];
			notSurveys.push(id);
			attempts.set(id, 'quiet');
			if ('selected' in watch) context.logger.warn(`Campaign ${id} is not a survey`);
		} else if ('all' in watch && isGone && !readable.get(id)) {
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

/** Returns an error that names the selected campaigns that are not surveys; `undefined` if there are none. */
async function refusalOfNoSurveys(
	api: Api,
	{ campaigns, readable }: Watched,
	reads: Reads,
	{ watch }: Settings,
): Promise<Error | undefined> {
	const names: string[] = [];
	if ('all' in watch) return undefined;
	for (const [id, read] of reads) {
		if ('result' in read || !isNoSurvey(read.error) || campaigns[id]?.rows !== undefined) continue;
		const known = readable.get(id);
		const asked = await settle(async () => known ?? (await readCampaign(api, id)));
		names.push(`"${('result' in asked && asked.result.name) || id}"`);
	}
	if (names.length === 0) return undefined;
	return failure(api.context)(
		names.length === 1 ? `${names.join()} is not a survey` : `${names.join(', ')} are not surveys`,
		'Only surveys have responses that the trigger can read. Choose only surveys, then publish the workflow again.',
	);
}

/**
 * Builds the items of all campaigns. If one survey shows whether its answer keys count from 0 or from 1, all surveys are
 * taken to count in the same way.
 */
function buildItems(
	context: IPollFunctions,
	watched: Watched,
	reads: Reads,
	output: Output,
): INodeExecutionData[] {
	const results = new Map(
		[...reads].flatMap(([id, read]) => ('result' in read ? [[id, read.result] as const] : [])),
	);
	for (const { numbering } of results.values())
		watched.numbering = strongerNumbering(watched.numbering, numbering);
	const { numbering } = watched;
	const warn = (message: string): void => context.logger.warn(message);
	return Object.keys(watched.campaigns).flatMap((id) => {
		const { survey, newEvents = [], closing } = results.get(id) ?? {};
		const items = survey ? eventItems(id, survey, newEvents, { output, numbering, warn }) : [];
		return closing ? [...items, { json: closing }] : items;
	});
}

/** Returns what to save. `since` is the earlier of both clocks, as far as the poll has learned them. */
function contentsOf(watched: Watched, clock: Clock): Contents {
	const { filters, listedAt, numbering, notSurveys, begun } = watched;
	const campaigns = { ...watched.campaigns };
	for (const [id, events] of begun) {
		const campaign = campaigns[id];
		if (!campaign) continue;
		const since = { ...campaign.since };
		for (const event of eventNumbers(events))
			if (event in since) since[event] = Math.min(since[event] ?? 0, clock.since);
		campaigns[id] = { ...campaign, since };
	}
	return { filters, listedAt, numbering, campaigns, notSurveys };
}
