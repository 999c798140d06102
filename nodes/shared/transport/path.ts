import { type Fail } from '../failure';
import { labelOf } from '../field';

/** The names of a path's parameters: `['campaignId']` for `/int/v1/campaign/:campaignId`. */
export function pathParameters(path: string): string[] {
	return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/**
 * Puts ids into a path, each encoded as one segment: an id with "/" or "?" in it cannot reach another endpoint.
 *
 * @param idOf gives the value of a path parameter
 * @param fail makes the error for a value that is no id
 */
export function buildPath(path: string, idOf: (parameter: string) => unknown, fail: Fail): string {
	return path.replace(/:(\w+)/g, (_, parameter: string) => {
		const id = checkedId(parameter, idOf(parameter), fail);
		// "." and ".." are the two segments that encoding leaves as they are and a URL takes for a way elsewhere.
		if (id === '.' || id === '..') throw fail(`${labelOf(parameter)} "${id}" is not an ID`);
		try {
			return encodeURIComponent(id);
		} catch {
			// Half of a surrogate pair has no form in a URL.
			throw fail(
				`${labelOf(parameter)} is not an ID: it holds half a character, as text does that was cut in the middle of an emoji`,
				'Choose it from the list, or check the expression.',
			);
		}
	});
}

/** The text of an id. @throws what `fail` makes for a value that is none */
export function checkedId(parameter: string, value: unknown, fail: Fail): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (id !== '') return id;
	throw fail(`${labelOf(parameter)} is missing: choose it from the list or enter its ID`);
}
