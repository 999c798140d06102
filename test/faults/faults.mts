import type { FaultAction } from '../../emulator/emulator.mts';

/** What a fault can be made with. */
export type World = {
	/** Address of the service. */
	service: string;
	/** Address of a server that is not the service. */
	elsewhere: string;
	/** Text that must not be shown: the access key, or client id and secret. */
	secret: string;
};

/**
 * What may be known after a fault.
 * - `refused`: the service said no, in words that are kept
 * - `access`: it said no to who asks
 * - `tooMany`: it wants fewer requests; nothing was carried out
 * - `unclear`: nobody knows whether a change was carried out
 */
export type Kind = 'refused' | 'access' | 'tooMany' | 'unclear';

export type FaultCase = {
	name: string;
	kind: Kind;
	action: (world: World) => FaultAction;
	/** Words of the service that the error must keep. */
	says?: string;
	/** A read is tried again after it. */
	isPassing?: true;
	/** A read comes through: it follows. */
	readFollows?: true;
	/** The service takes long: Request Options set a short timeout. */
	isSlow?: true;
};

const answer =
	(status: number, body?: unknown, headers?: Record<string, string>) => (): FaultAction => ({
		status,
		body,
		headers,
	});

const failure = (message?: string) => ({ success: false, message });

const LARGE = 5_000_000;

const page = '<!doctype html><html><body>Bad Gateway</body></html>';

/** Everything that the service, or what stands before it, may do to a request. */
export const faults: FaultCase[] = [
	{ name: '401', kind: 'access', action: answer(401, failure('Unauthorized')) },
	{ name: '401 without a body', kind: 'access', action: answer(401) },
	{
		name: '403',
		kind: 'access',
		action: answer(403, failure('Only for Super Users')),
		says: 'Only for Super Users',
	},
	{ name: '403 without a body', kind: 'access', action: answer(403) },
	...['Invalid access token', 'Access denied to recipient group g1'].map(
		(message): FaultCase => ({
			name: `200, ${message}`,
			kind: 'access',
			action: answer(200, failure(message)),
			says: message,
		}),
	),
	{
		name: '200, SMS gateway: authentication failed',
		kind: 'access',
		action: answer(200, failure('SMS gateway: authentication failed')),
		says: 'SMS gateway: authentication failed',
	},
	{ name: '404 as plain text', kind: 'refused', action: answer(404, 'Not Found') },
	{ name: '404', kind: 'refused', action: answer(404, failure('No such thing')), says: 'No such' },
	{ name: '400', kind: 'refused', action: answer(400, failure('Bad value')), says: 'Bad value' },
	{ name: '400 without a body', kind: 'refused', action: answer(400) },
	{ name: '429', kind: 'tooMany', action: answer(429, failure('Slow down')), isPassing: true },
	{
		name: '429 with Retry-After',
		kind: 'tooMany',
		action: answer(429, undefined, { 'retry-after': '1' }),
		isPassing: true,
	},
	...[500, 502, 503, 504].flatMap((status): FaultCase[] => [
		{
			name: `${status} with a message`,
			kind: 'unclear',
			action: answer(status, failure('Out of order')),
			says: 'Out of order',
			isPassing: true,
		},
		{
			name: `${status} with a page`,
			kind: 'unclear',
			action: answer(status, page),
			isPassing: true,
		},
		{ name: `${status} without a body`, kind: 'unclear', action: answer(status), isPassing: true },
	]),
	{ name: 'a web page', kind: 'unclear', action: () => 'html' },
	{ name: '200 without a body', kind: 'unclear', action: answer(200) },
	{ name: '204', kind: 'unclear', action: answer(204) },
	{ name: 'broken JSON', kind: 'unclear', action: () => 'brokenJson' },
	{ name: 'no success', kind: 'unclear', action: answer(200, { data: {} }) },
	{ name: 'a list', kind: 'unclear', action: answer(200, []) },
	{
		name: 'null',
		kind: 'unclear',
		action: answer(200, 'null', { 'content-type': 'application/json' }),
	},
	{
		name: 'success: false',
		kind: 'refused',
		action: answer(200, failure('The moon is full')),
		says: 'The moon is full',
	},
	{ name: 'success: false without a message', kind: 'refused', action: answer(200, failure()) },
	{ name: 'a cut answer', kind: 'unclear', action: () => 'cutBody', isPassing: true },
	{ name: 'a drop', kind: 'unclear', action: () => 'drop', isPassing: true },
	{ name: 'a drop after it', kind: 'unclear', action: () => 'dropAfter', isPassing: true },
	{ name: 'no answer', kind: 'unclear', action: () => 'stall', isPassing: true, isSlow: true },
	{
		name: 'no answer after it',
		kind: 'unclear',
		action: () => 'stallAfter',
		isPassing: true,
		isSlow: true,
	},
	{
		name: 'half an answer',
		kind: 'unclear',
		action: () => 'stallBody',
		isPassing: true,
		isSlow: true,
	},
	{
		name: 'a redirect on the same host',
		kind: 'unclear',
		action: ({ service }) => ({ redirectTo: service, status: 307 }),
		readFollows: true,
	},
	...([302, 308] as const).map(
		(status): FaultCase => ({
			name: `a redirect to another host (${status})`,
			kind: 'unclear',
			action: ({ elsewhere }) => ({ redirectTo: elsewhere, status }),
		}),
	),
	{
		name: '5 MB of text',
		kind: 'unclear',
		action: () => ({ status: 200, body: 'x'.repeat(LARGE) }),
	},
	{
		name: '5 MB with 500',
		kind: 'unclear',
		action: () => ({ status: 500, body: failure('x'.repeat(LARGE)) }),
		isPassing: true,
	},
	{
		name: 'a message of 5 MB',
		kind: 'refused',
		action: () => ({ status: 200, body: failure('x'.repeat(LARGE)) }),
	},
	{
		name: 'a secret in a message',
		kind: 'refused',
		action: ({ secret }) => ({ status: 200, body: failure(`${secret} is wrong`) }),
	},
	{
		name: 'a secret in a message of access',
		kind: 'access',
		action: ({ secret }) => ({ status: 403, body: { ...failure(`Token ${secret}`), secret } }),
	},
	{
		name: 'a secret with 500',
		kind: 'unclear',
		action: ({ secret }) => ({
			status: 500,
			body: { ...failure(`No ${secret}`), headers: { authorization: `Bearer ${secret}` } },
		}),
		isPassing: true,
	},
	{
		name: 'a secret in a page',
		kind: 'unclear',
		action: ({ secret }) => ({ status: 200, body: `<html>${secret}</html>` }),
	},
];
