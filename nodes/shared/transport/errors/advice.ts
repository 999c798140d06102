import { truncate } from '../../truncate';
import { isDataObject } from '../../typeGuards';
import type { RequestInfo } from './apiError';

const FIND_UNKNOWN =
	'The operation Sync of Recipient Group finds unknown addresses by itself, adds the others and names those it left out.';

const ONLY_DRAFTS_GO_LIVE =
	'Only a draft or a scheduled campaign can be sent. Look at its status with the operation Get: if it is live already, its recipients have it, and Add Recipients sends it to further people; if it is closed, create a new campaign.';

const NOT_VISIBLE =
	'Nothing with this ID is visible to the owner of the credential. Choose it from the list, or check the ID and with whom it is shared.';

const UNKNOWN_RECIPIENTS = 'not all emails founded';

/** Advice for the service's known messages, by their beginning in lower case (Failure, what is known of messages in emulator/openapi.yaml). */
const ADVICE = {
	'illegal parameters':
		'The service does not take this combination of filters. Check the dates and the status; the scope "All" works only for Super Users.',
	'description is mandatory': 'Fill in the description: the service takes no campaign without one.',
	'campaign is not a survey':
		'Only campaigns with survey questions have responses. Choose a survey, or filter the others out before this node.',
	'campaign id is required': 'Choose the campaign or broadcast that the file belongs to.',
	'please confirm delete for file used':
		'The file is part of the content. To delete it all the same, add the option "Delete File in Use".',
	"invalid campaign id for survey creation, 'draft' campaign required":
		'Questions can only be stored on a draft. Choose a draft survey, or create a new one.',
	[UNKNOWN_RECIPIENTS]: `At least one address is unknown to the service, which then carries out nothing of this call. ${FIND_UNKNOWN}`,
	'object does not exist':
		'There is no recipient group with this ID (any more). Choose it from the list, or check the ID.',
	'title is mandatory': 'Fill in the title: the service takes no broadcast without one.',
	'invalid request parameters':
		'Only a scheduled broadcast can return to draft. Look at its status first.',
	'broadcast not found':
		'There is no broadcast with this ID that can be deleted: only drafts, scheduled and closed ones can. Close a live broadcast first.',
	'campaign already closed': 'It is closed already; there is nothing left to do.',
	'invalid parameters':
		'The service does not know the channel, or one of the recipients, groups or users given. Check the channel and the spelling of each of them.',
};

/** Advice for a message of the service; without special advice, says that the text is the service's own. */
export function adviceFor(message: string, request: RequestInfo): string {
	const said = message.toLowerCase();
	if (said === 'not found' || said === 'not found.') return NOT_VISIBLE;
	const [beginning, known] = Object.entries(ADVICE).find(([text]) => said.startsWith(text)) ?? [];
	const address = onlyAddress(request);
	if (beginning === UNKNOWN_RECIPIENTS && address !== undefined) {
		return `The service does not know ${truncate(address, 100)}, and then carries out nothing of the call. Check the spelling, or add this person in the service first. ${FIND_UNKNOWN}`;
	}
	const advice = known ?? (isNameRequired(said) ? 'Fill in the name of the recipient group.' : '');
	// The service's message for a campaign that cannot be sent is not shown (campaign.update in emulator/openapi.yaml).
	const isVague = advice === '' || beginning === 'invalid request parameters';
	if (isVague && said !== '' && sendsCampaign(request)) return ONLY_DRAFTS_GO_LIVE;
	return advice || 'This is the message of the messaging service itself.';
}

/** `validation failed: name: Path name is required.` and the like. */
function isNameRequired(said: string): boolean {
	const at = said.indexOf('name');
	return at >= 0 && said.includes('is required', at);
}

function sendsCampaign({ method, url, body }: RequestInfo): boolean {
	return (
		method === 'PUT' &&
		/\/campaign\/[^/]+$/.test(url) &&
		isDataObject(body) &&
		body.status === 'live'
	);
}

/** The email address of a request that contains exactly one. */
function onlyAddress({ body }: RequestInfo): string | undefined {
	const { recipientEmails } = isDataObject(body) ? body : {};
	if (!Array.isArray(recipientEmails) || recipientEmails.length !== 1) return undefined;
	return String(recipientEmails[0]);
}
