import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { countCpuTime } from '../kit/cpuTime.mts';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { accessError, tokenRefusal } from '../../nodes/shared/transport/errors/accessErrors.ts';
import { adviceFor } from '../../nodes/shared/transport/errors/advice.ts';
import {
	serviceError,
	statusError,
	unexpectedResponse,
} from '../../nodes/shared/transport/errors/responseErrors.ts';
import { connectionError } from '../../nodes/shared/transport/errors/connectionErrors.ts';
import { openEnvelope } from '../../nodes/shared/transport/apiRequest.ts';
import { toPage } from '../../nodes/shared/transport/paging.ts';
import {
	AccessError,
	apiError,
	asNodeError,
	failedItem,
	isAccessRefusal,
	isOutcomeUnknown,
	type ErrorContext,
	type RequestInfo,
} from '../../nodes/shared/transport/errors/apiError.ts';
import { isRetryable } from '../../nodes/shared/transport/retry.ts';
import { RedirectError } from '../../nodes/shared/transport/address.ts';
import { anyNode } from '../kit/anyNode.mts';

const SECRET = 'key-1234567890';

const reading: RequestInfo = { method: 'GET', url: '/int/v1/campaign' };
const change: RequestInfo = { method: 'PUT', url: '/int/v1/campaign/c1/close' };

const about = (asked: RequestInfo, extras: Partial<ErrorContext> = {}): ErrorContext => ({
	node: anyNode,
	request: asked,
	sent: [
		{
			baseUrl: 'https://service.example',
			authentication: 'accessKey',
			secrets: () => [SECRET],
		},
	],
	...extras,
});

const answered = (
	statusCode: number,
	body: IN8nHttpFullResponse['body'],
	{
		request: asked = reading,
		headers = {},
		...extras
	}: Partial<ErrorContext> & { headers?: IDataObject } = {},
) => statusError(about(asked, extras), { statusCode, headers, body });

const CHECK_VALUES = 'Nothing was changed: this only reads. Check the values';
const ELSEWHERE = 'The service responded with the address of another place';
const NO_REASON = 'The service refused the request without saying why';
const NO_RESPONSE = 'The service failed to respond';
const NO_TOKEN = 'The service gave no access token';
const OWN_WORDS = 'This is the message of the messaging service itself.';
const REFUSED_400 = 'The service refused the request (HTTP 400)';
const NO_SERVICE = 'There is no messaging service at the Base URL: another web server responded';

describe('a response with an error status', () => {
	test.each<[number, IN8nHttpFullResponse['body'], string, string]>([
		[302, '', ELSEWHERE, 'must be the final one'],
		[399, '', ELSEWHERE, 'must be the final one'],
		[400, 'no', REFUSED_400, 'It did not say why.'],
		[400, { message: ' ' }, REFUSED_400, 'It did not say why.'],
		[400, { message: 7 }, REFUSED_400, 'It did not say why.'],
		[400, { message: ' Oops ' }, 'Oops', OWN_WORDS],
		[400, { success: false }, NO_REASON, OWN_WORDS],
		[400, { message: 'Illegal parameters' }, 'Illegal parameters', 'combination of filters'],
		[401, '', 'The service refused access', 'Check the access key'],
		[403, { message: 'Not you' }, 'The service refused access: Not you', 'Check the access key'],
		[404, 'Not Found', `${NO_SERVICE} (HTTP 404)`, 'Check the Base URL'],
		[404, { message: 'No such page' }, `${NO_SERVICE} (HTTP 404)`, 'Check the Base URL'],
		[404, { success: false, message: 'Gone' }, 'Gone', 'has nothing under this ID'],
		[408, '', `${NO_RESPONSE} (HTTP 408)`, 'failed with HTTP 408. Nothing was'],
		[407, '', 'The proxy refused access (HTTP 407)', 'Check user and password in Proxy'],
		[429, '', 'The service is receiving too many requests', 'It did not carry this one out.'],
		[429, { message: 'Slow down' }, 'Slow down', 'It did not carry this one out.'],
		[499, '', 'The service refused the request (HTTP 499)', 'It did not say why.'],
		[500, '', `${NO_RESPONSE} (HTTP 500)`, 'failed with HTTP 500. Nothing was'],
		[503, { message: 'Closed' }, 'Closed', 'failed with HTTP 503. Nothing was changed'],
	])('%d with %j: %s', (statusCode, body, message, advice) => {
		const error = answered(statusCode, body);
		expect(error).toMatchObject({ message, httpCode: String(statusCode) });
		expect(error.description).toContain(advice);
	});

	test.each([
		...[302, 408, 500, 503].map((status): [number, boolean] => [status, true]),
		...[400, 401, 404, 429].map((status): [number, boolean] => [status, false]),
	])('%d to a change: whether it may have been carried out is %j', (statusCode, isInDoubt) => {
		for (const method of ['PUT', 'POST', 'DELETE'] as const)
			expect(isOutcomeUnknown(answered(statusCode, '', { request: { ...change, method } }))).toBe(
				isInDoubt,
			);
		expect(isOutcomeUnknown(answered(statusCode, ''))).toBe(false);
	});

	test('says how long to wait where the service does, and keeps what it said, without secrets', () => {
		const error = answered(
			429,
			{ message: `Too many for ${SECRET}`, more: [SECRET] },
			{ headers: { 'retry-after': '7' } },
		);
		expect(error.message).toBe('Too many for ***');
		expect(error.context).toMatchObject({
			retryAfterMs: 7000,
			data: { message: 'Too many for ***', more: ['***'] },
		});
		const bare = answered(429, 'no object');
		expect(bare.context).not.toHaveProperty('retryAfterMs');
		expect(bare.context).not.toHaveProperty('data');
	});

	test.each<[RequestInfo, number, string, string]>([
		[{ ...reading, url: '/int/v1/campaign/c1' }, 404, 'Not Found', 'Not Found'],
		[{ ...change, url: '/int/v1/campaign' }, 404, 'Not Found', 'Not Found'],
		[change, 400, ' <html>', `${NO_SERVICE} (HTTP 400)`],
		[change, 401, '<html>', `${NO_SERVICE} (HTTP 401)`],
		[change, 499, '<html>', `${NO_SERVICE} (HTTP 499)`],
		[change, 302, '<html>', ELSEWHERE],
		[change, 408, '<html>', `${NO_RESPONSE} (HTTP 408)`],
		[change, 429, '<html>', 'The service is receiving too many requests'],
		[change, 500, '<html>', `${NO_RESPONSE} (HTTP 500)`],
	])('%j, %d with %j: %s', (request, statusCode, body, message) => {
		expect(answered(statusCode, body, { request }).message).toBe(message);
	});

	test('names what to check when access is refused', () => {
		const [sent] = about(reading).sent;
		if (!sent) throw new Error('Nothing was sent');
		const token = { value: 'x', accepted: () => {}, refused: () => false };
		const description = (...all: ErrorContext['sent']) =>
			answered(403, '', { sent: all }).description;
		expect(description(sent, { ...sent, token })).toContain('The credential itself is good');
		expect(description({ ...sent, token }, sent)).toContain('Check the access key');
		expect(description()).toContain('Check the access key');
	});
});

describe('a refusal with success: false', () => {
	test.each<[unknown, string, string]>([
		[
			'Campaign is not a survey',
			'Campaign is not a survey',
			'Only campaigns with survey questions',
		],
		[' Oops ', 'Oops', OWN_WORDS],
		['Token expired', 'Token expired', 'Check the access key'],
		['Unauthorized', 'Unauthorized', 'Check the access key'],
		['', NO_REASON, OWN_WORDS],
		[undefined, NO_REASON, OWN_WORDS],
		[{ a: 1 }, NO_REASON, OWN_WORDS],
	])('%j', (said, message, advice) => {
		const error = serviceError(about(reading), said);
		expect(error).toMatchObject({ message, httpCode: '200' });
		expect(error.description).toContain(advice);
	});
});

describe('a response that is not from the service', () => {
	test.each([
		['<html></html>', 'a web page'],
		['  <!doctype html>', 'a web page'],
		['', 'something else'],
		[' ', 'something else'],
		[undefined, 'something else'],
		[{ data: [] }, 'something else'],
		['Bad gateway', 'text that is not JSON'],
	])('%j is %s', (body, what) => {
		const error = unexpectedResponse(about(reading), body);
		expect(error.message).toBe(`The service responded with ${what} where data was expected`);
		expect(error.description).toMatch(/^Check the Base URL/);
		expect(isOutcomeUnknown(unexpectedResponse(about(change), body))).toBe(true);
	});
});

describe('the envelope', () => {
	test.each([
		[
			{ success: true, data: { _id: 'a' }, total: 3 },
			{ data: { _id: 'a' }, total: 3 },
		],
		[{ success: true, data: [] }, { data: [] }],
		[{ success: true, data: null }, {}],
		[{ success: true, total: '3' }, {}],
		[{ success: true, data: 0 }, { data: 0 }],
	])('%j holds %j', (body, envelope) => {
		expect(openEnvelope(about(reading), body)).toStrictEqual(envelope);
	});

	test.each([[{ data: [] }], [{ success: 'true' }], ['text'], [null], [[{ success: true }]]])(
		'%j is none',
		(body) => {
			expect(() => openEnvelope(about(reading), body)).toThrow('where data was expected');
		},
	);

	test('that says no fails in the words of the service', () => {
		const body = { success: false, data: [], message: 'Not Found.' };
		expect(() => openEnvelope(about(reading), body)).toThrow('Not Found.');
	});

	test('of a list holds records, none without data', () => {
		expect(toPage(anyNode, {})).toEqual({ records: [] });
		expect(toPage(anyNode, { data: [{ _id: 'a' }, null, 'x', ['y']], total: 4 })).toEqual({
			records: [{ _id: 'a' }],
			total: 4,
		});
		expect(() => toPage(anyNode, { data: { _id: 'a' } })).toThrow('where data was expected');
	});
});

describe('a request without a response', () => {
	const failed = (thrown: unknown, asked: RequestInfo, extras: Partial<ErrorContext> = {}) =>
		connectionError(about(asked, extras), thrown);

	const BROKEN = ['The connection broke', 'Nothing was changed', 'ECONNRESET'] as const;
	const TIMED_OUT = ['did not respond in time', 'there is Timeout', 'ETIMEDOUT'] as const;

	test.each<[unknown, ...string[]]>([
		[
			{ code: 'ECONNREFUSED' },
			'The service at https://service.example refused the connection',
			'Nothing was sent.',
			'ECONNREFUSED',
		],
		[{ code: 'ENOTFOUND' }, 'could not be reached (ENOTFOUND)', 'Nothing was sent.', 'ENOTFOUND'],
		[{ code: 'EAI_AGAIN' }, 'could not be reached (EAI_AGAIN)', 'Nothing was sent.', 'EAI_AGAIN'],
		[
			{ code: 'SELF_SIGNED_CERT_IN_CHAIN' },
			'could not prove who it is',
			'Nothing was sent.',
			'SELF_SIGNED_CERT_IN_CHAIN',
		],
		[{ code: 'EPROTO' }, 'could not prove who it is (EPROTO)', 'Nothing was sent.', 'EPROTO'],
		[
			{ code: 'ERR_CANCELED' },
			'The execution was cancelled',
			'Nothing was changed',
			'ERR_CANCELED',
		],
		[{ code: 'ETIMEDOUT' }, ...TIMED_OUT],
		[{ code: 'ECONNABORTED', message: 'timeout of 5 ms exceeded' }, ...TIMED_OUT],
		[{ code: 'ECONNABORTED', message: 'stream has been aborted' }, ...BROKEN],
		[{ code: 'ECONNRESET', message: 'socket hang up' }, ...BROKEN],
		[{ httpCode: 'ECONNRESET' }, ...BROKEN],
		[{ httpCode: '200', message: 'aborted' }, ...BROKEN],
		[
			{ httpCode: 'HPE_INVALID_CONSTANT' },
			'responded with something that is not HTTP (HPE_INVALID_CONSTANT)',
			'Nothing was changed',
			'ECONNRESET',
		],
		[{ response: {} }, ...BROKEN],
		[{ messages: ['x', 'socket hang up'] }, ...BROKEN],
		[
			{ message: 'Oops', httpCode: '20', code: '', messages: 'aborted' },
			'Oops',
			CHECK_VALUES,
			'none',
		],
		[{ message: 'Oops', httpCode: 'soon' }, 'Oops', CHECK_VALUES, 'none'],
		[new Error('Oops'), 'Oops', CHECK_VALUES, 'none'],
		[new Error(''), 'The request failed', CHECK_VALUES, 'none'],
		['Oops', 'The request failed', CHECK_VALUES, 'none'],
	])('%j', (thrown, message = '', advice = '', httpCode = '') => {
		const error = failed(thrown, reading);
		expect(error.message).toContain(message);
		expect(error.description).toContain(advice);
		expect(error.httpCode).toBe(httpCode);
	});

	test.each<[unknown, boolean]>([
		[{ code: 'ECONNREFUSED' }, false],
		[{ code: 'CERT_HAS_EXPIRED' }, false],
		[new UserError('Domain not allowed: elsewhere.example'), false],
		[new Error('Domain not allowed'), false],
		[new AccessError('The Client ID is empty'), false],
		[new URIError('URI malformed'), false],
		[{ code: 'ERR_CANCELED' }, true],
		[{ code: 'ETIMEDOUT' }, true],
		[{ code: 'ECONNRESET' }, true],
		[new Error('Oops'), true],
		[new RedirectError('Sent elsewhere', 'Check the Base URL.', '302'), true],
	])('of a change: %p may have been carried out is %j', (thrown, isInDoubt) => {
		expect(isOutcomeUnknown(failed(thrown, change))).toBe(isInDoubt);
		expect(isOutcomeUnknown(failed(thrown, reading))).toBe(false);
	});

	test.each(['ERR_STRING_TOO_LONG', 'ERR_BUFFER_TOO_LARGE', 'ERR_BAD_RESPONSE'])(
		'that is too large to be read (%s) is not sent again',
		(code) => {
			const error = failed({ code }, reading);
			expect(error.message).toContain(`too large to be read (${code})`);
			expect(isRetryable(error)).toBe(false);
			expect(isOutcomeUnknown(failed({ code }, change))).toBe(true);
		},
	);

	// As n8n 1 tells it, which leaves the code out and gives the status of the response.
	test.each([
		'Cannot create a string longer than 0x1fffffe8 characters',
		'The value of "size" is out of range.',
		'Array buffer allocation failed',
	])('that is too large to be read, in words: %s', (message) => {
		const error = failed({ httpCode: '200', messages: [message] }, reading);
		expect(error.message).toContain('too large to be read (ERR_STRING_TOO_LONG)');
		expect(isRetryable(error)).toBe(false);
	});

	test('through a proxy is told as the proxy’s', () => {
		const request = { ...change, proxy: { host: 'p.example', port: 3128 } };
		const error = failed({ code: 'ECONNREFUSED' }, request);
		expect(error.message).toBe('The proxy at p.example:3128 could not be reached (ECONNREFUSED)');
		expect(error.description).toMatch(/^Nothing was sent\. Check Proxy, under Request Options/);
	});

	test('says whether it was sent and not answered, or the answer was lost', () => {
		expect(failed({ code: 'ETIMEDOUT' }, change).description).toMatch(
			/^The request was sent and got no/,
		);
		expect(failed({ code: 'ECONNRESET' }, change).description).toMatch(/^The response was lost/);
		expect(failed({ code: 'ECONNRESET' }, reading).description).not.toContain('Timeout');
	});

	test('that was not allowed, or holds half a character, was not carried out', () => {
		expect(failed(new UserError('Domain not allowed: a'), reading)).toMatchObject({
			message: 'Domain not allowed: a',
			description: 'The request was not carried out.',
		});
		expect(failed(new Error('Domain not allowed: b'), reading).description).toBe(
			'The request was not carried out.',
		);
		expect(failed(new URIError('URI malformed'), change)).toMatchObject({
			message: 'A value of this operation holds half a character',
			description: expect.stringMatching(/^Nothing was sent\./),
		});
	});

	test('that got no token says why, and how long to wait', () => {
		const error = failed(new AccessError('No token', '429', 3000), change);
		expect(error).toMatchObject({ message: 'No token', httpCode: '429' });
		expect(error.context).toMatchObject({ retryAfterMs: 3000 });
		const other = failed(new AccessError('No token'), change);
		expect(other.httpCode).toBe('none');
		expect(other.context).not.toHaveProperty('retryAfterMs');
	});

	test('that was sent elsewhere says what to check', () => {
		const sentElsewhere = new RedirectError('Sent elsewhere', 'Check the Base URL.', '307');
		expect(failed(sentElsewhere, reading)).toMatchObject({
			message: 'Sent elsewhere',
			description: 'Nothing was changed: this only reads. Check the Base URL.',
			httpCode: '307',
		});
		expect(failed(sentElsewhere, change).description).toMatch(/^Check the Base URL\. The response/);
	});

	test('is told by what failed first, however it is wrapped', () => {
		const wrapped = (cause: unknown) =>
			new Error('outer', { cause: new Error('inner', { cause }) });
		expect(failed(wrapped({ code: 'ECONNREFUSED' }), reading).httpCode).toBe('ECONNREFUSED');
		expect(failed(wrapped(new AccessError('No token')), reading).message).toBe('No token');
		const ours = new UserError('Domain not allowed', { cause: { code: 'ECONNREFUSED' } });
		expect(failed(wrapped(ours), reading).message).toBe('Domain not allowed');
		const inner = Object.assign(new Error('x', { cause: new Error('y') }), {
			code: 'ECONNREFUSED',
		});
		expect(failed(inner, reading).httpCode).toBe('ECONNREFUSED');
		const round = new Error('round');
		round.cause = round;
		expect(failed(round, reading).message).toBe('round');
	});

	test('names no place where nothing was sent', () => {
		expect(failed({ code: 'ECONNREFUSED' }, reading, { sent: [] }).message).toBe(
			'The service refused the connection',
		);
	});
});

describe('a token request', () => {
	const refusal = (statusCode: number, body: IN8nHttpFullResponse['body'], headers = {}) =>
		tokenRefusal({ statusCode, body, headers }, [SECRET]);

	test.each([
		[407, {}, '407', 'The proxy refused access (HTTP 407). Nothing was sent to the service.'],
		[429, {}, '429', `${NO_TOKEN} (HTTP 429). Try again later;`],
		[500, { message: 'Down' }, '500', `${NO_TOKEN} (HTTP 500: Down). Try again later;`],
		[200, {}, 'none', `${NO_TOKEN}: its response holds none.`],
		[200, { message: 'No client' }, '401', 'gave no access token: No client. Check the Client ID'],
		[400, { error_description: 'Bad' }, '401', 'gave no access token: Bad. Check the Client ID'],
		[400, {}, '401', 'gave no access token: HTTP 400. Check the Client ID'],
		[400, { message: SECRET }, '401', 'gave no access token: ***. Check the Client ID'],
		[404, { message: 'No' }, '404', 'There is no messaging service at the Base URL'],
		[400, '<html>', '400', 'There is no messaging service at the Base URL'],
	])('HTTP %s with %j is %s: %s', (statusCode, body, httpCode, message) => {
		const error = refusal(statusCode, body);
		expect(error).toBeInstanceOf(AccessError);
		expect(error.httpCode).toBe(httpCode);
		expect(error.message).toContain(message);
	});

	test('hands on how long the service asked to wait', () => {
		expect(refusal(503, {}, { 'retry-after': '7' }).retryAfterMs).toBe(7_000);
	});

	test('that found no connection says what to check, without the secret', () => {
		const credentials = { baseUrl: 'https://service.example', clientSecret: SECRET };
		const refused = Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' });
		const error = accessError(refused, credentials);
		expect(error.message).toContain('Check the Base URL');
		expect(error.message).not.toContain(SECRET);
		expect(error.httpCode).toBe('ECONNREFUSED');
		expect(accessError(error, credentials)).toBe(error);
	});
});

describe('errors', () => {
	test('keep the first 2,000 characters of what the service said', () => {
		const said = 'm'.repeat(3_000);
		const refusal = openedWith(said);
		expect(refusal.message).toHaveLength(500);
		expect(refusal.context.fullMessage).toBe(`${said.slice(0, 1_999)}…`);
	});

	const openedWith = (message: string) => serviceError(about(reading), message);

	test('hold no secret and end somewhere', () => {
		const error = apiError(about(reading), {
			message: `${SECRET} ${'m'.repeat(600)}`,
			description: `${'d'.repeat(1200)} ${SECRET}`,
			httpCode: '200',
		});
		expect(error.message).toMatch(/^\*\*\* m+…$/);
		expect(error.message).toHaveLength(500);
		expect(error.description).toMatch(/^d+…$/);
		expect(error.description).toHaveLength(1000);
	});

	test('keep their words where n8n has words of its own', () => {
		const words = { message: 'Told ECONNREFUSED', description: 'Do this', httpCode: '500' };
		expect(apiError(about(reading), words)).toMatchObject(words);
	});

	const refusedWith = (httpCode: string, message: string) =>
		apiError(about(reading), { message, description: '', httpCode });

	test.each([
		['401', 'no', true],
		['403', 'no', true],
		['200', 'Access denied', true],
		['200', 'not authorized', true],
		['200', 'Not authorised', true],
		['200', 'Authentication failed', true],
		['200', 'Invalid token', true],
		['200', 'The tokens are spent', false],
		['200', 'Illegal parameters', false],
		['500', 'Invalid token', false],
	])('%s "%s" refuses access: %j', (httpCode, message, isRefusal) => {
		expect(isAccessRefusal(refusedWith(httpCode, message))).toBe(isRefusal);
	});

	test('of another kind refuse no access', () => {
		expect(isAccessRefusal(new Error('Invalid token'))).toBe(false);
		expect(isAccessRefusal({ httpCode: '401' })).toBe(false);
	});

	test('of any kind become one of the two that the editor shows whole', () => {
		const api = refusedWith('200', 'x');
		const own = new NodeOperationError(anyNode, 'y');
		expect(asNodeError(anyNode, api)).toBe(api);
		expect(asNodeError(anyNode, own)).toBe(own);
		for (const thrown of [new Error('Oops'), 'Oops']) {
			const error = asNodeError(anyNode, thrown);
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toBe('Oops');
		}
	});

	test('become an item where the node goes on, and stop it where it does not', () => {
		const error = refusedWith('200', 'x');
		const context = (goesOn: boolean) => ({ getNode: () => anyNode, continueOnFail: () => goesOn });
		expect(failedItem(context(true), error, 3)).toEqual({
			json: { error: 'x' },
			error,
			pairedItem: { item: 3 },
		});
		expect(() => failedItem(context(false), error, 4)).toThrow(error);
		expect(error.context.itemIndex).toBe(4);
	});
});

describe('what to do about a message of the service', () => {
	/** Messages of the service, and what the advice must lead to. */
	const known: Array<[string, string]> = [
		['Illegal parameters', 'combination of filters'],
		['Not Found', 'Nothing with this ID is visible'],
		['not found.', 'Nothing with this ID is visible'],
		['description is mandatory', 'Fill in the description'],
		['Campaign is not a survey', 'Only campaigns with survey questions'],
		['campaign Id is required', 'that the file belongs to'],
		['Please confirm delete for file used in campaign content.', '"Delete File in Use"'],
		['Not all emails founded as recipient in system', 'At least one address is unknown'],
		['"name" is required', 'Fill in the name of the recipient group.'],
		['Object does not exist', 'There is no recipient group'],
		['Title is mandatory', 'Fill in the title'],
		['Invalid request parameters', 'Only a scheduled broadcast'],
		['Broadcast not found', 'There is no broadcast'],
		['Campaign already closed', 'closed already'],
		['Invalid parameters', 'does not know the channel'],
		[
			"Invalid campaign ID for survey creation, 'draft' campaign required",
			'Questions can only be stored on a draft.',
		],
	];

	test.each(known)('%s', (message, advice) => {
		expect(adviceFor(message, change)).toContain(advice);
		expect(adviceFor(message.toUpperCase(), change)).toContain(advice);
	});

	test('is not known where the words stand in another message', () => {
		for (const [message] of known.filter(([text]) => !text.includes('required')))
			expect(adviceFor(`Said: ${message}`, change)).toBe(OWN_WORDS);
		const others = ['Not Found here', 'Not Found!', '', '"reply to" is required'];
		for (const message of [...others, 'it is required: name'])
			expect(adviceFor(message, change)).toBe(OWN_WORDS);
	});

	test('is found at once in a message of any length', () => {
		const used = countCpuTime();
		for (const text of ['name', 'name is ', 'token', 'Not all emails founded ', ' '])
			serviceError(about(reading), text.repeat(200_000));
		expect(used()).toBeLessThan(1_000);
	});

	test('names the address where there is only one', () => {
		const asked = (recipientEmails: unknown): RequestInfo => ({
			...change,
			body: { recipientEmails },
		});
		const said = 'Not all emails founded as recipient in system';
		expect(adviceFor(said, asked(['ada@example.com']))).toContain('does not know ada@example.com,');
		expect(adviceFor(said, asked([`${'a'.repeat(200)}@example.com`]))).toContain('a…,');
		for (const several of [['a@example.com', 'b@example.com'], [], 'ada@example.com', undefined])
			expect(adviceFor(said, asked(several))).toContain('At least one address is unknown');
		expect(adviceFor(said, { ...change, body: ['ada@example.com'] })).toContain('At least one');
	});

	test('of a campaign that is not sent is that only drafts and scheduled ones are, whatever it says', () => {
		const send: RequestInfo = {
			method: 'PUT',
			url: '/int/v1/campaign/c1',
			body: { status: 'live' },
		};
		for (const message of ['Oops', 'Invalid request parameters'])
			expect(adviceFor(message, send)).toContain('Only a draft or a scheduled campaign');
		expect(adviceFor('description is mandatory', send)).toContain('Fill in the description');
		const others: RequestInfo[] = [
			{ ...send, method: 'POST' },
			{ ...send, url: '/int/v1/campaign/c1/close' },
			{ ...send, url: '/int/v1/broadcast/c1' },
			{ ...send, body: { status: 'draft' } },
			{ ...send, body: undefined },
			{ ...send, body: 'live' },
		];
		for (const other of others) expect(adviceFor('Oops', other)).toBe(OWN_WORDS);
	});
});

test('a request in doubt is known by its error alone', () => {
	expect(isOutcomeUnknown(new Error('may or may not have been carried out'))).toBe(false);
	expect(isOutcomeUnknown(new NodeApiError(anyNode, { message: 'x' }))).toBe(false);
});
