/** Whether a parameter, as it is saved, is an expression. */
export function isExpression(saved: unknown): boolean {
	return typeof saved === 'string' && saved.startsWith('=') && saved.includes('{{');
}

/**
 * Whether a value came out empty because an expression has no result. Inside a text, n8n replaces undefined by nothing
 * (n8n-workflow 1.120.31 and 2.41.0). So a blank text that consists of several parts has no result, either.
 *
 * @param empty a value that is missing or blank, or a list without entries
 * @param saved the parameter as it is saved
 */
export function hasNoResult(empty: unknown, saved: unknown): boolean {
	if (empty === undefined || empty === null || isFilled(empty) || isFilled(saved)) return true;
	if (typeof saved !== 'string' || !isExpression(saved)) return false;
	const isOneExpression = saved.lastIndexOf('{{') === 1 && saved.endsWith('}}');
	return !isOneExpression;
}

/** Whether a value is a list with entries, although they may all be missing or blank. */
function isFilled(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}
