import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { truncate } from '../truncate';

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
