const quote = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/**
 * Returns a function that tests whether a path without query matches a pattern such as `/int/v1/campaign/:id`. `*` matches
 * anything, and `:name` one segment.
 */
export function pathTest(pattern: string): (path: string) => boolean {
	const source = quote(pattern)
		.replace(/:[A-Za-z]\w*/g, '[^/]+')
		.replace(/\*/g, '.*');
	const expression = new RegExp(`^${source}$`);
	return (path) => expression.test(path);
}
