import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { fieldAt } from '../../../../shared/field';
import {
	choices,
	dateField,
	groupField,
	numberField,
	optionsField,
	stringField,
} from '../../../../shared/fieldTypes';
import {
	asNodeError,
	failedItem,
	isOutcomeUnknown,
} from '../../../../shared/transport/errors/apiError';
import { isBlank, isDataObject, toChoice, toText, trimmed } from '../../../../shared/values';
import { broadcastContent, message, title } from '../../../fields/broadcastFields';
import { addedOptions, options, savedOr } from '../../../fields/collections';
import { byExpression } from '../../../fields/byExpression';
import { sendsAtOnce } from '../../../fields/notice';
import { oneKindOfRequiredRecipients, requiredRecipientFields } from '../../../fields/recipients';
import { chosenAt, valuesOf } from '../../../engine/conversions';
import type { Operation } from '../../../engine/declaration';
import { buildRequest, sendingFields } from '../../../engine/request';
import { createItems, type Item } from '../../../engine/item';
import { request } from '../../../engine/send';
import { earlierTries } from '../../../engine/tries';
import { withoutReply, type Question } from './question';
import { waitUntil } from './waitLimit';

const responseTypes = choices({
	approval: 'A page with a button to approve and, optionally, a button to decline',
	freeText: 'A page with a field to write in',
});

const approvalTypes = choices({
	single: ['Approve Only'],
	double: ['Approve and Disapprove'],
});

const approvalOptions = groupField(
	'approvalOptions',
	'',
	['values', 'Values'],
	[
		optionsField('approvalType', approvalTypes, 'single', '', { displayName: 'Type of Approval' }),
		stringField('approveLabel', '', { displayName: 'Approve Button Label', default: 'Approve' }),
		stringField('disapproveLabel', '', {
			displayName: 'Disapprove Button Label',
			default: 'Decline',
			displayOptions: { show: { approvalType: ['double'] } },
		}),
	],
	{ placeholder: 'Add option', displayOptions: { hide: { responseType: ['freeText'] } } },
);

const limitTypes = choices({ afterTimeInterval: '', atSpecifiedTime: '' });

const units = choices({ minutes: '', hours: '', days: '' });

const afterInterval = { displayOptions: { show: { limitType: ['afterTimeInterval'] } } };

const limitWaitTime = groupField(
	'limitWaitTime',
	'How long to wait before the workflow continues without a response. Without this option, the workflow waits until somebody responds.',
	['values', 'Values'],
	[
		optionsField('limitType', limitTypes, 'afterTimeInterval', ''),
		numberField('resumeAmount', 1, '', undefined, {
			displayName: 'Amount',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			...afterInterval,
		}),
		optionsField('resumeUnit', units, 'hours', '', { displayName: 'Unit', ...afterInterval }),
		dateField('maxDateAndTime', '', {
			displayName: 'Max Date and Time',
			displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		}),
	],
	{
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
	},
);

/** The fields of a broadcast that can be added: button text, emoji and image. The button leads to the question. */
const content = (broadcastContent.options ?? []).filter(
	(option): option is INodeProperties =>
		'type' in option && ['actionLinkText', 'emoji', 'imageUrl'].includes(option.name),
);

/** POST /int/v1/broadcast with `status: 'live'` and a link to the question. The execution waits for the response. */
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
			return [[await sendQuestion(this)]];
		} catch (error) {
			const nodeError = asNodeError(this.getNode(), error);
			tries.remember(0, { error: nodeError, description: nodeError.description });
			return [[failedItem(this, nodeError, 0)]];
		}
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
		optionsField(
			'responseType',
			responseTypes,
			'approval',
			'Kind of response that the page asks for',
		),
		approvalOptions,
		options([limitWaitTime, ...content]),
	],
};

/**
 * Sends the broadcast and pauses the execution. If anything fails, the execution does not wait.
 *
 * @returns what the node outputs when the time limit ends
 */
async function sendQuestion(context: IExecuteFunctions): Promise<INodeExecutionData> {
	const item = createItems(context)(0);
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
	// If the service returns no ID, the execution still waits, but the node cannot close the broadcast.
	const broadcastId = (isDataObject(data) && trimmed(data._id)) || null;
	Object.assign(context.getContext('node'), {
		broadcastId,
		question: JSON.stringify(question),
	});
	// n8n 1 checks signatures only after this call. n8n 2 always checks them and does not have this
	// function.
	if (
		'setSignatureValidationRequired' in context &&
		typeof context.setSignatureValidationRequired === 'function'
	) {
		context.setSignatureValidationRequired();
	}
	const unanswered = withoutReply(context.getInputData()[0]?.json ?? {}, broadcastId);
	waitWith(context, unanswered);
	await context.putExecutionToWait(until);
	// A copy, because with an error output n8n empties the list that the node returns (n8n-core 1.122.48 and 2.41.1).
	return { ...unanswered };
}

/**
 * Replaces what the waiting node has as its input. When the time limit ends, n8n outputs this input without running the node, and
 * the response of an earlier question in it would look like the response to this one (n8n-core 1.122.48 and 2.41.1).
 */
function waitWith(context: IExecuteFunctions, unanswered: INodeExecutionData): void {
	const { main } = context.getExecuteData().data;
	if (main) main[0] = [unanswered];
}

function questionOf(item: Item): Question {
	const field = fieldAt(item, 'approvalOptions');
	const text = (name: string) => toText(item.getNodeParameter(name, ''), fieldAt(item, name));
	const question: Question = {
		id: crypto.randomUUID(),
		...{ title: text('title'), message: text('message') },
	};
	if (chosenAt(item, 'responseType', responseTypes) === 'freeText') return question;
	const values = valuesIn(item.getNodeParameter('approvalOptions', {}));
	const label = (value: unknown, standard: string) =>
		isBlank(value) ? standard : toText(value, field);
	question.approve = label(values.approveLabel, 'Approve');
	const type = toChoice(savedOr(values, 'approvalType', 'single'), valuesOf(approvalTypes), {
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
