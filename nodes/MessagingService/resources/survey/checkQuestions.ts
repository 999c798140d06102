import type { IDataObject } from 'n8n-workflow';

import { type Fail } from '../../../shared/failure';
import type { Field } from '../../../shared/field';
import { isBlank, isDataObject, toNumber } from '../../../shared/values';
import { isQuestionType, QUESTION_TYPES, WITH_OPTIONS } from './questionTypes';

/**
 * Checks questions before they are sent. They must follow the rules of the service (SurveyQuestion in
 * emulator/openapi.yaml), and each question that needs options must have some. Keeps undocumented keys, because the
 * service may know them.
 *
 * @param questions the API's list of questions
 * @param field the label of the parameter, and the function that creates errors
 * @returns the same questions
 * @throws an error that states the number and title of the first invalid question
 */
export function checkQuestions(questions: unknown, { label, fail }: Field): IDataObject[] {
	if (!Array.isArray(questions)) {
		throw fail(`${label} must be a list of questions`, 'Write it in brackets: [ { … }, { … } ].');
	}
	if (questions.length === 0) throw fail('Add at least one question', `${label} is empty.`);
	const checked = questions.map((question: unknown, index) => {
		if (isDataObject(question)) return question;
		throw fail(`${nameOf(index)} is not an object with templateCode and title`);
	});
	const ids = questionIds(checked, fail);
	for (const [index, question] of checked.entries()) {
		checkQuestion(question, index, ids, failFor(index, question.title, fail));
	}
	return checked;
}

/**
 * Returns a function that creates errors. Their messages start with the number and title of a question.
 *
 * @param separator the text between the title and the message
 */
export function failFor(index: number, title: unknown, fail: Fail, separator = ' '): Fail {
	return (message, description) =>
		fail(`${nameOf(index, title)}${separator}${message}`, description);
}

function checkQuestion(
	question: IDataObject,
	index: number,
	ids: Map<string, number>,
	fail: Fail,
): void {
	const { templateCode, title, questionId, fork, branch, min, max, matrixQuestions } = question;
	if (!isQuestionType(templateCode)) {
		throw fail(
			isBlank(templateCode)
				? 'has no question type (templateCode)'
				: `has the unknown question type (templateCode) "${String(templateCode)}"`,
			`Use one of ${QUESTION_TYPES.join(', ')}.`,
		);
	}
	const options: unknown[] = Array.isArray(question.options) ? question.options : [];
	const isMatrixWithoutRows =
		templateCode === 'matrix' &&
		(!Array.isArray(matrixQuestions) || matrixQuestions.every(isBlank));
	const problems: Record<string, [isWrong: boolean, advice: string]> = {
		'has no title': [
			typeof title !== 'string' || isBlank(title),
			'Enter the text of the question as its title.',
		],
		'is a fork without a question ID': [
			fork === true && isBlank(questionId),
			'Add a unique questionId.',
		],
		'is a branch without a question ID': [
			branch === true && isBlank(questionId),
			'Add a questionId, and enter it in the options that lead to this question.',
		],
		[`has a min (${String(min)}) above its max (${String(max)})`]: [
			toNumber(min) > toNumber(max),
			'With these limits, recipients cannot enter any number.',
		],
		'has no options': [
			options.length === 0 && WITH_OPTIONS.includes(templateCode),
			'Add at least one option.',
		],
		'has no rows': [isMatrixWithoutRows, 'Add the rows of the matrix (matrixQuestions).'],
	};
	for (const [message, [isWrong, advice]] of Object.entries(problems)) {
		if (isWrong) throw fail(message, advice);
	}
	const choices = options.map((option) => (isDataObject(option) ? option : { value: option }));
	for (const [place, option] of choices.entries()) {
		const name = `option ${place + 1}`;
		if (isBlank(option.value)) {
			throw fail(`has no value for ${name}`, 'Enter what recipients can choose.');
		}
		if (typeof option.value === 'object') {
			throw fail(
				`has ${Array.isArray(option.value) ? 'a list' : 'an object'} as ${name}`,
				'Enter a text or a number, or an object whose value is a text or a number.',
			);
		}
		checkTargets(option, index, ids, fail);
	}
	const values = choices.map(({ value }) => value);
	checkDuplicate(values, 'option', fail);
	if (Array.isArray(matrixQuestions)) checkDuplicate(matrixQuestions, 'row', fail);
}

function checkDuplicate(values: unknown[], what: string, fail: Fail): void {
	const texts = values.map((value) => String(value).trim());
	const duplicate = texts.find((text, index) => texts.indexOf(text) !== index);
	if (duplicate === undefined) return;
	throw fail(
		`has the ${what} "${duplicate}" twice`,
		'Remove one of them, so that answers can be distinguished.',
	);
}

/** Options lead only to later questions, because recipients never go back. */
function checkTargets(
	option: Record<string, unknown>,
	index: number,
	ids: Map<string, number>,
	fail: Fail,
): void {
	// The service's documentation uses both names for this list.
	for (const target of [option.branchQuestions, option.branchQuestionId].flat()) {
		if (isBlank(target)) continue;
		const id = String(target);
		const leads = `leads from option "${String(option.value)}" to the question ID "${id}"`;
		const place = ids.get(id);
		if (place === undefined) {
			throw fail(
				`${leads}, which no question has`,
				ids.size > 0
					? `The question IDs are: ${[...ids.keys()].join(', ')}.`
					: 'Set this questionId on the question that the option leads to.',
			);
		}
		if (place <= index) {
			throw fail(
				`${leads}, which is ${place === index ? 'its own' : `that of question ${place + 1}`}`,
				'An option can lead only to a later question. Move the question with this ID further down, or choose another question.',
			);
		}
	}
}

/** Returns the index of each question ID. @throws if two questions have the same ID */
function questionIds(questions: IDataObject[], fail: Fail): Map<string, number> {
	const ids = new Map<string, number>();
	for (const [index, { questionId, title }] of questions.entries()) {
		if (isBlank(questionId)) continue;
		const id = String(questionId);
		const owner = ids.get(id);
		if (owner !== undefined) {
			throw failFor(
				index,
				title,
				fail,
			)(
				`has the same question ID "${id}" as ${nameOf(owner, questions[owner]?.title)}`,
				'Use each question ID only once, so that it is clear where a fork leads.',
			);
		}
		ids.set(id, index);
	}
	return ids;
}

function nameOf(index: number, title?: unknown): string {
	const number = `Question ${index + 1}`;
	const isShown = (typeof title === 'string' || typeof title === 'number') && !isBlank(title);
	return isShown ? `${number} (“${String(title)}”)` : number;
}
