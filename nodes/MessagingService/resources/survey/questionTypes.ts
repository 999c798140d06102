import type { INodePropertyOptions } from 'n8n-workflow';

/** Fields that only some question types have. */
export type OwnField =
	| 'options'
	| 'matrixQuestions'
	| 'layout'
	| 'hideText'
	| 'zeroLabel'
	| 'tenLabel'
	| 'min'
	| 'max'
	| 'decimal';

export type QuestionTypeEntry = INodePropertyOptions & {
	/** The service's `templateCode`. */
	value: string;
	/** The fields of `OwnField` that the type has. The `options` of a matrix are its columns. */
	fields?: readonly OwnField[];
	/** The aliases of the type in Questions as Text. */
	alsoCalled?: readonly string[];
	/** A question of this type as text. */
	example: string;
};

const entries = [
	{ name: 'Date', value: 'date', example: 'When did you start? (date)' },
	{
		name: 'Dropdown',
		value: 'dropdown',
		description: 'Choose one option from a drop-down list',
		fields: ['options'],
		example: 'Which team? (dropdown: Sales, Engineering)',
	},
	{
		name: 'Email',
		value: 'email',
		description: 'An email address',
		example: 'Where can we reach you? (email)',
	},
	{
		name: 'Matrix',
		value: 'matrix',
		description: 'Several rows that share the same options',
		fields: ['options', 'matrixQuestions'],
		example: 'How content are you? (matrix: Pay, Tools; Bad, Good)',
	},
	{
		name: 'Multiple Choice',
		value: 'multiselect',
		description: 'Choose several options',
		fields: ['options', 'layout', 'hideText'],
		example: 'What do you use? (multiselect: Chat, Email, Phone)',
	},
	{
		name: 'Number',
		value: 'number',
		fields: ['min', 'max', 'decimal'],
		example: 'How many days off? (number: 0 … 30)',
	},
	{
		name: 'Ranking',
		value: 'rank',
		description: 'Rank the options',
		fields: ['options'],
		example: 'What matters most? (rank: Pay, Team, Tools)',
	},
	{
		name: 'Rating',
		value: 'rating',
		description: 'A scale from 0 to 10',
		fields: ['zeroLabel', 'tenLabel'],
		alsoCalled: ['scale'],
		example: 'How was your week? (rating: Bad … Great)',
	},
	{
		name: 'Single Choice',
		value: 'radio',
		description: 'Choose one option',
		fields: ['options', 'layout', 'hideText'],
		alsoCalled: ['yes/no'],
		example: 'Did you get a laptop? (radio: Yes, No)',
	},
	{
		name: 'Text (Long)',
		value: 'textarea',
		description: 'Several lines of text',
		alsoCalled: ['long text'],
		example: 'What could be better? (textarea)',
	},
	{
		name: 'Text (Short)',
		value: 'input',
		description: 'One line of text',
		alsoCalled: ['text', 'short text'],
		example: 'What is your name? (input)',
	},
	{ name: 'Time', value: 'time', example: 'When do you start work? (time)' },
] as const satisfies readonly QuestionTypeEntry[];

export type QuestionType = (typeof entries)[number]['value'];

/** The question types of the service (SurveyQuestion in emulator/openapi.yaml), in the order of the form. */
export const questionTypes: ReadonlyArray<QuestionTypeEntry & { value: QuestionType }> = entries;

export const QUESTION_TYPES: readonly QuestionType[] = questionTypes.map(({ value }) => value);

/** Returns the question types that have this `OwnField`; an empty list for a field that all types have. */
export function typesWith(field: string): QuestionType[] {
	return questionTypes
		.filter(({ fields = [] }) => fields.some((own) => own === field))
		.map(({ value }) => value);
}

/** The types that require options. */
export const WITH_OPTIONS: readonly QuestionType[] = typesWith('options');

/** The layouts of options. */
export const layouts: INodePropertyOptions[] = [
	{ name: 'Horizontal', value: 'Horizontal', description: 'Options side by side' },
	{ name: 'Vertical', value: 'Vertical', description: 'Options one below the other' },
];

/** The types as the form lists them. */
export const questionTypeOptions: INodePropertyOptions[] = questionTypes.map(
	({ name, value, description }) => (description ? { name, value, description } : { name, value }),
);

/** Whether a value is the `templateCode` of a question type. */
export function isQuestionType(value: unknown): value is QuestionType {
	return QUESTION_TYPES.some((type) => type === value);
}
