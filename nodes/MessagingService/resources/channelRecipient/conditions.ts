import type { Field } from '../../../shared/field';

/**
 * Reads conditions from a text, one per line. While a bracket is open, the next line belongs to the same condition, which
 * may be JSON. JSON on several lines becomes one line. The API does not document the syntax of conditions
 * (channelRecipient.add in emulator/openapi.yaml).
 *
 * @throws if a bracket is never closed
 */
export function conditionsIn(text: string, { label, fail }: Field): string[] {
	const conditions: string[] = [];
	const isOpenAfter = bracketReader();
	let lines: string[] = [];
	for (const line of text.split(/\r\n|\r|\n/)) {
		lines.push(line);
		if (isOpenAfter(line)) continue;
		conditions.push(inOneLine(lines.join('\n')));
		lines = [];
	}
	if (lines.length === 0) return conditions;
	throw fail(
		`${label} has an unclosed bracket`,
		'Close the bracket, or use an expression that returns a list of conditions. Nothing was sent.',
	);
}

/**
 * Returns a function that reads the next line and returns whether a bracket is still open. Inside brackets, text in double
 * quotes does not open or close a bracket.
 */
function bracketReader(): (line: string) => boolean {
	let depth = 0;
	let isQuoted = false;
	return (line) => {
		for (const [token] of line.matchAll(/\\.|["{}[\]()]/g)) {
			if (isQuoted) isQuoted = token !== '"';
			else if (token === '"') isQuoted = depth > 0;
			else if ('{[('.includes(token)) depth++;
			else if ('}])'.includes(token) && depth > 0) depth--;
		}
		return depth > 0;
	};
}

/** Removes line breaks and blanks between the values of JSON. Returns other text unchanged. */
function inOneLine(text: string): string {
	if (!text.includes('\n')) return text;
	try {
		JSON.parse(text);
	} catch {
		return text;
	}
	// Keeps the values as typed, because JavaScript would round large numbers.
	return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}
