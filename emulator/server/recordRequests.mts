import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.mts';
import { isObject } from './guards.mts';
import { isService, pathOf } from './servicePath.mts';
import { applyToResponse } from './applyFault.mts';

/** Records each request to the service from arrival to response, and checks the response against the contract. */
export function recordRequests(app: FastifyInstance, context: Context): void {
	const { recorder } = context;

	app.addHook('onRequest', (request, reply, done) => {
		// Tests may replace Date.now, but `new Date()` and the Date header that Node adds ignore this replacement.
		void reply.header('date', new Date(Date.now()).toUTCString());
		if (!isService(request)) return done();
		const { authorization, ...headers } = request.headers;
		const record = recorder.begin({
			method: request.method,
			path: pathOf(request),
			operationId: request.routeOptions.config.operationId,
			query: isObject(request.query) ? { ...request.query } : {},
			headers: {
				...headers,
				...(authorization && { authorization: authorization.replace(/ .*/s, ' ***') }),
			},
			authorization: { ok: false },
		});
		request.emulatorRecord = record;
		request.delays = context.delays;
		// If the client disconnects before the response, this ends the record.
		reply.raw.once('close', () => recorder.end(record));
		return done();
	});

	app.addHook('preSerialization', (request, reply, payload: unknown, done) => {
		const record = request.emulatorRecord;
		if (record === undefined) return done(null, payload);
		if (isObject(payload)) {
			const { success, message, data } = payload;
			record.response = {
				...(typeof success === 'boolean' && { success }),
				...(typeof message === 'string' && { message }),
				...(Array.isArray(data) && { items: data.length }),
			};
		}
		if (record.operationId === undefined) return done(null, payload);
		return done(null, checkedResponse(context, request, reply, 'application/json', payload));
	});

	app.addHook('onSend', async (request, reply, payload: unknown) => {
		const record = request.emulatorRecord;
		if (record === undefined) return payload;
		const { responseFault } = request;
		let response = payload;
		if (responseFault !== undefined) {
			response = await applyToResponse(responseFault, request, reply, payload);
		} else if (
			record.operationId !== undefined &&
			typeof payload === 'string' &&
			String(reply.getHeader('content-type')).startsWith('text/plain')
		) {
			response = checkedResponse(context, request, reply, 'text/plain', payload);
		}
		// If the client has disconnected, the status remains 0.
		if (!request.raw.socket.destroyed) record.status = reply.statusCode;
		recorder.end(record);
		return response;
	});
}

/** Returns the response. If the response violates the contract, returns a 500 instead. */
function checkedResponse(
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
	record.response = { success: false, message };
	return mediaType === 'text/plain' ? message : { success: false, message };
}
