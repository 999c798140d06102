import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../../../shared/field';
import { truncate } from '../../../../shared/truncate';
import { toText } from '../../../../shared/values';
import { questionTypes, WITH_OPTIONS } from '../questionTypes';
import { readBrackets, typeIn } from './brackets';
import { placesOf, plain } from './escaping';
import { linesOf, partsOf, peeled, type Parts } from './lines';
import { readText, type Line, type Option } from './options';
import * as signs from './signs';

/** A problem in a line, with advice. */
export type Problem = {
	/** The line number as an editor shows it: counted from 1, including blank lines. */
	line: number;
	/** The line as it was written. */
	text: string;
	/** Completes "Line 3: …". */
	message: string;
	advice: string;
};

/** A question that is not linked with other questions yet. */
type Draft = { line: Line; parts: Parts; question: IDataObject; options: Option[] };

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
export function questionsFromText(value: unknown, field: Field): IDataObject[] {
	const text = Array.isArray(value)
		? value.map((line) => toText(line, field)).join('\n')
		: toText(value, field);
	const { questions, problems } = parseQuestionsText(text);
	const [first, ...others] = problems
		.sort((a, b) => a.line - b.line)
		.map(({ line, text: written, message, advice }) => ({
			...{ message: `Line ${line}: ${message}`, advice },
			shown: `“${truncate(written, LONGEST_LINE)}”`,
		}));
	if (!first) return questions;
	const also = others.slice(0, LISTED).map(({ message, shown }) => `${message} (${shown}).`);
	if (others.length > LISTED) also.push(`And ${others.length - LISTED} more.`);
	throw field.fail(first.message, [`${first.advice} The line: ${first.shown}.`, ...also].join(' '));
}

/**
 * Parses questions as text, one per line: `Did you get a laptop? (radio: Yes, No → 4) *`. A line without a type is a
 * short text if it ends in a question mark. docs/questions-as-text.md describes the grammar.
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
	const drafts: Draft[] = [];
	for (const { text: written, line, indent } of linesOf(text)) {
		const parts = partsOf(written);
		const report: Line['report'] = (message, advice) =>
			problems.push({ line, text: written, message, advice });
		const above = drafts.at(-1);
		if (above && isBelow(above, parts)) {
			const { indent: first = indent } = above.line.below[0] ?? {};
			const isText = first === indent && parts.flags.size === 0 && !NO_OPTION.test(parts.rest);
			const isOption = isText && !hasType(parts);
			if (!isOption) report('is this an option or a question?', withType(parts.rest));
			above.line.below.push({ text: parts.rest, mark: markOf(parts), indent, report });
			continue;
		}
		const hasProblem = (): boolean => problems.some((problem) => problem.line === line);
		const place = { number: drafts.length + 1, count: 0, below: [] };
		drafts.push({ line: { ...place, report, hasProblem }, parts, question: {}, options: [] });
	}
	for (const draft of drafts) {
		draft.line.count = drafts.length;
		readQuestion(draft);
	}
	for (const draft of drafts) link(draft, drafts);
	return { questions: drafts.map(({ question }) => question), problems };
}

/** What an option in a line of its own hardly contains: it could be a question. */
const NO_OPTION = new RegExp(
	`[?？؟]|[(（【［〔][^)）】］〕]*[:;：；]|^(?:${signs.REQUIRED}|${signs.OPTIONAL})$`,
	'i',
);

function hasType({ brackets }: Parts): boolean {
	return brackets !== undefined && typeIn(brackets.inside).type !== undefined;
}

/** Whether a line belongs to a choice question above that has no options yet: it has a mark of a list, and no type. */
function isBelow({ parts: above, line }: Draft, parts: Parts): boolean {
	const { type, name, rest } = typeIn(above.brackets?.inside ?? '');
	const isOpen = type && type.value !== 'matrix' && WITH_OPTIONS.includes(type.value);
	if (!isOpen || name === 'yes/no' || rest !== '' || parts.rest === '') return false;
	const mark = markOf(parts);
	const [first] = line.below;
	if (mark === '' || mark.startsWith('#') || (first && first.mark !== mark)) return false;
	// With the mark of the options, a typed line may be an option that is joined with the next question.
	if (hasType(parts)) return first !== undefined && markOf(above) !== mark;
	const number = numberIn(parts.label);
	return number === undefined || number === String(line.below.length + 1);
}

function markOf({ marks: [mark], label = '' }: Parts): string {
	return mark ?? label.replace(/[\p{L}\p{Nd}]+/u, 'n');
}

/** Returns the number of a label, `1.` or `Q1:`. A letter is no number. */
function numberIn(label = ''): string | undefined {
	return /\p{Nd}[\p{Nd}.]*(?<=\p{Nd})/u.exec(label.normalize('NFKC'))?.[0];
}

function readQuestion(draft: Draft): void {
	const { line, parts } = draft;
	const { rest, label = '', flags } = parts;
	const number = numberIn(label);
	// "A. Smith: …" may be a name.
	if (number === undefined ? /^[a-z]\.$/i.test(label) : Number(number) !== line.number) {
		const literal = number === undefined ? label.replace('.', '\\.') : `\\${label}`;
		line.report(
			`the number is ${number ?? label}, but this is question ${line.number}`,
			`Correct the number or remove it: arrows count questions from 1. If the number is part of the question, write ${literal}`,
		);
	}
	const isPlain = !hasType(parts) && isQuestion(parts);
	const { before, inside } = isPlain
		? { before: rest, inside: 'text' }
		: (parts.brackets ?? { before: rest, inside: undefined });
	if (inside === undefined) {
		const bracket =
			'A bracket is missing, or there is one too many. Write \\( or \\) for a bracket that is part of the text.';
		const advice = rest.endsWith(')') ? bracket : withType(rest);
		line.report('add an answer type in brackets, for example (text)', advice);
		return;
	}
	const details = readBrackets(inside, line);
	if (!details) return;
	// The star may follow the title instead, as in many paper forms.
	const ofType = details.type === 'rating' ? signs.RATING_SIGNS : signs.QUESTION_SIGNS;
	const title = readText(peeled(before, parts), line, isPlain ? signs.PLAIN_SIGNS : ofType);
	if (title === '') {
		line.report('add the question before the brackets', `For example: ${details.example}.`);
	}
	if (flags.size > 1)
		line.report('a question is either required or optional', 'Remove one of both.');
	checkArrows(rest, details.options, line);
	const { type: templateCode, fields, options } = details;
	draft.question = { templateCode, title, required: flags.has(true), ...fields };
	draft.options = options;
}

function withType(text: string): string {
	return `The types are ${questionTypes.map(({ name }) => name).join(', ')}. If this is a question, write “${plain(text)} (text)”. If it is an option, write it into the brackets of its question. Otherwise, remove the line.`;
}

/** Whether a line without a type is a question: it ends in a question mark. */
function isQuestion({ rest, marks }: Parts): boolean {
	const characters = [...rest];
	while (signs.BEHIND_QUESTION.test(characters.at(-1) ?? '')) characters.pop();
	const isClosed = placesOf(rest, signs.OPENING).length === placesOf(rest, signs.CLOSING).length;
	const isHeading = marks.some((mark) => mark.startsWith('#'));
	return isClosed && !isHeading && signs.QUESTION_END.test(characters.join(''));
}

/** Reports an arrow to a number that is not behind an option. */
function checkArrows(text: string, options: Option[], line: Line): void {
	const arrow = `(?:${signs.ARROW}|${signs.BACKWARD_ARROW})\\s*(?:[qQ]|[qQ]uestion|#)?\\s*\\p{Nd}`;
	const leading = options.filter(({ leadsTo }) => leadsTo.length > 0);
	if (placesOf(text, arrow).length <= leading.length || line.hasProblem()) return;
	line.report(
		'an arrow to a question is allowed only behind an option',
		'Write it behind the option that leads to the question: (radio: Yes, No → 4). Write \\→ or \\-> for an arrow that is part of the text.',
	);
}

/** Sets the options of a question, and links it with the questions that the options lead to. */
function link({ line, question, options }: Draft, drafts: Draft[]): void {
	if (question.branch !== true && signs.CONDITION.test(String(question.title))) {
		line.report(
			'is only somebody asked?',
			`Then write an arrow behind the option that leads here: No → ${line.number}. Otherwise, remove the condition.`,
		);
	}
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
