import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { convertedInBody } from '../../operations/body';
import type { Field } from '../../../shared/field';
import { toChoice, toJson } from '../../../shared/values';
import { checkQuestions } from './checkQuestions';
import { questionProperties, toQuestions } from './questionFields';
import { KINDS } from './questionsText/kinds';
import { questionsFromText } from './questionsText/questionsFromText';

const WAYS = ['builder', 'json', 'text'] as const;

type Way = (typeof WAYS)[number];

/**
 * Reads and checks the questions, however they were entered.
 *
 * @param parameter gives the value of a parameter by its name
 * @returns the API's list of questions (SurveyQuestion in emulator/openapi.yaml)
 * @throws naming the question or the line that cannot be sent, and for an unknown way of entering
 */
export function questionsOf(parameter: (name: string) => unknown, field: Field): IDataObject[] {
	const labelled = (label: string): Field => ({ ...field, label });
	const questions: Record<Way, () => IDataObject[]> = {
		builder: () =>
			checkQuestions(toQuestions(parameter('questions'), field), labelled('Questions')),
		json: () => {
			const named = labelled('Questions (JSON)');
			return checkQuestions(toJson(parameter('questionsJson'), named) ?? [], named);
		},
		text: () => questionsFromText(parameter('questionsText'), labelled('Questions as Text')),
	};
	return questions[wayOf(parameter, field)]();
}

function wayOf(parameter: (name: string) => unknown, field: Field): Way {
	return toChoice(parameter('questionsInput'), WAYS, { ...field, label: 'Questions Input' });
}

/** Sends the questions when they were entered in this way: chosen by an expression, all ways are shown at once. */
function entered(way: Way): INodePropertyRouting {
	return convertedInBody('questions', (value, field, context) => {
		const parameter = (name: string): unknown => context.getNodeParameter(name, undefined);
		return wayOf(parameter, field) === way ? questionsOf(parameter, field) : value;
	});
}

const questionsInput: INodeProperties = {
	displayName: 'Questions Input',
	name: 'questionsInput',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Form', value: 'builder', description: 'Enter question by question' },
		{ name: 'JSON', value: 'json', description: 'Give the list that the API takes' },
		{
			name: 'Text',
			value: 'text',
			description: 'Write one question a line, its type and options in brackets behind it',
		},
	],
	// n8n does not save a parameter that is at its default: another default would change saved workflows.
	default: 'builder',
	description: 'How the questions are entered',
};

/**
 * The number and the title of a folded question. Its place is looked up, because n8n 2.41.1 keeps $collection.item.index
 * when a question before it is deleted. Without a title n8n names the question itself.
 */
const numberedTitle =
	'={{ $collection.item.value.title && [$parameter.questions.question.findIndex((question) => JSON.stringify(question) === JSON.stringify($collection.item.value)) + 1 || null, $collection.item.value.title].filter(Boolean).join(". ") }}';

const questions: INodeProperties = {
	displayName: 'Questions',
	name: 'questions',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		multipleValueButtonText: 'Add Question',
		// n8n 2: what is rarely needed is added from a menu, and a folded question shows its title.
		hideOptionalFields: true,
		addOptionalFieldButtonText: 'Add Field',
		fixedCollection: {
			itemTitle: numberedTitle,
		},
	},
	default: {},
	required: true,
	placeholder: 'Add Question',
	description:
		'The questions in the order they are asked. For questions that depend on an answer, switch on Fork for the deciding one and Branch for those it leads to, and link them by Question ID.',
	displayOptions: { show: { questionsInput: ['builder'] } },
	options: [{ displayName: 'Question', name: 'question', values: questionProperties }],
	routing: entered('builder'),
};

const questionsJson: INodeProperties = {
	displayName: 'Questions (JSON)',
	name: 'questionsJson',
	type: 'json',
	typeOptions: { rows: 8 },
	default: '[]',
	required: true,
	description:
		'The list of questions as the API takes it, for example [{ "templateCode": "rating", "title": "How do you feel?" }], as text or as a list from an expression',
	displayOptions: { show: { questionsInput: ['json'] } },
	routing: entered('json'),
};

/** `(input), (radio: Yes, No), …` */
const TYPES_AS_TEXT = KINDS.map(({ example }) => example.slice(example.lastIndexOf('('))).join(
	', ',
);

const questionsText: INodeProperties = {
	displayName: 'Questions as Text',
	name: 'questionsText',
	type: 'string',
	typeOptions: { rows: 8 },
	default: '',
	required: true,
	placeholder:
		'Which team are you in? (dropdown: Sales, Engineering, Other) *\nDid you get a laptop? (radio: Yes, No → 3)\nWhat happened? (textarea)',
	description: `One question a line, its type and options in brackets behind it. The types: ${TYPES_AS_TEXT}. All is explained in <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/questions-as-text.md">Questions as Text</a>.`,
	hint: 'A star at the end makes a question required, the others can be left out. “No → 3” asks question 3 only of those who choose No.',
	displayOptions: { show: { questionsInput: ['text'] } },
	routing: entered('text'),
};

/** The questions of a survey, as text, by form or as the API's own list; all are checked alike before sending. */
export const questionsFields = [questionsInput, questionsText, questions, questionsJson];
