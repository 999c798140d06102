import { jsonParse } from 'n8n-workflow';

import type { FieldInfo } from '../../../shared/field';

/**
 * Returns the conditions of a text: one per line, or a single one as JSON over several lines, which is put into one line.
 * `toList` drops blank conditions. The API does not document the syntax of conditions (channelRecipient.add in
 * emulator/openapi.yaml).
 *
 * @throws for other text over several lines: its lines would be several conditions for other people
 */
export function conditionsIn(text: string, { label, fail }: FieldInfo): string[] {
	const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
	const inOneLine = lines.join(' ').trim();
	if (jsonParse(inOneLine, { fallbackValue: null }) !== null) return [inOneLine];
	const open = lines.findIndex((line) => !isBalanced(line));
	if (open < 0) return lines;
	throw fail(
		`${label}: line ${open + 1} has a bracket that is not closed`,
		'Write each condition in one line, or use an expression that returns a list of conditions. Nothing was sent.',
	);
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
