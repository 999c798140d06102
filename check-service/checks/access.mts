import { isObject } from '../../emulator/server/guards.mts';
import { isNew, notSeen, seen, type Answer, type Check } from '../check.mts';
import { refusalOf } from '../responses.mts';
import type { Exchange } from '../service.mts';
import { setTimeout as sleep } from 'node:timers/promises';

/** A key that no service has issued. */
const WRONG_KEY = 'n8n-check-wrong-key';

const NO_CLIENT = 'the account has an access key, not an OAuth client';

/** The longest token lifetime that is worth waiting for, in seconds. */
const SHORT_LIFE_S = 10;

function statusOf(exchange: Exchange, statuses: string[]): Answer {
	if (exchange.ok) return isNew('It is not refused at all');
	if (exchange.status === undefined) return notSeen(exchange.message);
	const status = String(exchange.status);
	const sentence = `It is refused with ${refusalOf(exchange)}`;
	return statuses.includes(status) ? seen(sentence, status) : isNew(sentence);
}

const OF_KEYS = ['401', '403', '200'];

const withWrongKey = { bearer: WRONG_KEY };

export const accessChecks: Check[] = [
	{
		asks: 'What happens to a request without a key?',
		decides: 'missingToken',
		needs: 'reads',
		look: async (probe) => statusOf(await probe.read('profile.get', { bearer: null }), OF_KEYS),
	},
	{
		asks: 'What happens to a wrong key?',
		decides: 'invalidToken',
		needs: 'reads',
		look: async (probe) => statusOf(await probe.read('profile.get', withWrongKey), OF_KEYS),
	},
	{
		asks: 'What is the body of such a refusal?',
		decides: 'authenticationFailureBody',
		needs: 'reads',
		look: async (probe) => {
			const { status, body } = await probe.read('profile.get', withWrongKey);
			if (status === undefined) return notSeen('a wrong key got no response');
			if (isObject(body) && body.success === false) {
				return status === 200
					? notSeen('refusals have HTTP status 200, so only an envelope can say that they are one')
					: seen('The usual envelope', 'envelope');
			}
			if (body === '') return seen('Empty', 'empty');
			const isText = typeof body === 'string' && !/^\s*</.test(body);
			return isText ? seen('A text', 'text') : isNew('Neither an envelope nor a text');
		},
	},
	{
		asks: 'How does the token endpoint refuse a wrong client?',
		decides: 'tokenRefusal',
		needs: 'oauth',
		look: async ({ service }) => {
			if (!('clientId' in service.login)) return notSeen(NO_CLIENT);
			const wrong = await service.requestToken(service.login.clientId, WRONG_KEY);
			return statusOf(wrong, [...OF_KEYS, '400']);
		},
	},
	{
		asks: 'How long is an access token valid?',
		decides: 'tokenLifetimeSeconds',
		needs: 'oauth',
		look: async ({ service }) => {
			if (!('clientId' in service.login)) return notSeen(NO_CLIENT);
			const { clientId, clientSecret } = service.login;
			const { body } = await service.requestToken(clientId, clientSecret);
			const seconds = isObject(body) ? body.expires_in : undefined;
			service.forgetToken();
			if (typeof seconds !== 'number') return notSeen('the response has no number `expires_in`');
			return seen(`${seconds} seconds`, seconds);
		},
	},
	{
		asks: 'Does a new access token revoke the older ones?',
		decides: 'tokensPerClient',
		needs: 'oauth',
		look: async ({ service }) => {
			if (!('clientId' in service.login)) return notSeen(NO_CLIENT);
			const { clientId, clientSecret } = service.login;
			const older = tokenIn(await service.requestToken(clientId, clientSecret));
			const newer = tokenIn(await service.requestToken(clientId, clientSecret));
			service.forgetToken();
			if (older === undefined || newer === undefined) return notSeen('there was no token');
			if (older === newer) return notSeen('the service returns the same token again');
			const { ok } = await service.call('profile.get', { bearer: older });
			return ok ? seen('No, older tokens stay valid', 'many') : seen('Yes, at once', 'one');
		},
	},
	{
		asks: 'What happens to an expired access token?',
		decides: 'expiredToken',
		needs: 'oauth',
		look: async ({ service }) => {
			if (!('clientId' in service.login)) return notSeen(NO_CLIENT);
			const { clientId, clientSecret } = service.login;
			const issued = await service.requestToken(clientId, clientSecret);
			service.forgetToken();
			const seconds = isObject(issued.body) ? Number(issued.body.expires_in) : NaN;
			const bearer = tokenIn(issued);
			if (bearer === undefined) return notSeen('there was no token');
			if (!(seconds <= SHORT_LIFE_S)) {
				return notSeen(
					`a token is valid for ${seconds} seconds, and the check does not wait so long`,
				);
			}
			await sleep(seconds * 1000 + 200);
			return statusOf(await service.call('profile.get', { bearer }), OF_KEYS);
		},
	},
	{
		asks: 'How many requests are accepted in a time?',
		decides: 'rateLimit',
		needs: 'reads',
		look: ({ service }) => rateLimitIn(service.exchanges),
	},
];

function tokenIn({ body }: Exchange): string | undefined {
	const token = isObject(body) ? body.access_token : undefined;
	return typeof token === 'string' ? token : undefined;
}

/** Counts the requests between two refusals with HTTP 429, and reads what these say. */
function rateLimitIn(exchanges: Exchange[]): Answer {
	const refused = exchanges.flatMap(({ status }, index) => (status === 429 ? [index] : []));
	const [first] = refused;
	if (first === undefined) {
		return seen(`${exchanges.length} requests, at most four a second, were all accepted`, null);
	}
	const gaps = refused.slice(1).map((index, n) => index - (refused[n] ?? 0) - 1);
	const requests = Math.max(1, ...(gaps.length > 0 ? gaps : [first]));
	const after = exchanges[first]?.headers['retry-after'];
	const retryAfter = after === undefined ? 'none' : /^\d+$/.test(after) ? 'seconds' : 'date';
	const started = exchanges[Math.max(0, first - requests)]?.at ?? 0;
	const perMilliseconds = Math.max(1000, (exchanges[first]?.at ?? 0) - started);
	return seen(
		`HTTP 429 after ${requests} requests in about ${perMilliseconds} ms; Retry-After: ${retryAfter}`,
		{ requests, perMilliseconds, retryAfter },
	);
}
