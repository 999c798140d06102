import type { FastifyRequest } from 'fastify';
import type { ConsoleUser } from '../state/consoleUsers.mts';

/** The response envelope (service-api.md, Response envelope). */
export interface Success<T> {
	success: true;
	data: T;
	total?: number;
}

export function ok<T>(data: T): Success<T> {
	return { success: true, data };
}

/** Operations whose response is `{ success }`. */
export const done = { success: true } as const;

export interface IdParams {
	id: string;
}

/** The user behind the request's token. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): ConsoleUser {
	if (request.caller === undefined) throw new Error('The token has not been checked');
	return request.caller;
}
