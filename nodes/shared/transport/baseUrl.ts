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
	let url: URL;
	try {
		url = new URL(address);
	} catch {
		throw invalidUrl(withoutUser(text));
	}
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
