import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { settle, type Settled } from '../shared/concurrency';
import { failure } from '../shared/failure';
import { says } from '../shared/serviceMessages';
import { parseServiceDate } from '../shared/serviceDate';
import {
	provenNumbering,
	strongerNumbering,
	type Numbering,
	type SurveyData,
	type SurveyRow,
} from '../shared/surveyData';
import { isPrepared, listCampaigns, readRecipientsAmount, readSurvey } from './api';
import { eventNames, eventSetOf } from './events';
import { closingItem, eventItems } from './items';
import type { NewEvent } from './news';
import { readConcurrently, timesOf, type Api } from './schedule';

/** Items in a sample. */
const SAMPLE_SIZE = 5;

/** If all campaigns are watched, reading stops after about this many campaigns with something to show. */
const ENOUGH_CAMPAIGNS = 4;

/** An event with its survey. The survey has only the rows that are shown. */
type Shown = NewEvent & { campaignId: string; survey: SurveyData };

/** A campaign with its newest events, and its closing item if Survey Closed is selected. */
type Sampled = Pick<Shown, 'campaignId' | 'survey'> & {
	numbering: Numbering | undefined;
	events: Shown[];
	closings: INodeExecutionData[];
};

/**
 * Returns a sample of items for the editor: the newest selected events. If there are none, returns an example with
 * `example: true`, made from the questions of a survey. So users can build the workflow before anybody responds. With
 * Survey Closed, the closing items come first, as if the surveys closed now. Saves nothing.
 *
 * @throws NodeApiError if there are no events and a read failed. NodeOperationError if there are neither events nor
 *   questions
 */
export async function sample(api: Api): Promise<INodeExecutionData[]> {
	const { context, settings } = api;
	const outcomes = await readSamples(api);
	const sampled = outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
	// With the numbering that the active workflow has found, the sample gets the same field names.
	const saved = context.getWorkflowStaticData('node').numbering;
	let numbering: Numbering | undefined = saved === 0 || saved === 1 ? saved : undefined;
	for (const each of sampled) numbering = strongerNumbering(numbering, each.numbering);
	const warn = (message: string): void => context.logger.warn(message);
	const options = { output: settings.output, numbering, warn };
	const shown = newest(sampled.flatMap(({ events }) => events));
	const items = shown.flatMap((each) => eventItems(each.campaignId, each.survey, [each], options));
	// If row events are selected but there are none, the code below adds an example to the closing items.
	const closings = sampled.flatMap((each) => each.closings);
	if (items.length > 0 || (closings.length > 0 && settings.events === 0))
		return [...closings, ...items].slice(0, SAMPLE_SIZE);

	const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
	const error = errors.find((each) => 'selected' in settings.watch || !says('noSurvey', each));
	if (error instanceof Error) throw error;
	const asked = sampled.find(({ survey }) => survey.questions.length > 0);
	if (asked) return [...closings, ...exampleItems(api, asked, numbering)];
	throw failure(context)(
		'There are no responses to show yet',
		'Nobody has triggered the selected events yet. Answer a survey yourself and try again, or publish the workflow: it starts with the first response.',
	);
}

/** Reads the watched campaigns. If all campaigns are watched, stops when ENOUGH_CAMPAIGNS have something to show. */
async function readSamples(api: Api): Promise<Array<Settled<Sampled>>> {
	const { watch } = api.settings;
	const ids =
		'selected' in watch
			? watch.selected
			: [...(await listCampaigns(api)).values()].flatMap(({ id, status }) =>
					isPrepared(status) ? [] : [id],
				);
	let found = 0;
	const mayStart = (): boolean => 'selected' in watch || found < ENOUGH_CAMPAIGNS;
	const outcomes = await readConcurrently(ids, { ...api, mayStart }, async (id) => {
		const outcome = await settle(async () => await readSample(api, id));
		const { events = [], closings = [] } = 'result' in outcome ? outcome.result : {};
		if (events.length + closings.length > 0) found++;
		return outcome;
	});
	return [...outcomes.values()];
}

async function readSample(api: Api, campaignId: string): Promise<Sampled> {
	const { events: wanted, surveyClosed } = api.settings;
	const { result, ...rest } = await readSurvey(api, campaignId);
	const survey: SurveyData = { ...rest, result: [] };
	const happened = result.flatMap((row) => {
		const time = parseServiceDate(row.submittedDate) || 0;
		const names = eventNames(eventSetOf(row) & wanted);
		return names.map((event) => ({ event, row, time, campaignId, survey }));
	});
	const events = newest(happened);
	survey.result = [...new Set(events.map(({ row }) => row))];
	const all = { ...survey, result };
	const reported = surveyClosed ? await readRecipientsAmount(api, campaignId) : undefined;
	const closing = { json: closingItem(campaignId, survey.name, all, reported) };
	const numbering = provenNumbering(all);
	return { campaignId, survey, numbering, events, closings: surveyClosed ? [closing] : [] };
}

/** Sorts the newest events first and events without a time last, and keeps the first `SAMPLE_SIZE` events. */
function newest<Each extends { time: number }>(dated: Each[]): Each[] {
	return dated.sort((a, b) => b.time - a.time).slice(0, SAMPLE_SIZE);
}

/** Builds an item for a made-up response. */
function exampleItems(api: Api, { campaignId, survey }: Sampled, numbering?: Numbering) {
	const { events, output } = api.settings;
	const row: SurveyRow = {
		read: true,
		responseSubmitted: true,
		submitted: true,
		submittedDate: new Date(timesOf(api).now).toISOString(),
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
	const newEvents = eventNames(events).map((event) => ({ event, row, time: 0 }));
	const options = { output, numbering: first, warn: () => undefined };
	const shown = { ...survey, result: [row] };
	const items = eventItems(campaignId, shown, newEvents.slice(0, 1), options);
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
