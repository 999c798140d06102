import type { Field } from '../field';
import { shown } from './any';

/** Formats values as `a`, `a or b` or `a, b or c`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Converts to one of the listed values, ignoring case. A number matches its text: 1 matches `'1'`
 * (docs/development/conventions.md).
 *
 * @param listed the values as they are sent to the service
 * @param words what the screen calls the values, if they are codes. Each is taken, too
 * @returns the listed value
 * @throws if the value is blank or not listed. A blank value must not be left out of the request: a campaign without a
 *   status goes live (campaign.create in emulator/openapi.yaml)
 */
export function toChoice<const Value extends string>(
	value: unknown,
	listed: readonly Value[],
	field: Field,
	words: readonly string[] = listed,
): Value {
	const isGiven = (choice = '') => choice.toLowerCase() === lowerCase(value);
	const found = listed.find((choice, index) => isGiven(choice) || isGiven(words[index]));
	if (found !== undefined) return found;
	throw field.fail(
		`${field.label} must be ${ALTERNATIVES.format(words)}: it is ${shown(value)}`,
		'Choose one from the list, or check the expression. Nothing was sent.',
	);
}

/**
 * Converts to a boolean. Accepts a boolean, a number 1 or 0, and the texts true, false, yes, no, 1 and 0, ignoring
 * case (docs/development/conventions.md).
 *
 * @throws for anything else, even for a blank value: if a blank Dry Run counted as off, the node would make changes
 */
export function toSwitch(value: unknown, field: Field): boolean {
	const text = lowerCase(value) ?? '';
	if (['true', 'yes', '1'].includes(text)) return true;
	if (['false', 'no', '0'].includes(text)) return false;
	throw field.fail(
		`${field.label} must be on or off: it is ${shown(value)}`,
		'Use the switch, or an expression that returns true or false (yes, no, 1 and 0 work, too). Nothing was sent.',
	);
}

/** Converts a text, number or boolean to lower-case text. Returns `undefined` for anything else. */
function lowerCase(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).toLowerCase()
		: undefined;
}
