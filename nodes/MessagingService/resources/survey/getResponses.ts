import type { IDataObject } from 'n8n-workflow';

import { choices, optionsField } from '../../../shared/fieldTypes';
import { options, readAddedOption } from '../../fields/collections';
import { surveyId } from '../../fields/locators';
import { limit, returnAll, wantedCount } from '../../fields/getMany';
import { choiceAmong, chosenAt } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { outputItems } from '../../engine/output';
import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { addFlags, surveyItems, warnIfRawHasNames } from '../../../shared/surveyItems';
import type { Item } from '../../engine/item';
import { isForSpreadsheets, safeForSpreadsheets, spreadsheetOption } from './spreadsheets';
import { SURVEY_DATA, readNotListed, readSurveyData } from './surveyReader';

/** The options of Output. */
const forms = choices({
	responses: 'One item per person. The field "answers" usually has the question titles as keys.',
	table: 'One item per person, with one field per question, for spreadsheets and databases',
	raw: 'One item with the data as the service returns it. Return All and Limit then have no effect.',
});

/** The options of Who. */
const respondents = choices({
	everyone: 'Everybody whom the service returns. The service may omit some recipients.',
	notSubmitted: 'Recipients who have not submitted the survey',
	submitted: 'Recipients who submitted the survey',
});

/**
 * GET /int/v1/campaign/:id/surveyData: questions and responses of a survey. With the choice Not Submitted, GET
 * /int/v1/campaign/:id/report is sent, too.
 */
export const getResponses: Operation = {
	action: 'Get survey responses',
	description: 'Get the answers to a survey, person by person',
	endpoint: ['GET', SURVEY_DATA],
	acceptsStatus: ['live', 'closed'],
	checks: [readResponseSettings],
	send: async (item, _request, { campaignId = '' }) =>
		outputItems(await responsesOf(item, campaignId)),
	fields: [
		surveyId,
		optionsField('output', forms, 'responses', 'Format of the output'),
		returnAll,
		limit,
		{
			...options([
				optionsField('who', respondents, 'submitted', 'Whose responses to return'),
				spreadsheetOption,
			]),
			displayOptions: { show: { output: ['responses', 'table'] } },
		},
	],
};

const chosenForm = chosenAt('output', forms);

/** Reads the settings of an item. @throws for an unknown choice or an invalid Limit */
function readResponseSettings(item: Item) {
	return {
		form: chosenForm(item),
		who: readAddedOption(item, 'who', 'submitted', choiceAmong(respondents)),
		limit: wantedCount(item),
		toSafe: isForSpreadsheets(item) ? safeForSpreadsheets : (row: IDataObject) => row,
	};
}

async function responsesOf(item: Item, id: string): Promise<IDataObject[]> {
	const { form, who, limit: maximum, toSafe } = readResponseSettings(item);
	const { warn } = item.run;
	const { survey, raw } = await readSurveyData(item, id);
	if (form === 'raw') {
		warnIfRawHasNames(survey, id, survey.result, warn);
		return [raw];
	}
	if (who === 'notSubmitted') {
		if (survey.anonymous) {
			warn(
				`The survey “${survey.name ?? id}” is anonymous, so these items do not show who has not submitted it. Send a reminder to everybody instead.`,
			);
		}
		const { problem } = await readNotListed(item, id, survey, survey.result.length);
		if (problem) {
			warn(
				`${problem} The list of people who have not submitted the survey may therefore be incomplete.`,
			);
		}
	}
	const rows = selectRows(survey, who, maximum);
	const items = surveyItems(survey, id, rows, form === 'table');
	return items.map((item, index) => toSafe(addFlags(item, rows[index] ?? {})));
}

/**
 * Returns the first rows of everyone, of the people who submitted the survey, or of the people who did not.
 *
 * @param who a value of `respondents`
 * @param maximum the most rows to return
 */
export function selectRows({ result }: SurveyData, who: string, maximum: number): SurveyRow[] {
	const isWanted = ({ submitted }: SurveyRow): boolean =>
		who === 'everyone' || (who === 'submitted' ? submitted === true : submitted !== true);
	return result.filter(isWanted).slice(0, maximum);
}
