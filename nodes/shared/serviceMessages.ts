import { NodeApiError } from 'n8n-workflow';

import { truncate } from './truncate';
import { fieldsIn, listIn } from './values';

const ONLY_DRAFTS_GO_LIVE =
	'Only a draft or scheduled campaign can be sent. Check its status with the operation Get. If the campaign is live, its recipients have received it, and Add Recipients sends it to more people. If the campaign is closed, create a new one.';

/**
 * What the service's messages mean (Failures in emulator/openapi.yaml), and what to tell the user. A message is compared
 * as `normalizeMessage` returns it. For a message with several meanings, the first advice applies. The messages
 * about access, size and missing records of some kinds are not documented.
 */
const MESSAGES = {
	notVisible: [
		/^not found$/,
		'The owner of the access key cannot see a record with this ID. Choose a record from the list, or check the ID. Also check that the record is shared with the owner.',
	],
	wrongFilters: [
		/^illegal parameters/,
		'The service rejects this combination of filters. Check each filter, for example the dates. The scope "All" works only for Super Users.',
	],
	noDescription: [
		/^description is mandatory/,
		'Fill in the description. The service requires one for every campaign.',
	],
	noSurvey: [
		/^campaign is not a survey/,
		'Only campaigns with survey questions have responses. Choose a survey, or filter out other campaigns before this node.',
	],
	noOwnerOfFile: [
		/^campaign id is required/,
		'Choose the campaign or broadcast that the file belongs to.',
	],
	fileInUse: [
		/^please confirm delete for file used/,
		'The file is part of the content. To delete it anyway, add the option "Delete File in Use".',
	],
	noDraft: [
		/^invalid campaign id for survey creation draft campaign required/,
		'Questions can only be saved in a draft. Choose a draft survey, or create a new one.',
	],
	noGroup: [
		/^object does not exist/,
		'No recipient group has this ID. The group may have been deleted. Choose a group from the list, or check the ID.',
	],
	noTitle: [
		/^title is mandatory/,
		'Fill in the title. The service requires one for every broadcast.',
	],
	notScheduled: [
		/^invalid request parameters/,
		'Only a scheduled broadcast can return to draft. Check its status.',
	],
	notDeletable: [
		/^broadcast not found/,
		'No deletable broadcast has this ID. Only draft, scheduled and closed broadcasts can be deleted. Close a live broadcast first.',
	],
	closedAlready: [/^campaign already closed/, 'It is already closed, so nothing needs to be done.'],
	notInChannel: [
		/^invalid parameters/,
		'The service does not know the channel, or one of the recipients, groups or users. Check the channel and the spelling of each name.',
	],
	/** Nothing but the documented refusal of any channel operation. */
	onlyInvalidParameters: [/^invalid parameters$/],
	noName: [/name\W? (field )?is required/, 'Fill in the name of the recipient group.'],
	/** Any message that a record does not exist. */
	missing: [/^(object does not exist|((broadcast|campaign|channel|file|group) )?not found)$/],
	/** Some recipients are unknown. The rest of the message may say more. */
	unknownRecipients: [/^not all emails found/],
	/** Nothing but "some recipients are unknown". */
	onlyUnknownRecipients: [/^not all emails found(ed)? as recipients? in (the )?system$/],
	aboutAccess: [/\btoken\b|unauthori[sz]ed|not authori[sz]ed|authenticat|access denied/],
	/** Nothing but "this token is no longer valid". */
	tokenRefused: [
		/^((invalid|expired|missing|unknown) (access )?token( expired| is invalid| has expired| missing)?|(access )?token (expired|is invalid|has expired|missing)|unauthori[sz]ed|not authori[sz]ed|authentication (failed|required)|access denied)( please log in again)?$/,
	],
} satisfies Record<string, [pattern: RegExp, advice?: string]>;

/** What a message of the service means. */
export type Meaning = keyof typeof MESSAGES;

/** Whether a message of the service, or an error with its message, has this meaning: `says('noSurvey', error)`. */
export function says(meaning: Meaning, said: unknown): boolean {
	const message = said instanceof NodeApiError ? said.message : said;
	return typeof message === 'string' && MESSAGES[meaning][0].test(normalizeMessage(message));
}

/** Whether a message has any of these meanings. */
export function isKnownMessage(message: string): boolean {
	const text = normalizeMessage(message);
	return Object.values(MESSAGES).some(([pattern]) => pattern.test(text));
}

/** Returns a message as the patterns expect it: `Not Found.` → `not found`. */
function normalizeMessage(message: string): string {
	const words = message.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
	return words.trim();
}

/** The parts of a request that advice depends on. */
type RequestParts = { method: string; url: string; body?: unknown };

/**
 * Returns what to do after a message of the service. The first case that applies decides:
 *
 * 1. The message is about unknown recipients: what to do about them.
 * 2. The request sends an existing campaign, and the message is unknown or `notScheduled`: which campaigns can be sent.
 * 3. The message has advice in `MESSAGES`: this advice.
 * 4. Any other message: only that it comes from the service.
 *
 * @param message '' if the service gave no reason. Then the second case does not apply
 */
export function adviceFor(message: string, request: RequestParts): string {
	if (says('unknownRecipients', message)) return explainUnknownRecipients(request.body);
	const text = normalizeMessage(message);
	const known = Object.values(MESSAGES).find(([pattern, advice]) => advice && pattern.test(text));
	// The service's message for a campaign that cannot be sent is not documented (campaign.update in
	// emulator/openapi.yaml). So it may be any unknown message, or "Invalid request parameters", which is documented only for
	// a broadcast (`notScheduled`).
	const mayMeanNoDraft = known === undefined || known === MESSAGES.notScheduled;
	if (mayMeanNoDraft && message !== '' && sendsCampaign(request)) return ONLY_DRAFTS_GO_LIVE;
	return known?.[1] ?? 'This message comes from the messaging service.';
}

/** Whether a request is the update that sends an existing campaign. */
function sendsCampaign({ method, url, body }: RequestParts): boolean {
	return method === 'PUT' && /\/campaign\/[^/]+$/.test(url) && fieldsIn(body).status === 'live';
}

/**
 * Explains the service's message that it does not know some recipients. If the request has only one address, names it.
 *
 * @param body the body of the request, with the addresses in `recipientEmails`
 */
function explainUnknownRecipients(body: unknown): string {
	const [first, ...others] = listIn(fieldsIn(body).recipientEmails);
	const isOne = first !== undefined && others.length === 0;
	const who = isOne ? `${truncate(String(first), 100)} is` : 'Some recipients are';
	return `${who} not known to the service, so it rejected the whole request. Check the spelling, or first add the people in the service. Recipient Group: Sync reports which addresses are unknown.`;
}
