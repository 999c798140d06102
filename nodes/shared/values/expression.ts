/** Whether a parameter is an expression. @param saved the parameter as it is saved, for example `={{ $json.name }}` */
export function isExpression(saved: unknown): boolean {
	return typeof saved === 'string' && saved.startsWith('=') && saved.includes('{{');
}

/**
 * Whether a value is empty because an expression has no result:
 *
 * - `={{ $json.name }}` that is undefined or null has no result. If it is `''`, the empty text is the result.
 * - `={{ $json.first }} {{ $json.last }}` that is blank has no result, because n8n replaces undefined inside a text by
 *   nothing (n8n-workflow 1.120.31 and 2.41.0).
 * - A list with entries, as saved or as evaluated, has no result, because these entries are all blank.
 *
 * @param value a value that is empty: missing, blank, or a list whose entries are all missing or blank
 * @param saved the parameter as it is saved
 */
export function hasNoResult(value: unknown, saved: unknown): boolean {
	if (value === undefined || value === null || hasEntries(value) || hasEntries(saved)) return true;
	if (typeof saved !== 'string' || !isExpression(saved)) return false;
	const isOneExpression = saved.lastIndexOf('{{') === 1 && saved.endsWith('}}');
	return !isOneExpression;
}

function hasEntries(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}
