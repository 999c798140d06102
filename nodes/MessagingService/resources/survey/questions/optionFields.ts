import type { DisplayCondition, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { fixedCollection, stringField } from '../../../../shared/fieldTypes';
import { byExpression } from '../../../fields/byExpression';
import { QUESTION_TYPES, WITH_OPTIONS, type QuestionType } from './questionTypes';

/** Any value but true, also an expression. */
const notOn: DisplayCondition = { _cnd: { not: true } };

const branchQuestions = stringField(
	'branchQuestions',
	'Question IDs of the questions to ask after this choice, separated by commas. An expression can also return a list.',
	{ placeholder: 'e.g. what-went-wrong' },
);

/** Returns all question types except the given ones. */
const typesExcept = (...types: QuestionType[]): QuestionType[] =>
	QUESTION_TYPES.filter((type) => !types.includes(type));

const choiceTypes = WITH_OPTIONS.filter((type) => type !== 'matrix');

/**
 * Returns the field for the options of a question, one per row. Only a fork shows the field Branch Questions. Other
 * questions keep it as a hidden field, so that the entered IDs survive when Fork is switched off and on.
 *
 * @param word what the screen calls an option
 */
function answerOptionsField(
	word: 'Option' | 'Column',
	branches: 'shown' | 'hidden',
	displayOptions: IDisplayOptions,
): INodeProperties {
	return fixedCollection(
		'options',
		'Answers to choose from',
		['option', word],
		[
			stringField('value', `The ${word.toLowerCase()} as recipients see it`, {
				displayName: word,
				placeholder: 'e.g. Very content',
			}),
			branches === 'shown' ? branchQuestions : { ...branchQuestions, type: 'hidden' },
		],
		{
			displayName: `${word}s`,
			typeOptions: {
				multipleValues: true,
				sortable: true,
				multipleValueButtonText: `Add ${word}`,
				showEvenWhenOptional: true,
				// The inline layout of n8n 2 shows no labels, so this layout suits only a single field.
				...(branches === 'hidden' && { fixedCollection: { layout: 'inline' } }),
			},
			placeholder: `Add ${word}`,
			displayOptions,
		},
	);
}

/** The options field of a question that is neither a fork nor a matrix. */
export const answerOptions = answerOptionsField('Option', 'hidden', {
	hide: { templateCode: typesExcept(...choiceTypes), fork: [true, byExpression] },
});

/**
 * Four variants of the options field, of which a question shows at most one. A single field is not enough: n8n's display
 * conditions see only sibling fields, so Fork cannot show or hide a field inside an option.
 */
export const optionVariants: INodeProperties[] = [
	answerOptions,
	answerOptionsField('Column', 'hidden', {
		hide: { templateCode: [...typesExcept('matrix'), byExpression], fork: [true, byExpression] },
	}),
	// If Fork is an expression, this variant is visible, too, because an expression satisfies every `show` condition
	// (n8n-workflow 2.41.0).
	answerOptionsField('Option', 'shown', {
		show: { fork: [true] },
		hide: { templateCode: ['matrix'] },
	}),
	answerOptionsField('Column', 'shown', {
		hide: { templateCode: [...typesExcept('matrix'), byExpression], fork: [notOn] },
	}),
];
