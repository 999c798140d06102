import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { settle, type Settled } from '../shared/concurrency';
import { failure } from '../shared/failure';
import { says } from '../shared/serviceMessages';
import { parseServiceDate } from '../shared/serviceDate';
import { provenNumbering, strongerNumbering } from '../shared/surveyData';
import type { Numbering, SurveyRow } from '../shared/surveyData';
import { isUnsent, listCampaigns, readRecipientsAmount, readSurvey } from './api';
import type { ListedCampaign } from './api';
import { isTooOld } from './campaigns';
import { eventNumbersIn, eventsOfRow } from './events';
import { closingItem, eventItems } from './items';
import { readConcurrently, timesOf, type Api } from './schedule';

/** Items in a sample. */
const SAMPLE_SIZE = 5;

/** With All Campaigns, no read starts after this many campaigns had something to show. */
const ENOUGH_CAMPAIGNS = 4;

type CampaignSample = Awaited<ReturnType<typeof readSample>>;

/**
 * Returns sample items for the editor, and saves nothing. The items are the newest selected events. With Survey Closed, the
 * closing items come first, as if the surveys closed now. If there are no events, an example with `example: true` is made
 * from the questions of a survey, so that users can build the workflow before anybody responds.
 *
 * @throws NodeApiError if the list of campaigns cannot be read, or if there are no events and a read failed.
 *   NodeOperationError if there are neither events nor questions
 */
export async function sampleItems(api: Api): Promise<INodeExecutionData[]> {
	const { context, settings } = api;
	const outcomes = await readSamples(api);
	const samples = outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
	// With the numbering that the active workflow has found, the sample gets the same field names.
	const saved = context.getWorkflowStaticData('node').numbering;
	const known: Numbering | undefined = saved === 0 || saved === 1 ? saved : undefined;
	const numbering = samples.map((each) => each.numbering).reduce(strongerNumbering, known);
	const dated = samples.flatMap(({ campaignId, survey, events }) =>
		eventItems(api, campaignId, survey, events, numbering),
	);
	const items = newest(dated).map(({ item }) => item);
	const closings = samples.flatMap(({ closing }) => (closing ? [{ json: closing }] : []));
	// If only Survey Closed is selected, the set of the other events is empty.
	const isClosingEnough = closings.length > 0 && settings.events === 0;
	if (items.length > 0 || isClosingEnough) return [...closings, ...items].slice(0, SAMPLE_SIZE);

	const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
	// With All Campaigns, it is no error that a campaign is not a survey.
	const error = errors.find((each) => 'selected' in settings.watch || !says('noSurvey', each));
	if (error instanceof Error) throw error;
	const withQuestions = samples.find(({ survey }) => survey.questions.length > 0);
	if (withQuestions)
		return [...closings, ...exampleItems(api, withQuestions, numbering)].slice(-SAMPLE_SIZE);
	throw failure(context)(
		'There are no responses to show yet',
		'The trigger found no survey that shows its questions, either. Send a survey or choose an older one, and try again. Or publish the workflow: it starts with the first response.',
	);
}

/** Reads the campaigns that were sent. With All Campaigns, stops when ENOUGH_CAMPAIGNS have something to show. */
async function readSamples(api: Api): Promise<Array<Settled<CampaignSample>>> {
	const { watch } = api.settings;
	const list = 'all' in watch ? await listCampaigns(api) : undefined;
	const isShown = ({ status, liveAt }: ListedCampaign): boolean =>
		!isUnsent(status) && !isTooOld(api, liveAt);
	const sent = [...(list?.values() ?? [])].filter(isShown);
	const ids = 'selected' in watch ? watch.selected : sent.map(({ id }) => id);
	let withItems = 0;
	const mayStart = (): boolean => 'selected' in watch || withItems < ENOUGH_CAMPAIGNS;
	const outcomes = await readConcurrently(ids, { ...api, mayStart }, async (id) => {
		const outcome = await settle(async () => await readSample(api, id));
		if ('result' in outcome && (outcome.result.events.length > 0 || outcome.result.closing))
			withItems++;
		return outcome;
	});
	return [...outcomes.values()];
}

/** Reads the newest events of a campaign and, with Survey Closed, its closing item. The survey has only their rows. */
async function readSample(api: Api, campaignId: string) {
	const { events: wanted, surveyClosed } = api.settings;
	const read = await readSurvey(api, campaignId);
	const happened = read.result.flatMap((row) => {
		const time = parseServiceDate(row.submittedDate) || 0;
		return eventNumbersIn(eventsOfRow(row) & wanted).map((event) => ({ event, row, time }));
	});
	const events = newest(happened);
	const survey = { ...read, result: [...new Set(events.map(({ row }) => row))] };
	const reported = surveyClosed ? await readRecipientsAmount(api, campaignId) : undefined;
	const closing = surveyClosed && closingItem(campaignId, survey.name, read, reported);
	return { campaignId, survey, numbering: provenNumbering(read), events, closing };
}

/** Sorts the newest events first and events without a time last, and keeps the first `SAMPLE_SIZE` events. */
function newest<Each extends { time: number }>(events: Each[]): Each[] {
	return events.sort((a, b) => b.time - a.time).slice(0, SAMPLE_SIZE);
}

/** Builds the item of one event of a made-up response. */
function exampleItems(api: Api, { campaignId, survey }: CampaignSample, numbering?: Numbering) {
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
	// Raw shows the answer keys. While the numbering is unknown, they would be guessed, so the example has no answers.
	const areKeysGuessed = output === 'raw' && numbering === undefined;
	const questions = areKeysGuessed ? [] : survey.questions;
	for (const [index, question] of questions.entries())
		row[`q.${index + first}`] = exampleAnswer(question);
	const newEvents = eventNumbersIn(events)
		.slice(-1)
		.map((event) => ({ event, row, time: 0 }));
	const items = eventItems(api, campaignId, { ...survey, result: [row] }, newEvents, first);
	return items.map(({ item }) => ({ json: { ...item.json, example: true } }));
}

/**
 * Returns the first option, or a sample text if there are no options. For a matrix, returns this answer for each row.
 * Survey data does not contain the type of a question, so its fields decide.
 */
function exampleAnswer({ options, matrixQuestions }: IDataObject): IDataObject[string] {
	const [option = 'Example answer'] = Array.isArray(options) ? options : [];
	const rows = Array.isArray(matrixQuestions) ? matrixQuestions : [];
	return rows.length > 0 ? Object.fromEntries(rows.map((row) => [String(row), option])) : option;
}
