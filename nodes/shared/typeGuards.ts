import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object, including errors and arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object, not an array or null. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
