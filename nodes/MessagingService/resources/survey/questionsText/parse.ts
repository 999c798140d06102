import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../../../shared/field';
import { toText } from '../../../../shared/values';
import { questionTypes } from '../questionTypes';
import { readBrackets } from './brackets';
import { ARROW, placesOf, plain } from './escaping';
import type { Line, Option } from './options';

/** A problem in a line, with advice. */
export type Problem = {
	/** The line number as an editor shows it: counted from 1, including blank lines. */
	line: number;
	/** Completes "Line 3: …". */
	message: string;
	advice: string;
};

/** A question that is not linked with other questions yet. */
type Draft = { line: Line; question: IDataObject; options: Option[] };

/** After the first problem, an error lists at most this many other problems. */
const LISTED = 5;

/**
 * Converts Questions as Text into the API's list of questions. Checks only how the lines are written and where arrows
 * lead. `checkQuestions` checks the questions.
 *
 * @param value the text, or a list of lines from an expression
 * @throws an error that names the first invalid line, with advice, and lists the next invalid lines
 */
export function questionsFromText(value: unknown, field: Field): IDataObject[] {
	const text = Array.isArray(value)
		? value.map((line) => toText(line, field)).join('\n')
		: toText(value, field);
	const { questions, problems } = parseQuestionsText(text);
	const [first, ...others] = problems
		.sort((a, b) => a.line - b.line)
		.map(({ line, message, advice }) => ({ message: `Line ${line}: ${message}`, advice }));
	if (!first) return questions;
	const also = others.slice(0, LISTED).map(({ message }) => `${message}.`);
	if (others.length > LISTED) also.push(`And ${others.length - LISTED} more.`);
	throw field.fail(first.message, [first.advice, ...also].join(' '));
}

/**
 * Parses questions as text, one per line: `Did you get a laptop? (radio: Yes, No → 4) *`. A line without brackets is a
 * question of the type `input`. docs/questions-as-text.md describes the grammar.
 *
 * @param text lines may be blank, numbered, or begin with a bullet
 * @returns `questions` in the API's format (SurveyQuestion in emulator/openapi.yaml), and all `problems`. If there are
 * problems, do not use the questions: they may be incomplete or wrong
 */
export function parseQuestionsText(text: string): {
	questions: IDataObject[];
	problems: Problem[];
} {
	const problems: Problem[] = [];
	const written = text
		.split(/\r\n|[\n\r\u2028\u2029]/)
		.map((line, index) => ({ text: line.trim(), line: index + 1 }))
		.filter((line) => line.text !== '');
	const drafts = written.map(({ text: lineText, line }, index) =>
		readLine({
			text: lineText,
			number: index + 1,
			count: written.length,
			report: (message, advice) => problems.push({ line, message, advice }),
		}),
	);
	for (const draft of drafts) link(draft, drafts);
	return { questions: drafts.map(({ question }) => question), problems };
}

function readLine(line: Line): Draft {
	const draft: Draft = { line, question: {}, options: [] };
	const { rest, isRequired } = withoutStar(withoutNumber(line));
	const isPlain = placesOf(rest, `[()[\\]{}（）［］]|${ARROW}`).length === 0;
	const brackets = isPlain ? { before: rest, inside: 'text' } : lastBrackets(rest);
	if (!brackets) {
		line.report(
			'add an answer type in brackets, for example (text)',
			rest.endsWith(')')
				? 'A bracket is missing, or there is one too many. Write \\( or \\) for a bracket that is part of the text.'
				: `The types are ${questionTypes.map(({ name }) => name).join(', ')}.`,
		);
		return draft;
	}
	const details = readBrackets(brackets.inside, line);
	if (!details) return draft;
	// The star may follow the title instead, as in many paper forms.
	const question = withoutStar(brackets.before);
	const title = plain(question.rest);
	if (title === '') {
		line.report('add the question before the brackets', `For example: ${details.example}.`);
	}
	draft.question = {
		templateCode: details.type,
		title,
		required: isRequired || question.isRequired,
		...details.fields,
	};
	draft.options = details.options;
	return draft;
}

/** Sets the options of a question, and links it with the questions that the options lead to. */
function link({ line, question, options }: Draft, drafts: Draft[]): void {
	if (options.length === 0) return;
	const targets = options.flatMap(({ leadsTo }) => leadsTo);
	if (targets.length === 0) {
		question.options = options.map(({ value }) => value);
		return;
	}
	for (const target of targets) {
		const branch = drafts[target - 1];
		if (branch && target > line.number) {
			Object.assign(branch.question, { branch: true, questionId: idOf(target) });
			continue;
		}
		line.report(
			branch ? `question ${target} does not come after this one` : `there is no question ${target}`,
			`This is question ${line.number} of ${line.count}. Arrows must point to later questions. Blank lines do not count.`,
		);
	}
	Object.assign(question, { fork: true, questionId: idOf(line.number) });
	question.options = options.map(({ value, leadsTo }) =>
		leadsTo.length > 0 ? { value, branchQuestions: leadsTo.map(idOf) } : { value },
	);
}

function idOf(number: number): string {
	return `q${number}`;
}

/** Removes the bullet and number of a line. Reports a wrong number, because arrows refer to numbers. */
function withoutNumber({ text, number, report }: Line): string {
	const withoutBullet = text.replace(/^[-–•*]\s+/, '');
	const [label = '', written = ''] = /^(\d+)[.)]\s/.exec(withoutBullet) ?? [];
	if (label !== '' && Number(written) !== number) {
		report(
			`the number is ${written}, but this is question ${number}`,
			`Correct the number or remove it: arrows count questions from 1. If the number is part of the question, write \\${label.trim()}`,
		);
	}
	return withoutBullet.slice(label.length);
}

function withoutStar(text: string): { rest: string; isRequired: boolean } {
	const trimmed = text.trim();
	const isRequired = placesOf(trimmed, '\\*').at(-1)?.end === trimmed.length;
	return { rest: isRequired ? trimmed.slice(0, -1).trim() : trimmed, isRequired };
}

/** Returns the content of the brackets at the very end of a text, and the text before them. */
function lastBrackets(text: string): { before: string; inside: string } | undefined {
	const open: number[] = [];
	for (const { start, end } of placesOf(text, '[()]')) {
		if (text[start] === '(') {
			open.push(start);
			continue;
		}
		const opened = open.pop();
		if (opened !== undefined && end === text.length) {
			return { before: text.slice(0, opened), inside: text.slice(opened + 1, -1) };
		}
	}
	return undefined;
}
