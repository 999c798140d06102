import { jsonParse } from 'n8n-workflow';

import type { FieldInfo } from '../../../shared/field';

/**
 * Returns the conditions of a text: one per line, or JSON over several lines, which is put into one line. `toList` drops blank
 * conditions. The API does not document the syntax of conditions (channelRecipient.add in emulator/openapi.yaml).
 *
 * @throws for other text over several lines: its lines would be several conditions for other people
 */
export function conditionsIn(text: string, { label, fail }: FieldInfo): string[] {
	const conditions: string[] = [];
	/** The lines of a condition that goes on. */
	let open: string[] = [];
	const lines = text.split(/\r\n|\r|\n/);
	for (const line of lines) {
		open.push(line);
		const inOneLine = open.map((part) => part.trim()).join(' ');
		if (open.length > 1 ? !isJson(inOneLine) : !isBalanced(line)) continue;
		conditions.push(inOneLine);
		open = [];
	}
	if (open.length === 0) return conditions;
	throw fail(
		`${label}: line ${lines.length - open.length + 1} has a bracket that is not closed`,
		'Write each condition in one line or as JSON, or use an expression that returns a list of conditions. Nothing was sent.',
	);
}

function isJson(text: string): boolean {
	return jsonParse(text, { fallbackValue: null }) !== null;
}

/**
 * Whether each opened bracket is closed, by any bracket: `{"a": [1]}`, but not `{"a": [`. Brackets in double quotes do not
 * count.
 */
function isBalanced(line: string): boolean {
	const brackets = line.replace(/"(?:\\[^]|[^"\\])*"/g, '').match(/[{}[\]()]/g) ?? [];
	let open = 0;
	for (const bracket of brackets) open = '{[('.includes(bracket) ? open + 1 : Math.max(open - 1, 0);
	return open === 0;
}
