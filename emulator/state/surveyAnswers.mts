import type { Json } from './json.mts';
import { pick } from './random.mts';
import { optionValues, type OptionValue, type Question, type QuestionInput } from './survey.mts';

const words = ['Great team', 'Too many meetings', 'Könnte besser sein', 'Keep going', 'No comment'];

/** Returns the `questionId`s of the branch questions that the chosen options open. */
function branchesOf(question: QuestionInput, chosen: readonly OptionValue[]): string[] {
	return (question.options ?? []).flatMap((option) =>
		typeof option === 'object' && chosen.includes(option.value)
			? [...(option.branchQuestions ?? []), ...(option.branchQuestionId ?? [])]
			: [],
	);
}

/** Returns the options that open a branch question: for each, the positions of its question and of the option. */
export function openersOf(
	questions: readonly QuestionInput[],
	branch: QuestionInput,
): [question: number, option: number][] {
	return questions.flatMap((question, index) =>
		optionValues(question.options).flatMap((value, option): [number, number][] =>
			question.fork === true && branchesOf(question, [value]).includes(branch.questionId ?? '')
				? [[index, option]]
				: [],
		),
	);
}

/** Drops answers to branch questions that no chosen option opens. */
export function withoutClosedBranches(
	questions: readonly QuestionInput[],
	answers: readonly (Json | undefined)[],
): (Json | undefined)[] {
	const open = new Set(
		questions.flatMap((question, index) => {
			const given = [answers[index]].flat();
			const chosen = optionValues(question.options).filter((option) => given.includes(option));
			return question.fork === true ? branchesOf(question, chosen) : [];
		}),
	);
	return questions.map((question, index) =>
		question.branch !== true || open.has(question.questionId ?? '') ? answers[index] : undefined,
	);
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
	const keys = new Map(list.map((value) => [value, random()]));
	return list.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

/** Returns a plausible answer. `random` returns whole numbers. */
function likelyAnswer(question: Question, random: () => number): Json {
	const options = optionValues(question.options);
	const one = (): Json => (options.length === 0 ? pick(words, random) : pick(options, random));
	const twoDigits = (number: number): string => String(number).padStart(2, '0');
	switch (question.templateCode) {
		case 'input':
		case 'textarea':
			return pick(words, random);
		case 'radio':
		case 'dropdown':
			return one();
		case 'multiselect':
			return shuffled(options, random).slice(0, 1 + (random() % Math.max(1, options.length)));
		case 'rank':
			return shuffled(options, random);
		case 'matrix':
			return Object.fromEntries((question.matrixQuestions ?? []).map((row) => [row, one()]));
		case 'rating':
			return random() % 11;
		case 'date':
			return `2026-${twoDigits(1 + (random() % 12))}-${twoDigits(1 + (random() % 28))}`;
		case 'time':
			return `${twoDigits(random() % 24)}:${twoDigits(random() % 60)}`;
		case 'email':
			return `answer${random() % 1000}@people.example`;
		case 'number': {
			const lowest = Math.ceil(question.min ?? 0);
			const highest = Math.floor(question.max ?? lowest + 100);
			return lowest + (random() % Math.max(1, highest - lowest + 1));
		}
	}
}

/**
 * Returns one random answer per question. The answer is undefined for some optional questions, and for branch questions
 * that no chosen option opens.
 */
export function likelyAnswers(
	questions: readonly Question[],
	random: () => number,
): (Json | undefined)[] {
	const answers = questions.map((question) =>
		question.required === false && random() % 3 === 0 ? undefined : likelyAnswer(question, random),
	);
	return withoutClosedBranches(questions, answers);
}
