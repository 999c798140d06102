import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { choices, optionsField, switchedOff } from '../../../shared/fieldTypes';
import { statusName } from '../../../shared/statusCodes';
import type { SurveyData } from '../../../shared/surveyData';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { fieldsIn, toSwitch } from '../../../shared/values';
import { choiceAmong, inBody } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import type { Item } from '../../engine/item';
import { outputItems } from '../../engine/output';
import { callApi, nameMissingRecord } from '../../engine/sendItem';
import { broadcastContent, message, title } from '../../fields/broadcastFields';
import { options, readAddedOption } from '../../fields/collections';
import { surveyId } from '../../fields/locators';
import { notice, sendingNotice } from '../../fields/notice';
import { peopleToRemind } from './peopleToRemind';
import { readNotListed, readStatus, readSurveyData } from './surveyReader';

/** The options of Who. */
const reminded = choices({
	notSubmitted: 'Recipients who have not submitted the survey',
	notOpened: 'Recipients who have not opened the survey',
});

/**
 * GET /int/v1/campaign/:id, its surveyData and its report, then POST /int/v1/broadcast to the recipients who have not
 * submitted the survey.
 */
export const remind: Operation = {
	action: 'Remind people of survey',
	description:
		'Remind recipients who have not submitted a survey. The node creates a broadcast, and can send it right away. The output says how many people get no reminder. "withoutAddress": people without a readable email address. "notListed": recipients whom the service counts, but does not list.',
	endpoint: ['POST', '/int/v1/broadcast'],
	checks: [remindedBy],
	claim: (_item, _request, { campaignId = '' }) => ({
		key: campaignId.toLowerCase(),
		message: (count) => `${count} items would remind people of the same survey`,
		advice:
			'Remind people of each survey with one item: switch on Execute Once, on the Settings tab of the node, or use Remove Duplicates before it.',
	}),
	send: async (item, request, { campaignId = '' }) => await remindItem(item, request, campaignId),
	sends: sendingNotice('The reminder goes out to everybody who has not submitted the survey', {
		sendNow: [true],
	}),
	acceptsStatus: ['live'],
	fields: [
		surveyId,
		title,
		message,
		switchedOff(
			'sendNow',
			'Whether to send the reminder right away. If off, the reminder stays a draft.',
			{
				routing: inBody('status', (value, field) => (toSwitch(value, field) ? 'live' : 'draft')),
			},
		),
		notice(
			'staysDraft',
			'The node creates a draft broadcast to those who have not submitted the survey now. Only the console can send it.',
			{ sendNow: [false] },
		),
		broadcastContent,
		options([optionsField('who', reminded, 'notSubmitted', 'Whom to remind')]),
	],
};

/** Returns the choice in Who. @throws for an unknown choice */
function remindedBy(item: Item): string {
	return readAddedOption(item, 'who', 'notSubmitted', choiceAmong(reminded));
}

/** Creates the broadcast. If there is nobody to remind, creates none. */
async function remindItem(
	item: Item,
	request: ApiRequest,
	campaignId: string,
): Promise<INodeExecutionData[]> {
	const survey = await readLiveSurvey(item, campaignId);
	const name = `“${survey.name ?? campaignId}”`;
	const { addresses, withoutAddress, listed } = peopleToRemind(survey, remindedBy(item));
	const { notListed, problem } = await readNotListed(item, campaignId, survey, listed);
	let created: IDataObject = {};
	if (addresses.length > 0) {
		if (problem) item.run.warn(`${problem} Recipients who are not listed get no reminder.`);
		const body = { ...fieldsIn(request.body), recipientEmails: addresses };
		created = fieldsIn((await callApi(item, { ...request, body })).data);
	} else if (problem) {
		throw failure(item)(
			`The service lists nobody to remind of the survey ${name}, but may not list all recipients`,
			`${problem} To remind everybody, use Broadcast: Create. Nothing was sent.`,
		);
	}
	const { _id = null, broadcastUrl = null } = created;
	const sent = addresses.length > 0 && fieldsIn(request.body).status === 'live';
	const about = { campaignId, campaignName: survey.name ?? null };
	const counts = { reminded: addresses.length, withoutAddress, notListed };
	return outputItems([{ _id, broadcastUrl, sent, ...about, ...counts }]);
}

/** Reads the survey data. @throws if the survey is not live or anonymous */
async function readLiveSurvey(item: Item, campaignId: string): Promise<SurveyData> {
	const fail = failure(item);
	try {
		const status = await readStatus(item, campaignId);
		if (statusName(status) !== 'live') {
			throw fail(
				`The survey is not live, but has the status ${statusName(status) ?? String(status)}`,
				'Only people who can answer the survey can be reminded. A draft must be sent first, with Campaign: Send. Nothing was sent.',
			);
		}
		const { survey } = await readSurveyData(item, campaignId);
		if (!survey.anonymous) return survey;
		throw fail(
			`The survey ${survey.name ? `“${survey.name}” ` : ''}is anonymous, so nobody can see who has not submitted it`,
			'Remind everybody with Broadcast: Create instead. Nothing was sent.',
		);
	} catch (error) {
		throw nameMissingRecord(error, [surveyId], { campaignId });
	}
}
