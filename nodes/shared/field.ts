import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail, type FailureContext } from './failure';

/** What the conversion of a field's value needs to know. */
export type FieldInfo = {
	/** The field's name on the screen, for error messages. */
	label: string;
	/** Creates the error for a value that cannot be sent. */
	fail: Fail;
	/** IANA time zone of the workflow, for dates without a time zone. */
	timezone: string;
};

/**
 * Returns what the conversion of a parameter's value needs to know.
 *
 * @param itemIndex the input item, counted from 0. Defaults to the item of the context, if it has an item
 */
export function fieldInfo(
	context: FailureContext & Pick<IExecuteFunctions, 'getTimezone'>,
	parameter: string,
	itemIndex?: number,
): FieldInfo {
	return {
		label: fieldLabel(parameter),
		// Only dates need it.
		get timezone() {
			return context.getTimezone();
		},
		fail: failure(context, itemIndex),
	};
}

/** Display names that do not follow from the parameter's name. */
const LABELS = new Map([
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
	['enpsQuestions', 'eNPS Questions'],
	['hrList', 'HR List'],
]);

/** All display names that were needed so far, because every item needs them again. */
const cache = new Map(LABELS);

/**
 * Returns the display name of a parameter, an operation or a resource: `emailReplyTo` → "Email Reply To", `text_color` →
 * "Text Color", `recipientGroupId` → "Recipient Group", and from `LABELS`: `leads` → "Member IDs".
 */
export function fieldLabel(name: string): string {
	const label = cache.get(name) ?? titleCase(name.replace(/Id$/, ''));
	cache.set(name, label);
	return label;
}

/** Splits a name into words with capitals: `imageUrl` → "Image URL", `createAndSend` → "Create and Send". */
function titleCase(name: string): string {
	return name
		.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (first) => first.toUpperCase())
		.replace(/\b(Url|Json|Sms)\b/g, (word) => word.toUpperCase())
		.replace(/\bId(s?)\b/g, 'ID$1')
		.replace(/ (And|As|In|Or) /g, (word) => word.toLowerCase());
}
