import { truncate } from '../../truncate';
import { isDataObject } from '../../values';
import type { RequestInfo } from './apiError';

const ONLY_DRAFTS_GO_LIVE =
	'Only a draft or scheduled campaign can be sent. Check its status with the operation Get. If the campaign is live, its recipients have received it, and Add Recipients sends it to more people. If the campaign is closed, create a new one.';

const NOT_VISIBLE =
	'The owner of the credential cannot see a record with this ID. Choose a record from the list, or check the ID. Also check that the record is shared with the owner.';

/**
 * Advice for messages of the service (Failures in emulator/openapi.yaml), by the beginning of the message in lower case.
 */
const ADVICE = {
	'illegal parameters':
		'The service rejects this combination of filters. Check the dates and the status. The scope "All" works only for Super Users.',
	'description is mandatory':
		'Fill in the description. The service requires one for every campaign.',
	'campaign is not a survey':
		'Only campaigns with survey questions have responses. Choose a survey, or filter out other campaigns before this node.',
	'campaign id is required': 'Choose the campaign or broadcast that the file belongs to.',
	'please confirm delete for file used':
		'The file is part of the content. To delete it anyway, add the option "Delete File in Use".',
	"invalid campaign id for survey creation, 'draft' campaign required":
		'Questions can only be saved in a draft. Choose a draft survey, or create a new one.',
	'object does not exist':
		'No recipient group has this ID. The group may have been deleted. Choose a group from the list, or check the ID.',
	'title is mandatory': 'Fill in the title. The service requires one for every broadcast.',
	'invalid request parameters': 'Only a scheduled broadcast can return to draft. Check its status.',
	'broadcast not found':
		'No deletable broadcast has this ID. Only draft, scheduled and closed broadcasts can be deleted. Close a live broadcast first.',
	'campaign already closed': 'It is already closed, so nothing needs to be done.',
	'invalid parameters':
		'The service does not know the channel, or one of the recipients, groups or users. Check the channel and the spelling of each name.',
};

/**
 * Returns advice for a message of the service. If there is no specific advice, says that the service wrote the message.
 */
export function adviceFor(message: string, request: RequestInfo): string {
	const lowerCaseMessage = message.toLowerCase();
	if (lowerCaseMessage === 'not found' || lowerCaseMessage === 'not found.') return NOT_VISIBLE;
	const unknown = unknownRecipients(message, request.body);
	if (unknown) return `${unknown.what}, so it rejected the whole request. ${unknown.advice}`;
	const [beginning, known] =
		Object.entries(ADVICE).find(([text]) => lowerCaseMessage.startsWith(text)) ?? [];
	const advice =
		known ?? (isNameRequired(lowerCaseMessage) ? 'Fill in the name of the recipient group.' : '');
	// The service's message for a campaign that cannot be sent is not documented (campaign.update in emulator/openapi.yaml).
	const isVague = advice === '' || beginning === 'invalid request parameters';
	if (isVague && lowerCaseMessage !== '' && sendsCampaign(request)) return ONLY_DRAFTS_GO_LIVE;
	return advice || 'This message comes from the messaging service.';
}

/** Whether a message is `validation failed: name: Path name is required.` or similar. */
function isNameRequired(lowerCaseMessage: string): boolean {
	const at = lowerCaseMessage.indexOf('name');
	return at >= 0 && lowerCaseMessage.includes('is required', at);
}

function sendsCampaign({ method, url, body }: RequestInfo): boolean {
	return (
		method === 'PUT' &&
		/\/campaign\/[^/]+$/.test(url) &&
		isDataObject(body) &&
		body.status === 'live'
	);
}

/**
 * Explains the service's message for recipients that it does not know (Failures in emulator/openapi.yaml).
 *
 * @returns the addresses in the request, what is wrong with them and what to do. `undefined` for any other message
 */
export function unknownRecipients(message: string, body: RequestInfo['body']) {
	if (!message.toLowerCase().startsWith('not all emails found')) return undefined;
	const { recipientEmails } = isDataObject(body) ? body : {};
	const emails = Array.isArray(recipientEmails) ? recipientEmails.map(String) : [];
	const [only, ...others] = emails;
	if (only !== undefined && others.length === 0) {
		return {
			emails,
			what: `${truncate(only, 100)} is not known to the service`,
			advice: 'Check the spelling, or first add this person in the service.',
		};
	}
	return {
		emails,
		what:
			emails.length > 0
				? `Some of the ${emails.length} recipients are not known to the service`
				: 'Some recipients are not known to the service',
		advice: 'Correct the addresses. Recipient Group: Sync reports which of them are unknown.',
	};
}
