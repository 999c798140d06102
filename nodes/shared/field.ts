import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail, type FailureContext } from './failure';

/** What is needed to convert a field's value. */
export type Field = {
	/** Display name, for error messages. */
	label: string;
	/** Creates the error for a value that cannot be sent. */
	fail: Fail;
	/** IANA time zone of the workflow, for dates without one. */
	timezone: string;
};

/**
 * Returns what is needed to convert a parameter's value.
 *
 * @param itemIndex the input item, counted from 0; defaults to the item of the context, if it has one
 */
export function fieldAt(
	context: FailureContext & Pick<IExecuteFunctions, 'getTimezone'>,
	parameter: string,
	itemIndex?: number,
): Field {
	return {
		label: fieldLabel(parameter),
		timezone: context.getTimezone(),
		fail: failure(context, itemIndex),
	};
}

/** Display names that do not follow from the parameter's name, and a cache of those that do. */
const labels = new Map([
	['enableComment', 'Enable Comments'],
	['requiredConfirm', 'Require Confirmation'],
	['maxRemovalPercent', 'Maximum Removal (%)'],
	['chunkSize', 'Recipients per Request'],
	['concurrency', 'Requests at Once'],
]);

/**
 * Returns a parameter's display name: `emailReplyTo` becomes "Email Reply To", `text_color` "Text Color", `templateId`
 * "Template".
 */
export function fieldLabel(parameter: string): string {
	let label = labels.get(parameter);
	if (label === undefined) {
		label = parameter.endsWith('Id') ? labelOf(parameter) : wordsOf(parameter);
		labels.set(parameter, label);
	}
	return label;
}

function wordsOf(parameter: string): string {
	return parameter
		.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\b(Ids?|Url|Json|Sms)\b/g, (word) =>
			word.startsWith('Id') ? word.replace('Id', 'ID') : word.toUpperCase(),
		)
		.replace(/ In /g, ' in ');
}

/** Returns a parameter's name in words: `recipientGroupId` becomes "Recipient Group". */
export function labelOf(parameter: string): string {
	const words = parameter
		.replace(/Ids?$/, '')
		.replace(/([A-Z])/g, ' $1')
		.trim();
	return words.charAt(0).toUpperCase() + words.slice(1);
}
