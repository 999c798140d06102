import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The question of a broadcast, stored as JSON in the context of the node. */
export type Question = {
	/**
	 * A random ID. n8n uses the same resume URL in each round of a loop, but an old page must not answer a new question.
	 */
	id: string;
	title: string;
	message: string;
	/** Button labels. Without `decline` there is only one button. Without `approve`, the question asks for text. */
	approve?: string;
	decline?: string;
};

/** A response: the value of `data` in the output, without `respondedAt`. */
export type Reply = { approved: boolean } | { text: string };

/** The maximum length of a text response, in characters as browsers count them. A line break counts as one character. */
export const LONGEST_TEXT = 10_000;

/** The page shows at most the beginning of a text that is too long. */
const LONGEST_SHOWN = 100_000;

/** What a submitted form contains: a response, or a problem and the text to correct. */
export type Submitted = { reply: Reply } | { problem: string; text?: string };

/**
 * Returns what the node outputs without a response: the fields of the input item, without the response of an earlier question.
 *
 * @param broadcastId null if the service returned no ID
 */
export function withoutReply(input: IDataObject, broadcastId: string | null): INodeExecutionData {
	const json: IDataObject = { ...input, broadcastId };
	delete json.data;
	return { json, pairedItem: { item: 0 } };
}

/**
 * Reads the form of the page.
 *
 * @param form its fields: `decision` (the clicked button) or `text`
 * @returns the response, or a problem if the button is unknown or the text is blank or too long
 */
export function readForm({ approve, decline }: Question, form: IDataObject): Submitted {
	if (approve !== undefined) {
		if (form.decision === 'approve') return { reply: { approved: true } };
		if (form.decision === 'decline' && decline !== undefined) return { reply: { approved: false } };
		return { problem: 'Please choose an option.' };
	}
	// Browsers send each line break as CRLF.
	const text = typeof form.text === 'string' ? form.text.replace(/\r\n?/g, '\n').trim() : '';
	if (text === '') return { problem: 'Please write a response.' };
	if (text.length <= LONGEST_TEXT) return { reply: { text } };
	const length = text.length.toLocaleString('en');
	const most = LONGEST_TEXT.toLocaleString('en');
	return {
		problem: `Nothing was recorded: your response has ${length} characters. Please shorten it to ${most} and send it again.`,
		text: text.slice(0, LONGEST_SHOWN),
	};
}
