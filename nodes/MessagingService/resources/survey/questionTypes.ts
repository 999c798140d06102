import type { INodePropertyOptions } from 'n8n-workflow';

/** Fields that only some types of question have; the others are for all. */
type OwnField =
	| 'options'
	| 'matrixQuestions'
	| 'layout'
	| 'hideText'
	| 'zeroLabel'
	| 'tenLabel'
	| 'min'
	| 'max'
	| 'decimal';

/**
 * The question types of the service (schema SurveyQuestion in emulator/openapi.yaml), once for form, text and checks: `value` is the
 * service's `templateCode`, name and description stand in the form, in its order. With `options` among its fields, recipients choose
 * from them, in a matrix for each row.
 */
export const questionTypes = [
	{ name: 'Date', value: 'date' },
	{
		name: 'Dropdown',
		value: 'dropdown',
		description: 'Choose one from a list that opens',
		fields: ['options'],
	},
	{ name: 'Email', value: 'email', description: 'An email address' },
	{
		name: 'Matrix',
		value: 'matrix',
		description: 'Several rows with the same columns',
		fields: ['options', 'matrixQuestions'],
	},
	{
		name: 'Multiple Choice',
		value: 'multiselect',
		description: 'Choose any number',
		fields: ['options', 'layout', 'hideText'],
	},
	{ name: 'Number', value: 'number', fields: ['min', 'max', 'decimal'] },
	{ name: 'Ranking', value: 'rank', description: 'Put the options in order', fields: ['options'] },
	{
		name: 'Rating',
		value: 'rating',
		description: 'A scale from 0 to 10',
		fields: ['zeroLabel', 'tenLabel'],
	},
	{
		name: 'Single Choice',
		value: 'radio',
		description: 'Choose one',
		fields: ['options', 'layout', 'hideText'],
	},
	{ name: 'Text (Long)', value: 'textarea', description: 'Several lines of text' },
	{ name: 'Text (Short)', value: 'input', description: 'One line of text' },
	{ name: 'Time', value: 'time' },
] as const satisfies ReadonlyArray<INodePropertyOptions & { fields?: readonly OwnField[] }>;

export type QuestionType = (typeof questionTypes)[number]['value'];

export const QUESTION_TYPES: readonly QuestionType[] = questionTypes.map(({ value }) => value);

/** The types of question that have this field. */
export function typesWith(field: OwnField): QuestionType[] {
	return questionTypes
		.filter((type) => 'fields' in type && type.fields.some((own) => own === field))
		.map(({ value }) => value);
}

/** The types that need options. A matrix has them as columns. */
export const WITH_OPTIONS: readonly QuestionType[] = typesWith('options');

/** The types as the form lists them. */
export const questionTypeOptions: INodePropertyOptions[] = questionTypes.map((type) => ({
	name: type.name,
	value: type.value,
	...('description' in type ? { description: type.description } : {}),
}));

/** Whether the service knows a type of question by this `templateCode`. */
export function isQuestionType(value: unknown): value is QuestionType {
	return QUESTION_TYPES.some((type) => type === value);
}
