import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import {
	numberingOf,
	strongerNumbering,
	type Numbering,
	type SurveyData,
	type SurveyRow,
} from '../shared/surveyData';
import { isNoSurvey, listCampaigns, readRecipientsAmount, readSurvey, type Api } from './api';
import { eventNames, eventsOf } from './events';
import { closingItem, eventItems } from './items';
import type { NewEvent } from './news';
import { timeOf } from './rows';
import { CONCURRENCY, readConcurrently } from './schedule';
import type { Settings } from './settings';

/** Items in a sample. */
const SAMPLE_SIZE = 5;

/** If all campaigns are watched, reading stops after about this many campaigns with something to show. */
const ENOUGH_CAMPAIGNS = 4;

/** A campaign with its newest events; `survey` has only the rows of these events. */
type Sampled = {
	campaignId: string;
	survey: SurveyData;
	numbering: Numbering | undefined;
	events: Dated[];
	/** The closing item of the campaign, if Survey Closed is selected. */
	closing?: IDataObject;
};

type Dated = NewEvent & { at: number };

/**
 * Returns a sample of items for the editor: the newest selected events. If there are none, returns an example with
 * `example: true`, made from the questions of a survey, so that users can build the workflow before anybody responds. With
 * Survey Closed, the closing items come first, as if the surveys closed now. Saves nothing.
 *
 * @throws NodeApiError if there are no events and a read failed; NodeOperationError if there are neither events nor
 * questions
 */
export async function sample(api: Api, settings: Settings): Promise<INodeExecutionData[]> {
	const { context } = api;
	const { sampled, errors } = await readSamples(api, settings);
	let numbering = savedNumbering(context);
	for (const shown of sampled) numbering = strongerNumbering(numbering, shown.numbering);
	const events = sampled.flatMap(({ campaignId, survey, events: own }) =>
		own.map((event) => ({ ...event, campaignId, survey })),
	);
	const { output } = settings;
	const warn = (message: string): void => context.logger.warn(message);
	const items = newest(events).flatMap(({ campaignId, survey, event, row }) =>
		eventItems(campaignId, survey, [{ event, row }], { output, numbering, warn }),
	);
	// If row events are selected but there are none, the code below adds an example to the closing items.
	const closings = sampled.flatMap(({ closing }) => (closing ? [{ json: closing }] : []));
	if (items.length > 0 || (closings.length > 0 && settings.events === 0))
		return [...closings, ...items].slice(0, SAMPLE_SIZE);

	const isSelected = 'selected' in settings.watch;
	const error = errors.find((failure) => isSelected || !isNoSurvey(failure));
	if (error instanceof Error) throw error;
	const asked = sampled.find(({ survey }) => survey.questions.length > 0);
	if (asked) return [...closings, ...exampleItems(asked, settings, numbering, api.clock.now)];
	throw new NodeOperationError(context.getNode(), 'There are no responses to show yet', {
		description:
			'Nobody has triggered the selected events yet. Answer a survey yourself and try again, or publish the workflow: it starts with the first response.',
	});
}

/** Reads the watched campaigns. If all campaigns are watched, stops when ENOUGH_CAMPAIGNS have something to show. */
async function readSamples(
	api: Api,
	settings: Settings,
): Promise<{ sampled: Sampled[]; errors: unknown[] }> {
	const { deadline } = api;
	const { watch } = settings;
	const campaignIds =
		'selected' in watch
			? [...watch.selected]
			: (await listCampaigns(api, settings)).flatMap(({ id, status }) =>
					status === 'draft' ? [] : [id],
				);
	const sampled: Sampled[] = [];
	const errors: unknown[] = [];
	while (campaignIds.length > 0) {
		const next = campaignIds.splice(0, CONCURRENCY);
		const outcomes = await readConcurrently(next, { deadline }, async (campaignId) => {
			return await settle(async () => await readSample(api, campaignId, settings));
		});
		for (const outcome of outcomes.values()) {
			if ('error' in outcome) errors.push(outcome.error);
			else sampled.push(outcome.result);
		}
		const withEvents = sampled.filter(({ events, closing }) => events.length > 0 || closing);
		const isEnough = 'all' in watch && withEvents.length >= ENOUGH_CAMPAIGNS;
		if (isEnough || Date.now() >= deadline) break;
	}
	return { sampled, errors };
}

async function readSample(
	api: Api,
	campaignId: string,
	{ events: wanted, surveyClosed }: Settings,
): Promise<Sampled> {
	const survey = await readSurvey(api, campaignId);
	const happened: Dated[] = [];
	for (const row of survey.result) {
		const at = timeOf(row.submittedDate) || 0;
		for (const event of eventNames(eventsOf(row) & wanted)) happened.push({ event, row, at });
	}
	const events = newest(happened);
	const result = [...new Set(events.map(({ row }) => row))];
	const sampled = {
		campaignId,
		survey: { ...survey, result },
		numbering: numberingOf(survey),
		events,
	};
	if (!surveyClosed) return sampled;
	const reported = await readRecipientsAmount(api, campaignId);
	return { ...sampled, closing: closingItem(campaignId, survey.name, survey, reported) };
}

/** Sorts newest first, events without a time last, and keeps the first ones. */
function newest<Each extends { at: number }>(dated: Each[]): Each[] {
	return dated.sort((a, b) => b.at - a.at).slice(0, SAMPLE_SIZE);
}

/** Returns the numbering that the active workflow has found, so that the sample has the same field names. */
function savedNumbering(context: IPollFunctions): Numbering | undefined {
	const { numbering } = context.getWorkflowStaticData('node');
	return numbering === 0 || numbering === 1 ? numbering : undefined;
}

/** Builds an item for a made-up response. */
function exampleItems(
	{ campaignId, survey }: Sampled,
	{ events, output }: Settings,
	numbering: Numbering | undefined,
	now: number,
): INodeExecutionData[] {
	const row: SurveyRow = {
		read: true,
		responseSubmitted: true,
		submitted: true,
		submittedDate: new Date(now).toISOString(),
		responseDuration: 60,
	};
	if (survey.anonymous !== true) {
		row.userId = 'example';
		row.userDisplayName = 'Example Person';
		row.userEmail = 'person@example.com';
	}
	const first = numbering ?? 1;
	// In Raw, the example has no answers while the numbering is unknown: guessed keys could belong to the wrong questions.
	const isUnknown = output === 'raw' && numbering === undefined;
	for (const [index, question] of isUnknown ? [] : survey.questions.entries())
		row[`q.${index + first}`] = exampleAnswer(question);
	const newEvents = eventNames(events)
		.slice(0, 1)
		.map((event) => ({ event, row }));
	const items = eventItems(campaignId, { ...survey, result: [row] }, newEvents, {
		output,
		numbering: first,
		warn: () => undefined,
	});
	return items.map(({ json }) => ({ json: { ...json, example: true } }));
}

/**
 * Returns the first option, or a sample text if there are no options. For a matrix, returns this answer for each of its
 * rows. The type of the question is unknown, because survey data does not contain it.
 */
function exampleAnswer({ options, matrixQuestions }: IDataObject): IDataObject[string] {
	const [option = 'Example answer'] = Array.isArray(options) ? options : [];
	const rows = Array.isArray(matrixQuestions) ? matrixQuestions : [];
	return rows.length > 0 ? Object.fromEntries(rows.map((row) => [String(row), option])) : option;
}
