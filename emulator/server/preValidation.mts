import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate } from './authentication.mts';
import type { Context } from './context.mts';
import { ContractViolation } from './failure.mts';
import type { RecordedRequest } from './recorder.mts';
import { applyBefore } from './applyFault.mts';
import { readMultipart } from './upload.mts';

/** Adds the steps before validation: listeners, faults, rate limit, token, multipart body. */
export function addPreValidation(app: FastifyInstance, context: Context): void {
	app.addHook('preValidation', async (request, reply) => {
		const record = request.emulatorRecord;
		if (record === undefined) return;
		record.body = request.body;
		for (const listener of context.requestListeners) await listener(record);
		for (const action of context.faults.take(record.method, record.path)) {
			if (await applyBefore(action, request, reply)) return reply;
		}
		context.rateLimit.take(context.switches.rateLimit);
		context.state.advance();
		const { operationId } = record;
		if (operationId === undefined) return;
		if (operationId !== 'oauth.token') authenticate(context, request);
		await readBody(request, record);
	});
}

/** Reads a multipart body. Refuses a body whose type differs from the contract. */
async function readBody(request: FastifyRequest, record: RecordedRequest): Promise<void> {
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
		record.upload = file;
		request.body = body;
	} else if (request.body === undefined && request.method !== 'GET') {
		request.body = {};
	} else if (request.method === 'GET' && Number(request.headers['content-length'] ?? 0) > 0) {
		throw new ContractViolation('GET takes no body', 'body is not allowed on GET');
	}
}
