import { inBody, type FieldRouting } from '../../../engine/conversions';
import type { FieldInfo } from '../../../../shared/field';
import { choices, fixedCollection, optionsField, stringField } from '../../../../shared/fieldTypes';
import { parseJson } from '../../../../shared/values';
import { checkQuestions } from './checkQuestions';
import { questionProperties, toQuestions } from './questionFields';
import { questionsFromText } from './text/parse';
import { questionTypes } from './questionTypes';

/**
 * Returns a conversion that sends the questions of a field. n8n passes only the field of the chosen way, because Questions
 * Input cannot be an expression.
 *
 * @param read converts the field's value into the API's list of questions
 */
function enteredAs(
	label: string,
	read: (value: unknown, field: FieldInfo) => unknown,
): FieldRouting {
	return inBody('questions', (value, field) => {
		const labeled = { ...field, label };
		return checkQuestions(read(value, labeled), labeled);
	});
}

const questionsInput = optionsField(
	'questionsInput',
	choices({
		text: 'Write one question per line',
		builder: ['Form', 'Add one question at a time'],
		json: ['JSON', "Enter a list in the API's format"],
	}),
	// n8n does not save default values, so another default would change saved workflows.
	'text',
	'How to enter the questions',
	// Without a choice, no field with questions is on the screen.
	{
		noDataExpression: true,
		// No field of the API makes a survey anonymous (survey.create in emulator/openapi.yaml).
		hint: 'The API cannot make a survey anonymous. If you promised anonymity, check in the service’s console that the draft is anonymous before you send the draft.',
	},
);

/**
 * Number and title of a collapsed question. n8n itself labels a question without a title. The expression searches for the
 * question to get its number, because n8n 2.41.1 does not update $collection.item.index when an earlier question is
 * deleted.
 */
const numberedTitle =
	'={{ $collection.item.value.title && [$parameter.questions.question.findIndex((question) => JSON.stringify(question) === JSON.stringify($collection.item.value)) + 1 || null, $collection.item.value.title].filter(Boolean).join(". ") }}';

const questions = fixedCollection(
	'questions',
	'The questions in the order in which the survey asks them. Example: only people who answer No to “Happy?” get the question “Why?”. In “Happy?”, switch on the field Fork. In “Why?”, switch on the field Branch. In the field Question ID, enter q1 for “Happy?”, and q2 for “Why?”. In the option No of “Happy?”, enter q2 in the field Branch Questions.',
	['question', 'Question'],
	questionProperties,
	{
		typeOptions: {
			multipleValues: true,
			sortable: true,
			multipleValueButtonText: 'Add Question',
			// n8n 2: optional fields are added from a menu, and a collapsed question shows its title.
			hideOptionalFields: true,
			addOptionalFieldButtonText: 'Add Field',
			fixedCollection: { itemTitle: numberedTitle },
		},
		required: true,
		placeholder: 'Add Question',
		displayOptions: { show: { questionsInput: ['builder'] } },
		routing: enteredAs('Questions', toQuestions),
	},
);

const questionsJson = stringField(
	'questionsJson',
	'Questions in the API\'s format, for example [{ "templateCode": "rating", "title": "How do you feel?" }]. Enter JSON, or an expression that returns a list.',
	{
		displayName: 'Questions (JSON)',
		type: 'json',
		typeOptions: { rows: 8 },
		default: '[]',
		required: true,
		displayOptions: { show: { questionsInput: ['json'] } },
		routing: enteredAs('Questions (JSON)', (value, field) => parseJson(value, field) ?? []),
	},
);

/** `(input), (radio: Yes, No), …` */
const TYPES_AS_TEXT = questionTypes
	.map(({ example }) => example.slice(example.lastIndexOf('(')))
	.join(', ');

const EXAMPLE =
	'Which team are you in? (dropdown: Sales, Engineering, Other) *\nDid you get a laptop? (radio: Yes, No → 3)\nWhat happened? (textarea)';

const questionsText = stringField(
	'questionsText',
	`Write one question per line. After the question, write its answer type and options in brackets: ${TYPES_AS_TEXT}. The type (input) is a short text, (textarea) a long text. In the matrix, Pay and Tools are rows. See <a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/questions-as-text.md">Questions as Text</a>.`,
	{
		displayName: 'Questions as Text',
		typeOptions: { rows: 8 },
		required: true,
		placeholder: EXAMPLE,
		builderHint: { propertyHint: `One question per line, for example:\n${EXAMPLE}` },
		hint: 'To make a question required, end its line with *, after any brackets. “Laptop? (radio: Yes, No → 3)” means: only people who choose No get question 3.',
		displayOptions: { show: { questionsInput: ['text'] } },
		routing: enteredAs('Questions as Text', questionsFromText),
	},
);

/** The questions of a survey as text, form or JSON. All three are checked in the same way before sending. */
export const questionsFields = [questionsInput, questionsText, questions, questionsJson];
