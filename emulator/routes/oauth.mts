import type { FastifyRequest } from 'fastify';
import { authenticateClient } from '../server/authentication.mts';
import type { Context } from '../server/context.mts';

/** Returns the token operation, whose response has no envelope (openapi.yaml, oauth.token). */
export function oauthOperations(context: Context) {
	return {
		'oauth.token': (request: FastifyRequest) => {
			const key = authenticateClient(context, request);
			const { tokenLifetimeSeconds: lifetime, tokensPerClient } = context.switches;
			const isSingle = tokensPerClient === 'one';
			const token = context.state.keys.issue(key, context.clock.now(), lifetime, isSingle);
			return { access_token: token, token_type: 'Bearer', expires_in: lifetime };
		},
	};
}
