import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Fail } from '../../../../shared/failure';
import { fieldLabel, type FieldInfo } from '../../../../shared/field';
import {
	isBlank,
	isDataObject,
	listIn,
	toList,
	toNumber,
	toSwitch,
	toText,
} from '../../../../shared/values';
import { choiceAmong, toSwitchText } from '../../../engine/conversions';
import { isRefusedIfBlank, questionFields } from './questionFields';

type Convert = (value: unknown, field: FieldInfo) => unknown;

/** The conversions that do not follow from the type of a field. */
const CONVERSIONS: Partial<Record<string, Convert>> = {
	// The service documents this field as text.
	hideText: toSwitchText,
	matrixQuestions: toRows,
	options: toOptions,
};

/** Returns the conversion of a field of a question. */
function conversionOf({ name, type, options = [] }: INodeProperties): Convert {
	const convert = CONVERSIONS[name];
	if (convert) return convert;
	if (type === 'boolean') return toSwitch;
	if (type === 'options') return choiceAmong(options);
	return type === 'number' ? toFiniteNumber : (value, field) => toText(value, field).trim();
}

/** How to convert each documented field, by its name. */
const KNOWN_FIELDS = new Map(
	questionFields.map((field) => {
		return [field.name, { convert: conversionOf(field), refusesBlank: isRefusedIfBlank(field) }];
	}),
);

/**
 * Converts the fields of a question. The question may come from text, the form or JSON, and a value means the same in all
 * three. Keeps undocumented fields, because the service may know them, and omits fields that are `undefined`.
 *
 * @param index the place of the question in the survey, counted from 0
 * @throws an error that names the question and the field
 */
export function convertQuestion(given: IDataObject, index: number, field: FieldInfo): IDataObject {
	// `Question 3 (“Why?”): Min must be a number`
	const fail = questionFailure(index, given.title, field.fail, ': ');
	const question: IDataObject = {};
	for (const [name, value] of Object.entries(given)) {
		if (value === undefined) continue;
		const known = KNOWN_FIELDS.get(name);
		const isConverted = known && (known.refusesBlank || !isBlank(value));
		const info = { ...field, label: fieldLabel(name), fail };
		const converted = isConverted ? known.convert(value, info) : value;
		Object.assign(question, { [name]: converted });
	}
	return question;
}

function toFiniteNumber(value: unknown, { label, fail }: FieldInfo): number {
	const number = toNumber(value);
	if (Number.isFinite(number)) return number;
	throw fail(
		`${label} must be a number: it is ${JSON.stringify(value)}`,
		'Enter a number, or check the expression. Nothing was sent.',
	);
}

/** Returns the rows of a matrix. Text of several lines is split only at line breaks, because rows may contain commas. */
function toRows(value: unknown, field: FieldInfo): string[] {
	const hasLines = typeof value === 'string' && value.trim().includes('\n');
	return toList(hasLines ? value.split('\n') : value, field);
}

/**
 * Converts options for the API, which takes a list of texts, numbers or objects, never mixed (SurveyQuestion in
 * emulator/openapi.yaml). Typed text stays text, so that "007" does not become 7. Numbers stay numbers if all options are
 * numbers.
 *
 * @returns objects if an option leads to other questions or has undocumented fields, and plain values if none does
 */
function toOptions(given: unknown, field: FieldInfo): unknown {
	if (!Array.isArray(given)) return given;
	const options = given.map((option: unknown) => {
		const { value, branchQuestions, branchQuestionId, ...others } = toOptionObject(option);
		// The service's documentation uses both names for this list.
		const branches = [branchQuestions, branchQuestionId].flatMap((ids) =>
			toList(ids, { ...field, label: 'Branch Questions' }),
		);
		return {
			value: Number.isFinite(value) ? value : toText(value, field).trim(),
			...others,
			...(branches.length > 0 && { branchQuestions: branches }),
		};
	});
	const areNumbers = options.every(({ value }) => typeof value === 'number');
	if (!areNumbers) for (const option of options) option.value = String(option.value);
	const arePlain = options.every((option) => Object.keys(option).length === 1);
	return arePlain ? options.map(({ value }) => value) : options;
}

/** An option of a converted question. `leadsTo` has the IDs of the questions that it leads to. */
export type AnswerOption = { value: unknown; leadsTo: unknown[] };

/** Returns the options of a converted question, or an empty list if it has none. */
export function optionsOf({ options }: IDataObject): AnswerOption[] {
	return listIn(options).map((option) => {
		const { value, branchQuestions } = toOptionObject(option);
		return { value, leadsTo: listIn(branchQuestions) };
	});
}

/** `'Yes'` → `{ value: 'Yes' }` */
function toOptionObject(option: unknown): Record<string, unknown> {
	return isDataObject(option) ? option : { value: option };
}

/**
 * Returns a function that creates errors (as `failure` does). Their messages start with the number and title of a question.
 *
 * @param separator the text between the title and the message
 */
export function questionFailure(index: number, title: unknown, fail: Fail, separator = ' '): Fail {
	return (message, description) =>
		fail(`${questionLabel(index, title)}${separator}${message}`, description);
}

/** Returns the number and the title, if any, of a question: `Question 3 (“Why?”)`. @param index counted from 0 */
export function questionLabel(index: number, title?: unknown): string {
	const number = `Question ${index + 1}`;
	const isShown = (typeof title === 'string' || typeof title === 'number') && !isBlank(title);
	return isShown ? `${number} (“${String(title)}”)` : number;
}
