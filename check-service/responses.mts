import { isObject } from '../emulator/server/guards.mts';
import type { Exchange } from './service.mts';

export type Row = Record<string, unknown>;

export const idOf = (row: Row | undefined): string => (typeof row?._id === 'string' ? row._id : '');

export const rowsIn = (value: unknown): Row[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

/** Returns `data` if it is an object, otherwise an object without fields. */
export const dataOf = ({ data }: Exchange): Row => (isObject(data) ? data : {});

/** Returns the `total` of a list. */
export const totalOf = ({ body }: Exchange): number | undefined =>
	isObject(body) && typeof body.total === 'number' ? body.total : undefined;

/** Describes a refusal: its HTTP status and its message. */
export function refusalOf({ status, message, body }: Exchange): string {
	if (status === undefined) return message;
	const text = message || (typeof body === 'string' ? body.slice(0, 80) : '');
	return `HTTP ${status}${text === '' ? '' : `, "${text}"`}`;
}
