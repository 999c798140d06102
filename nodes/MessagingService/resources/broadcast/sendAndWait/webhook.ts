import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import { apiRequest } from '../../../../shared/transport/apiRequest';
import { messageOf } from '../../../../shared/failure';
import { isDataObject } from '../../../../shared/values';
import { notePage, PAGE_HEADERS, questionPage } from './page';
import { readReply, toQuestion, type Question, type Reply } from './question';

/**
 * The webhooks behind the link of a waiting broadcast, declared as in n8n's own nodes (sendAndWaitWebhooksDescription of
 * n8n 1.123.81 and 2.41.1). The link belongs to a waiting execution, so n8n does not register these webhooks.
 */
export const replyWebhooks = (['GET', 'POST'] as const).map(
	(httpMethod): IWebhookDescription => ({
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	}),
);

/**
 * How long a reply blocks other replies to the same question. Without the block, n8n 1.123.81 would resume the workflow
 * once for each simultaneous reply.
 */
const REPLY_HOLDS_MS = 60_000;

/** How long the request to close the broadcast may delay the workflow. */
const CLOSE_TIMEOUT_MS = 10_000;

const repliedAt = new Map<string, number>();

/**
 * Serves the link of a waiting broadcast. A GET shows the question; submitting its form resumes the workflow.
 *
 * Never throws: after an error n8n ends the wait and runs the next node with an empty item, even on a GET (n8n 1.123.81 and
 * 2.41.1).
 */
export async function handleReply(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(this);
	} catch (error) {
		this.logger.error(`The page of Send and Wait failed: ${messageOf(error)}`);
		return show(
			this,
			notePage('Something went wrong', 'Nothing was recorded. Please try again in a moment.'),
			500,
		);
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const stored = contextOf(context);
	const question = toQuestion(stored.question);
	const { question: asked }: { question?: unknown } = context.getRequestObject().query;
	if (question === undefined || asked !== question.id || hasReply(question.id)) {
		return show(
			context,
			notePage('Nothing to do here', 'Somebody has already responded, or the request has expired.'),
		);
	}
	if (!isPost(context)) return show(context, questionPage(question));
	const form: unknown = context.getBodyData();
	const reply = readReply(question, isDataObject(form) ? form : {});
	if (reply === undefined) {
		return show(context, questionPage(question, 'Please choose an option or write a response.'));
	}
	return await resume(context, question, stored.broadcastId, reply);
}

async function resume(
	context: IWebhookFunctions,
	{ id }: Question,
	broadcastId: unknown,
	reply: Reply,
): Promise<IWebhookResponseData> {
	const data = { ...reply, respondedAt: new Date().toISOString() };
	const json = { ...inputOf(context), broadcastId: String(broadcastId), data };
	holdOthers(id);
	await closeBroadcast(context, String(broadcastId));
	return {
		...show(context, notePage('Thank you', 'Your response was recorded. You can close this page.')),
		workflowData: [[{ json, pairedItem: { item: 0 } }]],
	};
}

/** Shows a page. The workflow resumes only if the caller adds `workflowData` to the result. */
function show(context: IWebhookFunctions, html: string, status = 200): IWebhookResponseData {
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

/** Returns the data that the node stored when it sent the broadcast. A webhook needs an expression to read this data. */
function contextOf(context: IWebhookFunctions): IDataObject {
	// Braces in the name would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const stored: unknown = context.evaluateExpression(`{{ $node[${name}].context }}`, 0);
	return isDataObject(stored) ? stored : {};
}

/** Returns the fields of the input item, or none if they can no longer be read. */
function inputOf(context: IWebhookFunctions): IDataObject {
	try {
		const json: unknown = context.evaluateExpression('{{ $json }}', 0);
		return isDataObject(json) ? deepCopy(json) : {};
	} catch {
		return {};
	}
}

function hasReply(id: string): boolean {
	return Date.now() - (repliedAt.get(id) ?? -Infinity) < REPLY_HOLDS_MS;
}

function holdOthers(id: string): void {
	for (const known of repliedAt.keys()) if (!hasReply(known)) repliedAt.delete(known);
	repliedAt.set(id, Date.now());
}

/** Hides an answered question from recipients (PUT /int/v1/broadcast/:id/close). A failure is only logged. */
async function closeBroadcast(context: IWebhookFunctions, broadcastId: string): Promise<void> {
	try {
		await apiRequest.call(context, {
			method: 'PUT',
			url: `/int/v1/broadcast/${encodeURIComponent(broadcastId)}/close`,
			timeout: CLOSE_TIMEOUT_MS,
		});
	} catch (error) {
		context.logger.warn(`Broadcast ${broadcastId} could not be closed: ${messageOf(error)}`);
	}
}
