import type { IDataObject } from 'n8n-workflow';

/** Anything with members: an object, an error, a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** An object with named members, as JSON has them: no list, not null. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
