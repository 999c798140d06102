import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * The question types of the service (schema SurveyQuestion in emulator/openapi.yaml), once for form, text and checks: `value` is the
 * service's `templateCode`, name and description stand in the form, in its order. `hasOptions`: recipients choose from options,
 * in a matrix for each row.
 */
export const questionTypes = [
	{ name: 'Date', value: 'date' },
	{
		name: 'Dropdown',
		value: 'dropdown',
		description: 'Choose one from a list that opens',
		hasOptions: true,
	},
	{ name: 'Email', value: 'email', description: 'An email address' },
	{
		name: 'Matrix',
		value: 'matrix',
		description: 'Several rows with the same columns',
		hasOptions: true,
	},
	{
		name: 'Multiple Choice',
		value: 'multiselect',
		description: 'Choose any number',
		hasOptions: true,
	},
	{ name: 'Number', value: 'number' },
	{ name: 'Ranking', value: 'rank', description: 'Put the options in order', hasOptions: true },
	{ name: 'Rating', value: 'rating', description: 'A scale from 0 to 10' },
	{ name: 'Single Choice', value: 'radio', description: 'Choose one', hasOptions: true },
	{ name: 'Text (Long)', value: 'textarea', description: 'Several lines of text' },
	{ name: 'Text (Short)', value: 'input', description: 'One line of text' },
	{ name: 'Time', value: 'time' },
] as const;

export type QuestionType = (typeof questionTypes)[number]['value'];

export const QUESTION_TYPES: readonly QuestionType[] = questionTypes.map(({ value }) => value);

/** The types that need options. A matrix has them as columns. */
export const WITH_OPTIONS: readonly QuestionType[] = questionTypes
	.filter((type) => 'hasOptions' in type)
	.map(({ value }) => value);

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
