import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * A text on the screen that holds no value.
 *
 * @param show the choices it belongs to; left out, it always shows
 */
export function notice(
	name: string,
	text: string,
	show?: IDisplayOptions['show'],
): INodeProperties {
	return {
		displayName: text,
		name,
		type: 'notice',
		default: '',
		...(show ? { displayOptions: { show } } : {}),
	};
}

/**
 * What an operation that sends to people says about it.
 *
 * @param what begins the sentence: "It goes out to all recipients of the campaign"
 */
export function sendsAtOnce(
	what: string,
	show?: IDisplayOptions['show'],
	advice = '',
): INodeProperties {
	return notice(
		'sendsAtOnce',
		`${what} as soon as this runs, even in a test, and can't be recalled.${advice}`,
		show,
	);
}

/** Below Update Fields: what an update does with the rest is not shown (campaign.update, channel.update in emulator/openapi.yaml). */
export const updateMayReplace = notice(
	'updateMayReplace',
	"The API does not document whether fields that you don't add keep their values. Check the result once, or add every field that matters.",
);
