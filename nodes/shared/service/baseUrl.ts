import { UserError } from 'n8n-workflow';

/** Path prefix that carries the API version (servers and paths in emulator/openapi.yaml). */
export const API_PREFIX = '/int/v1';

/**
 * Brings what a person types as Base URL into the form that requests need: scheme and host, with a path only when the
 * service sits behind one, without trailing slashes and without an appended `/int/v1`.
 *
 * @param typed the credential's `baseUrl`
 * @returns for example `https://messages.example.com`
 * @throws UserError when it is empty, has no `http(s)://`, or is no URL
 */
export function normaliseBaseUrl(typed: unknown): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	if (text === '') {
		throw new UserError('The Base URL is empty. Check the Base URL in the credential.');
	}
	// http stays allowed: intranets without TLS and local tests have no other way in.
	if (!/^https?:\/\//i.test(text)) {
		throw new UserError(
			`The Base URL "${text}" does not start with https:// (or http://). Check the Base URL in the credential.`,
		);
	}
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw invalidUrl(text);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw invalidUrl(`${url.protocol}//${url.host}${url.pathname}`);
	}
	const path = url.pathname
		.replace(/\/+$/, '')
		.replace(/\/int\/v1$/i, '')
		.replace(/\/+$/, '');
	return `${url.protocol}//${url.host}${path}`;
}

function invalidUrl(shown: string): UserError {
	return new UserError(
		`The Base URL "${shown}" is not the address of a service. It needs the form https://messages.example.com, without user name, "?" or "#". Check the Base URL in the credential.`,
	);
}
