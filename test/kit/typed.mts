/** Parses JSON whose shape the caller knows: from a test, from the emulator or from a file of the project. */
export const parseAs: <Form>(text: string) => Form = JSON.parse;

/** Whether a value is an object, but not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const inheriting: <Form>(prototype: object | null) => Form = Object.create;

/** Returns a stand-in for an n8n object. It has the given members, and those of `prototype`, if any. */
export function only<Form extends object>(
	members: Partial<Form>,
	prototype: object | null = null,
): Form {
	return Object.assign(inheriting<Form>(prototype), members);
}
