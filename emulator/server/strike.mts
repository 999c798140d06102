import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceFailure } from './failure.mts';
import { answerInstead, faultName, isDelay, type FaultAction } from './faults.mts';
import type { Waits } from './waits.mts';

/**
 * Does what a fault says to a request before the operation; what concerns the answer is kept in the request.
 * True: the request ends here.
 */
export async function strike(
	action: FaultAction,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<boolean> {
	const record = request.emulatorRecord;
	if (isDelay(action)) {
		if (record !== undefined) record.fault ??= faultName(action);
		if (await request.waits.for(action.delayMs)) return false;
		breakConnection(request, reply);
		return true;
	}
	if (record !== undefined) record.fault = faultName(action);
	if (action === 'drop') {
		breakConnection(request, reply);
		return true;
	}
	if (action === 'stall') {
		await request.waits.for(Number.POSITIVE_INFINITY);
		breakConnection(request, reply);
		return true;
	}
	if (typeof action === 'object' && 'refuse' in action) throw new ServiceFailure(action.refuse);
	request.answerFault = action;
	const answer = answerInstead(action, request.url);
	// With `after` the operation is carried out first; the answer is then put in the place of its own.
	if (answer === undefined || answer.after === true) return false;
	reply.send('');
	return true;
}

function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.destroy();
}

/** The answer as the request's fault leaves it: another one, a part of it, or none. */
export async function faultyAnswer(
	action: FaultAction,
	request: FastifyRequest,
	reply: FastifyReply,
	payload: unknown,
): Promise<unknown> {
	if (action === 'dropAfter') {
		request.raw.socket.destroy();
		return payload;
	}
	if (action === 'stallAfter') {
		await request.waits.for(Number.POSITIVE_INFINITY);
		request.raw.socket.destroy();
		return payload;
	}
	if (action === 'cutBody' || action === 'stallBody') {
		const whole = Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
		reply.header('content-length', whole.length);
		return Readable.from(firstHalf(request.waits, whole, action === 'stallBody'));
	}
	const answer = answerInstead(action, request.url);
	if (answer === undefined) return payload;
	reply.code(answer.status).headers(answer.headers ?? {});
	reply.removeHeader('content-length');
	if (answer.body === undefined) return '';
	if (typeof answer.body === 'string') {
		if (!reply.hasHeader('content-type')) reply.type('text/plain');
		return answer.body;
	}
	reply.type('application/json');
	return JSON.stringify(answer.body);
}

async function* firstHalf(
	waits: Waits,
	whole: Buffer,
	thenSilence: boolean,
): AsyncGenerator<Buffer> {
	yield whole.subarray(0, Math.ceil(whole.length / 2));
	// The half has to leave before the connection breaks.
	await setImmediate();
	if (thenSilence) await waits.for(Number.POSITIVE_INFINITY);
	throw new Error('The answer breaks off here');
}
