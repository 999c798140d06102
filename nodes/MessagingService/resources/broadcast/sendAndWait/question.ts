import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../../../shared/typeGuards';

/** What a broadcast asks, as it was sent; kept in the context of the node until somebody responds. */
export type Question = {
	/** Random: in a loop n8n gives each round the same link, and an old one must not answer a new question. */
	id: string;
	title: string;
	message: string;
	/** Labels of the buttons; without one to decline there is only one button. Absent where a text is asked for. */
	approve?: string;
	decline?: string;
};

/** What somebody responded: the value of `data` in the output, without its time. */
export type Reply = { approved: boolean } | { text: string };

/** The longest text that a person may send, in characters. */
export const LONGEST_TEXT = 10_000;

/** The question in the context of a node; `undefined` when it holds none. */
export function toQuestion(value: unknown): Question | undefined {
	if (!isDataObject(value)) return undefined;
	const { id, title, message, approve, decline } = value;
	if (typeof id !== 'string' || typeof title !== 'string' || typeof message !== 'string') {
		return undefined;
	}
	const question: Question = { id, title, message };
	if (typeof approve === 'string') question.approve = approve;
	if (typeof decline === 'string') question.decline = decline;
	return question;
}

/**
 * Reads the form of the page.
 *
 * @param form its fields: `decision`, the button that was clicked, or `text`
 * @returns `undefined` for anything but a button that the page has, or a text that is not blank
 */
export function readReply({ approve, decline }: Question, form: IDataObject): Reply | undefined {
	if (approve === undefined) {
		const text = typeof form.text === 'string' ? form.text.trim() : '';
		return text === '' ? undefined : { text: text.slice(0, LONGEST_TEXT) };
	}
	if (form.decision === 'approve') return { approved: true };
	return form.decision === 'decline' && decline !== undefined ? { approved: false } : undefined;
}
