import type { Field } from '../../../shared/field';

const CLOSING: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/**
 * The conditions in a text, one a line. How a condition is written is not shown (channelRecipient.add in
 * emulator/openapi.yaml), so lines belong together as long as a bracket is open: JSON that is spread over several lines
 * is one condition, and is made one line.
 *
 * @throws when a bracket that opens is never closed: everything after it would be one condition
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
		`${label} has a bracket that is never closed`,
		'Close it, or give the conditions as a list from an expression. Nothing was sent.',
	);
}

/**
 * Reads a line, and returns whether a bracket is still open after it. Brackets within double quotes within brackets
 * are text.
 */
function bracketReader(): (line: string) => boolean {
	const awaited: string[] = [];
	let isQuoted = false;
	return (line) => {
		for (let index = 0; index < line.length; index++) {
			const character = line[index] ?? '';
			if (isQuoted) {
				if (character === '\\') index++;
				else if (character === '"') isQuoted = false;
			} else if (character === '"' && awaited.length > 0) isQuoted = true;
			else if (CLOSING[character] !== undefined) awaited.push(CLOSING[character]);
			else if (character === awaited.at(-1)) awaited.pop();
		}
		return awaited.length > 0;
	};
}

/** JSON without its line breaks; other text as it is. */
function inOneLine(text: string): string {
	if (!text.includes('\n')) return text;
	try {
		const parsed: unknown = JSON.parse(text);
		return JSON.stringify(parsed);
	} catch {
		return text;
	}
}
