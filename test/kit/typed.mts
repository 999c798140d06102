import type { IDataObject } from 'n8n-workflow';

/** Parses JSON of known shape, from a test, the emulator or a file of the project. */
export const parseAs: <Form>(text: string) => Form = JSON.parse;

/** Returns the JSON of an input item with values of any type, as a Code node can create it. */
export function itemJson(fields: Record<string, unknown>): IDataObject {
	const json: IDataObject = {};
	return Object.assign(json, fields);
}

/** Whether a value is an object, but not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the title in the body of a request. */
export const titleOf = ({ body }: { body?: unknown }): unknown =>
	isObject(body) ? body.title : undefined;

const inheriting: <Form>(prototype: object | null) => Form = Object.create;

/** Returns a stand-in for an n8n object. The stand-in has the given members, and those of `prototype`, if any. */
export function only<Form extends object>(
	members: Partial<Form>,
	prototype: object | null = null,
): Form {
	return Object.assign(inheriting<Form>(prototype), members);
}
