import type { FieldInfo } from '../field';
import { describeValue } from './any';

/** What the error of a field needs. */
type Labeled = Pick<FieldInfo, 'label' | 'fail'>;

/** Joins texts: `a`, `a or b`, `a, b or c`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Converts to one of the listed values, ignoring case: `'LIVE'` → `'live'`, 1 → `'1'` (docs/development/conventions.md).
 *
 * @param listed the values as they are sent to the service
 * @param names the names of these values on the screen, in the same order, if users may enter them, too
 * @throws if the value is blank or not listed. A blank value must not be left out of the request: a campaign without a
 *   status goes live (campaign.create in emulator/openapi.yaml)
 */
export function toChoice<const Value extends string>(
	value: unknown,
	listed: readonly Value[],
	field: Labeled,
	names: readonly string[] = listed,
): Value {
	const given = lowerCase(value);
	const chosen = listed.find((choice, index) =>
		[choice, names[index] ?? choice].some((text) => text.toLowerCase() === given),
	);
	if (chosen !== undefined) return chosen;
	throw field.fail(
		`${field.label} must be ${ALTERNATIVES.format(names)}: it is ${describeValue(value)}`,
		'Choose one from the list, or check the expression. Nothing was sent.',
	);
}

/**
 * Converts to a boolean. Accepts a boolean, a number 1 or 0, and the texts true, false, yes, no, 1 and 0, ignoring
 * case (docs/development/conventions.md).
 *
 * @throws for anything else, even for a blank value: if a blank Dry Run counted as off, the node would make changes
 */
export function toSwitch(value: unknown, field: Labeled): boolean {
	const text = lowerCase(value) ?? '';
	if (['true', 'yes', '1'].includes(text)) return true;
	if (['false', 'no', '0'].includes(text)) return false;
	throw field.fail(
		`${field.label} must be on or off: it is ${describeValue(value)}`,
		'Use the switch, or an expression that returns true or false (yes, no, 1 and 0 work, too). Nothing was sent.',
	);
}

/** Returns a text, number or boolean as a text in lower case. Returns `undefined` for anything else. */
function lowerCase(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).toLowerCase()
		: undefined;
}
