import type { FaultAction } from '../../emulator/emulator.mts';

/** The values that a fault may use. */
export type FaultTarget = {
	/** Address of the service. */
	service: string;
	/** Address of a server that is not the service. */
	elsewhere: string;
	/** Text that the node must not show: the access key, or the client ID and secret in base64. */
	secret: string;
};

/**
 * What is known about the request after a fault.
 * - `refused`: the service refused the request, and the error keeps the service's message
 * - `access`: the service denied access
 * - `tooMany`: the service limits requests and did not carry out the request
 * - `unclear`: it is unknown whether a change was carried out
 */
export type Kind = 'refused' | 'access' | 'tooMany' | 'unclear';

export type FaultCase = {
	name: string;
	kind: Kind;
	action: (target: FaultTarget) => FaultAction;
	/** The text from the service that the error must contain. */
	errorText?: string;
	/** Whether the node repeats a read after this fault. */
	isTransient?: true;
	/** Whether the service is slow. If it is, the test sets a short timeout in Request Options. */
	isSlow?: true;
};

type Row = [name: string, kind: Kind, action: FaultCase['action'], more?: Partial<FaultCase>];

const respond =
	(status: number, body?: unknown, headers?: Record<string, string>) => (): FaultAction => ({
		status,
		body,
		headers,
	});

const failure = (message?: string) => ({ success: false, message });

/** A refusal with a message, which the error must contain. */
const saying = (
	status: number,
	errorText: string,
	more: Partial<FaultCase> = {},
): [action: FaultCase['action'], more: Partial<FaultCase>] => [
	respond(status, failure(errorText)),
	{ ...more, errorText },
];

const transient = { isTransient: true } as const;
const slow = { ...transient, isSlow: true } as const;

const large = 'x'.repeat(5_000_000);

const page = '<!doctype html><html><body>Bad Gateway</body></html>';

const rows: Row[] = [
	['401', 'access', respond(401, failure('Unauthorized'))],
	['401 without a body', 'access', respond(401)],
	['403', 'access', ...saying(403, 'Only for Super Users')],
	['403 without a body', 'access', respond(403)],
	...[
		'Invalid access token',
		'Access denied to recipient group g1',
		'SMS gateway: authentication failed',
	].map((text): Row => [`200, ${text}`, 'access', ...saying(200, text)]),
	['404 as plain text', 'refused', respond(404, 'Not Found')],
	['404', 'refused', ...saying(404, 'No such thing')],
	['400', 'refused', ...saying(400, 'Bad value')],
	['400 without a body', 'unclear', respond(400)],
	...[400, 404, 413].map((status): Row => [
		`${status} with a page`,
		'unclear',
		respond(status, page),
	]),
	['429', 'tooMany', respond(429, failure('Slow down')), transient],
	['429 with Retry-After', 'tooMany', respond(429, undefined, { 'retry-after': '70' }), transient],
	...[500, 502, 503, 504].flatMap((status): Row[] => [
		[`${status} with a message`, 'unclear', ...saying(status, 'Out of order', transient)],
		[`${status} with a page`, 'unclear', respond(status, page), transient],
		[`${status} without a body`, 'unclear', respond(status), transient],
	]),
	['a web page', 'unclear', () => 'html'],
	['200 without a body', 'unclear', respond(200)],
	['204', 'unclear', respond(204)],
	['broken JSON', 'unclear', () => 'brokenJson'],
	['no success', 'unclear', respond(200, { data: {} })],
	['a list', 'unclear', respond(200, [])],
	['null', 'unclear', respond(200, 'null', { 'content-type': 'application/json' })],
	['success: false', 'refused', ...saying(200, 'The moon is full')],
	['success: false without a message', 'refused', respond(200, failure())],
	['a cut body', 'unclear', () => 'cutBody', transient],
	['a drop', 'unclear', () => 'drop', transient],
	['a drop after the operation', 'unclear', () => 'dropAfter', transient],
	['no response', 'unclear', () => 'stall', slow],
	['no response after the operation', 'unclear', () => 'stallAfter', slow],
	['half a body', 'unclear', () => 'stallBody', slow],
	[
		'a redirect on the same host',
		'unclear',
		({ service }) => ({ redirectTo: service, status: 307 }),
	],
	...([302, 308] as const).map((status): Row => [
		`a redirect to another host (${status})`,
		'unclear',
		({ elsewhere }) => ({ redirectTo: elsewhere, status }),
	]),
	['5 MB of text', 'unclear', respond(200, large)],
	['5 MB with 500', 'unclear', respond(500, failure(large)), transient],
	['a message of 5 MB', 'refused', respond(200, failure(large))],
	[
		'a secret in a message',
		'refused',
		({ secret }) => respond(200, failure(`${secret} is wrong`))(),
	],
	[
		'a secret in a message about access',
		'access',
		({ secret }) => respond(403, { ...failure(`Token ${secret}`), secret })(),
	],
	[
		'a secret with 500',
		'unclear',
		({ secret }) =>
			respond(500, {
				...failure(`No ${secret}`),
				headers: { authorization: `Bearer ${secret}` },
			})(),
		transient,
	],
	['a secret in a page', 'unclear', ({ secret }) => respond(200, `<html>${secret}</html>`)()],
];

/** The faults that the service, or a proxy in front of it, may cause. */
export const faults = rows.map(([name, kind, action, more]): FaultCase => ({
	name,
	kind,
	action,
	...more,
}));
