import type { IExecuteSingleFunctions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { convertedInBody } from '../../operations/body';
import type { Field } from '../../../shared/field';
import { toJson } from '../../../shared/values';
import { checkQuestions } from './checkQuestions';
import { questionProperties, toQuestions } from './questionFields';
import { questionsFromText } from './questionsText/questionsFromText';

/** Sends the questions of one way of entering them, when that is the chosen one. */
function entered(
	way: 'builder' | 'json' | 'text',
	read: (context: IExecuteSingleFunctions, field: Field) => unknown,
): INodePropertyRouting {
	return convertedInBody('questions', (value, field, context) =>
		// Chosen by an expression, all ways are shown and fill the same place in the body.
		context.getNodeParameter('questionsInput', 'builder') === way ? read(context, field) : value,
	);
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
		fixedCollection: { itemTitle: '={{ $collection.item.value.title }}' },
	},
	default: {},
	required: true,
	placeholder: 'Add Question',
	description:
		'The questions in the order they are asked. For questions that depend on an answer, switch on Fork for the deciding one and Branch for those it leads to, and link them by Question ID.',
	displayOptions: { show: { questionsInput: ['builder'] } },
	options: [{ displayName: 'Question', name: 'question', values: questionProperties }],
	routing: entered('builder', (context, field) =>
		checkQuestions(toQuestions(context.getNodeParameter('questions', {}), field), field),
	),
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
	routing: entered('json', (context, field) => {
		const named = { ...field, label: 'Questions (JSON)' };
		return checkQuestions(
			toJson(context.getNodeParameter('questionsJson', ''), named) ?? [],
			named,
		);
	}),
};

const questionsText: INodeProperties = {
	displayName: 'Questions as Text',
	name: 'questionsText',
	type: 'string',
	typeOptions: { rows: 8 },
	default: '',
	required: true,
	placeholder:
		'Which team are you in? (dropdown: Sales, Engineering, Other) *\nDid you get a laptop? (radio: Yes, No → 3)\nWhat happened? (textarea)',
	description:
		'One question a line, its type and options in brackets behind it. The types: input, textarea, radio: A, B; dropdown: A, B; multiselect: A, B; rank: A, B; matrix: rows; options; rating: Bad … Great; number: 0 … 10; date, time, email. All is explained in <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/questions-as-text.md">Questions as Text</a>.',
	hint: 'A star at the end makes a question required, the others can be left out. “No → 3” asks question 3 only of those who choose No.',
	displayOptions: { show: { questionsInput: ['text'] } },
	routing: entered('text', (context, field) => {
		const named = { ...field, label: 'Questions as Text' };
		return questionsFromText(context.getNodeParameter('questionsText', ''), named);
	}),
};

/** The questions of a survey, as text, by form or as the API's own list; all are checked alike before sending. */
export const questionsFields = [questionsInput, questionsText, questions, questionsJson];
