import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail, type FailureContext } from './failure';

/** What is needed to convert a field's value. */
export type Field = {
	/** Display name, for error messages. */
	label: string;
	/** Creates the error for a value that cannot be sent. */
	fail: Fail;
	/** IANA time zone of the workflow, for dates without a time zone. */
	timezone: string;
};

/**
 * Returns what is needed to convert a parameter's value.
 *
 * @param itemIndex the input item, counted from 0. Defaults to the item of the context, if it has an item
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

/** Display names that do not follow from the parameter's name. Names that follow from it are cached here, too. */
const labels = new Map([
	['enableComment', 'Enable Comments'],
	['requiredConfirm', 'Require Confirmation'],
	['maxRemovalPercent', 'Maximum Removal (%)'],
	['minLiveDate', 'Live After'],
	['maxLiveDate', 'Live Before'],
	['campaignDescription', 'Description'],
	['maxNewGroups', 'Maximum New Groups'],
	['maxReadGapMinutes', 'Max Read Gap (Minutes)'],
	['leads', 'Member IDs'],
	['chunkSize', 'Recipients per Request'],
	['concurrency', 'Requests at Once'],
	['templateCode', 'Question Type'],
	['matrixQuestions', 'Rows'],
	['desc', 'Description'],
	['questionId', 'Question ID'],
]);

/**
 * Returns the display name of a parameter, an operation or a resource: `emailReplyTo` becomes "Email Reply To",
 * `text_color` "Text Color", `recipientGroupId` "Recipient Group".
 */
export function fieldLabel(name: string): string {
	let label = labels.get(name);
	if (label === undefined) {
		label = splitWords(name.replace(/Id$/, ''));
		labels.set(name, label);
	}
	return label;
}

function splitWords(name: string): string {
	return name
		.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\b(Url|Json|Sms)\b/g, (word) => word.toUpperCase())
		.replace(/\bId(s?)\b/g, 'ID$1')
		.replace(/ (And|As|In|Or) /g, (word) => word.toLowerCase());
}
