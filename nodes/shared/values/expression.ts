/** Whether a parameter is an expression. @param saved the parameter as it is saved, for example `={{ $json.name }}` */
export function isExpression(saved: unknown): saved is string {
	return typeof saved === 'string' && saved.startsWith('=') && saved.includes('{{');
}

/**
 * Whether a value is empty because an expression has no result, and not because it is meant to be empty. The first rule that
 * applies decides:
 *
 * 1. Undefined and null are no result: `={{ $json.name }}` without such a field.
 * 2. A list with entries, as evaluated or as saved, is no result: its entries are all blank, and an emptied field has none.
 * 3. Without an expression, the field was emptied.
 * 4. From one expression, `={{ $json.name }}`, a blank text is the result. From `={{ $json.first }} {{ $json.last }}`, it is
 *    no result, because n8n replaces undefined inside a text by nothing (n8n-workflow 1.120.31 and 2.41.0).
 *
 * @param value a value that is empty: missing, blank, or a list whose entries are all missing or blank
 * @param saved the parameter as it is saved
 */
export function hasNoResult(value: unknown, saved: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (hasEntries(value) || hasEntries(saved)) return true;
	if (!isExpression(saved)) return false;
	const isOneExpression = saved.lastIndexOf('{{') === 1 && saved.endsWith('}}');
	return !isOneExpression;
}

function hasEntries(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}
