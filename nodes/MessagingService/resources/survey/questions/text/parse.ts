import type { IDataObject } from 'n8n-workflow';

import { messageOf } from '../../../../../shared/failure';
import type { FieldInfo } from '../../../../../shared/field';
import { truncate } from '../../../../../shared/truncate';
import { toText } from '../../../../../shared/values';
import { QUESTION_TYPES, WITH_OPTIONS } from '../questionTypes';
import { readDetails, readOption, readText, type Option } from './details';
import { hasEqualBrackets, linesOf, readBrackets, splitLine } from './lines';
import type { Line, LineParts } from './lines';
import { LineError, decodeLiterals } from './literal';
import * as signs from './signs';

/** A line that has a problem, with advice. */
export type LineProblem = Line & { message: string; advice: string };

type LineWithParts = Line & { parts: LineParts };

/** The line of a question, and what is known of the question so far. */
type QuestionDraft = LineWithParts & {
	/** The number of the question, counted from 1. Arrows refer to this number. */
	number: number;
	/** The lines below that contain its options. */
	optionLines: LineWithParts[];
	/** The question in the API's format. `fillQuestion` and `linkBranches` fill it. */
	question: IDataObject;
	options: Option[];
};

/** After the first problem, an error lists at most this many other problems. */
const MOST_OTHERS = 5;

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
	const shown = ({ text: line }: LineProblem): string => `“${truncate(line, LONGEST_LINE)}”`;
	const also = others
		.slice(0, MOST_OTHERS)
		.map((other) => `Line ${other.line}: ${other.message} (${shown(other)}).`);
	if (others.length > MOST_OTHERS) also.push(`And ${others.length - MOST_OTHERS} more.`);
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
	problems: LineProblem[];
} {
	const problems: LineProblem[] = [];
	const drafts: QuestionDraft[] = [];
	for (const line of linesOf(text)) {
		const withParts = { ...line, parts: splitLine(line.text) };
		const above = drafts.at(-1);
		const empty = { optionLines: [], question: {}, options: [] };
		if (above && isOptionLine(withParts, above)) above.optionLines.push(withParts);
		else drafts.push({ ...withParts, number: drafts.length + 1, ...empty });
	}
	/** Runs a step of reading a question. What it throws is a problem of `line`. Returns whether it threw nothing. */
	const attempt = (draft: QuestionDraft, step: () => void, line: Line = draft): boolean => {
		try {
			step();
			return true;
		} catch (error) {
			const given = error instanceof LineError ? error.advice : undefined;
			const advice = given ?? `For example: ${draft.parts.brackets?.type?.example}.`;
			problems.push({ ...line, message: messageOf(error), advice });
			return false;
		}
	};
	const areLabeled = drafts.every(({ parts }) => parts.label !== '');
	for (const draft of drafts) {
		const optionsBelow: Option[] = [];
		const areRead = draft.optionLines.every((line, index) =>
			attempt(draft, () => optionsBelow.push(readOptionLine(line, index + 1)), line),
		);
		if (areRead) attempt(draft, () => fillQuestion(draft, optionsBelow, areLabeled));
	}
	// A question that could not be read has no title and no options, so it gets no second problem.
	for (const draft of drafts) attempt(draft, () => linkBranches(draft, drafts));
	return { questions: drafts.map(({ question }) => question), problems };
}

/** Whether a line is an option of the question above: an entry of a list, if the question needs options and has none. */
function isOptionLine(line: LineWithParts, above: QuestionDraft): boolean {
	const { type, name, details = [] } = above.parts.brackets ?? {};
	const takesOptions = type && type.value !== 'matrix' && WITH_OPTIONS.includes(type.value);
	if (!takesOptions || name === 'yes/no' || details.length > 0) return false;
	const level = listLevel(line);
	// The first option is an entry of a list, unlike the line of the question. The others look like the first one.
	const [first] = above.optionLines;
	if (first) return level === listLevel(first);
	return level !== '' && level !== listLevel(above) && !line.parts.brackets?.type;
}

/** Returns the indent and mark of an entry of a list, such as "2 -" or "0 n.", and an empty text for any other line. */
function listLevel({ indent, parts: { mark, label } }: LineWithParts): string {
	const sign = mark || label.replace(/[\p{L}\p{Nd}]+/u, 'n');
	return sign === '' || sign.startsWith('#') ? '' : `${indent} ${sign}`;
}

/** Returns the number of a label: 2 for "2.", and `undefined` for "b)". */
function labelNumber({ label }: LineParts): number | undefined {
	const [digits] = /\d+/.exec(label.normalize('NFKC')) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** An opening bracket with details behind it. A colon in a time (6:00) is no sign of details. */
const DETAILS = `${signs.OPENING}.*(?:(?<!\\d)${signs.COLON}|${signs.SEMICOLON})`;

/** Matches what an option in a separate line hardly contains: the line could be a question. */
const NO_OPTION = new RegExp(`^$|[?？؟]|${DETAILS}|^(?:${signs.REQUIRED}|${signs.OPTIONAL})$`, 'i');

/** @param number the place of the option in its list, counted from 1 */
function readOptionLine({ parts }: LineWithParts, number: number): Option {
	const { rest, requiredFlags, brackets } = parts;
	const isInOrder = (labelNumber(parts) ?? number) === number;
	const isQuestionLike = brackets?.type || requiredFlags.size > 0 || NO_OPTION.test(rest);
	if (isInOrder && !isQuestionLike) return readOption(rest);
	throw new LineError(
		'is this an option or a question?',
		'Write the option into the brackets of its question, or give the question an answer type and no mark of a list.',
	);
}

/** Fills the question of a draft, except its options and its branches. @param areLabeled whether all questions have a label */
function fillQuestion(draft: QuestionDraft, optionsBelow: Option[], areLabeled: boolean): void {
	const { number, parts } = draft;
	const { rest, label, requiredFlags, brackets } = parts;
	const writtenNumber = labelNumber(parts) ?? number;
	if (writtenNumber !== number || (label !== '' && !areLabeled)) {
		const isWrong = writtenNumber !== number;
		throw new LineError(
			isWrong
				? `numbered ${writtenNumber}, but this is question ${number}`
				: 'all questions need a number, or none',
			`Correct the number or remove it: arrows count questions from 1. If the number is part of the question, write \\${label}`,
		);
	}
	// A question without a type is a short text. Any brackets are then part of the question.
	const isUntyped = !brackets?.type && isQuestion(parts);
	const typed = isUntyped ? { before: rest, ...readBrackets('input') } : brackets;
	if (!typed || !hasEqualBrackets(typed.before)) {
		throw new LineError(
			'add an answer type in brackets, for example (input)',
			decodeLiterals(rest).endsWith(')')
				? 'A bracket is missing, or there is one too many. Write \\( or \\) for a bracket that is part of the text.'
				: `The types are ${QUESTION_TYPES.join(', ')}. If this is a question, write “${decodeLiterals(rest)} (input)”. If it is an option, write it into the brackets of its question. Otherwise, remove the line.`,
		);
	}
	const { options, otherFields } = readDetails(typed, optionsBelow);
	const templateCode = typed.type?.value;
	const mayBeScale = isUntyped || templateCode === 'rating';
	const title = readText(typed.before, mayBeScale ? signs.RATING_SIGNS : signs.QUESTION_SIGNS);
	if (title === '') throw new LineError('add the question before the brackets');
	if (requiredFlags.size > 1) {
		throw new LineError('a question is either required or optional', 'Remove one of both.');
	}
	draft.question = { templateCode, title, required: requiredFlags.has(true), ...otherFields };
	draft.options = options;
}

/** Whether a line without a type is a question: it ends in a question mark, and has no bracket that looks like a type. */
function isQuestion({ rest, mark }: LineParts): boolean {
	const characters = [...decodeLiterals(rest)];
	while (BEHIND_QUESTION.test(characters.at(-1) ?? '')) characters.pop();
	const hasQuestionMark = QUESTION_END.test(characters.join(''));
	const isHeading = mark.startsWith('#');
	return hasQuestionMark && !isHeading && !new RegExp(DETAILS).test(rest);
}

/** The end of a question in any script. In Greek, it is a semicolon. */
const QUESTION_END = /(?:[?？؟⁇⁈⁉‽⸮፧꘏꛷]|(?<=\p{Script=Greek})[;\u037e])$/u;
/** What may stand behind the question mark: quotes, brackets, emoji. */
const BEHIND_QUESTION =
	/[\s"'”’»«“‘›‹」』)）】］〕\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f/u;

/** Adds the options to a question, and makes the questions that they lead to its branches. */
function linkBranches({ number, question, options }: QuestionDraft, drafts: QuestionDraft[]): void {
	const targets = options.flatMap(({ leadsTo }) => leadsTo);
	for (const { number: later, question: branch } of drafts.slice(number))
		if (targets.includes(later)) Object.assign(branch, { branch: true, questionId: `q${later}` });
	// If an earlier question could not be read, its arrow may lead here.
	const areReadAbove = drafts.slice(0, number - 1).every((above) => 'title' in above.question);
	if (areReadAbove && question.branch !== true && signs.CONDITION.test(String(question.title))) {
		throw new LineError(
			'is this question only for some people?',
			`Then write an arrow after the option that leads here: No → ${number}. Otherwise, remove the condition.`,
		);
	}
	const wrong = targets.find((target) => target <= number || target > drafts.length);
	if (wrong !== undefined) {
		throw new LineError(
			drafts[wrong - 1]
				? `question ${wrong} does not come after this one`
				: `there is no question ${wrong}`,
			`This is question ${number} of ${drafts.length}. Arrows must point to later questions. Blank lines do not count.`,
		);
	}
	const isFork = targets.length > 0;
	if (isFork) Object.assign(question, { fork: true, questionId: `q${number}` });
	if (options.length === 0) return;
	question.options = options.map(({ value, leadsTo }) => {
		if (!isFork) return value;
		return leadsTo.length === 0
			? { value }
			: { value, branchQuestions: leadsTo.map((target) => `q${target}`) };
	});
}
