import { UserError, type IHttpRequestOptions } from 'n8n-workflow';

import type { Fail } from '../failure';
import { fieldLabel } from '../field';
import { truncate } from '../truncate';
import { isRounded, ROUNDED, trimmed } from '../values';
import { cleanPastedText } from './secrets';

/** Path prefix with the API version (servers and paths in emulator/openapi.yaml). */
export const API_PREFIX = '/int/v1';

/** A Base URL without `https://`: a host name or IP address, optionally with a port and a path. */
const BARE_HOST =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?|\[[\da-f:.]+\])(?::\d+)?(?:\/.*)?$/iu;

/**
 * Normalizes a Base URL to its scheme, host and path, without trailing slashes or `/int/v1`. A bare host gets `https://`.
 *
 * @param typed the credential's `baseUrl`
 * @returns for example `https://messages.example.com`
 * @throws UserError if it is empty or not the address of a service
 */
export function normalizeBaseUrl(typed: unknown): string {
	const text = cleanPastedText(typed);
	if (text === '') {
		throw new UserError('The Base URL is empty. Check the Base URL in the credential.');
	}
	const address = BARE_HOST.test(text) ? `https://${text}` : text;
	// http is allowed for intranets without TLS and for local tests.
	if (!/^https?:\/\//i.test(address)) {
		throw new UserError(
			`The Base URL "${hideUser(text)}" does not start with https:// (or http://). Check the Base URL in the credential.`,
		);
	}
	const url = parseUrl(address);
	if (!url) throw invalidUrlError(hideUser(text));
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw invalidUrlError(`${url.protocol}//${url.host}${url.pathname}`);
	}
	// `(?<!\/)` keeps the search fast in a long row of slashes.
	const path = url.pathname.replace(/(?<!\/)(\/+int\/v1)?\/*$/i, '');
	return `${url.protocol}//${url.host}${path}`;
}

/** Hides the text before "@" in an address, because it may be a user name and password: `https://***@x.io`. */
function hideUser(text: string): string {
	return truncate(text.replace(/(?<![^/])[^/]*@/g, '***@'), 200);
}

function invalidUrlError(address: string): UserError {
	return new UserError(
		`The Base URL "${address}" is not the address of a service. It must have the form https://messages.example.com, without user name, "?" or "#". Check the Base URL in the credential.`,
	);
}

/**
 * Returns the absolute URL of a request, or undefined if its URL is a path under the Base URL. n8n's HTTP Request node
 * sets `uri` instead of `url` (HttpRequestV3 of n8n 1.123.81 and 2.41.1).
 */
export function absoluteUrlOf(options: IHttpRequestOptions): string | undefined {
	const { url }: { url?: unknown } = options;
	const uri = 'uri' in options ? options.uri : undefined;
	const address = String(uri ?? url ?? '');
	// Matches what axios treats as an absolute URL, including "//host".
	return /^([a-z][a-z\d+\-.]*:)?\/\//i.test(address) ? address : undefined;
}

/**
 * Checks that credentials go only to the origin of the Base URL. If that is http on the default port, https is allowed, too.
 *
 * @param baseUrl as returned by `normalizeBaseUrl`
 * @param address the absolute URL of the request
 * @throws UserError for another origin
 */
export function checkHost(baseUrl: string, address: string): void {
	const requested = parseUrl(address)?.origin ?? address;
	const { origin, port } = new URL(baseUrl);
	const allowed = port === '' ? [origin, origin.replace(/^http:/, 'https:')] : [origin];
	if (allowed.includes(requested)) return;
	throw new UserError(
		`The credential is for ${origin}, but the request is for ${truncate(requested, 100)}. Nothing was sent. Check the URL of the request and the Base URL in the credential.`,
	);
}

/**
 * Returns `allowedDomains` for a request: only the host of the Base URL, so that redirects lead nowhere else. If the user
 * does not allow this host, returns the user's domains, so that n8n refuses the request.
 *
 * @param baseUrl as returned by `normalizeBaseUrl`
 * @param allowed the domains that the user allows in the credential, separated by commas: `x.io, *.example.com`. If it is
 *   blank or undefined, all are allowed
 */
export function allowedDomainsFor(baseUrl: string, allowed: string | undefined): string {
	const { hostname } = new URL(baseUrl);
	if (allowed === undefined || allowed.trim() === '') return hostname;
	const domains = allowed.split(',').map((domain) => domain.trim().toLowerCase());
	const covers = domains.some((domain) =>
		domain.startsWith('*.') ? hostname.endsWith(domain.slice(1)) : domain === hostname,
	);
	return covers ? hostname : allowed;
}

/** Parses a URL, or returns undefined if it is invalid. @param base the URL to which a relative `address` belongs */
export function parseUrl(address: string, base?: string): URL | undefined {
	return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

/** Returns the parameter names of a path: `['campaignId']` for `/int/v1/campaign/:campaignId`. */
export function pathParameters(path: string): string[] {
	return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/**
 * Inserts IDs into a path, each encoded as one segment, so that an ID with "/" or "?" cannot reach another endpoint.
 *
 * @param ids the ID of each path parameter, as returned by `checkedId`
 */
export function fillPath(path: string, ids: Record<string, string>): string {
	return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
}

/** Checks the IDs of a path (`checkedId`) and inserts them (`fillPath`). @throws the error of `fail` for an invalid ID */
export function buildPath(path: string, ids: Record<string, unknown>, fail: Fail): string {
	const checked = pathParameters(path).map((name) => [name, checkedId(name, ids[name], fail)]);
	return fillPath(path, Object.fromEntries(checked));
}

/**
 * Returns an ID, which may be a number, as trimmed text.
 *
 * @param parameter the name of the parameter, for the error
 * @throws the error of `fail` for a value that is not an ID
 */
export function checkedId(parameter: string, value: unknown, fail: Fail): string {
	// NaN and Infinity come from expressions, for example Number($json.id).
	const isId = typeof value === 'string' || Number.isFinite(value);
	const id = isId ? trimmed(String(value)) : '';
	const label = fieldLabel(parameter);
	if (isRounded(value)) {
		throw fail(`${label} ${ROUNDED.problem}: ${id}`, `${ROUNDED.advice} Nothing was sent.`);
	}
	if (/^https?:\/\//i.test(id)) {
		throw fail(
			`${label} is a web address, not an ID`,
			'Set the field to By URL, or enter only the ID in the address. Nothing was sent.',
		);
	}
	if (id === '') throw fail(`${label} is missing: choose it from the list or enter its ID`);
	// Encoding does not change "." and "..", which would change the path.
	if (id === '.' || id === '..') throw fail(`${label} "${id}" is not an ID`);
	return id;
}
