/** Reads JSON that we wrote ourselves (the test, the emulator, a file of the project), whose form is known. */
export const parseAs: <Form>(text: string) => Form = JSON.parse;

/** An object with fields: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const inheriting: <Form>(prototype: object | null) => Form = Object.create;

/** Stands in for something of n8n's of which only these members are read. */
export function only<Form extends object>(
	members: Partial<Form>,
	prototype: object | null = null,
): Form {
	return Object.assign(inheriting<Form>(prototype), members);
}
