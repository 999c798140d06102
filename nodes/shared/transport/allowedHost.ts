import type { IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { hostsOf, isOnHost } from './redirect';

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
