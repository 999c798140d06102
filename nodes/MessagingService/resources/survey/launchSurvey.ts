import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { CAMPAIGN_STATUS } from '../../../shared/statusCodes';
import { says } from '../../../shared/serviceMessages';
import { fieldsIn } from '../../../shared/values';
import { asNodeError, isOutcomeUnknown } from '../../../shared/transport/errors/apiError';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { isTransient } from '../../../shared/transport/retry';
import { buildPath } from '../../../shared/transport/address';
import type { Item } from '../../engine/item';
import { createTryMemory } from '../../engine/itemResults';
import { callApi, nameMissingRecord } from '../../engine/sendItem';
import { surveyId } from '../../fields/locators';
import { checkRecipients, goLive } from '../campaign/goLive';
import { describeQuestions } from './questions/questionsOutput';

export type LaunchSettings = {
	sendNow: boolean;
	/** The draft of an earlier run, if this launch continues with one. */
	draftId?: string;
};

/** The draft that becomes the survey. A try is one run of the item: n8n's Retry On Fail may run it again. */
type Draft = {
	id: string;
	/** Whether this try or an earlier one added the recipients. */
	hasRecipients: boolean;
	/** Whether this try created the draft. */
	isNew?: boolean;
	campaignUrl?: unknown;
};

/** The drafts of earlier tries. */
const earlierDrafts = createTryMemory<Draft>();

/**
 * Creates a survey, adds the recipients and, with `sendNow`, sends the survey. If the user chose a draft, or an earlier try
 * of n8n's Retry On Fail created one, continues with this draft. A failed step ends the sequence.
 *
 * @param body of survey.create in emulator/openapi.yaml, with the recipients, which campaign.addRecipients takes
 * @returns `_id` and `campaignUrl` of the survey, whether it was sent (`sent`), to how many `recipients`, and `questions`: as
 *   the node understood them, or null if the user chose a draft
 * @throws the error of the failed step. If adding the recipients or sending failed, its description names the draft and the
 *   completed steps.
 */
export async function launchSurvey(
	item: Item,
	body: IDataObject,
	{ sendNow, draftId }: LaunchSettings,
): Promise<IDataObject> {
	const { recipientEmails, recipientGroups, recipients: newRecipients, ...survey } = body;
	const draft = draftToContinue(item, draftId) ?? (await createDraft(item, survey));
	const url = buildPath('/int/v1/campaign/:campaignId', { campaignId: draft.id }, failure(item));
	if (!draft.isNew) await checkDraft(item, draft, url);
	if (draftId !== undefined) await checkSurvey(item, draft, url);
	if (!draft.hasRecipients) {
		const ifFailed = `adding the recipients failed.${sendNow ? ' The survey was not sent.' : ''}`;
		const request: ApiRequest = {
			method: 'PUT',
			url: `${url}/addRecipients`,
			body: { recipientEmails, recipientGroups, recipients: newRecipients },
		};
		const add = async (): Promise<unknown> => await callApi(item, request);
		await runStep(item, draft, ifFailed, 'it has no recipients', add);
		draft.hasRecipients = true;
	}
	let recipients: number | null = null;
	if (sendNow) {
		const ifFailed = 'sending failed. The recipients were added.';
		await runStep(item, draft, ifFailed, 'it is still a draft', async () => {
			recipients = await checkRecipients(item, url);
			await goLive(item, { url });
		});
	}
	// A draft that the user chose keeps its own questions.
	const questions = draftId === undefined ? describeQuestions(survey.questions) : null;
	// The most important field comes first, because n8n's table cuts off the last columns.
	return {
		sent: sendNow,
		...(sendNow && { recipients }),
		_id: draft.id,
		campaignUrl: draft.campaignUrl ?? null,
		questions,
	};
}

/**
 * Returns the draft that the user chose. If the user chose none, returns the draft of an earlier try of n8n's Retry On
 * Fail.
 */
function draftToContinue(item: Item, draftId?: string): Draft | undefined {
	const earlier = earlierDrafts.recall(item);
	if (draftId === undefined || draftId === earlier?.id) return earlier && { ...earlier };
	return { id: draftId, hasRecipients: false };
}

/** @throws if the response has no ID: without it, the recipients cannot be added */
async function createDraft(item: Item, survey: IDataObject): Promise<Draft> {
	const request: ApiRequest = { method: 'POST', url: '/int/v1/campaign/survey', body: survey };
	const { data } = await callApi(item, request);
	const { _id, campaignUrl } = fieldsIn(data);
	if (typeof _id === 'string' && _id !== '')
		return { id: _id, campaignUrl, isNew: true, hasRecipients: false };
	const error = failure(item)(
		'The service created the survey but returned no ID',
		'The survey is a draft. It has no recipients, and nobody has received it. Find its ID in the console, then run again with the option Continue With Draft.',
	);
	// Prevents another try by n8n's Retry On Fail, which would create a second survey.
	error.context.outcomeUnknown = true;
	throw error;
}

/** Checks that the campaign is still a draft, because recipients added to a live campaign may receive it immediately. */
async function checkDraft(item: Item, draft: Draft, url: string): Promise<void> {
	try {
		const { data } = await callApi(item, { method: 'GET', url });
		const { status, campaignUrl } = fieldsIn(data);
		draft.campaignUrl = campaignUrl;
		if (status === CAMPAIGN_STATUS.draft) return;
		throw failure(item)(
			`Survey "${draft.id}" is not a draft`,
			'Continue With Draft works only on drafts. Check the survey in the console: it may have been sent already. Nothing was changed.',
		);
	} catch (error) {
		const named = nameMissingRecord(error, [surveyId], { campaignId: draft.id });
		throw withDraft(item, draft, named);
	}
}

/** Checks that a draft that the user chose is a survey, and not a campaign without questions. */
async function checkSurvey(item: Item, draft: Draft, url: string): Promise<void> {
	try {
		await callApi(item, { url: `${url}/surveyData` });
	} catch (error) {
		// Whether the service has survey data of a draft is not documented, so any other refusal proves nothing.
		if (says('noSurvey', error)) {
			const advice = 'Choose the draft of a survey in Continue With Draft. Nothing was changed.';
			throw failure(item)(`Campaign "${draft.id}" is not a survey`, advice);
		}
		if (isTransient(error)) throw withDraft(item, draft, error);
	}
}

/**
 * Runs a step. The error of a failed step names the draft and the completed steps.
 *
 * @param ifFailed what failed and what was done before
 * @param signOfFailure how the user sees that the step was not carried out, if the outcome is unknown
 */
async function runStep(
	item: Item,
	draft: Draft,
	ifFailed: string,
	signOfFailure: string,
	step: () => Promise<unknown>,
): Promise<void> {
	const draftLeft = `The survey ${draft.isNew ? 'was created' : 'exists'} as draft ${draft.id}`;
	const next = 'run again with the option Continue With Draft and this ID.';
	if (item.getExecutionCancelSignal()?.aborted) {
		throw failure(item)('The execution was canceled', `${draftLeft}. To continue, ${next}`);
	}
	try {
		await step();
	} catch (error) {
		const advice = isOutcomeUnknown(error)
			? `${draftLeft}. Look at it first. If ${signOfFailure}, ${next}`
			: `${draftLeft}, but ${ifFailed} Fix the problem, then ${next}`;
		throw withDraft(item, draft, error, advice);
	}
}

/** Returns an error with the draft. Another try by n8n's Retry On Fail continues with the draft. */
function withDraft(item: Item, { id, hasRecipients }: Draft, cause: unknown, advice = ''): Error {
	const error = asNodeError(item.getNode(), cause);
	const left = error.message.includes(id) ? '' : `The survey exists as draft ${id}.`;
	error.description = [error.description, advice || left].filter(Boolean).join(' ');
	Object.assign(error.context, { draftId: id, hasRecipients });
	earlierDrafts.remember(item, { id, hasRecipients });
	return error;
}
