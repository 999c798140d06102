import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/**
 * Creates a text on the screen, without a value.
 *
 * @param show the parameter values for which the notice is visible. If omitted, it is always visible
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
 * Creates the notice of an operation that sends to people.
 *
 * @param what the beginning of the notice, for example "The campaign goes out to all its recipients"
 * @param show as in `notice`
 * @param advice the end of the notice, which begins with a blank
 */
export function sendingNotice(
	what: string,
	show?: IDisplayOptions['show'],
	advice = '',
): INodeProperties {
	return notice(
		'sendsAtOnce',
		`${what} as soon as the node runs, even in a test. You can't unsend it.${advice}`,
		show,
	);
}

/**
 * The notice below Update Fields. The API does not document what an update does with omitted fields (campaign.update,
 * channel.update in emulator/openapi.yaml).
 */
export const updateMayReplace = (advice = ''): INodeProperties =>
	notice(
		'updateMayReplace',
		`An update might reset fields that you do not add under "Update Fields". To be safe, also add unchanged fields with their current values.${advice}`,
	);
