import { isDataObject } from './typeGuards';
import type { RequestInfo } from './transport/errors/apiError';
import { truncate } from './truncate';

type Advice = {
	/** The service's message. */
	message: RegExp;
	/** The requests it is meant for; all when left out. */
	after?: (asked: RequestInfo) => boolean;
	advice: string | ((asked: RequestInfo) => string);
};

const FIND_UNKNOWN =
	'The operation Sync of Recipient Group finds unknown addresses by itself, adds the others and names those it left out.';

const ONLY_DRAFTS_GO_LIVE =
	'Only a draft or a scheduled campaign can be sent. Look at its status with the operation Get: if it is live already, its recipients have it, and Add Recipients sends it to further people; if it is closed, create a new campaign.';

/**
 * What to do about each message that the service is known to send (Failure, what is known of messages in
 * emulator/openapi.yaml). The first that fits is given.
 */
const ADVICE: Advice[] = [
	{
		message: /^Illegal parameters/i,
		advice:
			'The service does not take this combination of filters. Check the dates and the status; the scope "All" works only for Super Users.',
	},
	{
		message: /^Not Found\.?$/i,
		advice:
			'Nothing with this ID is visible to the owner of the credential. Choose it from the list, or check the ID and with whom it is shared.',
	},
	{
		message: /^description is mandatory/i,
		advice: 'Fill in the description: the service takes no campaign without one.',
	},
	{
		message: /^Campaign is not a survey/i,
		advice:
			'Only campaigns with survey questions have responses. Choose a survey, or filter the others out before this node.',
	},
	{
		message: /^campaign Id is required/i,
		advice: 'Choose the campaign or broadcast that the file belongs to.',
	},
	{
		message: /^Please confirm delete for file used/i,
		advice:
			'The file is part of the content. To delete it all the same, add the option "Delete File in Use".',
	},
	{
		message: /draft' campaign required/i,
		advice: 'Questions can only be stored on a draft. Choose a draft survey, or create a new one.',
	},
	{
		message: /^Not all emails founded/i,
		after: (asked) => onlyAddress(asked) !== undefined,
		advice: (asked) =>
			`The service does not know ${truncate(onlyAddress(asked) ?? '', 100)}, and then carries out nothing of the call. Check the spelling, or add this person in the service first. ${FIND_UNKNOWN}`,
	},
	{
		message: /^Not all emails founded/i,
		advice: `At least one address is unknown to the service, which then carries out nothing of this call. ${FIND_UNKNOWN}`,
	},
	{ message: /name.*is required/i, advice: 'Fill in the name of the recipient group.' },
	{
		message: /^Object does not exist/i,
		advice:
			'There is no recipient group with this ID (any more). Choose it from the list, or check the ID.',
	},
	{
		message: /^Title is mandatory/i,
		advice: 'Fill in the title: the service takes no broadcast without one.',
	},
	{
		message: /^Invalid request parameters/i,
		after: sendsCampaign,
		advice: ONLY_DRAFTS_GO_LIVE,
	},
	{
		message: /^Invalid request parameters/i,
		advice: 'Only a scheduled broadcast can return to draft. Look at its status first.',
	},
	{
		message: /^Broadcast not found/i,
		advice:
			'There is no broadcast with this ID that can be deleted: only drafts, scheduled and closed ones can. Close a live broadcast first.',
	},
	{
		message: /^Campaign already closed/i,
		advice: 'It is closed already; there is nothing left to do.',
	},
	{
		message: /^Invalid parameters/i,
		advice:
			'The service does not know the channel, or one of the values given. Check the channel and every field of this operation.',
	},
	{
		// What the service says to this is not shown, so the request tells (campaign.update in emulator/openapi.yaml).
		message: /./,
		after: sendsCampaign,
		advice: ONLY_DRAFTS_GO_LIVE,
	},
];

/** What to do about a message of the service. Without special advice, that the words are the service's own. */
export function adviceFor(message: string, asked: RequestInfo): string {
	const found = ADVICE.find(
		(entry) => entry.message.test(message) && (entry.after?.(asked) ?? true),
	)?.advice;
	if (found === undefined) return 'This is the message of the messaging service itself.';
	return typeof found === 'string' ? found : found(asked);
}

function sendsCampaign({ method, url, body }: RequestInfo): boolean {
	return (
		method === 'PUT' &&
		/\/campaign\/[^/]+$/.test(url) &&
		isDataObject(body) &&
		body.status === 'live'
	);
}

/** The address of a request that names exactly one. */
function onlyAddress({ body }: RequestInfo): string | undefined {
	const { recipientEmails } = isDataObject(body) ? body : {};
	if (!Array.isArray(recipientEmails) || recipientEmails.length !== 1) return undefined;
	return String(recipientEmails[0]);
}
