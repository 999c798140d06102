import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CAMPAIGN_STATUS } from '../../../shared/statusCodes';
import { failure } from '../../../shared/failure';
import { fieldInfo } from '../../../shared/field';
import { loadedField, numberField, switchedOff } from '../../../shared/fieldTypes';
import { toPositiveInteger, toName, toSwitch } from '../../../shared/values';
import { addedOptions, options, valueOrDefault } from '../../fields/collections';
import { surveyId } from '../../fields/locators';
import { notice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { outputItems } from '../../engine/output';
import type { Item } from '../../engine/item';
import { summarize, withSameFields, type SummarySettings } from './summary/summary';
import { SURVEY_DATA, createSurveyReader, type SurveyReader } from './surveyReader';

const MINIMUM_RESPONSES = 5;
const MINIMUM_COMMENTS = 10;

/**
 * GET /int/v1/campaign/:id/surveyData and GET /int/v1/campaign/:id/report: the responses of a survey, summarized by
 * question. With Only Once Closed, GET /int/v1/campaign/:id is sent first.
 */
export const getSummary: Operation = {
	action: 'Get survey summary',
	description:
		'Retrieve one item per question with counts, averages and eNPS, and the response rate of the survey',
	endpoint: ['GET', SURVEY_DATA],
	acceptsStatus: ['live', 'closed'],
	checks: [readSummarySettings],
	send: async (item, _request, { campaignId = '' }) =>
		outputItems(await summaryOf(item, createSurveyReader(item, campaignId))),
	finish: sameFieldsInAll,
	fields: [
		surveyId,
		notice(
			'summaryOfLiveSurvey',
			'Comparing two summaries of a live survey can reveal the newest answer. To prevent this, add the option Only Once Closed.',
		),
		options([
			loadedField(
				'options',
				'breakDownBy',
				'Break Down By',
				'getSurveyQuestions',
				'Compare groups by this question, for example team. The output has one item per question and segment. Small segments are suppressed. If too few people answered the question, there is only one suppressed segment. A comparison of breakdowns by different questions can still reveal the answers of individual people. You can also enter the title or number of a question.',
				{
					typeOptions: {
						loadOptionsMethod: 'getSurveyQuestions',
						loadOptionsDependsOn: ['campaignId.value'],
					},
				},
			),
			numberField(
				'minimumComments',
				MINIMUM_COMMENTS,
				'Minimum number of free texts needed to show them. If there are fewer, the texts are hidden. A question that has only texts is then hidden whole. Texts are shown unchanged, in random order.',
				1,
			),
			numberField(
				'minimumResponses',
				MINIMUM_RESPONSES,
				'Minimum number of answers needed to show the results of a question, so that nobody can be recognized. Hidden results have no count.',
				1,
			),
			switchedOff('onlyOnceClosed', 'Whether to fail until the survey is closed'),
		]),
	],
};

/** Gives the items of all surveys of a run the same fields. An item with an error stays as it is. */
function sameFieldsInAll(outputs: INodeExecutionData[]): void {
	const summaries = outputs.filter(({ json }) => 'question' in json);
	const same = withSameFields(summaries.map(({ json }) => json));
	for (const [index, output] of summaries.entries()) output.json = same[index] ?? output.json;
}

type GetSummarySettings = SummarySettings & { onlyOnceClosed: boolean };

/**
 * Reads the settings of an item.
 *
 * @throws for an invalid option, so that a mistake does not reveal the answers of individual people
 */
function readSummarySettings(item: Item): GetSummarySettings {
	const added = addedOptions(item);
	const onlyOnceClosed = valueOrDefault(added, 'onlyOnceClosed', false);
	const minimum = (name: string, standard: number) =>
		toPositiveInteger(valueOrDefault(added, name, standard), fieldInfo(item, name));
	return {
		minimumResponses: minimum('minimumResponses', MINIMUM_RESPONSES),
		minimumComments: minimum('minimumComments', MINIMUM_COMMENTS),
		onlyOnceClosed: toSwitch(onlyOnceClosed, fieldInfo(item, 'onlyOnceClosed')),
		...('breakDownBy' in added && {
			breakDownBy: toName(added.breakDownBy, fieldInfo(item, 'breakDownBy')),
		}),
	};
}

async function summaryOf(
	item: Item,
	{ campaignId: id, readSurvey, readRecipientsAmount, readStatus }: SurveyReader,
): Promise<IDataObject[]> {
	const { onlyOnceClosed, ...settings } = readSummarySettings(item);
	const fail = failure(item);
	if (onlyOnceClosed && (await readStatus()) !== CAMPAIGN_STATUS.closed) {
		throw fail(
			'The survey is not closed',
			'The option Only Once Closed is on, so there is no summary until the survey is closed.',
		);
	}
	const { survey } = await readSurvey();
	const { reported, problem } = await readRecipientsAmount();
	if (problem) item.run.warn(`${problem} Recipients and response rate are therefore empty.`);
	return summarize(survey, id, settings, reported, fail);
}
