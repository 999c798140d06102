import type { IDataObject } from 'n8n-workflow';

import type { FieldInfo } from '../../../../shared/field';
import { isBlank, isDataObject, listIn } from '../../../../shared/values';
import { WITH_OPTIONS } from './questionTypes';
import { convertQuestion, optionsOf, questionFailure, questionLabel } from './questionValues';
import type { AnswerOption } from './questionValues';

/** What is wrong, and what to do. The first part completes a sentence that begins with the question. */
type Problem = [message: string, advice: string];

/**
 * Converts and checks questions before they are sent. They must follow the rules of the service (SurveyQuestion in
 * emulator/openapi.yaml), and each question that needs options must have some.
 *
 * @param given the API's list of questions, from text, the form or JSON
 * @param field the label of the parameter, and the function that creates errors
 * @returns the questions with converted values (`convertQuestion`)
 * @throws an error that states the number and title of the first invalid question, or that there is no question
 */
export function checkQuestions(given: unknown, field: FieldInfo): IDataObject[] {
	const { label, fail } = field;
	if (!Array.isArray(given)) {
		throw fail(`${label} must be a list of questions`, 'Write it in brackets: [ { … }, { … } ].');
	}
	if (given.length === 0) throw fail('Add at least one question', `${label} is empty.`);
	const questions = given.map((question: unknown, index) => {
		if (isDataObject(question)) return convertQuestion(question, index, field);
		throw fail(`${questionLabel(index)} is not an object with templateCode and title`);
	});
	const targets = new Set(questions.flatMap(optionsOf).flatMap(({ leadsTo }) => leadsTo));
	for (const [index, question] of questions.entries()) {
		const [problem] = problemsIn(question, questions, targets);
		if (problem) throw questionFailure(index, question.title, fail)(...problem);
	}
	return questions;
}

/**
 * Finds the problems of a question. Only the first one is reported, and a check may rely on those before it.
 *
 * @param targets the IDs of the questions that any option leads to
 */
function* problemsIn(
	question: IDataObject,
	questions: IDataObject[],
	targets: Set<unknown>,
): Generator<Problem> {
	const options = optionsOf(question);
	yield* contentProblems(question, options);
	yield* branchingProblems(question, options, targets);
	yield* linkProblems(question, options, questions);
}

function* contentProblems(question: IDataObject, options: AnswerOption[]): Generator<Problem> {
	const { templateCode, title, min, max, matrixQuestions } = question;
	if (templateCode === undefined) {
		yield ['has no question type (templateCode)', 'Choose how recipients answer.'];
	}
	if (isBlank(title)) yield ['has no title', 'Enter the text of the question as its title.'];
	if (typeof min === 'number' && typeof max === 'number' && min > max) {
		yield [
			`has a min (${min}) above its max (${max})`,
			'With these limits, recipients cannot enter any number.',
		];
	}
	if (options.length === 0 && WITH_OPTIONS.some((type) => type === templateCode)) {
		yield ['has no options', 'Add at least one option.'];
	}
	if (listIn(matrixQuestions).length === 0 && templateCode === 'matrix') {
		yield ['has no rows', 'Add the rows of the matrix (matrixQuestions).'];
	}
	const blank = options.findIndex(({ value }) => isBlank(value));
	if (blank >= 0) {
		yield [`has no value for option ${blank + 1}`, 'Enter what recipients can choose.'];
	}
	const texts = options.map(({ value }) => String(value).trim());
	const duplicate = texts.find((text, index) => texts.indexOf(text) !== index);
	if (duplicate !== undefined) {
		yield [
			`has the option "${duplicate}" twice`,
			'Remove one of them, so that answers can be distinguished.',
		];
	}
}

function* branchingProblems(
	{ fork, branch, questionId }: IDataObject,
	options: AnswerOption[],
	targets: Set<unknown>,
): Generator<Problem> {
	if ((fork === true || branch === true) && isBlank(questionId)) {
		yield [
			`is a ${fork === true ? 'fork' : 'branch'} without a question ID`,
			'Add a unique questionId. Enter that of a branch in the options that lead to it.',
		];
	}
	if (branch === true && !targets.has(questionId)) {
		yield [
			'is a branch, but no option leads to it',
			'Nobody would be asked this question. Enter its question ID in the option that leads to it, or switch off Branch.',
		];
	}
	if (fork !== true && options.some(({ leadsTo }) => leadsTo.length > 0)) {
		yield [
			'has options with Branch Questions but is not a fork',
			'Switch on Fork (in JSON: fork true). If everybody should get all questions, then clear Branch Questions (the form shows them only while Fork is on) and switch Fork off again. Nothing was sent.',
		];
	}
}

/** Checks that the ID is unique, and that options lead only to later questions, because recipients never go back. */
function* linkProblems(
	question: IDataObject,
	options: AnswerOption[],
	questions: IDataObject[],
): Generator<Problem> {
	const ownIndex = questions.indexOf(question);
	const indexOfId = (id: unknown) => questions.findIndex(({ questionId }) => questionId === id);
	const { questionId } = question;
	const ownerIndex = isBlank(questionId) ? ownIndex : indexOfId(questionId);
	if (ownerIndex !== ownIndex) {
		yield [
			`has the same question ID "${String(questionId)}" as ${questionLabel(ownerIndex, questions[ownerIndex]?.title)}`,
			'Use each question ID only once, so that it is clear where a fork leads.',
		];
	}
	for (const { value, leadsTo } of options) {
		for (const id of leadsTo) {
			const link = `leads from option "${String(value)}" to the question ID "${String(id)}"`;
			const target = indexOfId(id);
			if (target < 0) {
				const ids = questions.map((one) => one.questionId).filter((one) => !isBlank(one));
				yield [
					`${link}, which no question has`,
					ids.length > 0
						? `The question IDs are: ${ids.join(', ')}.`
						: 'Set this questionId on the question that the option leads to.',
				];
			}
			if (target <= ownIndex) {
				yield [
					`${link}, which is ${target === ownIndex ? 'its own' : `that of question ${target + 1}`}`,
					'An option can lead only to a later question. Move the question with this ID further down, or choose another question.',
				];
			}
			if (questions[target]?.branch !== true) {
				yield [
					`${link}, but question ${target + 1} is not a branch`,
					'Everybody would be asked that question. Switch on Branch for it (in JSON: branch true).',
				];
			}
		}
	}
}
