import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../emulator/server/guards.mts';
import { decide, isNew, notSeen, seen, type Answer, type Check, type Probe } from '../check.mts';
import { refusalOf } from '../responses.mts';
import type { Exchange } from '../service.mts';

/** A key that no service has issued. */
const WRONG_KEY = 'n8n-check-wrong-key';

/** The longest token lifetime that is worth waiting for, in seconds. */
const SHORT_LIFE_S = 10;

const OF_KEYS = ['401', '403', '200'];

function statusOf(exchange: Exchange, known: string[]): Answer {
	const { ok, status, message } = exchange;
	if (ok) return isNew('it is accepted');
	if (status === undefined) return notSeen(message);
	const how = refusalOf(exchange);
	return known.includes(String(status)) ? seen(String(status), how) : isNew(how);
}

/** Requests an access token. Returns its value and lifetime in seconds, or undefined without an OAuth client. */
async function newToken({ service }: Probe) {
	if (!('clientId' in service.login)) return undefined;
	const { clientId, clientSecret } = service.login;
	const { body } = await service.requestToken(clientId, clientSecret);
	// A service may revoke older tokens.
	service.forgetToken();
	const { access_token: value, expires_in: seconds } = isObject(body) ? body : {};
	return { value: String(value), seconds: Number(seconds) };
}

const NO_CLIENT = notSeen('the account has an access key, not an OAuth client');

const wrongKey = async (probe: Probe) => await probe.read('profile.get', { bearer: WRONG_KEY });

export const accessChecks: Check[] = [
	decide('missingToken', 'reads', 'How is a request without a key refused?', async (probe) =>
		statusOf(await probe.read('profile.get', { bearer: null }), OF_KEYS),
	),
	decide('invalidToken', 'reads', 'How is a wrong key refused?', async (probe) =>
		statusOf(await wrongKey(probe), OF_KEYS),
	),
	decide('authenticationFailureBody', 'reads', 'What is the body then?', async (probe) => {
		const { status, body, ...rest } = await wrongKey(probe);
		const how = refusalOf({ status, body, ...rest });
		if (status === undefined || status === 200) return notSeen(`the refusal is ${how}`);
		if (isObject(body) && body.success === false) return seen('envelope', how);
		if (body === '') return seen('empty', how);
		return typeof body === 'string' && !/^\s*</.test(body) ? seen('text', how) : isNew(how);
	}),
	decide('tokenRefusal', 'oauth', 'How is a wrong OAuth client refused?', async ({ service }) => {
		if (!('clientId' in service.login)) return NO_CLIENT;
		const wrong = await service.requestToken(service.login.clientId, WRONG_KEY);
		return statusOf(wrong, [...OF_KEYS, '400']);
	}),
	decide('tokenLifetimeSeconds', 'oauth', 'How long is a token valid?', async (probe) => {
		const token = await newToken(probe);
		if (!token) return NO_CLIENT;
		return seen(token.seconds, 'expires_in, in seconds');
	}),
	decide('tokensPerClient', 'oauth', 'Does a new token revoke older ones?', async (probe) => {
		const [older, newer] = [await newToken(probe), await newToken(probe)];
		if (!older || !newer) return NO_CLIENT;
		if (older.value === newer.value) return notSeen('the service returns the same token again');
		const { ok } = await probe.service.call('profile.get', { bearer: older.value });
		return seen(ok ? 'many' : 'one', `the older token is ${ok ? 'accepted' : 'refused'}`);
	}),
	decide('expiredToken', 'oauth', 'How is an expired token refused?', async (probe) => {
		const token = await newToken(probe);
		if (!token) return NO_CLIENT;
		if (!(token.seconds <= SHORT_LIFE_S)) return notSeen(`it is valid for ${token.seconds} s`);
		await sleep(token.seconds * 1000 + 200);
		return statusOf(await probe.service.call('profile.get', { bearer: token.value }), OF_KEYS);
	}),
	decide('rateLimit', 'reads', 'How many requests are accepted in a time?', ({ service }) =>
		rateLimitIn(service.exchanges),
	),
];

/** Counts the requests between two refusals with HTTP 429, and reads what these say. */
function rateLimitIn(exchanges: Exchange[]): Answer {
	const refused = exchanges.flatMap(({ status }, index) => (status === 429 ? [index] : []));
	const [first] = refused;
	if (first === undefined) return seen(null, `all of ${exchanges.length}, at most four a second`);
	const gaps = refused.slice(1).map((index, n) => index - (refused[n] ?? 0) - 1);
	const requests = Math.max(1, ...(gaps.length > 0 ? gaps : [first]));
	const after = exchanges[first]?.headers['retry-after'];
	const retryAfter = after === undefined ? 'none' : /^\d+$/.test(after) ? 'seconds' : 'date';
	const started = exchanges[Math.max(0, first - requests)]?.at ?? 0;
	const perMilliseconds = Math.max(1000, (exchanges[first]?.at ?? 0) - started);
	return seen({ requests, perMilliseconds, retryAfter }, 'between two refusals with HTTP 429');
}
