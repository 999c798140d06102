import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { unknownRecipients } from '../../../shared/transport/errors/advice';

/** Maximum addresses that an error lists. */
const MOST_LISTED = 10;

/** What to show instead of the service's text: the heading and the description of an error. */
type Explanation = { message: string; description: string };

/**
 * Explains a refusal because of unknown recipients.
 *
 * @param error the error of campaign.addRecipients
 * @param body the body of the request
 * @returns `undefined` for any other error, and if the request has no addresses
 */
export function explainUnknownRecipients(
	error: NodeApiError | NodeOperationError,
	body: unknown,
): Explanation | undefined {
	const { emails = [], what = '', advice = '' } = unknownRecipients(error.message, body) ?? {};
	if (emails.length === 0) return undefined;
	const named = emails.length > 1 ? namedIn(error, emails) : '';
	return { message: what, description: `${named}The service says: ${error.message}. ${advice}` };
}

/** Lists the addresses that the service's response contains. The list is empty if it contains none. */
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
