/** Parses JSON of our own (the test, the emulator, a file of the project), whose form is known. */
export const parseAs: <Form>(text: string) => Form = JSON.parse;

/** Whether a value is an object, but no array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const inheriting: <Form>(prototype: object | null) => Form = Object.create;

/** A stand-in for an object of n8n with only the members that are read. */
export function only<Form extends object>(
	members: Partial<Form>,
	prototype: object | null = null,
): Form {
	return Object.assign(inheriting<Form>(prototype), members);
}
