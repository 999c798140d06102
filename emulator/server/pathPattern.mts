/** In a text, `*` matches anything and `:name` matches one segment. A RegExp is used as it is. */
export type PathPattern = string | RegExp;

const quote = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Returns a function that tests whether a path without query matches a pattern such as `/int/v1/campaign/:id`. */
export function pathTest(pattern: PathPattern): (path: string) => boolean {
	if (pattern instanceof RegExp) {
		const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
		return (path) => expression.test(path);
	}
	const source = quote(pattern)
		.replace(/:[A-Za-z]\w*/g, '[^/]+')
		.replace(/\*/g, '.*');
	const expression = new RegExp(`^${source}$`);
	return (path) => expression.test(path);
}
