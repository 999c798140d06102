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
