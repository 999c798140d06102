import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { truncate } from '../truncate';

/** Path prefix that carries the API version (servers and paths in emulator/openapi.yaml). */
export const API_PREFIX = '/int/v1';

/** What a person types who leaves out the `https://`: a host name or address, with a port or a path at most. */
const BARE_HOST =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?|\[[\da-f:.]+\])(?::\d+)?(?:\/.*)?$/iu;

/**
 * Brings what a person types as Base URL into the form that requests need: scheme and host, with a path only when the
 * service sits behind one, without trailing slashes and without an appended `/int/v1`. A bare host gets `https://`.
 *
 * @param typed the credential's `baseUrl`
 * @returns for example `https://messages.example.com`
 * @throws UserError when it is empty or no address of a service
 */
export function normaliseBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') {
		throw new UserError('The Base URL is empty. Check the Base URL in the credential.');
	}
	const address = BARE_HOST.test(text) ? `https://${text}` : text;
	// http stays allowed: intranets without TLS and local tests have no other way in.
	if (!/^https?:\/\//i.test(address)) {
		throw new UserError(
			`The Base URL "${withoutUser(text)}" does not start with https:// (or http://). Check the Base URL in the credential.`,
		);
	}
	const url = toUrl(address);
	if (!url) throw invalidUrl(withoutUser(text));
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw invalidUrl(`${url.protocol}//${url.host}${url.pathname}`);
	}
	const path = url.pathname.replace(/(?<!\/)(\/+int\/v1)?\/*$/i, '');
	return `${url.protocol}//${url.host}${path}`;
}

/** An address without what stands before its "@", which may be a user and a password, and cut where it goes on. */
function withoutUser(text: string): string {
	return truncate(text.replace(/^([a-z][\w+.-]*:)?(\/*)[^/]*@/i, '$1$2***@'), 200);
}

function invalidUrl(shown: string): UserError {
	return new UserError(
		`The Base URL "${shown}" is not the address of a service. It needs the form https://messages.example.com, without user name, "?" or "#". Check the Base URL in the credential.`,
	);
}

/**
 * The whole address of a request that does not go to a path under the Base URL; undefined for one that does. n8n's HTTP
 * Request node gives it as `uri` (HttpRequestV3 of n8n 1.123.81 and 2.41.1).
 */
export function addressOf(options: IHttpRequestOptions): string | undefined {
	const { url }: { url?: unknown } = options;
	const uri = 'uri' in options ? options.uri : undefined;
	const address = String(uri ?? url ?? '');
	// What axios takes for a whole address; "//host" is one, too.
	return /^([a-z][a-z\d+\-.]*:)?\/\//i.test(address) ? address : undefined;
}

/** Keeps credentials on the host of the Base URL. @throws UserError when an address is elsewhere */
export function checkHost(baseUrl: string, address: string): void {
	if (isOnHost(baseUrl, address)) return;
	const [own, other] = hostsOf(baseUrl, address);
	throw new UserError(
		`The credential is for ${own}, the request for ${other}. Nothing was sent. Check the URL of the request, and the Base URL in the credential.`,
	);
}

/**
 * The domains that redirects may lead to (`allowedDomains` of a request): the host of the Base URL alone.
 *
 * @param allowed what the builder allowed in the credential, separated by commas; a list without that host stays as it
 * is, for n8n to refuse the request
 */
export function ownDomain(baseUrl: string, allowed: string | undefined): string {
	const { hostname } = new URL(baseUrl);
	if (allowed === undefined || allowed.trim() === '') return hostname;
	const covers = allowed
		.split(',')
		.map((domain) => domain.trim().toLowerCase())
		.some((domain) =>
			domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : domain === hostname,
		);
	return covers ? hostname : allowed;
}

/**
 * Whether a request with credentials may go to an address: it has the host and the port of the Base URL, and no less
 * protection. From http to https on the usual ports is the same host.
 *
 * @param baseUrl as `normaliseBaseUrl` gives it
 * @param address a whole address
 */
export function isOnHost(baseUrl: string, address: string): boolean {
	const base = toUrl(baseUrl);
	const target = toUrl(address);
	if (!base || !target) return false;
	if (base.origin === target.origin) return true;
	const isUpgrade = base.protocol === 'http:' && target.protocol === 'https:';
	return isUpgrade && base.host === target.host && base.port === '' && target.port === '';
}

/** Two addresses by what tells them apart: their hosts, or with the same host their protocols, too. */
export function hostsOf(one: string, other: string): [string, string] {
	const [a, b] = [toUrl(one), toUrl(other)];
	if (!a || !b) return [one, other];
	// An address such as "javascript:" has no host.
	return a.host === b.host ? [a.origin, b.origin] : [a.host, b.host || truncate(b.href, 100)];
}

/** How often one read follows the service from place to place. */
const MOST_REDIRECTS = 5;

/** A response that sends the request on to where it must not go. */
export class RedirectError extends UserError {
	constructor(
		message: string,
		readonly advice: string,
		readonly httpCode: string,
	) {
		super(message);
	}
}

/**
 * Follows the service from place to place on its own host, for reads. n8n itself would take the credentials along to any
 * host (n8n-core 1.122.48 and 2.41.1, sendCredentialsOnCrossOriginRedirect).
 *
 * @param first the response to the request for `path`
 * @param follow sends the read to a whole address, without following redirects
 * @returns the first response that is no redirect, or a redirect that names no place
 * @throws RedirectError when it leads to another host, or in a circle
 */
export async function followOnHost(
	baseUrl: string,
	path: string,
	first: IN8nHttpFullResponse,
	follow: (address: string) => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
	let current = `${baseUrl}${path}`;
	let response = first;
	for (let followed = 0; ; followed++) {
		const target = targetOf(response, current);
		if (target === undefined) return response;
		if (followed === MOST_REDIRECTS) throw circle(response.statusCode);
		checkTarget(baseUrl, target, response.statusCode);
		response = await follow(target);
		current = target;
	}
}

/** Refuses a response to a change that sends the request on to another host. @throws RedirectError */
export function checkRedirect(
	baseUrl: string,
	path: string,
	{ statusCode, headers }: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'>,
): void {
	const target = targetOf({ statusCode, headers }, `${baseUrl}${path}`);
	if (target !== undefined) checkTarget(baseUrl, target, statusCode);
}

function checkTarget(baseUrl: string, target: string, statusCode: number): void {
	if (isOnHost(baseUrl, target)) return;
	const [from, to] = hostsOf(baseUrl, target);
	throw new RedirectError(
		`The service at ${from} sent the request on to ${to}`,
		`Nothing was sent to ${to}: a credential is only for the host of its Base URL. Check the Base URL in the credential: if your messaging service is at ${to}, enter that address.`,
		String(statusCode),
	);
}

function circle(statusCode: number): RedirectError {
	return new RedirectError(
		'The service sends the request from place to place without an end',
		'Check the Base URL in the credential: it must be the final address of the messaging service. If it is right, tell whoever runs the service.',
		String(statusCode),
	);
}

function targetOf(
	{ statusCode, headers }: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'>,
	from: string,
): string | undefined {
	const { location } = headers ?? {};
	if (![301, 302, 303, 307, 308].includes(statusCode) || typeof location !== 'string') {
		return undefined;
	}
	const target = toUrl(location, from);
	if (!target) return undefined;
	// User and password in it would go out in the place of the credential.
	target.username = '';
	target.password = '';
	return target.href;
}

/** An address taken apart; undefined for what is none. */
export function toUrl(address: string, base?: string): URL | undefined {
	try {
		return new URL(address, base);
	} catch {
		return undefined;
	}
}
