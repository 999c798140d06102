import type { IN8nHttpFullResponse, NodeApiError } from 'n8n-workflow';

import { isRecord, trimmed } from '../../values';
import { foreignText, storedData } from '../secrets';
import { adviceFor } from './advice';
import {
	apiError,
	CHECK_BASE_URL,
	checkProxy,
	isChange,
	isWebPage,
	looksLikeAccess,
	otherServer,
	OUTCOME_UNKNOWN,
	PROXY_REFUSED,
	REQUEST_OPTIONS,
	secretsIn,
	type ErrorContext,
	type Explanation,
	type RequestInfo,
} from './apiError';

/** A request, and the credentials with which it was sent. */
type ResponseContext = Pick<ErrorContext, 'request' | 'sent'>;

/**
 * Returns the error for a response with `success: false`.
 *
 * @param message the service's own message, which becomes the message of the error
 */
export function serviceError(about: ErrorContext, message: unknown): NodeApiError {
	// A response with `success: false` usually has the HTTP status 200 (schema Failure in emulator/openapi.yaml).
	return apiError(about, refused(about, foreignText(message, secretsIn(about)), '200'));
}

/** Returns the error for a response that is not the service's: a web page, invalid JSON or nothing. */
export function unexpectedResponse(about: ErrorContext, body: unknown): NodeApiError {
	return apiError(about, explainUnexpected(about, body));
}

/**
 * Returns the error for an HTTP status of 300 and above. If the service asks to wait, the error's context contains
 * `retryAfterMs`.
 *
 * @param response with headers in lower case, as n8n returns them
 */
export function statusError(about: ErrorContext, response: IN8nHttpFullResponse): NodeApiError {
	const { statusCode, headers, body } = response;
	const error = apiError(about, explainStatus(about, statusCode, body));
	const wait = retryAfterMs(headers);
	if (wait !== undefined) error.context.retryAfterMs = wait;
	if (isRecord(body)) Object.assign(error.context, { data: storedData(body, secretsIn(about)) });
	return error;
}

/** Explains a response that is not the service's. */
export function explainUnexpected(
	{ request }: Pick<ResponseContext, 'request'>,
	body: unknown,
): Explanation {
	const what = isWebPage(body)
		? 'a web page'
		: trimmed(body) === ''
			? 'something else'
			: 'text that is not JSON';
	return {
		message: `The service responded with ${what} where data was expected`,
		outcomeUnknown: isChange(request),
		description: isChange(request)
			? `The response does not show the outcome of the request, ${OUTCOME_UNKNOWN} If this happens every time, check the Base URL in the credential.`
			: `${CHECK_BASE_URL} If it is correct, try again later.`,
		httpCode: 'none',
	};
}

/** Whether a failed response comes from another web server, not from the service. */
function isOtherServer({ method, url }: RequestInfo, statusCode: number, body: unknown): boolean {
	if (statusCode < 400 || statusCode === 408 || statusCode === 429) return false;
	if (isWebPage(body)) return statusCode < 500;
	// The profile and the lists exist in every account. A 404 for one of them comes from another web server, unless the
	// response has the form of the service's own failures (schema Failure in emulator/openapi.yaml).
	const isAlwaysThere = method === 'GET' && /^\/int\/v1\/[^/]+$/.test(url);
	return statusCode === 404 && isAlwaysThere && !(isRecord(body) && body.success === false);
}

/** Explains an HTTP status of 300 and above. */
export function explainStatus(
	about: ResponseContext,
	statusCode: number,
	body: unknown,
): Explanation {
	const { success, message } = isRecord(body) ? body : {};
	const serviceMessage = foreignText(message, secretsIn(about));
	const httpCode = String(statusCode);
	if (statusCode === 407) {
		return { message: PROXY_REFUSED, description: checkProxy(about.request.proxy), httpCode };
	}
	if (isOtherServer(about.request, statusCode, body)) {
		return { message: otherServer(statusCode), description: CHECK_BASE_URL, httpCode };
	}
	if (statusCode === 401 || statusCode === 403) {
		return {
			message: `The service refused access${serviceMessage && `: ${serviceMessage}`}`,
			description: accessAdvice(about),
			httpCode,
		};
	}
	if (statusCode === 404) {
		return {
			message: serviceMessage || 'Not Found',
			description:
				'The service has no such record. Choose the record from the list, or check the ID. If every operation fails like this, check the Base URL in the credential.',
			httpCode,
		};
	}
	if (statusCode === 429) {
		return {
			message: serviceMessage || 'The service is receiving too many requests',
			description: about.request.hasRequestOptions
				? `The service did not carry out this request. Wait a little, or send fewer requests at once with Batching, ${REQUEST_OPTIONS}.`
				: 'The service did not carry out this request. Wait a little.',
			httpCode,
		};
	}
	if (statusCode < 400) {
		const advice =
			'Check the Base URL in the credential. It must be the final address, with https:// if the service requires it.';
		return {
			message: 'The service responded with a redirect',
			description: isChange(about.request)
				? `The node did not follow the redirect. ${advice} The response does not show the outcome of the request, ${OUTCOME_UNKNOWN}`
				: advice,
			httpCode,
			outcomeUnknown: isChange(about.request),
		};
	}
	if (statusCode >= 500 || statusCode === 408) {
		const failed = `The service, or a proxy in front of it, failed with HTTP ${httpCode}`;
		return {
			message: serviceMessage || `The service failed (HTTP ${httpCode})`,
			description: isChange(about.request)
				? `${failed}, ${OUTCOME_UNKNOWN}`
				: `${failed}. Nothing was changed, because this operation only reads. Try again later. If the error persists, check whether the service is running, and check the Base URL in the credential.`,
			httpCode,
			outcomeUnknown: isChange(about.request),
		};
	}
	if (serviceMessage !== '' || success === false) return refused(about, serviceMessage, httpCode);
	return {
		message: `The service refused the request (HTTP ${httpCode})`,
		description:
			'It gave no reason. Check the values of this operation. If every operation fails like this, check the Base URL in the credential.',
		httpCode,
	};
}

function refused(about: ResponseContext, serviceMessage: string, httpCode: string): Explanation {
	return {
		message: serviceMessage || 'The service refused the request without a reason',
		description: looksLikeAccess(serviceMessage)
			? accessAdvice(about)
			: adviceFor(serviceMessage, about.request),
		httpCode,
	};
}

function accessAdvice({ sent }: ResponseContext): string {
	return sent.at(-1)?.token
		? 'The credential is valid, because the service returned an access token for it. Its owner may lack the permission for this operation.'
		: 'Check the access key in the credential. If the key is correct, its owner may lack the permission for this operation.';
}

/** Matches the beginning of a date: a day of the week, as in HTTP, or a date like 2026-01-31, as in JSON. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\d)/i;

/**
 * Returns the wait that the header `Retry-After` requests. The header contains seconds or a date (RFC 9110, 10.2.3).
 *
 * @param headers in lower case, as n8n returns them
 * @returns milliseconds from now; undefined if the header is missing or invalid
 */
export function retryAfterMs(headers: unknown): number | undefined {
	if (typeof headers !== 'object' || headers === null || !('retry-after' in headers))
		return undefined;
	const { 'retry-after': header } = headers;
	if (typeof header !== 'string') return undefined;
	const asked = header.trim();
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	// JavaScript parses nearly any text with a number as a date: "in 3 s" becomes a day in 2001.
	const until = DATE.test(asked) ? Date.parse(asked) : NaN;
	return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}
