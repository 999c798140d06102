import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** The service's message for recipients that it does not know (Failures in emulator/openapi.yaml). */
const UNKNOWN_RECIPIENTS = /^not all emails found/i;

/** Maximum addresses that an error lists. */
const MOST_LISTED = 10;

/** What to show instead of the service's text: the heading and the description of an error. */
type Explanation = { message: string; description: string };

/**
 * Explains a refusal because of unknown recipients.
 *
 * @param error the error of campaign.addRecipients
 * @param recipientEmails the addresses in the request
 * @returns `undefined` for any other error, and if the request has no addresses
 */
export function explainUnknownRecipients(
	error: NodeApiError | NodeOperationError,
	recipientEmails: unknown,
): Explanation | undefined {
	if (!UNKNOWN_RECIPIENTS.test(error.message) || !Array.isArray(recipientEmails)) return undefined;
	const emails = recipientEmails.map(String);
	const said = `The service says: ${error.message}.`;
	const [only = ''] = emails;
	if (emails.length === 1) {
		return {
			message: `${only} is not known to the service`,
			description: `${said} Check the spelling, or first add this person in the service.`,
		};
	}
	const named = namedIn(error, emails);
	return {
		message: `Some of the ${emails.length} recipients are not known to the service`,
		description: `${named}${said} Correct the addresses. Recipient Group: Sync reports which of them are unknown.`,
	};
}

/** Lists the addresses that the service's response contains; empty if it contains none. */
function namedIn(
	{ message, context }: NodeApiError | NodeOperationError,
	emails: string[],
): string {
	const response = JSON.stringify([message, context.data]).toLowerCase();
	const words = new Set(response.split(/[^\w.+@'-]/));
	const named = emails.filter((email) => {
		const word = email.toLowerCase();
		return [word, `${word}.`, `'${word}'`].some((written) => words.has(written));
	});
	if (named.length === 0) return '';
	const more = named.length > MOST_LISTED ? ` and ${named.length - MOST_LISTED} more` : '';
	return `The service names ${named.slice(0, MOST_LISTED).join(', ')}${more}. `;
}
