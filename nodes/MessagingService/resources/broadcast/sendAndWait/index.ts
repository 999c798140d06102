import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fieldAt } from '../../../../shared/field';
import {
	asNodeError,
	failedItem,
	isOutcomeUnknown,
} from '../../../../shared/transport/errors/apiError';
import { isBlank, isDataObject, toChoice, toText, trimmed } from '../../../../shared/values';
import { broadcastContent, message, title } from '../../../fields/broadcastFields';
import { addedOptions, options } from '../../../fields/collections';
import { byExpression } from '../../../fields/byExpression';
import { sendsAtOnce } from '../../../fields/notice';
import { oneKindOfRequiredRecipients, requiredRecipientFields } from '../../../fields/recipients';
import { chosenAt, valuesOf, type Operation } from '../../../engine/declaration';
import { buildRequest, sendingFields } from '../../../engine/request';
import { createItems, createRun, earlierTries, request, type Item } from '../../../engine/item';
import type { Question } from './question';
import { waitUntil } from './waitLimit';

const responseTypes: INodePropertyOptions[] = [
	{
		name: 'Approval',
		value: 'approval',
		description: 'A page with a button to approve and, optionally, one to decline',
	},
	{ name: 'Free Text', value: 'freeText', description: 'A page with a field to write in' },
];

const responseType: INodeProperties = {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: responseTypes,
	default: 'approval',
	description: 'Kind of response that the page asks for',
};

const approvalTypes: INodePropertyOptions[] = [
	{ name: 'Approve Only', value: 'single' },
	{ name: 'Approve and Disapprove', value: 'double' },
];

const approvalOptions: INodeProperties = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { hide: { responseType: ['freeText'] } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Type of Approval',
					name: 'approvalType',
					type: 'options',
					default: 'single',
					options: approvalTypes,
				},
				{
					displayName: 'Approve Button Label',
					name: 'approveLabel',
					type: 'string',
					default: 'Approve',
				},
				{
					displayName: 'Disapprove Button Label',
					name: 'disapproveLabel',
					type: 'string',
					default: 'Decline',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
};

const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	description:
		'How long to wait for a response before the workflow continues without one. Without this option, the workflow waits until somebody responds.',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					default: 'afterTimeInterval',
					options: [
						{ name: 'After Time Interval', value: 'afterTimeInterval' },
						{ name: 'At Specified Time', value: 'atSpecifiedTime' },
					],
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'hours',
				},
				{
					displayName: 'Max Date and Time',
					name: 'maxDateAndTime',
					type: 'dateTime',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
					default: '',
				},
			],
		},
	],
};

/** The fields of a broadcast that can be added: button text, emoji and image. The button leads to the question. */
const content = (broadcastContent.options ?? []).filter(
	(option): option is INodeProperties =>
		'type' in option && ['actionLinkText', 'emoji', 'imageUrl'].includes(option.name),
);

/** POST /int/v1/broadcast with `status: 'live'` and a link to the question; the execution waits for the response. */
export const sendAndWait: Operation = {
	name: 'Send and Wait for Response',
	action: 'Send broadcast and wait for response',
	description: 'Ask for an approval or a text in the employee app, and wait for the response',
	notAsTool: [
		'Send and Wait cannot be used as a tool',
		'A tool cannot wait for a person. Use Broadcast: Create or, on n8n 2, add a human review to the tool that needs approval. Nothing was sent.',
	],
	async execute() {
		const tries = earlierTries(this);
		try {
			const earlier = tries.recall(0);
			// The question may have been sent already, so Retry On Fail does not send it again.
			if (earlier?.error && isOutcomeUnknown(earlier.error)) throw earlier.error;
			await sendQuestion(this);
		} catch (error) {
			const nodeError = asNodeError(this.getNode(), error);
			tries.remember(0, { error: nodeError, description: nodeError.description });
			return [[failedItem(this, nodeError, 0)]];
		}
		return [this.getInputData()];
	},
	endpoint: ['POST', '/int/v1/broadcast'],
	checks: [oneKindOfRequiredRecipients],
	sends: sendsAtOnce(
		'The broadcast goes out',
		{ recipientsFrom: ['emails', 'groups', 'newRecipients', byExpression] },
		' Send it to one person: all recipients get the same link, only the first response counts, and the response does not show who responded. Phones must reach this n8n: see <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/send-and-wait.md">what to set up</a>.',
	),
	fields: [
		title,
		message,
		...requiredRecipientFields,
		responseType,
		approvalOptions,
		options([limitWaitTime, ...content]),
	],
};

/** Sends the broadcast and pauses the execution. If anything fails, the execution does not wait. */
async function sendQuestion(context: IExecuteFunctions): Promise<void> {
	const item = createItems(
		context,
		createRun((text) => context.logger.warn(text)),
	)(0);
	const question = questionOf(item);
	const { limitWaitTime: limit } = addedOptions(item);
	const until = waitUntil(valuesIn(limit), fieldAt(item, 'limitWaitTime'), Date.now());
	const fields = sendingFields(sendAndWait, context.getNode());
	const { request: made } = await buildRequest(sendAndWait, fields, item);
	const { data } = await request(item, {
		...made,
		body: {
			...(isDataObject(made.body) ? made.body : {}),
			status: 'live',
			actionLink: context.getSignedResumeUrl({ question: question.id }),
		},
	});
	// Without an ID, the wait goes on, but nothing can close the broadcast.
	const broadcastId = (isDataObject(data) && trimmed(data._id)) || null;
	Object.assign(context.getContext('node'), { broadcastId, question });
	// n8n 1 checks signatures only after this call. n8n 2 always checks them and lacks this function.
	if (
		'setSignatureValidationRequired' in context &&
		typeof context.setSignatureValidationRequired === 'function'
	) {
		context.setSignatureValidationRequired();
	}
	await context.putExecutionToWait(until);
}

function questionOf(item: Item): Question {
	const field = fieldAt(item, 'responseType');
	const question: Question = {
		id: crypto.randomUUID(),
		title: toText(item.getNodeParameter('title', ''), field),
		message: toText(item.getNodeParameter('message', ''), field),
	};
	if (chosenAt(item, 'responseType', 'approval', responseTypes) === 'freeText') return question;
	const values = valuesIn(item.getNodeParameter('approvalOptions', {}));
	const label = (value: unknown, standard: string) =>
		isBlank(value) ? standard : toText(value, field);
	question.approve = label(values.approveLabel, 'Approve');
	const type = toChoice(values.approvalType ?? 'single', valuesOf(approvalTypes), {
		...field,
		label: 'Type of Approval',
	});
	if (type === 'double') question.decline = label(values.disapproveLabel, 'Decline');
	return question;
}

/** Returns the `values` of a fixed collection. */
function valuesIn(collection: unknown): IDataObject {
	return isDataObject(collection) && isDataObject(collection.values) ? collection.values : {};
}
