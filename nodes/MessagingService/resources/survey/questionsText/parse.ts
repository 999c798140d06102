import type { IDataObject } from 'n8n-workflow';

import { QUESTION_TYPES } from '../questionTypes';
import { placesOf, plain, split } from './escapes';
import { KINDS } from './kinds';
import type { Line } from './line';
import type { Option } from './options';
import { readSettings } from './settings';

/** What is wrong with a line, and what to write instead. */
export type Problem = {
	/** Counted from 1, blank lines too, as an editor shows it. */
	line: number;
	/** Goes on after "Line 3": `has no question type`. */
	message: string;
	advice: string;
};

/** A question of which only the links to other questions are missing. */
type Draft = { line: Line; question: IDataObject; options: Option[] };

/**
 * Reads questions written as text, one a line: `Did you get a laptop? (radio: Yes, No → 4) *`. The grammar is in
 * docs/questions-as-text.md.
 *
 * @param text lines may be blank, numbered, or begin with a bullet
 * @returns the API's list of questions (SurveyQuestion in emulator/openapi.yaml), `required` always said; and everything
 * that is wrong, by line. With a problem the questions are not to be used. Throws nothing.
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
	const brackets = lastBrackets(rest);
	if (brackets === undefined) {
		line.report(
			'has no question type in brackets at its end',
			rest.endsWith(')')
				? 'A bracket is missing or one too many; write \\( and \\) for brackets that belong to the text.'
				: `Write it behind the question, for example: ${KINDS[0]?.example}. The types are ${QUESTION_TYPES.join(', ')}.`,
		);
		return draft;
	}
	const { typeName, parts } = readBrackets(brackets.inside);
	const kind = KINDS.find(
		({ type, alsoCalled }) => type === typeName || alsoCalled?.includes(typeName),
	);
	if (!kind) {
		line.report(
			typeName === '' ? 'has empty brackets at its end' : `has the unknown type "${typeName}"`,
			`Write one of ${QUESTION_TYPES.join(', ')} in the last brackets.`,
		);
		return draft;
	}
	// A star is also taken where many forms have it: right behind the question.
	const beforeBrackets = withoutStar(brackets.before);
	const title = plain(beforeBrackets.rest);
	if (title === '') {
		line.report(
			'has a type but no question',
			`Write the question before the brackets: ${kind.example}.`,
		);
	}
	const { fields: settings, others } = readSettings(parts, line, kind.type);
	const { fields = {}, options = [] } = kind.body(others, line, kind.type);
	draft.question = {
		templateCode: kind.type,
		title,
		required: isRequired || beforeBrackets.isRequired,
		...fields,
		...settings,
	};
	draft.options = options;
	return draft;
}

/** Fills in the options of a question, and links it with the questions that they lead to. */
function link({ line, question, options }: Draft, drafts: Draft[]): void {
	if (options.length === 0) return;
	const isFork = options.some(({ leadsTo }) => leadsTo.length > 0);
	if (!isFork) {
		question.options = options.map(({ value }) => value);
		return;
	}
	for (const target of options.flatMap(({ leadsTo }) => leadsTo)) {
		const branch = drafts[target - 1];
		if (branch && target > line.number) {
			Object.assign(branch.question, { branch: true, questionId: idOf(target) });
			continue;
		}
		line.report(
			branch
				? `leads to question ${target}, which is not asked after it`
				: `leads to question ${target}, but there are ${line.count}`,
			`This is question ${line.number}; an arrow leads to a later one. Blank lines do not count.`,
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

/** A line without its bullet and its number; a wrong number is reported, because arrows go by it. */
function withoutNumber({ text, number, report }: Line): string {
	const withoutBullet = text.replace(/^[-–•*]\s+/, '');
	const [label = '', written = ''] = /^(\d+)[.)]\s/.exec(withoutBullet) ?? [];
	if (label !== '' && Number(written) !== number) {
		report(
			`is numbered ${written}, but is question ${number}`,
			`Correct the number or leave it out: arrows count the questions from 1. If the question itself begins so, write \\${label.trim()}`,
		);
	}
	return withoutBullet.slice(label.length);
}

/** Takes a star off the end. */
function withoutStar(text: string): { rest: string; isRequired: boolean } {
	const trimmed = text.trim();
	const isRequired = placesOf(trimmed, '\\*').at(-1)?.end === trimmed.length;
	return { rest: isRequired ? trimmed.slice(0, -1).trim() : trimmed, isRequired };
}

/** The brackets that close at the very end, and what stands before them. */
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

function readBrackets(inside: string): { typeName: string; parts: string[] } {
	const end = placesOf(inside, '[:;]').at(0)?.start ?? inside.length;
	return {
		typeName: inside.slice(0, end).trim().toLowerCase().replace(/\s+/g, ' '),
		parts: split(inside.slice(end + 1), ';'),
	};
}
