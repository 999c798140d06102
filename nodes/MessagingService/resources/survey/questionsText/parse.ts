import type { IDataObject } from 'n8n-workflow';

import { messageOf } from '../../../../shared/failure';
import type { FieldInfo } from '../../../../shared/field';
import { truncate } from '../../../../shared/truncate';
import { toText } from '../../../../shared/values';
import { questionTypes, WITH_OPTIONS } from '../questionTypes';
import { readBranching, readDetails, readText, type Option } from './details';
import { bracketsOf, hasEqualBrackets, linesOf, partsOf } from './lines';
import type { Line, LineParts } from './lines';
import { plain, Unclear } from './literal';
import * as signs from './signs';

/** A line that has a problem, with advice. */
export type Problem = Line & { message: string; advice: string };

type ReadLine = Line & { parts: LineParts };

/** A question that is not linked with other questions yet. */
type QuestionDraft = ReadLine & {
	/** The number of the question, counted from 1. Arrows refer to this number. */
	number: number;
	/** The lines below with its options. */
	below: ReadLine[];
	question: IDataObject;
	options: Option[];
};

/** After the first problem, an error lists at most this many other problems. */
const LISTED = 5;

/** The most characters of a line that an error shows. */
const LONGEST_LINE = 60;

/**
 * Converts Questions as Text into the API's list of questions. Checks only how the lines are written and where arrows
 * lead. `checkQuestions` checks the questions.
 *
 * @param value the text, or a list of lines from an expression
 * @throws an error that names the first invalid line, with advice, and lists the next invalid lines
 */
export function questionsFromText(value: unknown, field: FieldInfo): IDataObject[] {
	const text = Array.isArray(value)
		? value.map((line) => toText(line, field)).join('\n')
		: toText(value, field);
	const { questions, problems } = parseQuestionsText(text);
	const [first, ...others] = problems.sort((a, b) => a.line - b.line);
	if (!first) return questions;
	const shown = ({ text: line }: Problem): string => `“${truncate(line, LONGEST_LINE)}”`;
	const also = others
		.slice(0, LISTED)
		.map((other) => `Line ${other.line}: ${other.message} (${shown(other)}).`);
	if (others.length > LISTED) also.push(`And ${others.length - LISTED} more.`);
	const advice = [`${first.advice} The line: ${shown(first)}.`, ...also].join(' ');
	throw field.fail(`Line ${first.line}: ${first.message}`, advice);
}

/**
 * Parses questions as text, one per line: `Did you get a laptop? (radio: Yes, No → 4) *`. A line without a type is a
 * short text if it ends in a question mark. docs/questions-as-text.md describes the grammar.
 *
 * @returns `questions` in the API's format (SurveyQuestion in emulator/openapi.yaml), and at most one problem of each line.
 * If there are problems, do not use the questions: they may be incomplete or wrong
 */
export function parseQuestionsText(text: string): {
	questions: IDataObject[];
	problems: Problem[];
} {
	const problems: Problem[] = [];
	const drafts: QuestionDraft[] = [];
	for (const line of linesOf(text)) {
		const read = { ...line, parts: partsOf(line.text) };
		const above = drafts.at(-1);
		if (above && isBelow(above, read)) above.below.push(read);
		else drafts.push({ ...read, number: drafts.length + 1, below: [], question: {}, options: [] });
	}
	/** Does something that may find a problem in a line of a question. */
	const attempt = (line: Line, { parts }: QuestionDraft, work: () => void): boolean => {
		try {
			work();
			return true;
		} catch (error) {
			const given = error instanceof Unclear ? error.advice : undefined;
			const advice = given ?? `For example: ${parts.brackets?.type?.example}.`;
			problems.push({ ...line, message: messageOf(error), advice });
			return false;
		}
	};
	for (const draft of drafts) {
		const below: Option[] = [];
		const areRead = draft.below.every((line, index) =>
			attempt(line, draft, () => below.push(readBelow(line, index + 1))),
		);
		if (areRead) attempt(draft, draft, () => readQuestion(draft, below));
	}
	for (const draft of drafts) attempt(draft, draft, () => link(draft, drafts));
	return { questions: drafts.map(({ question }) => question), problems };
}

/** Whether a line belongs to the choice question above, which has no options yet: as an entry of a list. */
function isBelow(above: QuestionDraft, line: ReadLine): boolean {
	const { type, name, details = [] } = above.parts.brackets ?? {};
	const takesOptions = type && type.value !== 'matrix' && WITH_OPTIONS.includes(type.value);
	if (!takesOptions || name === 'yes/no' || details.length > 0) return false;
	const kind = entryKind(line);
	const [first] = above.below;
	if (first) return kind === entryKind(first);
	return kind !== '' && kind !== entryKind(above) && !line.parts.brackets?.type;
}

/** Describes the entry of a list by its mark and indent. Returns an empty text for any other line. */
function entryKind({ indent, parts: { mark, label } }: ReadLine): string {
	const sign = mark || label.replace(/[\p{L}\p{Nd}]+/u, 'n');
	return sign === '' || sign.startsWith('#') ? '' : `${indent} ${sign}`;
}

/** Returns the number of a label. A letter is no number. */
function labelNumber({ label }: LineParts): number | undefined {
	const [digits] = /\p{Nd}+/u.exec(label.normalize('NFKC')) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** An opening bracket with details behind it. */
const DETAILS = `${signs.OPENING}.*(?:${signs.COLON}|${signs.SEMICOLON})`;

/** What an option in a line of its own hardly contains: it could be a question. */
const NO_OPTION = new RegExp(`^$|[?？؟]|${DETAILS}|^(?:${signs.REQUIRED}|${signs.OPTIONAL})$`, 'i');

function readBelow({ parts }: ReadLine, number: number): Option {
	const { rest, saysRequired, brackets } = parts;
	const isOption =
		!brackets?.type && saysRequired.size === 0 && (labelNumber(parts) ?? number) === number;
	if (isOption && !NO_OPTION.test(rest)) return readBranching(rest);
	throw new Unclear(
		'is this an option or a question?',
		'Write the option into the brackets of its question, or give the question an answer type and no mark of a list.',
	);
}

function readQuestion(draft: QuestionDraft, below: Option[]): void {
	const { number, parts } = draft;
	const { rest, label, saysRequired, brackets } = parts;
	const written = labelNumber(parts) ?? number;
	if (written !== number) {
		throw new Unclear(
			`the number is ${written}, but this is question ${number}`,
			`Correct the number or remove it: arrows count questions from 1. If the number is part of the question, write \\${label}`,
		);
	}
	const isPlain = !brackets?.type && isQuestion(parts);
	const { before, ...found } =
		isPlain || !brackets ? { before: rest, ...bracketsOf('text') } : brackets;
	if ((!isPlain && !brackets) || !hasEqualBrackets(before)) {
		throw new Unclear(
			'add an answer type in brackets, for example (text)',
			plain(rest).endsWith(')')
				? 'A bracket is missing, or there is one too many. Write \\( or \\) for a bracket that is part of the text.'
				: `The types are ${questionTypes.map(({ name }) => name).join(', ')}. If this is a question, write “${plain(rest)} (text)”. If it is an option, write it into the brackets of its question. Otherwise, remove the line.`,
		);
	}
	const { fields, options } = readDetails(found, below);
	const templateCode = found.type?.value;
	const isScale = isPlain || templateCode === 'rating';
	const title = readText(before, isScale ? signs.RATING_SIGNS : signs.QUESTION_SIGNS);
	if (title === '') throw new Unclear('add the question before the brackets');
	if (saysRequired.size > 1) {
		throw new Unclear('a question is either required or optional', 'Remove one of both.');
	}
	draft.question = { templateCode, title, required: saysRequired.has(true), ...fields };
	draft.options = options;
}

/** Whether a line without a type is a question: it ends in a question mark, and no bracket in it looks like a type. */
function isQuestion({ rest, mark }: LineParts): boolean {
	const characters = [...plain(rest)];
	while (BEHIND_QUESTION.test(characters.at(-1) ?? '')) characters.pop();
	return (
		QUESTION_END.test(characters.join('')) &&
		!mark.startsWith('#') &&
		!new RegExp(DETAILS).test(rest)
	);
}

/** The end of a question in any script. In Greek, it is a semicolon. */
const QUESTION_END = /(?:[?？؟⁇⁈⁉‽⸮፧꘏꛷]|(?<=\p{Script=Greek})[;\u037e])$/u;
/** What may stand behind the question mark: quotes, brackets, emoji. */
const BEHIND_QUESTION =
	/[\s"'”’»«“‘›‹」』)）】］〕\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f/u;

/** Sets the options of a question, and links it with the questions that the options lead to. */
function link({ number, question, options }: QuestionDraft, drafts: QuestionDraft[]): void {
	if (question.branch !== true && signs.CONDITION.test(String(question.title))) {
		throw new Unclear(
			'is only somebody asked?',
			`Then write an arrow behind the option that leads here: No → ${number}. Otherwise, remove the condition.`,
		);
	}
	const isFork = options.some(({ leadsTo }) => leadsTo.length > 0);
	for (const target of options.flatMap(({ leadsTo }) => leadsTo)) {
		const branch = drafts[target - 1];
		if (!branch || target <= number) {
			throw new Unclear(
				branch
					? `question ${target} does not come after this one`
					: `there is no question ${target}`,
				`This is question ${number} of ${drafts.length}. Arrows must point to later questions. Blank lines do not count.`,
			);
		}
		Object.assign(branch.question, { branch: true, questionId: `q${target}` });
	}
	if (isFork) Object.assign(question, { fork: true, questionId: `q${number}` });
	if (options.length === 0) return;
	question.options = options.map(({ value, leadsTo }) => {
		if (!isFork) return value;
		return leadsTo.length === 0
			? { value }
			: { value, branchQuestions: leadsTo.map((target) => `q${target}`) };
	});
}
