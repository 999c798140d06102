import type { IDataObject } from 'n8n-workflow';

import { type Fail } from '../../../shared/failure';
import { isDataObject } from '../../../shared/typeGuards';
import type { Field } from '../../../shared/field';
import { isBlank, toNumber } from '../../../shared/values';
import { isQuestionType, QUESTION_TYPES, WITH_OPTIONS } from './questionTypes';

/**
 * Checks questions before they are sent: what the service says it needs (SurveyQuestion in emulator/openapi.yaml), and
 * that there is something to choose from where recipients choose. Keys that are not documented may be known to the
 * service and are left.
 *
 * @param questions the API's own list of questions
 * @param field names the parameter, and makes the error
 * @returns the same questions
 * @throws naming the number and the title of the question that the service could not take
 */
export function checkQuestions(questions: unknown, { label, fail }: Field): IDataObject[] {
	if (!Array.isArray(questions)) {
		throw fail(`${label} must be a list of questions`, 'Write it in brackets: [ { … }, { … } ].');
	}
	if (questions.length === 0) {
		throw fail(`${label} holds no question`, 'A survey needs at least one. Nothing was sent.');
	}
	const checked = questions.map((question: unknown, index) => {
		if (isDataObject(question)) return question;
		throw fail(`${nameOf(index)} is not a record with templateCode and title`);
	});
	const ids = questionIds(checked, fail);
	for (const [index, question] of checked.entries()) {
		checkQuestion(question, ids, failFor(index, question.title, fail));
	}
	return checked;
}

/** Makes errors that begin with the number and the title of a question. @param separator what stands behind these */
export function failFor(index: number, title: unknown, fail: Fail, separator = ' '): Fail {
	return (message, description) =>
		fail(`${nameOf(index, title)}${separator}${message}`, description);
}

function checkQuestion(question: IDataObject, ids: Set<string>, fail: Fail): void {
	const { templateCode, title, questionId, fork, branch, min, max } = question;
	if (!isQuestionType(templateCode)) {
		throw fail(
			isBlank(templateCode)
				? 'has no question type (templateCode)'
				: `has the unknown question type (templateCode) "${String(templateCode)}"`,
			`Use one of ${QUESTION_TYPES.join(', ')}.`,
		);
	}
	if (typeof title !== 'string' || isBlank(title)) {
		throw fail('has no title', 'The title is what recipients are asked. Enter a text.');
	}
	if (fork === true && isBlank(questionId)) {
		throw fail('is a fork without a question ID', 'Give it a questionId of its own.');
	}
	if (branch === true && isBlank(questionId)) {
		throw fail(
			'is a branch without a question ID',
			'Give it a questionId, and enter that under the options that lead to it.',
		);
	}
	if (toNumber(min) > toNumber(max)) {
		throw fail(
			`has a min (${String(min)}) above its max (${String(max)})`,
			'No number could be entered.',
		);
	}
	const options: unknown[] = Array.isArray(question.options) ? question.options : [];
	if (options.length === 0 && WITH_OPTIONS.includes(templateCode)) {
		throw fail('has no options', 'There would be nothing to choose from. Add at least one option.');
	}
	if (templateCode === 'matrix' && isBlankList(question.matrixQuestions)) {
		throw fail('has no rows', 'Add what recipients are asked in each row (matrixQuestions).');
	}
	checkOptions(options, ids, fail);
}

function checkOptions(options: unknown[], ids: Set<string>, fail: Fail): void {
	for (const [index, given] of options.entries()) {
		const option: Record<string, unknown> = isDataObject(given) ? given : { value: given };
		if (isBlank(option.value)) {
			throw fail(`has an option ${index + 1} without a value`, 'Enter what recipients can choose.');
		}
		// The documentation's table and its sample call this list by different names.
		for (const list of [option.branchQuestions, option.branchQuestionId]) {
			if (isBlank(list)) continue;
			const linked: unknown[] = Array.isArray(list) ? list : [list];
			const missing = linked.find((id) => !ids.has(String(id)));
			if (missing === undefined) continue;
			throw fail(
				`leads from option "${String(option.value)}" to the question ID "${String(missing)}", which no question has`,
				ids.size > 0
					? `The question IDs are: ${[...ids].join(', ')}.`
					: 'Give the question it should lead to this questionId.',
			);
		}
	}
}

function questionIds(questions: IDataObject[], fail: Fail): Set<string> {
	/** The questions that have an ID, by name. */
	const owners = new Map<string, string>();
	for (const [index, { questionId, title }] of questions.entries()) {
		if (isBlank(questionId)) continue;
		const id = String(questionId);
		const owner = owners.get(id);
		if (owner !== undefined) {
			throw failFor(
				index,
				title,
				fail,
			)(
				`has the same question ID "${id}" as ${owner}`,
				'Each question ID must be there once, so that it is clear where a fork leads.',
			);
		}
		owners.set(id, nameOf(index, title));
	}
	return new Set(owners.keys());
}

function isBlankList(list: unknown): boolean {
	return !Array.isArray(list) || list.every(isBlank);
}

function nameOf(index: number, title?: unknown): string {
	const number = `Question ${index + 1}`;
	const isShown = (typeof title === 'string' || typeof title === 'number') && !isBlank(title);
	return isShown ? `${number} (“${String(title)}”)` : number;
}
