import { inspect } from 'node:util';

/** All that an error holds, hidden properties, causes and what n8n stores included, as one text to search in. */
export function allOf(error: unknown): string {
	const stored = JSON.stringify(error);
	return `${stored} ${inspect(error, { depth: 12, showHidden: true, maxStringLength: Infinity, maxArrayLength: Infinity })}`;
}
