import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Fail } from '../../../shared/failure';
import type { Field } from '../../../shared/field';
import {
	booleanField,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../../shared/fieldTypes';
import {
	isBlank,
	isDataObject,
	toChoice,
	toList,
	toNumber,
	toSwitch,
	toText,
} from '../../../shared/values';
import { valuesOf } from '../../engine/conversions';
import { failFor } from './checkQuestions';
import { options, optionVariants, toAnswerOptions } from './optionFields';
import { layouts, QUESTION_TYPES, questionTypeOptions, typesWith } from './questionTypes';

/**
 * All question fields of the service (SurveyQuestion in emulator/openapi.yaml), in the order of the screen. The defaults
 * are those of the service. A field with its default value is sent only if ALWAYS_SENT lists the field.
 */
const fields: INodeProperties[] = [
	optionsField(
		'templateCode',
		questionTypeOptions,
		'input',
		'How recipients answer. The type determines the fields below.',
		{ displayName: 'Question Type', required: true },
	),
	stringField('title', 'Text of the question. Answers are returned under this title.', {
		required: true,
		placeholder: 'e.g. How was your first week?',
	}),
	booleanField('required', 'Whether recipients must answer the question'),
	switchedOff(
		'fork',
		'Whether the answer determines the next questions. A fork needs a "Question ID". For each option, you can enter the IDs of the next questions in "Branch Questions".',
	),
	stringField(
		'matrixQuestions',
		'Row titles, one per line (or separated by commas on a single line), or a list from an expression',
		{
			displayName: 'Rows',
			typeOptions: { rows: 3, showEvenWhenOptional: true },
			placeholder: 'e.g. My team\nMy tools',
		},
	),
	options,
	stringField('desc', 'Explanation below the question', {
		displayName: 'Description',
		placeholder: 'e.g. Only your manager sees the answer',
	}),
	stringField('placeholder', 'Gray text in the empty input field', {
		placeholder: 'e.g. In your own words',
	}),
	optionsField('layout', layouts, 'Horizontal', 'How the options are arranged'),
	switchedOff('hideText', 'Whether to hide the text of the options'),
	stringField('zeroLabel', 'Label of the lower end of the scale', {
		placeholder: 'e.g. Not at all',
	}),
	stringField('tenLabel', 'Label of the upper end of the scale', {
		placeholder: 'e.g. Very much',
	}),
	numberField('min', -9999999999, 'Smallest number that can be entered'),
	numberField('max', 9999999999, 'Largest number that can be entered'),
	numberField('decimal', 2, 'Maximum number of decimal places'),
	switchedOff(
		'branch',
		'Whether to ask this question only after a certain answer to an earlier question, the fork. A branch needs a "Question ID".',
	),
	stringField('questionId', 'A name of your choice that links forks and branches', {
		displayName: 'Question ID',
		placeholder: 'e.g. what-went-wrong',
		hint: 'Required for forks and branches, and unique in the survey',
	}),
];

/** Fields that are sent even with their default values. */
const ALWAYS_SENT = ['templateCode', 'title', 'required'];

/** Returns the value to send, or `undefined` to omit the field. */
type Convert = (value: unknown, field: Field) => unknown;

const isOn: Convert = (value, field) => toSwitch(value, field) || undefined;

/** Conversions by field name. */
const converters: Partial<Record<string, Convert>> = {
	templateCode: (value, field) => toChoice(value, QUESTION_TYPES, field),
	fork: isOn,
	matrixQuestions: toLines,
	options: (value, field) => toAnswerOptions(rowsOfForm(value, 'option'), field),
	layout: (value, field) => toChoice(value, valuesOf(layouts), field),
	// The service documents this field as text.
	hideText: (value, field) => (toSwitch(value, field) ? 'true' : undefined),
	branch: isOn,
	questionId: (value, field) => toText(value, field).trim(),
};

/** Conversions by field type, for fields that `converters` does not list. Fields of other types are sent as text. */
const convertersOfTypes: Partial<Record<string, Convert>> = {
	boolean: toSwitch,
	number: toFiniteNumber,
};

/** The form of one question. Each field is shown only for the question types that have it. */
export const questionProperties: INodeProperties[] = fields.flatMap((field) => {
	if (field === options) return optionVariants;
	const types = typesWith(field.name);
	const typeOptions = { ...field.typeOptions, showEvenWhenOptional: true };
	return {
		...field,
		...(types.length > 0 && { displayOptions: { show: { templateCode: types } } }),
		...(ALWAYS_SENT.includes(field.name) && { typeOptions }),
	};
});

/**
 * Converts the form into the API's list of questions.
 *
 * @param form the value of the fixed collection, or a list of questions from an expression
 * @throws an error that names the invalid question and field
 */
export function toQuestions(form: unknown, field: Field): IDataObject[] {
	return rowsOfForm(form, 'question').map((entry, index) => {
		const question = isDataObject(entry) ? entry : {};
		return toQuestion(question, field, (separator) =>
			failFor(index, question.title, field.fail, separator),
		);
	});
}

function toQuestion(
	form: IDataObject,
	{ timezone }: Field,
	failWith: (separator: string) => Fail,
): IDataObject {
	const question: IDataObject = {};
	for (const { name, type, displayName: label, default: standard } of fields) {
		const value = form[name];
		// If the question type is an expression, n8n shows all fields, even those that the type does not have.
		if (!(name in form) || !appliesTo(question, name)) continue;
		// An empty switch or choice fails below, because omitting it could do the opposite of what the user wants.
		if (isBlank(value) && type !== 'boolean' && type !== 'options') continue;
		if (value === standard && !ALWAYS_SENT.includes(name)) continue;
		const convert = converters[name] ?? convertersOfTypes[type] ?? toText;
		const converted = convert(value, { label, timezone, fail: failWith(': ') });
		if (converted !== undefined) Object.assign(question, { [name]: converted });
	}
	return question;
}

/** Whether the type of a question has this field. */
function appliesTo(question: IDataObject, name: string): boolean {
	const types = typesWith(name);
	// A fork of any type has options.
	if (types.length === 0 || (name === options.name && question.fork === true)) return true;
	return types.some((type) => type === question.templateCode);
}

/** Returns the rows of a matrix. Splits text of several lines only at line breaks, because rows may contain commas. */
function toLines(value: unknown, field: Field): string[] | undefined {
	const lines =
		typeof value === 'string' && value.trim().includes('\n') ? value.split('\n') : value;
	const list = toList(lines, field);
	return list.length > 0 ? list : undefined;
}

function toFiniteNumber(value: unknown, { label, fail }: Field): number {
	const number = toNumber(value);
	if (Number.isFinite(number)) return number;
	throw fail(
		`${label} must be a number: it is ${JSON.stringify(value)}`,
		'Enter a number, or check the expression. Nothing was sent.',
	);
}

function rowsOfForm(form: unknown, name: string): unknown[] {
	const entries: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(entries)) return entries;
	return isBlank(entries) ? [] : [entries];
}
