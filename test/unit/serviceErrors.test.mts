import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { adviceFor, says } from '../../nodes/shared/serviceMessages.ts';
import { openEnvelope } from '../../nodes/shared/transport/apiRequest.ts';
import {
	AccessError,
	apiError,
	asNodeError,
	errorItemOrThrow,
	isAccessRefusal,
	isOutcomeUnknown,
	type RequestInfo,
} from '../../nodes/shared/transport/errors/apiError.ts';
import {
	toAccessError,
	explainNoResponse,
} from '../../nodes/shared/transport/errors/connectionErrors.ts';
import {
	explainRefusal,
	explainStatus,
	explainUnexpected,
	noTokenError,
} from '../../nodes/shared/transport/errors/responseErrors.ts';
import { toPage } from '../../nodes/shared/transport/paging.ts';
import { anyNode } from '../kit/anyNode.mts';

const SECRET = 'key-1234567890';

const usedCredential = {
	baseUrl: 'https://service.example',
	secrets: () => [SECRET],
};
const sent = { hasRequestOptions: true, usedCredentials: [usedCredential] };
const read: RequestInfo = { method: 'GET', url: '/int/v1/campaign', ...sent };
const change: RequestInfo = { method: 'PUT', url: '/int/v1/campaign/c1/close', ...sent };
const proxied: RequestInfo = { ...read, proxy: { host: 'p.example', port: 3128 } };

type Body = IN8nHttpFullResponse['body'];
const statusErrorOf = (statusCode: number, body: Body, request = read, headers: IDataObject = {}) =>
	apiError(anyNode, request, explainStatus(request, { statusCode, headers, body }));

const refusalOf = (message: unknown) => apiError(anyNode, read, explainRefusal(read, message));

const CHECK_KEY = 'Check the access key';
const ELSEWHERE = 'The service at https://service.example redirected the request';
const NO_REASON = 'The service refused the request without a reason';
const SERVICE_FAILED = 'The service failed';
const NO_TOKEN = 'The service returned no access token';
const OWN_WORDS = 'This message comes from the messaging service.';
const REFUSED_400 = 'The service refused the request (HTTP 400)';
const NO_SERVICE = 'There is no messaging service at the Base URL: another web server responded';
const TOO_MANY = 'The service is receiving too many requests';

describe('an error status', () => {
	const campaign = '/int/v1/campaign/c1';
	test.each<[number, Body, string, string, isUnknown: boolean, RequestInfo?]>([
		[302, '', ELSEWHERE, 'must be the final address', true],
		[400, { message: 7 }, REFUSED_400, 'It gave no reason.', true],
		[400, { message: ' Oops ' }, 'Oops', OWN_WORDS, true],
		[400, { success: false }, NO_REASON, OWN_WORDS, false],
		[400, { success: false, message: 'Illegal parameters' }, 'Illegal', 'combination of', false],
		[400, ' <html>', `${NO_SERVICE} (HTTP 400)`, '', true],
		[401, '', 'The service refused access', CHECK_KEY, false],
		[403, { message: 'Not you' }, 'The service refused access: Not you', CHECK_KEY, false],
		[404, 'Not Found', `${NO_SERVICE} (HTTP 404)`, 'Check the Base URL', false],
		[404, { message: 'No such page' }, `${NO_SERVICE} (HTTP 404)`, 'Check the Base URL', false],
		[404, { success: false, message: 'Gone' }, 'Gone', 'has no record with this ID', false],
		[404, 'Not Found', 'Not Found', 'from the list', false, { ...read, url: campaign }],
		[407, '', 'The proxy refused access (HTTP 407)', 'password in Proxy', false, proxied],
		[408, '', `${SERVICE_FAILED} (HTTP 408)`, 'only reads. The service, or a proxy', true],
		[413, '<html>', 'is too large for the server in front of the service (HTTP 413)', '', true],
		[413, { success: false, message: 'Too large.' }, 'Too large.', OWN_WORDS, false],
		[429, '<html>', TOO_MANY, 'Batching', false],
		[500, '', `${SERVICE_FAILED} (HTTP 500)`, 'failed with HTTP 500.', true],
	])(
		'HTTP %d with %j becomes the message "%s", advice "%s", and the outcome of a change is unknown: %s',
		(statusCode, body, message, advice, isUnknown, request = read) => {
			const error = statusErrorOf(statusCode, body, request);
			expect(error.message).toContain(message);
			expect(error.httpCode).toBe(String(statusCode));
			expect(error.description).toContain(advice);
			expect(isOutcomeUnknown(error)).toBe(false);
			for (const method of ['PUT', 'POST', 'DELETE'] as const) {
				const failed = statusErrorOf(statusCode, body, { ...change, method });
				expect(isOutcomeUnknown(failed)).toBe(isUnknown);
				expect(failed.description?.includes('may or may not have been carried out')).toBe(
					isUnknown,
				);
			}
		},
	);

	test.each([
		['/b', 'https://service.example/b'],
		['https://user:password@service.example/c', 'https://service.example/c'],
	])('says that %s, to which a redirect leads, is not followed', (location, shown) => {
		const error = statusErrorOf(307, '', read, { location });
		expect(error.message).toBe(`${ELSEWHERE} to ${shown}`);
	});

	test('the error keeps Retry-After, and nothing of the response but its message without secrets', () => {
		const body = { message: `Too many for ${SECRET}`, more: [SECRET] };
		const error = statusErrorOf(429, body, read, { 'retry-after': '7' });
		expect(error.message).toBe('Too many for ***');
		expect(error.context).toMatchObject({ retryAfterMs: 7000 });
		expect(JSON.stringify(error)).not.toContain(SECRET);
		expect(statusErrorOf(429, 'no object').context).not.toHaveProperty('retryAfterMs');
	});

	test('advises what to check when access is refused', () => {
		const token = { value: 'x', recordAcceptance: () => {}, recordRefusal: () => false };
		const withToken = { ...usedCredential, token };
		const advice = (...usedCredentials: RequestInfo['usedCredentials']) =>
			explainStatus({ ...read, usedCredentials }, { statusCode: 403, headers: {}, body: '' })
				.advice;
		const both = /^Either the access token has expired, or its owner lacks the right/;
		expect(advice(usedCredential, withToken)).toMatch(both);
		expect(advice(withToken)).toMatch(both);
		expect(advice(withToken, usedCredential)).toContain(CHECK_KEY);
		expect(advice()).toContain(CHECK_KEY);
	});
});

test.each<[unknown, string, string]>([
	['Campaign is not a survey', 'Campaign is not a survey', 'Only campaigns with survey questions'],
	['Unauthorized', 'Unauthorized', CHECK_KEY],
	[{ a: 1 }, NO_REASON, OWN_WORDS],
])('turns success: false with the message %j into an error', (text, message, advice) => {
	const error = refusalOf(text);
	expect(error).toMatchObject({ message, httpCode: '200' });
	expect(error.description).toContain(advice);
});

test.each([
	['<html></html>', 'a web page instead of data'],
	['', 'an empty response'],
	[undefined, 'an empty response'],
	[null, 'an empty response'],
	[{ data: [] }, 'something else instead of data'],
	['Bad gateway', 'something else instead of data'],
])('describes the unexpected response %j as %s', (body, what) => {
	const errorOf = (request: RequestInfo) =>
		apiError(anyNode, request, explainUnexpected(request, body));
	const error = errorOf(read);
	expect(error.message).toBe(`The service returned ${what}`);
	expect(error.description).toMatch(/only reads\. Check the Base URL/);
	expect(isOutcomeUnknown(errorOf(change))).toBe(true);
});

describe('the response envelope', () => {
	test.each([
		[
			{ success: true, data: { _id: 'a' }, total: 3 },
			{ data: { _id: 'a' }, total: 3 },
		],
		[{ success: true, data: null }, {}],
		[{ success: true, total: '3' }, {}],
	])('unpacks %j to %j', (body, envelope) => {
		expect(openEnvelope(anyNode, read, { body })).toStrictEqual(envelope);
	});

	test.each<[unknown, string]>([
		[{ success: 'true' }, 'instead of data'],
		[null, 'an empty response'],
		[{ success: false, data: [], message: 'Not Found.' }, 'Not Found.'],
	])('refuses %j: %s', (body, message) => {
		expect(() => openEnvelope(anyNode, read, { body })).toThrow(message);
	});

	test('returns the records of a list, or an empty list if the response has no data', () => {
		expect(toPage(anyNode, {})).toEqual({ records: [] });
		expect(toPage(anyNode, { data: [{ _id: 'a' }, null, 'x', ['y']], total: 4 })).toEqual({
			records: [{ _id: 'a' }],
			total: 4,
		});
	});

	test('refuses a list response whose data is not a list', async () => {
		const read = async () => toPage(anyNode, { data: { _id: 'a' } });
		await expect(read).rejects.toMatchObject({
			message: expect.stringContaining('instead of data'),
			description: expect.stringContaining('Check the Base URL'),
		});
	});
});

describe('a request without a response', () => {
	const failed = (thrown: unknown, request = read) =>
		apiError(anyNode, request, explainNoResponse(request, thrown));
	const wrapped = (cause: unknown) => new Error('outer', { cause: new Error('inner', { cause }) });

	const UNSENT = 'Nothing was sent.';
	const NOT_ALLOWED = 'The request was not carried out.';
	const NO_ACCESS = 'Nothing else was sent';
	const ONLY_READ = 'This request changed nothing, because it only reads.';
	const CHECK_VALUES = `${ONLY_READ} Check the values`;
	const BROKEN = ['The connection broke', ONLY_READ, 'ECONNRESET'] as const;
	const TIMED_OUT = ['did not respond in time', 'raise Timeout', 'ETIMEDOUT'] as const;
	const UNKNOWN = ['Oops', CHECK_VALUES, 'none'] as const;
	const UNVERIFIED = 'could not be verified';
	const REFUSED = ['refused the connection', UNSENT, 'ECONNREFUSED'] as const;
	const refused = { code: 'ECONNREFUSED' };
	const NOT_TRUSTED = [
		...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
		...['ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'],
	];

	const CLOSED = 'The service refused the connection (ECONNREFUSED)';
	const PROXY_DOWN = 'The proxy at p.example:3128 could not be reached (ECONNREFUSED)';
	const CHECK_PROXY = `${UNSENT} Check whether the proxy is running. Also check Proxy, under Request Options`;
	const circular = Object.assign(new Error('circular'), { cause: {} });
	circular.cause = circular;

	type Row = [
		...[thrown: unknown, message: string, advice: string, httpCode: string],
		settings?: Partial<RequestInfo>,
	];
	test.each<Row>([
		[refused, 'The service at https://service.example refused', UNSENT, 'ECONNREFUSED'],
		...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].map(
			(code): Row => [{ code }, `could not be reached (${code})`, UNSENT, code],
		),
		...NOT_TRUSTED.map((code): Row => [{ code }, `${UNVERIFIED} (${code})`, UNSENT, code]),
		[{ code: 'ERR_CANCELED' }, 'The execution was canceled', ONLY_READ, 'ERR_CANCELED'],
		[{ code: 'ETIMEDOUT' }, ...TIMED_OUT],
		[{ code: 'ECONNABORTED', message: 'timeout of 5 ms exceeded' }, ...TIMED_OUT],
		[{ code: 'ECONNABORTED', message: 'stream has been aborted' }, ...BROKEN],
		[{ httpCode: 'ECONNRESET' }, ...BROKEN],
		[{ httpCode: '200', message: 'aborted' }, ...BROKEN],
		[{ response: {} }, ...BROKEN],
		[{ messages: ['x', 'socket hang up'] }, ...BROKEN],
		[{ httpCode: 'HPE_INVALID_CONSTANT' }, 'is not HTTP (HPE_', ONLY_READ, 'ECONNRESET'],
		[{ code: 'ERR_STRING_TOO_LONG' }, ...BROKEN],
		// n8n 1 omits the error code and sets `httpCode` to the status of the response.
		[{ httpCode: '200', messages: ['Cannot create a string longer than 0x1fe8'] }, ...BROKEN],
		[{ message: 'Oops', httpCode: '20', code: '', messages: 'aborted' }, ...UNKNOWN],
		[{ message: 'Oops', httpCode: '2000' }, ...UNKNOWN],
		[new Error(''), 'The request failed', CHECK_VALUES, 'none'],
		['Oops', 'The request failed', CHECK_VALUES, 'none'],
		[new Error('Domain not allowed: a'), 'Domain not allowed: a', NOT_ALLOWED, 'none'],
		[new AccessError('No token'), 'No token', NO_ACCESS, 'none'],
		[wrapped(refused), ...REFUSED],
		[wrapped(new UserError('Not allowed', { cause: refused })), 'Not allowed', NOT_ALLOWED, 'none'],
		[circular, 'circular', CHECK_VALUES, 'none'],
		[refused, CLOSED, UNSENT, 'ECONNREFUSED', { usedCredentials: [] }],
		[refused, PROXY_DOWN, CHECK_PROXY, 'ECONNREFUSED', { proxy: proxied.proxy }],
	])('turns %p into the message: %s', (thrown, message, advice, httpCode, settings = {}) => {
		const error = failed(thrown, { ...read, ...settings });
		expect(error.message).toContain(message);
		expect(error.description).toContain(advice);
		expect(error.httpCode).toBe(httpCode);
		expect(isOutcomeUnknown(error)).toBe(false);
		const isUnsent = [UNSENT, NOT_ALLOWED, NO_ACCESS].some((text) => advice.startsWith(text));
		expect(isOutcomeUnknown(failed(thrown, { ...change, ...settings }))).toBe(!isUnsent);
	});

	test('names no Request Options to the trigger, the lists of the editor and the credential test, which have none', () => {
		const own = { ...read, hasRequestOptions: false };
		const errors = [
			...['ETIMEDOUT', 'CERT_HAS_EXPIRED'].map((code) => failed({ code }, own)),
			...[407, 429, 503].map((status) => statusErrorOf(status, '', own)),
		];
		for (const { description } of errors)
			expect(description).not.toMatch(/Request Options|Timeout|Batching|Ignore SSL|Limit/);
		expect(errors[1]?.description).toContain('NODE_EXTRA_CA_CERTS');
		expect(errors[2]?.description).toContain('HTTP_PROXY');
	});
});

describe('a token request', () => {
	const { usedCredentials } = read;
	const tokenRequest: RequestInfo = { method: 'POST', url: '/int/v1/oauth/token', usedCredentials };
	const refusal = (statusCode: number, body: Body, headers = {}) =>
		noTokenError(tokenRequest, { statusCode, body, headers });

	test.each([
		[407, {}, '407', 'The proxy refused access (HTTP 407). Nothing was sent to the service.'],
		[429, {}, '429', `${TOO_MANY}. The service did not carry out this request.`],
		[500, { message: 'Down' }, '500', 'Down. The service, or a proxy in front of it, failed'],
		[200, {}, 'none', 'The response of the service contains no access token.'],
		[200, { message: 'No client' }, '401', `${NO_TOKEN}: No client. Check the Client ID`],
		[400, { error_description: 'Bad' }, '401', `${NO_TOKEN}: Bad. Check the Client ID`],
		[400, {}, '401', `${NO_TOKEN}: HTTP 400. Check the Client ID`],
		[400, { message: SECRET }, '401', `${NO_TOKEN}: ***. Check the Client ID`],
		[404, { message: 'No' }, '404', 'There is no messaging service at the Base URL'],
	])(
		'turns HTTP %s with %j into the code %s and the message: %s',
		(statusCode, body, httpCode, message) => {
			const error = refusal(statusCode, body);
			expect(error).toBeInstanceOf(AccessError);
			expect(error.httpCode).toBe(httpCode);
			expect(error.message).toContain(message);
		},
	);

	test('keeps the code and the wait that decide when the request is sent again', () => {
		const error = refusal(503, {}, { 'retry-after': '7' });
		const kept = { httpCode: '503', retryAfterMs: 7_000 };
		expect(explainNoResponse(read, error)).toMatchObject(kept);
	});

	test('advises what to check after a failed connection, without the secret', () => {
		const refused = Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' });
		const error = toAccessError(tokenRequest, refused);
		expect(error.message).toContain('Check the Base URL');
		expect(error.message).not.toContain(SECRET);
		expect(error.httpCode).toBe('ECONNREFUSED');
		expect(toAccessError(tokenRequest, error)).toBe(error);
	});
});

describe('an error', () => {
	test('an error keeps the first 2,000 characters of the service’s message', () => {
		const refusal = refusalOf('m'.repeat(3_000));
		expect(refusal.message).toHaveLength(500);
		expect(refusal.context.fullMessage).toBe(`${'m'.repeat(1_999)}…`);
	});

	test('hides secrets and truncates long texts', () => {
		// The secret of the first of two attempts.
		const usedCredentials = [usedCredential, { ...usedCredential, secrets: () => [] }];
		const request = { ...read, usedCredentials };
		const error = apiError(anyNode, request, {
			message: `${SECRET} ${'m'.repeat(600)}`,
			advice: `${SECRET} ${'d'.repeat(1200)}`,
			httpCode: '200',
		});
		expect(error.context.fullMessage).toBe(`*** ${'m'.repeat(600)}`);
		expect(error.message).toMatch(/^\*\*\* m{495}…$/);
		expect(error.description).toMatch(/^\*\*\* d{995}…$/);
	});

	test('an error keeps its message, even if it contains a code for which n8n has a standard message', () => {
		const texts = { message: 'Told ECONNREFUSED', httpCode: '500' };
		const error = apiError(anyNode, read, { ...texts, advice: 'Do this' });
		expect(error).toMatchObject({ ...texts, description: 'Do this' });
		expect(error.context).not.toHaveProperty('fullMessage');
	});

	const errorWith = (httpCode: string, message: string) =>
		apiError(anyNode, read, { message, advice: '', httpCode });

	test.each([
		['401', 'no', true],
		['403', 'no', true],
		['200', 'Access denied', true],
		['200', 'Not authorised', true],
		['200', 'Invalid token', true],
		['200', 'The tokens are spent', false],
		['500', 'Invalid token', false],
	])('tells whether HTTP %s with "%s" is an access refusal: %j', (httpCode, message, isRefusal) => {
		expect(isAccessRefusal(errorWith(httpCode, message))).toBe(isRefusal);
	});

	test('the message alone makes an error neither an access refusal nor one of unknown outcome', () => {
		expect(isAccessRefusal(new Error('Invalid token'))).toBe(false);
		expect(isAccessRefusal({ httpCode: '401' })).toBe(false);
		expect(isOutcomeUnknown(new Error('may or may not have been carried out'))).toBe(false);
		expect(isOutcomeUnknown(new NodeApiError(anyNode, { message: 'x' }))).toBe(false);
	});

	test('errors of n8n’s two node classes stay unchanged, and any other error becomes a NodeOperationError', () => {
		for (const own of [errorWith('200', 'x'), new NodeOperationError(anyNode, 'y')])
			expect(asNodeError(anyNode, own)).toBe(own);
		for (const thrown of [new Error('Oops'), 'Oops']) {
			const error = asNodeError(anyNode, thrown);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe('Oops');
		}
	});

	test('an error becomes an item if the node continues on errors, and is thrown if not', () => {
		const error = errorWith('200', 'x');
		const getNode = () => anyNode;
		const context = (continues: boolean) => ({ getNode, continueOnFail: () => continues });
		const item = { json: { error: 'x' }, error: { message: 'x' }, pairedItem: { item: 3 } };
		expect(errorItemOrThrow(context(true), error, 3)).toMatchObject(item);
		expect(() => errorItemOrThrow(context(false), error, 4)).toThrow(error);
		expect(error.context.itemIndex).toBe(4);
		// The items of a run may share an error.
		const numbers = [1, 2].map((index) => errorItemOrThrow(context(true), error, index).error);
		expect(numbers.map((copy) => copy?.context.itemIndex)).toEqual([1, 2]);
	});
});

describe('advice', () => {
	/** Messages of the service, each with a text that the advice must contain. */
	const known: Array<[string, string]> = [
		['Illegal parameters', 'combination of filters'],
		['Not Found', 'The owner of the access key cannot see'],
		['not found.', 'The owner of the access key cannot see'],
		['description is mandatory', 'Fill in the description'],
		['Campaign is not a survey', 'Only campaigns with survey questions'],
		['campaign Id is required', 'that the file belongs to'],
		['Please confirm delete for file used in campaign content.', '"Delete File in Use"'],
		['Not all emails founded as recipient in system', 'Some recipients are not known'],
		['"name" is required', 'Fill in the name of the recipient group.'],
		['Object does not exist', 'No recipient group has'],
		['Title is mandatory', 'Fill in the title'],
		['Invalid request parameters', 'Only a scheduled broadcast'],
		['Broadcast not found', 'No deletable broadcast'],
		['Campaign already closed', 'already closed'],
		['Invalid parameters', 'does not know the channel'],
		[
			"Invalid campaign ID for survey creation, 'draft' campaign required",
			'Questions can only be saved in a draft.',
		],
	];

	test.each(known)('explains the message: %s', (message, advice) => {
		expect(adviceFor(message, change)).toContain(advice);
		expect(adviceFor(message.toUpperCase(), change)).toContain(advice);
	});

	test('ignores a known message within a longer message', () => {
		const within = known.map(([text]) => text).filter((text) => !text.includes('required'));
		const others = ['Not Found here', '', '"a b" is required', 'it is required: a'];
		for (const message of [...within.map((text) => `Said: ${text}`), ...others])
			expect(adviceFor(message, change)).toBe(OWN_WORDS);
	});

	test.each([
		['missing', 'Group not found'],
		['onlyInvalidParameters', 'Invalid parameters.'],
		['onlyUnknownRecipients', 'Not all emails founded as recipient in system'],
	] as const)('%s is only this message, and no longer one: %s', (meaning, message) => {
		const said = ['', ' for 3 people'].map((more) => says(meaning, message + more));
		expect(said).toEqual([true, false]);
	});

	test.each<[unknown, string]>([
		[{ recipientEmails: ['ada@example.com'] }, 'ada@example.com is not known to the service, so'],
		[{ recipientEmails: [`${'a'.repeat(200)}@example.com`] }, 'a… is not known'],
		[
			{ recipientEmails: ['a@example.com', 'b@example.com'] },
			'Some recipients are not known to the service, so',
		],
	])('for %j, names an address only if there is exactly one', (body, advice) => {
		const message = 'Not all emails founded as recipient in system';
		expect(adviceFor(message, { ...change, body })).toContain(advice);
	});

	const send: RequestInfo = { ...change, url: '/int/v1/campaign/c1', body: { status: 'live' } };
	const ONLY_DRAFTS = 'Only a draft or scheduled campaign';
	test.each<[string, Partial<RequestInfo>, string]>([
		['Oops', {}, ONLY_DRAFTS],
		['Invalid request parameters', {}, ONLY_DRAFTS],
		['description is mandatory', {}, 'Fill in the description'],
		['', {}, OWN_WORDS],
		['Oops', { method: 'POST' }, OWN_WORDS],
		['Oops', { url: '/int/v1/campaign/c1/close' }, OWN_WORDS],
		['Oops', { body: { status: 'draft' } }, OWN_WORDS],
	])('explains "%s" when sending a campaign with %j', (message, own, advice) => {
		expect(adviceFor(message, { ...send, ...own })).toContain(advice);
	});
});
