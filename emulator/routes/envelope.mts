import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';

/** The response envelope (openapi.yaml, Envelope). */
export interface Success<T> {
	success: true;
	data: T;
	total?: number;
}

/** Returns a success response with data. */
export function ok<T>(data: T): Success<T> {
	return { success: true, data };
}

/** Returns a success response with a list. A switch determines the form of an empty list. */
export function okList<T>(
	context: Context,
	data: T[],
	more: { total?: number } = {},
): { success: true; data?: T[] | null; total?: number } {
	const form = context.switches.emptyList;
	if (data.length > 0 || form === 'array') return { success: true, data, ...more };
	return { success: true, ...(form === 'null' ? { data: null } : {}), ...more };
}

/** The response of operations that return only `success`. */
export const done = { success: true } as const;

export type IdParams = { id: string };

/** A request with the ID of a record in its path. */
export type OnRecord<Body = unknown, Query = unknown> = FastifyRequest<{
	Params: IdParams;
	Body: Body;
	Querystring: Query;
}>;

/** Picks fields of a record. */
export const fieldsOf = <T extends object>(record: T, ...names: (keyof T)[]): object =>
	Object.fromEntries(names.map((name) => [name, record[name]]));
