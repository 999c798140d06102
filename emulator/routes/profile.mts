import type { FastifyRequest } from 'fastify';
import { callerOf, ok } from './envelope.mts';

/** Returns the operation that shows the token's user (openapi.yaml, profile.get). */
export function profileOperations() {
	return {
		'profile.get': (request: FastifyRequest) => {
			const { _id, firstName, lastName, email, sfUserId } = callerOf(request);
			return ok({ _id, firstName, lastName, email, sfUserId });
		},
	};
}
