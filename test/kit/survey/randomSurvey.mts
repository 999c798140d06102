import type { IDataObject } from 'n8n-workflow';

import type { SummarySettings } from '../../../nodes/MessagingService/resources/survey/summary/summary.ts';
import { parseSurveyData, type SurveyData } from '../../../nodes/shared/surveyData.ts';

/** A question of a random survey, with details that survey data does not show. */
export type Asked = {
	title: string;
	/** The key of its answers. */
	key: string;
	required: boolean;
	options: string[];
	/** What an answer contains: one entry, several entries, or one entry per row. */
	kind: 'one' | 'several' | 'matrix';
	/** Whether people may also write a free text. */
	takesText: boolean;
	/** The fork that opens this question, and the answers to the fork that open it. */
	fork?: { title: string; answers: string[] };
};

export type RandomSurvey = {
	questions: Asked[];
	rows: IDataObject[];
	data: SurveyData;
	settings: SummarySettings;
};

export const MATRIX_ROWS = ['Pay', 'Tools'];

/** Returns a random survey of 1 to 24 people with forks, branch questions, a matrix, and texts. */
export function randomSurvey(seed: number): RandomSurvey {
	const random = randomNumbers(seed);
	const below = (limit: number): number => Math.floor(random() * limit);
	const chance = (share: number): boolean => random() < share;
	const some = <Value,>(list: Value[], least = 1): Value[] => {
		const chosen = list.filter(() => chance(0.5));
		return chosen.length >= least ? chosen : list.slice(0, least);
	};
	const options = (name: string, least: number, most: number): string[] =>
		Array.from({ length: least + below(most - least + 1) }, (_, n) => `${name}${n}`);

	const fork = { answers: options('F', 2, 3), required: chance(0.8), takesText: chance(0.3) };
	const hasNested = chance(0.5);
	const branches = chance(0.3) ? options('', 2, 4).concat('N/A') : options('B', 2, 3);
	const teams = chance(0.85) ? options('T', 2, 4) : [];
	const asked: Array<Omit<Asked, 'key'>> = [
		{
			...{ title: 'Team', kind: chance(0.85) ? 'one' : 'several', required: chance(0.7) },
			options: teams,
			takesText: teams.length === 0 || chance(0.2),
		},
		{ ...fork, title: 'Fork', kind: 'one', options: fork.answers },
		{
			...{ title: 'Branch', kind: 'one', required: chance(0.8), takesText: chance(0.1) },
			options: branches,
			fork: { title: 'Fork', answers: some(fork.answers) },
		},
		{
			...{ title: 'Nested', kind: 'one', required: chance(0.8) },
			...(chance(0.6)
				? { options: options('N', 2, 3), takesText: chance(0.3) }
				: { options: [], takesText: true }),
			fork: hasNested
				? { title: 'Branch', answers: branches.slice(0, 1) }
				: { title: 'Fork', answers: some(fork.answers) },
		},
		{
			...{ title: 'Matrix', kind: 'matrix', required: chance(0.5), takesText: false },
			options: chance(0.5) ? options('', 2, 4).concat('N/A') : options('M', 2, 3),
			...(chance(0.4) && { fork: { title: 'Fork', answers: some(fork.answers) } }),
		},
		{ title: 'Why', kind: 'one', required: chance(0.4), options: [], takesText: true },
		{
			...{ title: 'Likes', kind: 'several', required: chance(0.3), takesText: chance(0.4) },
			options: options('L', 2, 3),
		},
	];
	const questions = asked.map((one, index): Asked => ({ ...one, key: `q.${index}` }));
	// The options differ in weight, so that small teams occur.
	const weights = questions.map(({ options: list }) => list.map(() => random() ** 2));
	let texts = 0;
	const entry = (asked: Asked, index: number): string | number => {
		const isTeam = asked.title === 'Team';
		if (asked.options.length === 0 && !isTeam && chance(0.5)) return below(4);
		// Several people write the same team name.
		if (asked.options.length === 0 || (asked.takesText && chance(0.2)))
			return isTeam ? `team ${below(3)}` : `text ${++texts}`;
		const own = weights[index] ?? [];
		let left = random() * own.reduce((sum, weight) => sum + weight, 0);
		return asked.options.find((_, n) => (left -= own[n] ?? 0) <= 0) ?? asked.options[0] ?? 0;
	};
	const answerTo = (asked: Asked, index: number): unknown => {
		if (!asked.required && chance(0.4)) return undefined;
		if (asked.kind === 'one') return entry(asked, index);
		if (asked.kind === 'several')
			return [...new Set(Array.from({ length: 1 + below(2) }, () => entry(asked, index)))];
		const rows = asked.required ? MATRIX_ROWS : some(MATRIX_ROWS);
		return Object.fromEntries(rows.map((row) => [row, entry(asked, index)]));
	};
	const rows = Array.from({ length: 1 + below(24) }, () => {
		const row: IDataObject = { submitted: true };
		const given = new Map<string, unknown>();
		for (const [index, asked] of questions.entries()) {
			const isOpen =
				!asked.fork || asked.fork.answers.includes(String(given.get(asked.fork.title)));
			const answer = isOpen ? answerTo(asked, index) : undefined;
			given.set(asked.title, answer);
			if (answer !== undefined) Object.assign(row, { [asked.key]: answer });
		}
		return row;
	});
	const minimumResponses = 2 + below(5);
	const data = parseSurveyData(
		{
			name: 'Pulse',
			questions: questions.map(({ title, options: list, kind }) => ({
				...{ title, options: list },
				...(kind === 'matrix' && { matrixQuestions: MATRIX_ROWS }),
			})),
			// The last row proves that keys start at 0, because the first question may have no answers.
			result: [...rows, { submitted: false, 'q.0': 'T0' }],
		},
		(message) => new Error(message),
	);
	return {
		...{ questions, rows, data },
		settings: { minimumResponses, minimumComments: 1 + below(10) },
	};
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
