/** Tells whether a value that came from elsewhere has the form that a type says. */
export type Form<T> = (value: unknown) => value is T;

export const isText: Form<string> = (value) => typeof value === 'string';

export const isNumber: Form<number> = (value) => typeof value === 'number';

export const isAnything: Form<unknown> = (_value): _value is unknown => true;

/** An object with fields: no list, not null. */
export const isObject: Form<Record<string, unknown>> = (value): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose named fields have these forms; what else it holds is not looked at. */
export function objectOf<T>(fields: { [Name in keyof T]-?: Form<T[Name]> }): Form<T> {
	const forms = Object.entries<Form<unknown>>(fields);
	return (value): value is T => isObject(value) && forms.every(([name, has]) => has(value[name]));
}

/** An object under whose names, whatever they are, stands one form. */
export function recordOf<T>(has: Form<T>): Form<Record<string, T>> {
	return (value): value is Record<string, T> => isObject(value) && Object.values(value).every(has);
}

export function listOf<T>(has: Form<T>): Form<T[]> {
	return (value): value is T[] => Array.isArray(value) && value.every(has);
}

export function optional<T>(has: Form<T>): Form<T | undefined> {
	return (value): value is T | undefined => value === undefined || has(value);
}

/** The value, whose form is known from here on; throws, saying what it is the form of and what came. */
export function inForm<T>(has: Form<T>, value: unknown, what: string): T {
	if (has(value)) return value;
	throw new Error(`${what} has another form: ${JSON.stringify(value)?.slice(0, 1000)}`);
}
