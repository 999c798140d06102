import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceFailure } from './failure.mts';
import { replacementResponse, faultName, isDelay, type FaultAction } from './faults.mts';
import type { Delays } from './delays.mts';

/**
 * Applies a fault before the operation runs. If the fault concerns the response, stores it for `applyToResponse`.
 *
 * @returns whether the fault has ended the request
 * @throws ServiceFailure for the fault `refuse`
 */
export async function applyBefore(
	action: FaultAction,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<boolean> {
	const record = request.emulatorRecord;
	if (isDelay(action)) {
		if (record !== undefined) record.fault ??= faultName(action);
		if (await request.delays.for(action.delayMs)) return false;
		breakConnection(request, reply);
		return true;
	}
	if (record !== undefined) record.fault = faultName(action);
	if (action === 'drop' || action === 'stall') {
		if (action === 'stall') await request.delays.for(Number.POSITIVE_INFINITY);
		breakConnection(request, reply);
		return true;
	}
	if (typeof action === 'object' && 'refuse' in action) throw new ServiceFailure(action.refuse);
	request.responseFault = action;
	const replacement = replacementResponse(action, request.url);
	// With `after`, the operation runs first. Then applyToResponse replaces the response.
	if (replacement === undefined || replacement.after === true) return false;
	reply.send('');
	return true;
}

function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.destroy();
}

/** Applies a fault to a response: replaces or truncates it, or breaks the connection. */
export async function applyToResponse(
	action: FaultAction,
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
): Promise<unknown> {
	if (action === 'dropAfter' || action === 'stallAfter') {
		if (action === 'stallAfter') await request.delays.for(Number.POSITIVE_INFINITY);
		request.raw.socket.destroy();
		return payload;
	}
	if (action === 'cutBody' || action === 'stallBody') {
		const whole = Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
		reply.header('content-length', whole.length);
		return Readable.from(firstHalf(request.delays, whole, action === 'stallBody'));
	}
	const replacement = replacementResponse(action, request.url);
	if (replacement === undefined) return payload;
	reply.code(replacement.status).headers(replacement.headers ?? {});
	reply.removeHeader('content-length');
	if (replacement.body === undefined) return '';
	if (typeof replacement.body === 'string') {
		if (!reply.hasHeader('content-type')) reply.type('text/plain');
		return replacement.body;
	}
	reply.type('application/json');
	return JSON.stringify(replacement.body);
}

async function* firstHalf(
	delays: Delays,
	whole: Buffer,
	thenSilence: boolean,
): AsyncGenerator<Buffer> {
	yield whole.subarray(0, Math.ceil(whole.length / 2));
	// Lets Node send the first half before the error below breaks the connection.
	await setImmediate();
	if (thenSilence) await delays.for(Number.POSITIVE_INFINITY);
	throw new Error('The response ends here');
}
