import type { INodePropertyOptions } from 'n8n-workflow';

import { fieldLabel } from '../../../../shared/field';
import { choices } from '../../../../shared/fieldTypes';

/** A question type as the form lists it, and what the parser of Questions as Text needs. */
export type QuestionTypeEntry = INodePropertyOptions & {
	/** The service's `templateCode`. */
	value: string;
	/** The fields that only some types have. The `options` of a matrix are its columns. */
	fields?: readonly string[];
	/** The aliases of the type in Questions as Text. */
	alsoCalled?: readonly string[];
	/** A question of this type as text. */
	example: string;
};

/**
 * The types in the order of the form, by `templateCode`. A missing name follows from the `templateCode` (`fieldLabel`).
 */
const entries = {
	date: { example: 'When did you start? (date)' },
	dropdown: {
		description: 'Choose one option from a drop-down list',
		fields: ['options'],
		example: 'Which team? (dropdown: Sales, Engineering)',
	},
	email: { description: 'An email address', example: 'Where can we reach you? (email)' },
	matrix: {
		description: 'Several rows that share the same options',
		fields: ['options', 'matrixQuestions'],
		example: 'How content are you? (matrix: Pay, Tools; Bad, Good)',
	},
	multiselect: {
		name: 'Multiple Choice',
		description: 'Choose several options',
		fields: ['options', 'layout', 'hideText'],
		example: 'What do you use? (multiselect: Chat, Email, Phone)',
	},
	number: { fields: ['min', 'max', 'decimal'], example: 'How many days off? (number: 0 … 30)' },
	rank: {
		name: 'Ranking',
		description: 'Rank the options',
		fields: ['options'],
		example: 'What matters most? (rank: Pay, Team, Tools)',
	},
	rating: {
		description: 'A scale from 0 to 10',
		fields: ['zeroLabel', 'tenLabel'],
		alsoCalled: ['scale'],
		example: 'How was your week? (rating: Bad … Great)',
	},
	radio: {
		name: 'Single Choice',
		description: 'Choose one option',
		fields: ['options', 'layout', 'hideText'],
		alsoCalled: ['yes/no'],
		example: 'Did you get a laptop? (radio: Yes, No)',
	},
	textarea: {
		name: 'Text (Long)',
		description: 'Several lines of text',
		alsoCalled: ['long text'],
		example: 'What could be better? (textarea)',
	},
	input: {
		name: 'Text (Short)',
		description: 'One line of text',
		alsoCalled: ['text', 'short text'],
		example: 'What is your name? (input)',
	},
	time: { example: 'When do you start work? (time)' },
} as const satisfies Record<string, Partial<QuestionTypeEntry>>;

export type QuestionType = keyof typeof entries;

/** Fields that only some question types have. */
export type OwnField = Extract<
	(typeof entries)[QuestionType],
	{ fields: unknown }
>['fields'][number];

/** Whether a value is the `templateCode` of a question type. */
function isQuestionType(value: unknown): value is QuestionType {
	return typeof value === 'string' && Object.hasOwn(entries, value);
}

/** The question types of the service (SurveyQuestion in emulator/openapi.yaml). */
export const QUESTION_TYPES: readonly QuestionType[] = Object.keys(entries).filter(isQuestionType);

/** The question types as `entries` describes them, in the same order. */
export const questionTypes: ReadonlyArray<QuestionTypeEntry & { value: QuestionType }> =
	QUESTION_TYPES.map((value) => ({ name: fieldLabel(value), value, ...entries[value] }));

/** Returns the types that have a field, or an empty list for a field that all types have. */
export function typesWith(field: string): QuestionType[] {
	return questionTypes
		.filter(({ fields = [] }) => fields.includes(field))
		.map(({ value }) => value);
}

/** The types that need options. */
export const WITH_OPTIONS: readonly QuestionType[] = typesWith('options');

/** The layouts of options. */
export const layouts = choices({
	Horizontal: ['Horizontal'],
	Vertical: ['Vertical'],
});

/** The types as the form lists them. The output and Questions as Text call them by their `templateCode`. */
export const questionTypeOptions: INodePropertyOptions[] = questionTypes.map(
	({ name, value, description }) => {
		if (description === undefined) return { name, value };
		const isSameName = name.toLowerCase() === value;
		return { name, value, description: isSameName ? description : `${description} (${value})` };
	},
);
