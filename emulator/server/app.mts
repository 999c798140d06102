import { parse as parseQuery } from 'node:querystring';
import { fastifyMultipart } from '@fastify/multipart';
import type { ErrorObject } from 'ajv/dist/2020.js';
import {
	fastify,
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { operations } from '../routes/operations.mts';
import { maximumLimit } from '../routes/paging.mts';
import { authenticate, AuthenticationFailure } from './authentication.mts';
import type { Context } from './context.mts';
import { contractDocument, newAjv } from './contract.mts';
import { ContractViolation, ServiceFailure } from './failure.mts';
import { isAnswer, isDelay, type FaultAction } from './faults.mts';
import { fromValidation } from './requestErrors.mts';
import { readMultipart, uploadSummary } from './upload.mts';

const servicePrefix = '/int/v1';
/** Far above any request of ours: the service's own limit is not shown. */
const jsonBodyLimit = 256 * 1024 * 1024;

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

function isService(request: FastifyRequest): boolean {
	const path = pathOf(request);
	return path === servicePrefix || path.startsWith(`${servicePrefix}/`);
}

/** `conditions[field]=value` becomes one object; whether it is allowed is a switch. */
function queryParser(text: string): Record<string, unknown> {
	const query: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(parseQuery(text))) {
		const nested = /^conditions\[(\w+)\]$/.exec(key)?.[1];
		if (nested === undefined) {
			query[key] = value;
		} else {
			const conditions = isRecord(query.conditions) ? query.conditions : {};
			query.conditions = { ...conditions, [nested]: value };
		}
	}
	return query;
}

function wait(milliseconds: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, milliseconds);
	});
}

/** The service itself: routed and validated by the contract. */
export async function buildService(context: Context, logger: boolean): Promise<FastifyInstance> {
	const app = fastify({
		logger,
		bodyLimit: jsonBodyLimit,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 5000, querystringParser: queryParser },
	});
	useStrictValidators(app);
	readJsonBodies(app);
	app.decorateRequest('emulatorRecord', undefined);
	app.decorateRequest('caller', undefined);
	app.decorateRequest('dropAnswer', false);
	app.decorateRequest('answerInstead', undefined);
	recordRequests(app, context);
	answerErrors(app, context);
	app.addHook('onRoute', (route) => {
		const schema: unknown = route.schema;
		if (!isRecord(schema) || typeof schema.operationId !== 'string') return;
		const bodyMediaType = mediaTypeOf(schema.body);
		route.config = {
			...route.config,
			operationId: schema.operationId,
			...(bodyMediaType === undefined ? {} : { bodyMediaType }),
		};
		route.schema = closedSchema(String(route.method), schema);
	});
	await app.register(fastifyMultipart, {
		limits: { fileSize: Number.POSITIVE_INFINITY, files: 2, fields: 20 },
		preservePath: true,
	});
	await app.register(openapiGlue, {
		specification: structuredClone(contractDocument()),
		serviceHandlers: operations(context),
	});
	return app;
}

/** Query values are text, so they are turned into what the contract says; bodies are taken as they are. */
function useStrictValidators(app: FastifyInstance): void {
	const forBodies = newAjv({ coerceTypes: false });
	const forQueries = newAjv({ coerceTypes: true });
	app.setValidatorCompiler<object>(({ schema, httpPart }) =>
		(httpPart === 'body' ? forBodies : forQueries).compile(schema),
	);
	// Responses are checked by ResponseContract; fastify's own serializer would quietly drop fields.
	app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** JSON parsers that take an empty body and answer anything else than JSON in the service's style. */
function readJsonBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		(_request, text, done) => {
			if (text === '') return done(null, undefined);
			try {
				const body: unknown = JSON.parse(text);
				return done(null, body);
			} catch {
				return done(new ContractViolation('The body is not JSON', 'body is not JSON'));
			}
		},
	);
	// Clients name a type even for a body that is empty; that is no fault of theirs.
	app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') return done(null, undefined);
		const detail = `body has the content type ${request.headers['content-type'] ?? 'none'}, not JSON`;
		return done(new ContractViolation(detail, detail));
	});
}

/** The route's schema as the contract means it: unknown query parameters and unexpected bodies are refused. */
function closedSchema(method: string, schema: Record<string, unknown>): Record<string, unknown> {
	const { response: _response, querystring, body, ...rest } = schema;
	const closed: Record<string, unknown> = {
		...rest,
		querystring: {
			type: 'object',
			...(isRecord(querystring) ? querystring : {}),
			additionalProperties: false,
		},
	};
	if (method !== 'GET') closed.body = bodySchema(body);
	return closed;
}

/** An operation of the contract has one media type for its body, if any. */
function mediaTypeOf(body: unknown): string | undefined {
	const content = isRecord(body) ? body.content : undefined;
	return isRecord(content) ? Object.keys(content)[0] : undefined;
}

function bodySchema(body: unknown): unknown {
	const content = isRecord(body) ? body.content : undefined;
	const [media] = isRecord(content) ? Object.values(content) : [];
	return isRecord(media) ? media.schema : { type: 'object', additionalProperties: false };
}

function recordRequests(app: FastifyInstance, context: Context): void {
	const { recorder } = context;

	app.addHook('onRequest', async (request, reply) => {
		if (!isService(request)) return;
		const { authorization, ...headers } = request.headers;
		const record = recorder.begin({
			method: request.method,
			path: pathOf(request),
			...(request.routeOptions.config.operationId === undefined
				? {}
				: { operationId: request.routeOptions.config.operationId }),
			query: isRecord(request.query) ? { ...request.query } : {},
			headers: {
				...headers,
				...(authorization === undefined
					? {}
					: { authorization: authorization.replace(/ .*/s, ' ***') }),
			},
			authorization: { kind: authorization === undefined ? 'none' : 'unknown', ok: false },
		});
		request.emulatorRecord = record;
		// A client that goes away ends its request, too.
		reply.raw.once('close', () => recorder.end(record));
	});

	app.addHook('preValidation', async (request, reply) => {
		const record = request.emulatorRecord;
		if (record === undefined) return;
		record.body = request.body;
		for (const listener of context.requestListeners) await listener(record);
		for (const action of context.faults.take(record.method, record.path)) {
			await strike(action, request, reply);
			if (reply.sent) return reply;
		}
		context.state.advance();
		const operationId = record.operationId;
		if (operationId === undefined) return;
		if (operationId !== 'oauth.token') authenticate(context, request);
		if (context.switches.limitAboveMaximum === 'clamp') clampLimit(operationId, request.query);
		const multipartExpected = request.routeOptions.config.bodyMediaType === 'multipart/form-data';
		if (multipartExpected !== request.isMultipart()) {
			const detail = multipartExpected
				? 'body is not multipart/form-data'
				: 'body is multipart/form-data where the contract has none';
			throw new ContractViolation(detail, detail);
		}
		if (multipartExpected) {
			const body = await readMultipart(request);
			const { file, ...fields } = body;
			record.body = fields;
			if (file !== undefined) record.upload = uploadSummary(file);
			request.body = body;
		} else if (request.body === undefined && request.method !== 'GET') {
			request.body = {};
		} else if (request.method === 'GET' && Number(request.headers['content-length'] ?? 0) > 0) {
			throw new ContractViolation('GET takes no body', 'body is not allowed on GET');
		}
	});

	app.addHook('preSerialization', async (request, reply, payload: unknown) => {
		const record = request.emulatorRecord;
		if (record === undefined || request.answerInstead !== undefined) return payload;
		if (isRecord(payload)) {
			record.answer = {
				...(typeof payload.success === 'boolean' ? { success: payload.success } : {}),
				...(typeof payload.message === 'string' ? { message: payload.message } : {}),
				...(Array.isArray(payload.data) ? { items: payload.data.length } : {}),
				...(typeof payload.total === 'number' ? { total: payload.total } : {}),
			};
		}
		if (record.operationId === undefined) return payload;
		return checkedAnswer(context, request, reply, 'application/json', payload);
	});

	app.addHook('onSend', async (request, reply, payload: unknown) => {
		const record = request.emulatorRecord;
		if (record === undefined) return payload;
		let answer = payload;
		const { answerInstead } = request;
		if (answerInstead !== undefined) {
			reply.code(answerInstead.status).headers(answerInstead.headers ?? {});
			answer = faultBody(reply, answerInstead.body);
			reply.removeHeader('content-length');
		} else if (
			record.operationId !== undefined &&
			typeof payload === 'string' &&
			String(reply.getHeader('content-type')).startsWith('text/plain')
		) {
			answer = checkedAnswer(context, request, reply, 'text/plain', payload);
		}
		if (request.dropAnswer) {
			recorder.end(record);
			request.raw.socket.destroy();
			return answer;
		}
		// Nobody gets the answer when the client has gone away in the middle of its request.
		if (!request.raw.socket.destroyed) record.status = reply.statusCode;
		recorder.end(record);
		return answer;
	});
}

/** A service that takes any limit and answers with what it has at most (switch limitAboveMaximum). */
function clampLimit(operationId: string, query: unknown): void {
	if (operationId !== 'campaign.getAll' && operationId !== 'broadcast.getAll') return;
	if (isRecord(query) && Number(query.limit) > maximumLimit) query.limit = String(maximumLimit);
}

/** The answer, or a loud 500 when it is not what the contract says. */
function checkedAnswer(
	context: Context,
	request: FastifyRequest,
	reply: FastifyReply,
	mediaType: string,
	payload: unknown,
): unknown {
	const record = request.emulatorRecord;
	const operationId = record?.operationId;
	if (record === undefined || operationId === undefined) return payload;
	const problem = context.responses.problem(operationId, reply.statusCode, mediaType, payload);
	if (problem === undefined) return payload;
	context.recorder.violation('response', record, problem);
	reply.code(500);
	const message = `The emulator broke the contract of ${operationId}: ${problem}`;
	record.answer = { success: false, message };
	return mediaType === 'text/plain' ? message : { success: false, message };
}

function faultBody(reply: FastifyReply, body: unknown): string {
	if (body === undefined) return '';
	if (typeof body === 'string') {
		if (!reply.hasHeader('content-type')) reply.type('text/plain');
		return body;
	}
	reply.type('application/json');
	return JSON.stringify(body);
}

/** Does what a fault says to a request. */
async function strike(
	action: FaultAction,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const record = request.emulatorRecord;
	if (isDelay(action)) {
		if (record !== undefined) record.fault ??= 'delay';
		await wait(action.delayMs);
		return;
	}
	if (record !== undefined)
		record.fault = typeof action === 'string' ? action : `status ${action.status}`;
	if (isAnswer(action)) {
		request.answerInstead = action;
		// With `after` the operation is carried out first; onSend then puts this answer in its place.
		if (action.after !== true) reply.send('');
	} else if (action === 'drop') {
		reply.hijack();
		request.raw.socket.destroy();
	} else if (action === 'dropAfter') {
		request.dropAnswer = true;
	} else if (action === 'html') {
		request.answerInstead = {
			status: 200,
			headers: { 'content-type': 'text/html; charset=utf-8' },
			body: '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
		};
		reply.send('');
	} else {
		request.answerInstead = {
			status: 200,
			headers: { 'content-type': 'application/json; charset=utf-8' },
			body: '{"success":true,"data":[{"_id":"65',
		};
		reply.send('');
	}
}

function isAjvErrors(value: unknown): value is ErrorObject[] {
	return Array.isArray(value) && value.every((entry) => isRecord(entry) && 'instancePath' in entry);
}

/** Turns whatever went wrong into what the service would answer. */
function answerErrors(app: FastifyInstance, context: Context): void {
	const { recorder } = context;

	app.setNotFoundHandler(async (request, reply) => {
		if (request.emulatorRecord !== undefined) {
			recorder.violation('request', request.emulatorRecord, 'there is no such endpoint');
		}
		return reply.code(404).type('text/plain').send('Not Found');
	});

	app.setErrorHandler(async (error: FastifyError, request, reply) => {
		const record = request.emulatorRecord;
		// The client has gone away in the middle of its request: nobody is at fault, nobody gets an answer.
		if (request.raw.socket.destroyed) return reply.code(500).send('');
		if (error instanceof AuthenticationFailure) return refuseAuthentication(context, error, reply);
		let failure: Error = error;
		if (isAjvErrors(error.validation)) {
			failure = fromValidation(
				record?.operationId ?? 'unknown',
				error.validationContext ?? 'request',
				error.validation,
			);
		} else if (!(error instanceof ServiceFailure) && (error.statusCode ?? 500) < 500) {
			// What fastify itself refuses: a wrong content type, a broken multipart body.
			failure = new ContractViolation(error.message, error.message);
		}
		if (!(failure instanceof ServiceFailure)) {
			recorder.violation(
				'response',
				record,
				`the emulator failed: ${error.stack ?? error.message}`,
			);
			return reply
				.code(500)
				.send({ success: false, message: `The emulator failed: ${error.message}` });
		}
		if (failure instanceof ContractViolation) recorder.violation('request', record, failure.detail);
		return reply
			.code(context.switches.errorStatusHttp)
			.send({ success: false, message: failure.message });
	});
}

function refuseAuthentication(
	context: Context,
	error: AuthenticationFailure,
	reply: FastifyReply,
): FastifyReply {
	const envelope = { success: false, message: error.message };
	reply.code(Number(error.mode));
	if (error.mode === '200' || context.switches.authenticationFailureBody === 'envelope') {
		return reply.send(envelope);
	}
	return context.switches.authenticationFailureBody === 'text'
		? reply.type('text/plain').send(error.message)
		: reply.send('');
}
