import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { messageOf } from '../shared/failure';
import type { Enrolled } from './watchedCampaigns';
import { enrol } from './watchedCampaigns';
import { itemsOf } from './items';
import { sample } from './sample';
import { selectionOf } from './selection';
import { isNoSurvey, readSurvey } from './service';
import type { Settings } from './settings';
import { readSettings } from './settings';
import type { CampaignState } from './state';
import { openMemory } from './state';
import { placeToStart, rememberStop } from './resumePoint';
import { takeAnswer } from './takeAnswer';
import { onePollAtATime } from './onePollAtATime';
import type { Outcome } from '../shared/pool';
import { withinTime } from './withinTime';

/** How long a poll may take where n8n does not say it (before getPollBudgetMs): the shortest interval there is. */
const DEFAULT_BUDGET_MS = 60_000;

/** The share of that time after which nothing more is begun, so that what was begun can end within it. */
const SHARE = 0.6;

/** What one campaign gave. */
type Taken = { items: INodeExecutionData[]; campaign: CampaignState };

type Circumstances = { startedAt: number; deadline: number; restarted: boolean };

/** The static data that was polled on in this process. */
const polled = new WeakSet<IDataObject>();

/**
 * One poll: reads the survey data of every watched campaign and emits what is new. In the editor it shows a sample.
 *
 * @returns the items; `null` when there is no news
 * @throws NodeApiError, with the HTTP status by which n8n knows refused access and too many requests, when the list of
 * campaigns or all campaigns fail; nothing is remembered then
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const deadline = startedAt + SHARE * (this.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const settings = readSettings(this);
	if (this.getMode() === 'manual') return [await sample(this, settings, startedAt, deadline)];

	const data = this.getWorkflowStaticData('node');
	const isInitial = ['init', 'leadershipChange'].includes(this.getActivationMode());
	const restarted = isInitial && !polled.has(data);
	polled.add(data);
	return await onePollAtATime(
		this,
		data,
		async () => await emitNews(this, data, settings, { startedAt, deadline, restarted }),
	);
}

async function emitNews(
	context: IPollFunctions,
	data: IDataObject,
	settings: Settings,
	{ startedAt, deadline, restarted }: Circumstances,
): Promise<INodeExecutionData[][] | null> {
	const { events, emitExisting, isRaw } = settings;
	const memory = openMemory(context, data);
	const selection = await selectionOf(context, settings, startedAt, deadline);
	const enrolled = enrol(memory.state, selection, { now: startedAt, emitExisting, restarted });

	const ask = async (campaignId: string): Promise<Taken> => {
		const survey = await readSurvey(context, campaignId, deadline);
		const { news, campaign } = takeAnswer(
			enrolled.campaigns.get(campaignId) ?? {},
			{ rows: survey.result, anonymous: survey.anonymous === true },
			{ events, emitExisting, now: startedAt },
		);
		return { items: itemsOf(campaignId, survey, news, isRaw), campaign };
	};
	const due = [...enrolled.campaigns]
		.filter(([, { live }]) => selection.from === undefined || (live ?? startedAt) >= selection.from)
		.map(([campaignId]) => campaignId);
	const inOrder = placeToStart(context, enrolled.since, due);
	const outcomes = await withinTime(inOrder, deadline, ask);
	rememberStop(
		context,
		enrolled.since,
		inOrder.find((campaignId) => !outcomes.has(campaignId)),
	);

	const { items, errors } = settle(context, enrolled, outcomes, settings);
	if (errors.length > 0 && errors.length === outcomes.size) throw gravest(context, errors);

	// From here on nothing can fail: what is remembered changes together with what is returned.
	const { since, campaigns, notSurveys } = enrolled;
	memory.save(
		{
			since,
			selection: selection.name,
			campaigns: Object.fromEntries(campaigns),
			notSurveys: [...notSurveys],
		},
		startedAt,
		items.length > 0,
	);
	return items.length > 0 ? [items] : null;
}

/** Enters the outcomes, and gives all items in the order of the campaigns and the errors of those that failed. */
function settle(
	context: IPollFunctions,
	{ campaigns, notSurveys }: Enrolled,
	outcomes: Map<string, Outcome<Taken>>,
	{ watch, events }: Settings,
): { items: INodeExecutionData[]; errors: unknown[] } {
	const items: INodeExecutionData[] = [];
	const errors: unknown[] = [];
	for (const [campaignId, campaign] of [...campaigns]) {
		const outcome = outcomes.get(campaignId);
		if (outcome && 'result' in outcome) {
			campaigns.set(campaignId, outcome.result.campaign);
			for (const item of outcome.result.items) items.push(item);
		} else if (outcome && isNoSurvey(outcome.error) && 'all' in watch) {
			campaigns.delete(campaignId);
			notSurveys.add(campaignId);
		} else if (outcome) {
			errors.push(outcome.error);
			// Chosen before it has questions: all its responses are still to come, so there is no baseline to wait for.
			if (isNoSurvey(outcome.error) && !campaign.rows)
				campaigns.set(campaignId, { events, rows: {} });
			context.logger.warn(
				`Campaign ${campaignId} could not be read and is tried again at the next poll: ${messageOf(outcome.error)}`,
			);
		}
	}
	return { items, errors };
}

/** The error that tells most: refused access, then too many requests, then any. */
function gravest(context: IPollFunctions, errors: unknown[]): Error {
	const withCode = (...codes: string[]) =>
		errors.find((error) => error instanceof NodeApiError && codes.includes(error.httpCode ?? ''));
	const error = withCode('401', '403') ?? withCode('429') ?? errors[0];
	return error instanceof Error
		? error
		: new NodeOperationError(context.getNode(), messageOf(error));
}
