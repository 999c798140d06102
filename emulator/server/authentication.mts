import type { FastifyRequest } from 'fastify';
import type { Context } from './context.mts';
import type { Key } from '../state/keys.mts';

export type RefusalMode = '401' | '400' | '403' | '200';

/** The refusal of a token or client. A switch determines the response (openapi.yaml, Undocumented behavior). */
export class AuthenticationFailure extends Error {
	override readonly name = 'AuthenticationFailure';

	constructor(
		message: string,
		readonly mode: RefusalMode,
	) {
		super(message);
	}
}

function bearer(request: FastifyRequest): string | undefined {
	return /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
}

/** Records which key a request has, and whether it is accepted. */
function note({ emulatorRecord: record }: FastifyRequest, keyId: string, ok = true): void {
	if (record !== undefined) record.authorization = { ok, keyId };
}

/**
 * Checks the bearer token of a request: an access key or a token from oauth.token (openapi.yaml, Authentication).
 *
 * @throws AuthenticationFailure if the token is missing, unknown or expired
 */
export function authenticate(context: Context, request: FastifyRequest): void {
	const { switches, state } = context;
	if (request.headers.authorization === undefined) {
		throw new AuthenticationFailure('Unauthorized', switches.missingToken);
	}
	const value = bearer(request);
	const key = state.keys.find({ kind: 'accessKey', value: value ?? '' });
	if (key !== undefined) {
		note(request, key.id);
		return;
	}
	const token = value === undefined ? undefined : state.keys.tokens.get(value);
	if (token === undefined) {
		throw new AuthenticationFailure('Invalid access token', switches.invalidToken);
	}
	const expired = context.clock.now() >= token.expiresAt;
	note(request, token.key.id, !expired);
	if (expired) throw new AuthenticationFailure(switches.expiredTokenMessage, switches.expiredToken);
}

/**
 * Returns the client of a request with `Bearer base64(CLIENT_ID:CLIENT_SECRET)` (openapi.yaml, Authentication).
 *
 * @throws AuthenticationFailure if there is no such client
 */
export function authenticateClient(context: Context, request: FastifyRequest): Key {
	const value = bearer(request);
	const decoded = value === undefined ? '' : Buffer.from(value, 'base64').toString('utf8');
	const separator = decoded.indexOf(':');
	const id = decoded.slice(0, Math.max(0, separator));
	const secret = decoded.slice(separator + 1);
	const key = context.state.keys.find({ kind: 'client', id, value: secret });
	if (key === undefined) {
		throw new AuthenticationFailure('Invalid client credentials', context.switches.tokenRefusal);
	}
	note(request, key.id);
	return key;
}
