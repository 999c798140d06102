import type { IDataObject } from 'n8n-workflow';

import { type Fail } from '../../../shared/failure';
import { fieldLabel, type Field } from '../../../shared/field';
import { isBlank, isDataObject, toChoice, toNumber, toSwitch } from '../../../shared/values';
import { valuesOf } from '../../engine/conversions';
import { isQuestionType, layouts, QUESTION_TYPES, WITH_OPTIONS } from './questionTypes';

/** Fields that JSON may write like the form: a switch as the text "false", a layout in lower case. */
const CONVERTED: Array<[name: string, convert: (value: unknown, field: Field) => unknown]> = [
	['required', toSwitch],
	['fork', toSwitch],
	['branch', toSwitch],
	// The service documents this field as text.
	['hideText', (value, field) => String(toSwitch(value, field))],
	['layout', (value, field) => toChoice(value, valuesOf(layouts), field)],
];

/**
 * Checks questions before they are sent. They must follow the rules of the service (SurveyQuestion in
 * emulator/openapi.yaml), and each question that needs options must have some. Keeps undocumented keys, because the
 * service may know them.
 *
 * @param questions the API's list of questions
 * @param field the label of the parameter, and the function that creates errors
 * @returns the same questions, with switches as booleans
 * @throws an error that states the number and title of the first invalid question
 */
export function checkQuestions(questions: unknown, field: Field): IDataObject[] {
	const { label, fail } = field;
	if (!Array.isArray(questions)) {
		throw fail(`${label} must be a list of questions`, 'Write it in brackets: [ { … }, { … } ].');
	}
	if (questions.length === 0) throw fail('Add at least one question', `${label} is empty.`);
	const checked = questions.map((question: unknown, index) => {
		if (isDataObject(question)) return converted(question, index, field);
		throw fail(`${nameOf(index)} is not an object with templateCode and title`);
	});
	const ids = questionIds(checked, fail);
	const reached = new Set(checked.flatMap(({ options }) => optionsIn(options)).flatMap(leadsTo));
	for (const [index, question] of checked.entries()) {
		const failHere = failFor(index, question.title, fail);
		checkQuestion(question, failHere);
		const { options, fork, branch, questionId } = question;
		for (const option of optionsIn(options)) checkTargets(option, index, ids, checked, failHere);
		if (fork !== true && optionsIn(options).some((option) => leadsTo(option).length > 0)) {
			throw failHere(
				'has options with Branch Questions but is not a fork',
				'Switch on Fork (in JSON: fork true). If everybody should get all questions, then clear Branch Questions (the form shows them only while Fork is on) and switch Fork off again. Nothing was sent.',
			);
		}
		if (branch === true && !reached.has(String(questionId))) {
			throw failHere(
				'is a branch, but no option leads to it',
				'Nobody would be asked this question. Enter its question ID in the option that leads to it, or switch off Branch.',
			);
		}
	}
	return checked;
}

function converted(question: IDataObject, index: number, field: Field): IDataObject {
	const result = { ...question };
	const fail = failFor(index, question.title, field.fail, ': ');
	for (const [name, convert] of CONVERTED) {
		if (question[name] === undefined) continue;
		const value = convert(question[name], { ...field, label: fieldLabel(name), fail });
		Object.assign(result, { [name]: value });
	}
	return result;
}

/** Returns the options of a question as objects. */
export function optionsIn(options: unknown): Array<Record<string, unknown>> {
	const list: unknown[] = Array.isArray(options) ? options : [];
	return list.map((option) => (isDataObject(option) ? option : { value: option }));
}

/** Returns the question IDs to which an option leads. The service's documentation uses both names for this list. */
export function leadsTo({ branchQuestions, branchQuestionId }: Record<string, unknown>): string[] {
	return [branchQuestions, branchQuestionId]
		.flat()
		.filter((id) => !isBlank(id))
		.map(String);
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

function checkQuestion(question: IDataObject, fail: Fail): void {
	const { templateCode, title, questionId, fork, branch, min, max, matrixQuestions } = question;
	if (!isQuestionType(templateCode)) {
		throw fail(
			isBlank(templateCode)
				? 'has no question type (templateCode)'
				: `has the unknown question type (templateCode) "${String(templateCode)}"`,
			`Use one of ${QUESTION_TYPES.join(', ')}.`,
		);
	}
	const options = optionsIn(question.options);
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
	for (const [place, option] of options.entries()) {
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
	}
	const values = options.map(({ value }) => value);
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
	questions: IDataObject[],
	fail: Fail,
): void {
	for (const id of leadsTo(option)) {
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
		if (questions[place]?.branch !== true) {
			throw fail(
				`${leads}, but question ${place + 1} is not a branch`,
				'Everybody would be asked that question. Switch on Branch for it (in JSON: branch true).',
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
