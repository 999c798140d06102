import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import {
	asNodeError,
	errorItemOrThrow,
	isOutcomeUnknown,
	type ShownError,
} from '../../../../shared/transport/errors/apiError';
import { fieldsIn, trimmed } from '../../../../shared/values';
import type { Operation } from '../../../engine/declaration';
import { itemFactory, type Item } from '../../../engine/item';
import { createTryMemory } from '../../../engine/itemResults';
import { requestBuilder } from '../../../engine/request';
import { callApi } from '../../../engine/sendItem';
import { broadcastContent, message, title } from '../../../fields/broadcastFields';
import { byExpression } from '../../../fields/byExpression';
import { options } from '../../../fields/collections';
import { sendingNotice } from '../../../fields/notice';
import { groupsHaveMembers } from '../../../fields/sending';
import { oneKindOfRequiredRecipients, requiredRecipientFields } from '../../../fields/recipients';
import { approvalOptions, endOfWait, limitWaitTime, questionOf, responseType } from './question';
import { outputWithoutReply } from './webhook';

/** The fields of a broadcast that can be added: button text, emoji and image. The button leads to the question. */
const contentFields = (broadcastContent.options ?? []).filter(
	(option): option is INodeProperties =>
		'type' in option && ['actionLinkText', 'emoji', 'imageUrl'].includes(option.name),
);

/** What became of earlier tries by n8n's Retry On Fail. */
const earlierTries = createTryMemory<{ output?: INodeExecutionData; error?: ShownError }>();

/** POST /int/v1/broadcast with `status: 'live'` and a link to the question. The execution waits for the response. */
export const sendAndWait: Operation = {
	name: 'Send and Wait for Response',
	action: 'Send broadcast and wait for response',
	description:
		'Send a broadcast that asks for an approval or a written answer, and wait for the response',
	notAsTool: [
		'Send and Wait cannot be used as a tool',
		'A tool cannot wait for a person. Use Broadcast: Create or, on n8n 2, add a human review to the tool that needs approval. Nothing was sent.',
	],
	async execute() {
		const item = itemFactory(this)(0);
		try {
			const { output: sent, error: earlier } = earlierTries.recall(item) ?? {};
			// The question was sent, or may have been sent, so Retry On Fail does not send it again.
			if (sent) return [[sent]];
			if (isOutcomeUnknown(earlier)) throw earlier;
			const output = await sendQuestion(this, item);
			// The next try gets the output as its input.
			earlierTries.remember(item, { output }, this.getExecuteData().data.main?.[0]?.[0]);
			return [[output]];
		} catch (error) {
			const nodeError = asNodeError(this.getNode(), error);
			earlierTries.remember(item, { error: nodeError });
			return [[errorItemOrThrow(this, nodeError, 0)]];
		}
	},
	endpoint: ['POST', '/int/v1/broadcast'],
	// `sendQuestion` needs what the second and the third return.
	checks: [oneKindOfRequiredRecipients, questionOf, endOfWait, groupsHaveMembers],
	sends: sendingNotice(
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
		options([limitWaitTime, ...contentFields]),
	],
};

/**
 * Sends the broadcast and pauses the execution. If anything fails, the execution does not wait.
 *
 * @returns what the node outputs when the time limit ends
 */
async function sendQuestion(context: IExecuteFunctions, item: Item): Promise<INodeExecutionData> {
	const { request } = await requestBuilder(sendAndWait)(context.getNode())(item);
	const content = fieldsIn(request.body);
	const question = questionOf(item, content);
	const until = endOfWait(item);
	const actionLink = context.getSignedResumeUrl({ question: question.id });
	const body = { ...content, status: 'live', actionLink };
	const { data } = await callApi(item, { ...request, body });
	// If the service returns no ID, the execution still waits, but the node cannot close the broadcast.
	const broadcastId = trimmed(fieldsIn(data)._id) || null;
	Object.assign(context.getContext('node'), { broadcastId, question: JSON.stringify(question) });
	// n8n 1 checks signatures only after this call. n8n 2 always checks them and does not have this
	// function.
	if (
		'setSignatureValidationRequired' in context &&
		typeof context.setSignatureValidationRequired === 'function'
	) {
		context.setSignatureValidationRequired();
	}
	const output = outputWithoutReply(context.getInputData()[0]?.json ?? {}, broadcastId);
	// When the time limit ends, n8n outputs the input of the waiting node without running it, and the response of an earlier
	// question in it would look like the response to this one (n8n-core 1.122.48 and 2.41.1).
	const { main } = context.getExecuteData().data;
	if (main) main[0] = [output];
	await context.putExecutionToWait(until);
	// A copy, because with an error output n8n empties the list that the node returns (n8n-core 1.122.48 and 2.41.1).
	return { ...output };
}
