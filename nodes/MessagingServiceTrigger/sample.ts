import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import type { NewEvent } from './dedupe/newEvents';
import { eventNames, eventsOf } from './events';
import { eventItems } from './items';
import { selectionOf } from './api/selection';
import { isNoSurvey, readSurvey } from './api/reads';
import type { Settings } from './settings';
import { CONCURRENCY, readConcurrently } from './api/readConcurrently';

/** Items in a sample. */
const SAMPLE_SIZE = 5;

/** Of all campaigns, newest first, the sample comes from about the first so many that have something to show. */
const ENOUGH_CAMPAIGNS = 4;

type Example = { at: number; item: INodeExecutionData };

/**
 * What the trigger would emit, for the editor: the newest rows there are, by the time of submission, with the events of
 * interest that have happened to them. Saves nothing.
 *
 * @throws NodeApiError when no campaign can be read; NodeOperationError when there are no rows
 */
export async function sample(
	context: IPollFunctions,
	settings: Settings,
	now: number,
	deadline: number,
): Promise<INodeExecutionData[]> {
	const selection = await selectionOf(context, settings, now, deadline);
	const campaignIds = selection.campaigns.map(({ id }) => id);
	const examples: Example[] = [];
	const errors: unknown[] = [];
	let campaignsWithRows = 0;
	while (campaignIds.length > 0) {
		const next = campaignIds.splice(0, CONCURRENCY);
		const outcomes = await readConcurrently(next, { deadline }, async (campaignId) => {
			return await settle(async () => await examplesOf(context, campaignId, settings, deadline));
		});
		for (const outcome of outcomes.values()) {
			if ('error' in outcome) errors.push(outcome.error);
			else if (outcome.result.length > 0) campaignsWithRows++;
			if ('result' in outcome) examples.push(...outcome.result);
		}
		const isEnough = 'all' in settings.watch && campaignsWithRows >= ENOUGH_CAMPAIGNS;
		if (isEnough || Date.now() >= deadline) break;
	}
	if (examples.length > 0) return newest(examples).map(({ item }) => item);

	const isSelected = 'selected' in settings.watch;
	const error = errors.find((failure) => isSelected || !isNoSurvey(failure));
	if (error instanceof Error) throw error;
	throw new NodeOperationError(context.getNode(), 'There are no responses to show yet', {
		description:
			'Nobody has triggered the selected events yet. Answer a survey yourself and try again, or activate the workflow: it starts with the first response.',
	});
}

async function examplesOf(
	context: IPollFunctions,
	campaignId: string,
	{ events, output }: Settings,
	deadline: number,
): Promise<Example[]> {
	const { survey } = await readSurvey(context, campaignId, deadline);
	const happened: Array<NewEvent & { at: number }> = [];
	for (const row of survey.result) {
		const at = typeof row.submittedDate === 'string' ? Date.parse(row.submittedDate) || 0 : 0;
		for (const event of eventNames(eventsOf(row) & events)) happened.push({ event, row, at });
	}
	return newest(happened).map(({ at, ...news }) => ({
		at,
		item: eventItems(campaignId, survey, [news], output)[0] ?? { json: {} },
	}));
}

/** The newest ones, newest first; what says no time comes last. */
function newest<Dated extends { at: number }>(dated: Dated[]): Dated[] {
	return dated.sort((a, b) => b.at - a.at).slice(0, SAMPLE_SIZE);
}
