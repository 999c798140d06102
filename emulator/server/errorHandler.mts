import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FastifyError, FastifyInstance } from 'fastify';
import { AuthenticationFailure } from './authentication.mts';
import type { Context } from './context.mts';
import { ContractViolation, ServiceFailure } from './failure.mts';
import { isObject } from './guards.mts';
import { TooManyRequests } from './rateLimit.mts';
import { fromValidation } from './requestErrors.mts';

function isAjvErrors(value: unknown): value is ErrorObject[] {
	return Array.isArray(value) && value.every((entry) => isObject(entry) && 'instancePath' in entry);
}

/** Converts errors to the responses of the service. */
export function handleErrors(app: FastifyInstance, context: Context): void {
	const { recorder } = context;

	app.setNotFoundHandler((request, reply) => {
		if (request.emulatorRecord !== undefined) {
			recorder.violation('request', request.emulatorRecord, 'there is no such endpoint');
		}
		return reply.code(404).type('text/plain').send('Not Found');
	});

	app.setErrorHandler((error: FastifyError, request, reply) => {
		const record = request.emulatorRecord;
		// If the client disconnected, the request is not a violation.
		if (request.raw.socket.destroyed) return reply.code(500).send('');
		if (error instanceof AuthenticationFailure) {
			const body = error.mode === '200' ? 'envelope' : context.switches.authenticationFailureBody;
			const { message } = error;
			reply.code(Number(error.mode));
			if (body === 'envelope') return reply.send({ success: false, message });
			return body === 'text' ? reply.type('text/plain').send(message) : reply.send('');
		}
		if (error instanceof TooManyRequests) {
			if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
			return reply.code(429).send({ success: false, message: error.message });
		}
		let failure: Error = error;
		if (isAjvErrors(error.validation)) {
			failure = fromValidation(
				record?.operationId ?? 'unknown',
				error.validationContext ?? 'request',
				error.validation,
			);
		} else if (!(error instanceof ServiceFailure) && (error.statusCode ?? 500) < 500) {
			// Fastify refused the request, for example because of a wrong content type or a broken multipart body.
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
