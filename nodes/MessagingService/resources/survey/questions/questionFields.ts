import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	switchedOn,
	numberField,
	optionsField,
	stringField,
	switchedOff,
} from '../../../../shared/fieldTypes';
import { fieldsIn, isBlank, isDataObject, rowsOfForm } from '../../../../shared/values';
import { answerOptions, optionVariants } from './optionFields';
import { layouts, questionTypeOptions, typesWith } from './questionTypes';

/**
 * All question fields of the service (SurveyQuestion in emulator/openapi.yaml), in the order of the screen. The defaults
 * are those of the service. A field with its default value is sent only if ALWAYS_SENT lists the field.
 */
export const questionFields: INodeProperties[] = [
	optionsField(
		'templateCode',
		questionTypeOptions,
		'input',
		'How recipients answer. The fields below depend on this type.',
		{ required: true },
	),
	stringField('title', 'Text of the question', {
		required: true,
		placeholder: 'e.g. How was your first week?',
	}),
	switchedOn('required', 'Whether recipients must answer the question'),
	switchedOff(
		'fork',
		'Whether the answer to this question decides which questions come next. If on, fill in "Question ID". In each option that leads to another question, enter the ID of that question in "Branch Questions".',
	),
	stringField(
		'matrixQuestions',
		'Titles of the rows: one per line, or all in one line, separated by commas. An expression can also return a list.',
		{
			typeOptions: { rows: 3, showEvenWhenOptional: true },
			placeholder: 'e.g. My team\nMy tools',
		},
	),
	answerOptions,
	stringField('desc', 'Explanation of the question', {
		placeholder: 'e.g. Only your manager sees the answer',
	}),
	stringField('placeholder', 'Text in the input field while it is empty', {
		placeholder: 'e.g. In your own words',
	}),
	optionsField('layout', layouts, 'Horizontal', 'How the options are arranged'),
	switchedOff(
		'hideText',
		'Whether to hide the text of the options. The API does not document what recipients see instead.',
	),
	stringField('zeroLabel', 'Label of the lower end of the scale', {
		placeholder: 'e.g. Not at all',
	}),
	stringField('tenLabel', 'Label of the upper end of the scale', {
		placeholder: 'e.g. Very much',
	}),
	numberField('min', -9999999999, 'Smallest number that can be entered'),
	numberField('max', 9999999999, 'Largest number that can be entered'),
	numberField('decimal', 2, 'Number of decimal places'),
	switchedOff(
		'branch',
		'Whether to ask this question only after certain answers to an earlier question. If on, fill in "Question ID", and switch on Fork for the earlier question.',
	),
	stringField(
		'questionId',
		'A name of your choice for this question. To lead to this question, enter its name in "Branch Questions" of an earlier question.',
		{
			placeholder: 'e.g. what-went-wrong',
			hint: 'The service requires a Question ID if Fork or Branch is on. Use each ID only once in the survey.',
		},
	),
];

/** Whether a blank value is an error, because omitting it could do the opposite of what the user wants. */
export function isRefusedIfBlank({ type }: INodeProperties): boolean {
	return type === 'boolean' || type === 'options';
}

/** Fields that are sent even with their default values. */
const ALWAYS_SENT = ['templateCode', 'title', 'required'];

/** The fields of one question in the form. Each is shown only for the question types that have it. */
export const questionProperties: INodeProperties[] = questionFields.flatMap((field) => {
	if (field === answerOptions) return optionVariants;
	const types = typesWith(field.name);
	const typeOptions = { ...field.typeOptions, showEvenWhenOptional: true };
	return {
		...field,
		...(types.length > 0 && { displayOptions: { show: { templateCode: types } } }),
		...(ALWAYS_SENT.includes(field.name) && { typeOptions }),
	};
});

/**
 * Converts the form into the API's list of questions. Omits blank fields (except switches and choices), unknown fields,
 * defaults (except ALWAYS_SENT), and fields of other question types: if the type is an expression, n8n shows all fields.
 * `checkQuestions` converts and checks the values.
 *
 * @param form the value of the fixed collection, or a list of questions from an expression
 */
export function toQuestions(form: unknown): IDataObject[] {
	return rowsOfForm(form, 'question').map((entry) => {
		const given: IDataObject = fieldsIn(entry);
		const question: IDataObject = {};
		for (const field of questionFields) {
			const { name, default: standard } = field;
			if (!(name in given) || !hasField(given, name)) continue;
			const value = name === answerOptions.name ? filledOptions(given.options) : given[name];
			if (isBlank(value) && !isRefusedIfBlank(field)) continue;
			if (value === standard && !ALWAYS_SENT.includes(name)) continue;
			// `checkQuestions` refuses an empty switch or choice as '', but would ignore undefined.
			Object.assign(question, { [name]: value ?? '' });
		}
		return question;
	});
}

/** Whether a question of this type has a field. A fork of any type has options. */
function hasField({ templateCode, fork }: IDataObject, name: string): boolean {
	const types = typesWith(name);
	if (types.length === 0) return true;
	const isFork = /^(?:true|yes|1)$/i.test(String(fork));
	if (name === answerOptions.name && isFork) return true;
	return types.some((type) => type === String(templateCode).toLowerCase());
}

/** Returns the options, or nothing if all are blank. A blank one among others is an error (`checkQuestions`). */
function filledOptions(form: unknown): unknown {
	const rows = rowsOfForm(form, 'option');
	const given = rows.flatMap((row) => (isDataObject(row) ? Object.values(row) : [row]));
	return given.every(isBlank) ? undefined : rows;
}
