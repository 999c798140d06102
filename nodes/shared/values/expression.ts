/** Whether a parameter, as it is saved, is an expression. */
export function isExpression(saved: unknown): boolean {
	return typeof saved === 'string' && saved.startsWith('=') && saved.includes('{{');
}

/**
 * Whether a value came out empty because an expression has no result. Inside a text, n8n replaces undefined by nothing
 * (n8n-workflow 1.120.31 and 2.41.0). So a blank text that consists of several parts has no result, either.
 *
 * @param value a value that is missing or blank, or a list without entries that have a value
 * @param saved the parameter as it is saved
 */
export function hasNoResult(value: unknown, saved: unknown): boolean {
	// A list with entries came out blank.
	if (value === undefined || value === null || isFilled(value) || isFilled(saved)) return true;
	if (typeof saved !== 'string' || !isExpression(saved)) return false;
	// For example `={{ $json.name }}`: then the expression itself returned a blank text.
	const isOneExpression = saved.lastIndexOf('{{') === 1 && saved.endsWith('}}');
	return !isOneExpression;
}

/** Whether a value is a list with entries, although they may all be missing or blank. */
function isFilled(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}
