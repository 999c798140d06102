import type {
	IDataObject,
	INodeExecutionData,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { deepCopy, jsonParse, sleep, UserError } from 'n8n-workflow';

import { cached } from '../../../../shared/cache';
import { apiRequest } from '../../../../shared/transport/apiRequest';
import { messageOf } from '../../../../shared/failure';
import { fieldsIn, isDataObject } from '../../../../shared/values';
import { notePage, PAGE_HEADERS, questionPage, readForm, type Question, type Reply } from './page';

/**
 * The webhooks behind the link of a waiting broadcast, declared as in n8n's own nodes (sendAndWaitWebhooksDescription of
 * n8n 1.123.81 and 2.41.1). The link belongs to a waiting execution, so n8n does not register these webhooks.
 */
export const replyWebhooks = (['GET', 'POST'] as const).map((httpMethod): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

/** How long the page and the workflow wait until the broadcast is closed. */
const WAIT_FOR_CLOSE_MS = 3_000;

/** How long closing the broadcast may take, including the request of an access token. */
const CLOSE_MS = 10_000;

/** How many answered questions this process remembers. */
const MOST_ANSWERED = 10_000;

/**
 * IDs of questions that were answered in this process. Without them, n8n 1.123.81 would resume the workflow once for
 * each of several simultaneous responses.
 */
const answered = new Map<string, true>();

/**
 * Serves the link of a waiting broadcast. A GET shows the question. A valid POST of its form resumes the workflow.
 *
 * Never throws. After an error, even on a GET, n8n would end the wait and run the next node with an empty item (n8n
 * 1.123.81 and 2.41.1).
 */
export async function serveQuestion(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await showOrResume(this);
	} catch (error) {
		this.logger.error(`The page of Send and Wait failed: ${messageOf(error)}`);
		const text = 'Nothing was recorded. Please try again in a moment.';
		return showPage(this, notePage('Something went wrong', text), 500);
	}
}

/** Shows the question or, if a valid form was sent, resumes the workflow. */
async function showOrResume(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const stored = storedContext(context);
	const question =
		typeof stored.question === 'string' ? jsonParse<Question>(stored.question) : undefined;
	const { question: linkedId }: { question?: unknown } = context.getRequestObject().query;
	if (question === undefined || linkedId !== question.id || answered.has(question.id)) {
		const text = 'Somebody has already responded, or the request has expired.';
		return showPage(context, notePage('Nothing to do here', text));
	}
	if (!isPost(context)) return showPage(context, questionPage(question));
	const form: unknown = context.getBodyData();
	const submitted = readForm(question, fieldsIn(form));
	if ('problem' in submitted) return showPage(context, questionPage(question, submitted.problem));
	// Nothing throws from here on, so the page never says "Nothing was recorded" about a recorded response.
	cached(answered, question.id, MOST_ANSWERED, () => true);
	const broadcastId = typeof stored.broadcastId === 'string' ? stored.broadcastId : null;
	return await resume(context, broadcastId, submitted.reply);
}

/** Closes the broadcast, and returns a page and the output with which the workflow goes on. */
async function resume(
	context: IWebhookFunctions,
	broadcastId: string | null,
	reply: Reply,
): Promise<IWebhookResponseData> {
	const data = { ...reply, respondedAt: new Date().toISOString() };
	const { json, pairedItem } = outputWithoutReply(readInput(context), broadcastId);
	await Promise.race([closeBroadcast(context, broadcastId), sleep(WAIT_FOR_CLOSE_MS)]);
	const text = 'Your response was recorded. You can close this page.';
	return {
		...showPage(context, notePage('Thank you', text)),
		workflowData: [[{ json: { ...json, data }, pairedItem }]],
	};
}

/**
 * Returns what the node outputs without a response: the fields of the input item and the broadcast's ID. A response is added
 * as `data`. So a field `data` of the input item is left out: it would look like the response to this question.
 *
 * @param broadcastId null if the service returned no ID
 */
export function outputWithoutReply(
	input: IDataObject,
	broadcastId: string | null,
): INodeExecutionData {
	const json: IDataObject = { ...input, broadcastId };
	// `json` is a copy, so the input item keeps its field.
	delete json.data;
	return { json, pairedItem: { item: 0 } };
}

/** Shows a page. The workflow resumes only if the caller adds `workflowData` to the result. */
function showPage(context: IWebhookFunctions, html: string, status = 200): IWebhookResponseData {
	const response = context.getResponseObject();
	response.status(status).set(PAGE_HEADERS);
	// After a POST, n8n sends the page. After a GET, this function must send it (n8n 1.123.81 and 2.41.1).
	if (isPost(context)) return { webhookResponse: html };
	response.send(html);
	return { noWebhookResponse: true };
}

function isPost(context: IWebhookFunctions): boolean {
	return context.getRequestObject().method === 'POST';
}

/**
 * Returns the data that the node stored when it sent the broadcast: what `getContext('node')` returns in an execution
 * (NodeHelpers of n8n 1.123.81 and 2.41.1). An expression cannot read this data for every name of a node, for example
 * for "constructor".
 */
function storedContext(context: IWebhookFunctions): IDataObject {
	const run = 'runExecutionData' in context ? context.runExecutionData : undefined;
	const { contextData } = fieldsIn(fieldsIn(run).executionData);
	if (!isDataObject(contextData)) throw new UserError('n8n passed no execution data');
	return fieldsIn(contextData[`node:${context.getNode().name}`]);
}

/** Returns the fields of the input item, or none if they can no longer be read. */
function readInput(context: IWebhookFunctions): IDataObject {
	try {
		const json: unknown = context.evaluateExpression('{{ $json }}', 0);
		return isDataObject(json) ? deepCopy(json) : {};
	} catch {
		return {};
	}
}

/**
 * Hides an answered question from recipients (PUT /int/v1/broadcast/:id/close). Never throws, and only logs a failure.
 */
async function closeBroadcast(context: IWebhookFunctions, id: string | null): Promise<void> {
	try {
		if (id === null) throw new UserError('the service returned no ID when it was sent');
		const deadline = AbortSignal.timeout(CLOSE_MS);
		const url = `/int/v1/broadcast/${encodeURIComponent(id)}/close`;
		await apiRequest.call(context, { method: 'PUT', url, deadline });
	} catch (error) {
		context.logger.warn(`Broadcast ${id ?? 'without ID'} could not be closed: ${messageOf(error)}`);
	}
}
