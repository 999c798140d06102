import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { isDataObject } from '../../../shared/values';
import { asNodeError } from '../../../shared/transport/errors/apiError';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { buildPath } from '../../../shared/transport/address';
import { request, type Item } from '../../engine/item';
import { surveyId } from '../../fields/locators';
import { nameMissingRecord } from '../../engine/missingRecord';
import { goLive } from '../campaign/goLive';
import { explainUnknownRecipients } from './unknownRecipients';

export type Launch = {
	/** Body of survey.create in emulator/openapi.yaml. */
	survey: IDataObject;
	/** Body of campaign.addRecipients: `recipientEmails`, `recipientGroups` or `recipients`. */
	recipients: IDataObject;
	sendNow: boolean;
	/** A draft of an earlier run, to continue with. */
	draftId?: string;
};

type Draft = { id: string; campaignUrl?: unknown; isNew: boolean };

/** Status code of a draft (campaign.create in emulator/openapi.yaml). */
const DRAFT = '0';

/**
 * Creates a survey or continues with a draft, adds the recipients and, with `sendNow`, sends the survey. A failed step ends
 * the sequence.
 *
 * @returns `_id` and `campaignUrl` of the survey, and whether it was sent
 * @throws the error of the failed step. If adding the recipients or sending failed, its description names the draft and the
 *   completed steps.
 */
export async function launchSurvey(item: Item, launch: Launch): Promise<IDataObject> {
	const { recipients, sendNow, draftId = draftOf(item.failedBefore) } = launch;
	const draft = await (draftId === undefined
		? create(item, launch.survey)
		: draftToContinue(item, draftId).catch((error: unknown) => {
				const named = nameMissingRecord(error, [surveyId], { campaignId: draftId });
				throw withDraft(item, draftId, named);
			}));
	const url = buildPath('/int/v1/campaign/:campaignId', { campaignId: draft.id }, failure(item));
	const sendingIsMissing = sendNow ? ' The survey was not sent.' : '';
	await step(item, draft, `adding the recipients failed.${sendingIsMissing}`, async () => {
		const add: ApiRequest = { method: 'PUT', url: `${url}/addRecipients`, body: recipients };
		await addRecipients(item, add, recipients.recipientEmails);
	});
	if (sendNow) {
		await step(item, draft, 'sending failed. The recipients were added.', async () => {
			await goLive(item, { url });
		});
	}
	// The most important field comes first, because n8n's table cuts off the last columns.
	return { sent: sendNow, _id: draft.id, campaignUrl: draft.campaignUrl ?? null };
}

/** Adds the recipients. If the service does not know some of them, the heading of the error says so. */
async function addRecipients(item: Item, add: ApiRequest, recipientEmails: unknown): Promise<void> {
	try {
		await request(item, add);
	} catch (cause) {
		const error = asNodeError(item.getNode(), cause);
		throw Object.assign(error, explainUnknownRecipients(error, recipientEmails));
	}
}

/** Returns the ID of the draft that an earlier try by n8n's Retry On Fail created. */
function draftOf(error: unknown): string | undefined {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	const draftId: unknown = isNodeError ? error.context.draftId : undefined;
	return typeof draftId === 'string' ? draftId : undefined;
}

async function create(item: Item, survey: IDataObject): Promise<Draft> {
	const { data } = await request(item, {
		method: 'POST',
		url: '/int/v1/campaign/survey',
		body: survey,
	});
	const { _id, campaignUrl } = isDataObject(data) ? data : {};
	if (typeof _id === 'string' && _id !== '') return { id: _id, campaignUrl, isNew: true };
	const error = asNodeError(
		item.getNode(),
		failure(item)(
			'The service created the survey but returned no ID',
			'The survey is a draft. It has no recipients, and nobody has received it. Find its ID in the console, then run again with the option Continue With Draft.',
		),
	);
	// Prevents another try by n8n's Retry On Fail, which would create a second survey.
	error.context.outcomeUnknown = true;
	throw error;
}

/** Checks that the campaign is still a draft, because recipients added to a live campaign receive it immediately. */
async function draftToContinue(item: Item, draftId: string): Promise<Draft> {
	const fail = failure(item);
	const url = buildPath('/int/v1/campaign/:campaignId', { campaignId: draftId }, fail);
	const { data } = await request(item, { method: 'GET', url });
	const { status, campaignUrl } = isDataObject(data) ? data : {};
	if (status === DRAFT) return { id: draftId, campaignUrl, isNew: false };
	throw fail(
		`Survey "${draftId}" is not a draft`,
		'Continue With Draft works only on drafts. Check the survey in the console: it may have been sent already. Nothing was changed.',
	);
}

/** Runs a step. The error of a failed step names the draft and the completed steps. */
async function step(
	item: Item,
	{ id, isNew }: Draft,
	what: string,
	work: () => Promise<void>,
): Promise<void> {
	const draft = `The survey ${isNew ? 'was created' : 'exists'} as draft ${id}`;
	const next = 'run again with the option Continue With Draft and this ID.';
	if (item.getExecutionCancelSignal()?.aborted) {
		throw failure(item)('The execution was canceled', `${draft}. To continue, ${next}`);
	}
	try {
		await work();
	} catch (error) {
		throw withDraft(item, id, error, `${draft}, but ${what} Fix the problem, then ${next}`);
	}
}

/** Adds the draft to an error, so that another try by n8n's Retry On Fail continues with it. */
function withDraft(item: Item, draftId: string, cause: unknown, left = ''): Error {
	const error = asNodeError(item.getNode(), cause);
	error.description = [error.description, left].filter(Boolean).join(' ');
	error.context.draftId = draftId;
	return error;
}
