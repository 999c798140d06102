import type { IDataObject } from 'n8n-workflow';

/** Any object, errors and arrays included. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** A JSON object: not an array, not null. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
