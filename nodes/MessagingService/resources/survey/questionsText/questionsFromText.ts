import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../../../shared/field';
import { toText } from '../../../../shared/values';
import { checkQuestions } from '../checkQuestions';
import { parseQuestionsText } from './parse';

/** As many problems as a builder can work through at a time. */
const SHOWN = 5;

/**
 * Turns Questions as Text into the API's list of questions.
 *
 * @param value the text, or a list of lines from an expression
 * @throws naming the first line that cannot be read, with advice for it and for the next ones
 */
export function questionsFromText(value: unknown, field: Field): IDataObject[] {
	const text = Array.isArray(value)
		? value.map((line) => toText(line, field)).join('\n')
		: toText(value, field);
	const { questions, problems } = parseQuestionsText(text);
	const [first, ...others] = problems.sort((a, b) => a.line - b.line);
	if (!first) return checkQuestions(questions, field);
	const also = others.slice(0, SHOWN).map(({ line, message }) => `Line ${line} ${message}.`);
	if (others.length > SHOWN) also.push(`${others.length - SHOWN} more cannot be read.`);
	throw field.fail(
		`${field.label}, line ${first.line}: ${first.message}`,
		[first.advice, ...also].join(' '),
	);
}
