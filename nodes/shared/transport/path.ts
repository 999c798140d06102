import type { Fail } from '../failure';
import { fieldLabel } from '../field';

/** Returns the parameter names of a path: `['campaignId']` for `/int/v1/campaign/:campaignId`. */
export function pathParameters(path: string): string[] {
	return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/**
 * Inserts IDs into a path, each encoded as one segment, so that an ID with "/" or "?" cannot reach another endpoint.
 *
 * @param ids the value of each path parameter
 * @param fail creates the error for a value that is not an ID
 */
export function buildPath(path: string, ids: Record<string, unknown>, fail: Fail): string {
	return path.replace(/:(\w+)/g, (_, parameter: string) => {
		const id = checkedId(parameter, ids[parameter], fail);
		// Encoding does not change "." and "..", which would change the path.
		if (id === '.' || id === '..') throw fail(`${fieldLabel(parameter)} "${id}" is not an ID`);
		try {
			return encodeURIComponent(id);
		} catch {
			// A lone surrogate cannot be encoded.
			throw fail(
				`${fieldLabel(parameter)} is not an ID: it contains an incomplete character, for example half of an emoji`,
				'Choose the record from the list, or check the expression.',
			);
		}
	});
}

/** Returns an ID as text. @throws the error of `fail` for a value that is not an ID */
export function checkedId(parameter: string, value: unknown, fail: Fail): string {
	// NaN and Infinity come from expressions, for example Number($json.id).
	const isId = typeof value === 'string' || Number.isFinite(value);
	const id = isId ? String(value).trim() : '';
	if (id !== '') return id;
	throw fail(`${fieldLabel(parameter)} is missing: choose it from the list or enter its ID`);
}
