import type { FieldInfo } from '../../../shared/field';

/**
 * Returns the lines of a text. A line that is not blank is a condition, which may be JSON; `toList` drops the blank ones. The
 * API does not document the syntax of conditions (channelRecipient.add in emulator/openapi.yaml).
 *
 * @throws for a line whose brackets are not closed: JSON on several lines would be several conditions for other people
 */
export function conditionsIn(text: string, { label, fail }: FieldInfo): string[] {
	const lines = text.split(/\r\n|\r|\n/);
	const place = lines.findIndex((line) => !isBalanced(line));
	if (place < 0) return lines;
	throw fail(
		`${label}: line ${place + 1} has a bracket that is not closed`,
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
