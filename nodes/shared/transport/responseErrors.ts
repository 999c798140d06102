import type { IN8nHttpFullResponse, NodeApiError } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import { fieldToCheck } from './checkAccess';
import {
	apiError,
	looksLikeAccess,
	OUTCOME_UNKNOWN,
	REQUEST_OPTIONS,
	secretsIn,
	type ErrorContext,
	type RequestInfo,
} from './errors';
import { retryAfterMs } from './retryAfter';
import { storedData } from './secrets';

/**
 * The error for an operation that the service refused with `success: false`.
 *
 * @param message the service's own message; it stays the error's message
 * @param httpCode the HTTP status it came with, '200' as a rule (schema Failure in emulator/openapi.yaml)
 */
export function serviceError(
	about: ErrorContext,
	message: unknown,
	httpCode = '200',
): NodeApiError {
	const said = wordsOf(message);
	if (said === undefined) {
		return apiError(about, {
			message: 'The service refused the request without saying why',
			description: about.adviceFor('', about.request),
			httpCode,
		});
	}
	return apiError(about, {
		message: said,
		description: looksLikeAccess(said) ? accessAdvice(about) : about.adviceFor(said, about.request),
		httpCode,
	});
}

/** The error for an answer that does not come from the service: a web page, broken JSON, nothing at all. */
export function unexpectedResponse(
	about: Omit<ErrorContext, 'adviceFor'>,
	body: unknown,
): NodeApiError {
	const text = typeof body === 'string' ? body.trim() : '';
	const what = text.startsWith('<')
		? 'a web page'
		: text === ''
			? 'something else'
			: 'text that is not JSON';
	return apiError(about, {
		message: `The service answered with ${what} where data was expected`,
		description: isChange(about.request)
			? `The answer does not say what became of the request, ${OUTCOME_UNKNOWN} If this happens every time, check the Base URL in the credential.`
			: 'Check the Base URL in the credential: it is the address of the messaging service itself, not of its website or of a sign-in page. If it is right, try again later.',
		httpCode: 'none',
	});
}

/**
 * The error for an answer with an HTTP status of 300 and above, with how long the service asked to wait.
 *
 * @param answer its headers in lower case, as n8n gives them
 */
export function statusError(
	about: ErrorContext,
	{ statusCode, headers, body }: IN8nHttpFullResponse,
): NodeApiError {
	const error = explained(about, statusCode, body);
	const wait = retryAfterMs(headers);
	if (wait !== undefined) error.context.retryAfterMs = wait;
	if (isRecord(body)) Object.assign(error.context, { data: storedData(body, secretsIn(about)) });
	return error;
}

function explained(about: ErrorContext, statusCode: number, body: unknown): NodeApiError {
	const { success, message } = isRecord(body) ? body : {};
	const said = wordsOf(message);
	const httpCode = String(statusCode);
	if (statusCode === 401 || statusCode === 403) {
		return apiError(about, {
			message: `The service refused access${said ? `: ${said}` : ''}`,
			description: accessAdvice(about),
			httpCode,
		});
	}
	if (statusCode === 404) {
		return apiError(about, {
			message: said ?? 'Not Found',
			description:
				'The service has nothing under this ID. Choose it from the list, or check the ID; if every operation fails like this, check the Base URL in the credential.',
			httpCode,
		});
	}
	if (statusCode === 429) {
		return apiError(about, {
			message: said ?? 'The service is receiving too many requests',
			description: `It did not carry this one out. Wait a little, or send fewer at once: Batching, ${REQUEST_OPTIONS}.`,
			httpCode,
		});
	}
	if (statusCode < 400) return redirected(about, httpCode);
	if (statusCode >= 500 || statusCode === 408) return down(about, said, httpCode);
	if (said !== undefined || success === false) return serviceError(about, said, httpCode);
	return apiError(about, {
		message: `The service refused the request (HTTP ${httpCode})`,
		description:
			'It did not say why. Check the values of this operation; if every operation fails like this, check the Base URL in the credential.',
		httpCode,
	});
}

/** An answer that names another place on the same host, or none, and was not followed. */
function redirected(about: ErrorContext, httpCode: string): NodeApiError {
	const advice =
		'Check the Base URL in the credential: it must be the final one, with https:// where the service wants it.';
	return apiError(about, {
		message: 'The service answered with the address of another place',
		description: isChange(about.request)
			? `The request was not sent on to it. ${advice} The answer does not say what became of the request, ${OUTCOME_UNKNOWN}`
			: advice,
		httpCode,
	});
}

function down(about: ErrorContext, said: string | undefined, httpCode: string): NodeApiError {
	return apiError(about, {
		message: said ?? `The service failed to answer (HTTP ${httpCode})`,
		description: isChange(about.request)
			? `The service, or something before it, failed with HTTP ${httpCode}, ${OUTCOME_UNKNOWN}`
			: `The service, or something before it, failed with HTTP ${httpCode}. Nothing was changed: this only reads. Run it again later; if it stays like this, check whether the service is running, and the Base URL in the credential.`,
		httpCode,
	});
}

function accessAdvice({ sent, tokenIsGood }: ErrorContext): string {
	return tokenIsGood === true
		? 'The credential itself is good: the service gave its own profile with it. Its owner may lack the permission for this operation.'
		: `${fieldToCheck(sent.at(-1)?.authentication)} If it is right, its owner may lack the permission for this operation.`;
}

/** Whether a request asks for a change, so that it matters whether it was carried out. */
export function isChange({ method }: RequestInfo): boolean {
	return method !== 'GET';
}

function wordsOf(message: unknown): string | undefined {
	return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}
