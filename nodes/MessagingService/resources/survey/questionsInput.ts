import type { IExecuteSingleFunctions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { convertedInBody } from '../../operations/body';
import type { Field } from '../../../shared/field';
import { toJson } from '../../../shared/values';
import { checkQuestions } from './checkQuestions';
import { questionProperties, toQuestions } from './questionFields';

/** Sends the questions of one way of entering them, when that is the chosen one. */
function entered(
	way: 'builder' | 'json',
	read: (context: IExecuteSingleFunctions, field: Field) => unknown,
): INodePropertyRouting {
	return convertedInBody('questions', (value, field, context) =>
		// Chosen by an expression, both ways are shown and fill the same place in the body.
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
	],
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

/** The questions of a survey, by form or as the API's own list; both ways are checked alike before sending. */
export const questionsFields = [questionsInput, questions, questionsJson];
