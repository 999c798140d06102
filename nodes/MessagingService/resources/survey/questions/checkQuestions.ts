import type { IDataObject } from 'n8n-workflow';

import type { FieldInfo } from '../../../../shared/field';
import { isBlank, isDataObject, listIn } from '../../../../shared/values';
import { WITH_OPTIONS } from './questionTypes';
import { convertQuestion, optionsOf, questionFailure, questionLabel } from './questionValues';

/** Fails if a question breaks a rule. The message completes a sentence that begins with the question. */
type RefuseIf = (isWrong: boolean, message: string, advice: string) => void;

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
		const refuseIf: RefuseIf = (isWrong, message, advice) => {
			if (isWrong) throw questionFailure(index, question.title, fail)(message, advice);
		};
		checkAlone(question, targets, refuseIf);
		checkLinks(question, index, questions, refuseIf);
	}
	return questions;
}

/** Checks a question alone. @param targets the IDs of the questions that any option leads to */
function checkAlone(question: IDataObject, targets: Set<unknown>, refuseIf: RefuseIf): void {
	const { templateCode, title, min, max, matrixQuestions, fork, branch, questionId } = question;
	const options = optionsOf(question);
	const needsOptions = WITH_OPTIONS.some((type) => type === templateCode);
	const blank = options.findIndex(({ value }) => isBlank(value));
	const texts = options.map(({ value }) => String(value).trim());
	const duplicate = texts.find((text, index) => texts.indexOf(text) !== index);
	refuseIf(
		templateCode === undefined,
		'has no question type (templateCode)',
		'Choose how recipients answer.',
	);
	refuseIf(isBlank(title), 'has no title', 'Enter the text of the question as its title.');
	refuseIf(
		typeof min === 'number' && typeof max === 'number' && min > max,
		`has a min (${String(min)}) above its max (${String(max)})`,
		'With these limits, recipients cannot enter any number.',
	);
	refuseIf(options.length === 0 && needsOptions, 'has no options', 'Add at least one option.');
	refuseIf(
		listIn(matrixQuestions).length === 0 && templateCode === 'matrix',
		'has no rows',
		'Add the rows of the matrix (matrixQuestions).',
	);
	refuseIf(blank >= 0, `has no value for option ${blank + 1}`, 'Enter what recipients can choose.');
	refuseIf(
		duplicate !== undefined,
		`has the option "${duplicate}" twice`,
		'Remove one of them, so that answers can be distinguished.',
	);
	refuseIf(
		(fork === true || branch === true) && isBlank(questionId),
		`is a ${fork === true ? 'fork' : 'branch'} without a question ID`,
		'Add a unique questionId. Enter that of a branch in the options that lead to it.',
	);
	refuseIf(
		branch === true && !targets.has(questionId),
		'is a branch, but no option leads to it',
		'Nobody would be asked this question. Enter its question ID in the option that leads to it, or switch off Branch.',
	);
	refuseIf(
		fork !== true && options.some(({ leadsTo }) => leadsTo.length > 0),
		'has options with Branch Questions but is not a fork',
		'Switch on Fork (in JSON: fork true). If everybody should get all questions, then clear Branch Questions (the form shows them only while Fork is on) and switch Fork off again. Nothing was sent.',
	);
}

/** Checks the IDs: each is unique, and options lead only to later questions, because recipients never go back. */
function checkLinks(
	question: IDataObject,
	ownIndex: number,
	questions: IDataObject[],
	refuseIf: RefuseIf,
): void {
	const indexOfId = (id: unknown) => questions.findIndex(({ questionId }) => questionId === id);
	const { questionId } = question;
	const ownerIndex = isBlank(questionId) ? ownIndex : indexOfId(questionId);
	const ids = questions.map((one) => one.questionId).filter((one) => !isBlank(one));
	const links = optionsOf(question).flatMap(({ value, leadsTo }) =>
		leadsTo.map((id) => ({ value, id, target: indexOfId(id) })),
	);
	refuseIf(
		ownerIndex !== ownIndex,
		`has the same question ID "${String(questionId)}" as ${questionLabel(ownerIndex, questions[ownerIndex]?.title)}`,
		'Use each question ID only once, so that it is clear where a fork leads.',
	);
	for (const { value, id, target } of links) {
		const link = `leads from option "${String(value)}" to the question ID "${String(id)}"`;
		refuseIf(
			target < 0,
			`${link}, which no question has`,
			`The question IDs are: ${ids.join(', ')}.`,
		);
		refuseIf(
			target <= ownIndex,
			`${link}, which is ${target === ownIndex ? 'its own' : `that of question ${target + 1}`}`,
			'An option can lead only to a later question. Move the question with this ID further down, or choose another question.',
		);
		refuseIf(
			questions[target]?.branch !== true,
			`${link}, but question ${target + 1} is not a branch`,
			'Everybody would be asked that question. Switch on Branch for it (in JSON: branch true).',
		);
	}
}
