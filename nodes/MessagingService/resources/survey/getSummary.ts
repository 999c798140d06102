import type { INodeExecutionData } from 'n8n-workflow';

import { CAMPAIGN_STATUS } from '../../../shared/statusCodes';
import { failure, type Fail } from '../../../shared/failure';
import { loadedField, numberField, switchedOff } from '../../../shared/fieldTypes';
import { provenNumbering, strongerNumbering, type Numbering } from '../../../shared/surveyData';
import { asNodeError } from '../../../shared/transport/errors/apiError';
import { toList, toPositiveInteger, toName, toSwitch } from '../../../shared/values';
import { addedOptions, options, readAddedOption } from '../../fields/collections';
import { surveyId } from '../../fields/locators';
import { notice } from '../../fields/notice';
import type { Finish, Operation } from '../../engine/declaration';
import { outputItems } from '../../engine/output';
import type { Item } from '../../engine/item';
import { summarize, withSameFields, type Summary } from './summary/summary';
import { isForSpreadsheets, safeForSpreadsheets, spreadsheetOption } from './spreadsheets';
import { SURVEY_DATA, readReportedRecipients, readStatus, readSurveyData } from './surveyReader';

const MINIMUM_RESPONSES = 5;
const MINIMUM_COMMENTS = 10;

const loadOptionsMethod = 'getSurveyQuestions';
/** The list of questions belongs to the chosen survey. */
const ofSurvey = { typeOptions: { loadOptionsMethod, loadOptionsDependsOn: ['campaignId.value'] } };

/**
 * GET /int/v1/campaign/:id/surveyData and GET /int/v1/campaign/:id/report: the responses of a survey, summarized by
 * question. With Only Once Closed, GET /int/v1/campaign/:id is sent first.
 */
export const getSummary: Operation = {
	action: 'Get survey summary',
	description:
		'Summarize the answers to each question: counts, averages, eNPS (employee net promoter score) and response rate',
	endpoint: ['GET', SURVEY_DATA],
	acceptsStatus: ['live', 'closed'],
	checks: [readSummarySettings],
	send: async (item, _request, { campaignId = '' }) => await readToSummarize(item, campaignId),
	finish: finishSummaries,
	fields: [
		surveyId,
		notice(
			'summaryOfLiveSurvey',
			'While a survey is live, somebody may answer between two runs of this operation. The difference between the summaries can then reveal this answer. To prevent this, switch on the option Only Once Closed.',
		),
		options([
			loadedField(
				'options',
				'breakDownBy',
				'Break Down By',
				loadOptionsMethod,
				'The node groups people by their answers to the question that you choose here. If you choose “Your team?”, each question usually gets one item per team. The results of a team with too few answers are hidden (see Minimum Responses). Summaries with different Break Down By questions can together reveal individual answers. An expression can also return the title or number of a question.',
				ofSurvey,
			),
			loadedField(
				'multiOptions',
				'enpsQuestions',
				'eNPS Question',
				loadOptionsMethod,
				'Questions for which the node calculates an eNPS. To get the eNPS of a rating, select the rating here. A rating gets no eNPS if one answer is a number other than 0, 1, 2 … 10. A question with the options 0, 1, 2 … 10 usually gets an eNPS automatically. An expression can also return titles or numbers of questions.',
				ofSurvey,
			),
			numberField(
				'minimumComments',
				MINIMUM_COMMENTS,
				'If fewer people than this number wrote a text for a question, the node hides these texts. A question with only hidden texts is hidden completely.',
				1,
			),
			numberField(
				'minimumResponses',
				MINIMUM_RESPONSES,
				'If fewer people than this number answered a question, the node hides the results and the number of answers',
				1,
			),
			switchedOff(
				'includeEverybody',
				'Whether Break Down By returns one more item for each question, with the results of all people. If all other items of the question are hidden, this item is hidden, too.',
			),
			switchedOff('onlyOnceClosed', 'Whether the operation fails until the survey is closed'),
			spreadsheetOption,
		]),
	],
};

/** What an item read of its survey. */
type Reading = {
	/** Name or ID of the survey. */
	name: string;
	/** The numbering of the answers that the survey proves. */
	proven?: Numbering;
	/**
	 * Returns the summary, or the error of `summarize`. A survey that proves its numbering is already summarized, because it may
	 * be too large to keep.
	 *
	 * @param provenElsewhere the numbering that other surveys of the run prove
	 */
	summaryWith: (provenElsewhere?: Numbering) => Summary | Error;
	fail: Fail;
	/** Whether Safe For Spreadsheets is on. */
	isSafe: boolean;
};

/** The readings by the output of their item, which stays empty until all surveys of the run are read. */
const readings = new WeakMap<INodeExecutionData[], Reading>();

/** Completes the outputs of a run with what its surveys have in common: the numbering, the eNPS questions and the fields. */
function finishSummaries(
	outputs: INodeExecutionData[][],
	warn: (message: string) => void,
): ReturnType<Finish> {
	const read = outputs.flatMap((output) => readings.get(output) ?? []);
	const proven = read.map((reading) => reading.proven).reduce(strongerNumbering, undefined);
	const summaries = read.map((reading) => ({ ...reading, summary: reading.summaryWith(proven) }));
	const found = new Set(
		summaries.flatMap(({ summary }) => ('found' in summary ? summary.found : [])),
	);
	const results = summaries.map(({ name, summary, fail, isSafe }) => {
		if (summary instanceof Error) return summary;
		const nowhere = summary.missing.filter((question) => !found.has(question));
		if (nowhere.length > 0) {
			return fail(
				`No survey has the question “${nowhere.join('”, “')}” for an eNPS`,
				'Check eNPS Questions. A title with a comma must be an entry of a list, for example ={{ ["Yes, or no?"] }}. You can also enter the number of a question.',
			);
		}
		for (const question of summary.missing)
			warn(`The survey “${name}” has no question “${question}” for an eNPS.`);
		for (const warning of summary.warnings) warn(warning);
		return isSafe ? summary.items.map(safeForSpreadsheets) : summary.items;
	});
	const items = withSameFields(
		results.flatMap((result) => (result instanceof Error ? [] : result)),
	);
	return results.map((result) =>
		result instanceof Error ? result : outputItems(items.splice(0, result.length)),
	);
}

/**
 * Reads the settings of an item.
 *
 * @throws for an invalid option, so that a mistake does not reveal the answers of individual people
 */
function readSummarySettings(item: Item) {
	const added = addedOptions(item);
	const minimum = (name: string, standard: number) =>
		readAddedOption(item, name, standard, toPositiveInteger, added);
	const isOn = (name: string) => readAddedOption(item, name, false, toSwitch, added);
	return {
		minimumResponses: minimum('minimumResponses', MINIMUM_RESPONSES),
		minimumComments: minimum('minimumComments', MINIMUM_COMMENTS),
		onlyOnceClosed: isOn('onlyOnceClosed'),
		includeEverybody: isOn('includeEverybody'),
		enpsQuestions: readAddedOption(item, 'enpsQuestions', [], toList, added),
		...('breakDownBy' in added && {
			breakDownBy: readAddedOption(item, 'breakDownBy', '', toName, added),
		}),
		isSafe: isForSpreadsheets(item),
	};
}

/** Reads the survey of an item. Its output stays empty until `finishSummaries` completes it. */
async function readToSummarize(item: Item, campaignId: string): Promise<INodeExecutionData[]> {
	const { onlyOnceClosed, isSafe, ...settings } = readSummarySettings(item);
	const fail = failure(item);
	if (onlyOnceClosed && (await readStatus(item, campaignId)) !== CAMPAIGN_STATUS.closed) {
		throw fail(
			'The survey is not closed',
			'The option Only Once Closed is on, so there is no summary until the survey is closed.',
		);
	}
	const { survey } = await readSurveyData(item, campaignId);
	const { reported, problem } = await readReportedRecipients(item, campaignId);
	if (problem) item.run.warn(`${problem} Recipients and response rate are therefore empty.`);
	const proven = provenNumbering(survey);
	const summarizeWith = (provenElsewhere?: Numbering): Summary | Error => {
		try {
			return summarize(survey, campaignId, settings, reported, fail, provenElsewhere);
		} catch (error) {
			return asNodeError(item.getNode(), error);
		}
	};
	const summary = proven === undefined ? undefined : summarizeWith();
	const output: INodeExecutionData[] = [];
	readings.set(output, {
		...{ name: survey.name ?? campaignId, proven, fail, isSafe },
		summaryWith: summary ? () => summary : summarizeWith,
	});
	return output;
}
