import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../../../shared/values';

/** The question of a broadcast, stored in the context of the node. */
export type Question = {
	/** Random. n8n uses the same resume URL in each round of a loop, but an old page must not answer a new question. */
	id: string;
	title: string;
	message: string;
	/** Button labels. Without `decline` there is only one button. Without `approve`, the question asks for text. */
	approve?: string;
	decline?: string;
};

/** A response: the value of `data` in the output, without `respondedAt`. */
export type Reply = { approved: boolean } | { text: string };

/** The maximum length of a text response, in characters. */
export const LONGEST_TEXT = 10_000;

/** Reads a question from the context of a node; `undefined` if there is none. */
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
 * @param form its fields: `decision` (the clicked button) or `text`
 * @returns the response; `undefined` for an unknown button or a blank text
 */
export function readReply({ approve, decline }: Question, form: IDataObject): Reply | undefined {
	if (approve === undefined) {
		const text = typeof form.text === 'string' ? form.text.trim() : '';
		return text === '' ? undefined : { text: text.slice(0, LONGEST_TEXT) };
	}
	if (form.decision === 'approve') return { approved: true };
	return form.decision === 'decline' && decline !== undefined ? { approved: false } : undefined;
}
