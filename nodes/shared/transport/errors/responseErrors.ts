import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceFor, says } from '../../serviceMessages';
import { isRecord, trimmed } from '../../values';
import { MultipartBody } from '../multipart';
import { isChange } from '../requestContext';
import { foreignText, storedData } from '../secrets';
import {
	checkBaseUrl,
	checkProxy,
	isWebPage,
	otherServer,
	OUTCOME_UNKNOWN,
	PROXY_REFUSED,
	REQUEST_OPTIONS,
	secretsIn,
	type ErrorContext,
	type Explanation,
	type RequestInfo,
} from './apiError';

const OUTCOME_NOT_SHOWN = `The response does not show the outcome of the request, ${OUTCOME_UNKNOWN}`;

/** A request, and the credentials with which it was sent. */
type ResponseContext = Pick<ErrorContext, 'request' | 'sent'>;

/**
 * Explains a response with `success: false`.
 *
 * @param message the service's own message, which becomes the message of the error
 * @param httpCode usually 200 (schema Failure in emulator/openapi.yaml)
 */
export function explainRefusal(
	about: ResponseContext,
	message: unknown,
	httpCode = '200',
): Explanation {
	const serviceMessage = foreignText(message, secretsIn(about));
	return {
		message: serviceMessage || 'The service refused the request without a reason',
		description: says('aboutAccess', serviceMessage)
			? accessAdvice(about)
			: adviceFor(serviceMessage, about.request),
		httpCode,
	};
}

/** Says in a few words what a body is that does not come from the service. */
function describeBody(body: unknown): string {
	if (typeof body === 'string' && trimmed(body) !== '')
		return isWebPage(body) ? 'a web page' : 'text that is not JSON';
	return typeof body === 'string' || body === undefined ? 'nothing' : 'something else';
}

/** Explains a response that does not come from the service: a web page, invalid JSON or nothing. */
export function explainUnexpected(
	{ request, sent = [] }: Pick<ResponseContext, 'request'> & Partial<ResponseContext>,
	body: unknown,
): Explanation {
	return {
		message: `The service responded with ${describeBody(body)} where data was expected`,
		outcomeUnknown: isChange(request),
		description: isChange(request)
			? `${OUTCOME_NOT_SHOWN} If this happens every time, check the Base URL in the credential.`
			: `${checkBaseUrl(sent.at(-1)?.baseUrl)} If it is correct, try again later.`,
		httpCode: 'none',
	};
}

/**
 * Explains an HTTP status of 300 and above.
 *
 * @param response with headers in lower case, as n8n returns them
 */
export function explainStatus(
	about: ResponseContext,
	{ statusCode, headers, body }: IN8nHttpFullResponse,
): Explanation {
	return {
		...explainFailure(about, statusCode, body),
		retryAfterMs: retryAfterMs(headers),
		...(isRecord(body) && { data: storedData(body, secretsIn(about)) }),
	};
}

function explainFailure(about: ResponseContext, statusCode: number, body: unknown): Explanation {
	const { success, message } = isRecord(body) ? body : {};
	const { request, sent } = about;
	const checkAddress = checkBaseUrl(sent.at(-1)?.baseUrl);
	const serviceMessage = foreignText(message, secretsIn(about));
	const explained = (text: string, description: string, outcomeUnknown = false): Explanation => ({
		...{ message: text, description, httpCode: String(statusCode), outcomeUnknown },
	});
	if (statusCode === 407) return explained(PROXY_REFUSED, checkProxy(request.proxy));
	const isOther = isOtherServer(request, statusCode, body);
	if (statusCode === 401 || statusCode === 403) {
		if (isOther) return explained(otherServer(statusCode), checkAddress);
		const reason = serviceMessage && `: ${serviceMessage}`;
		return explained(`The service refused access${reason}`, accessAdvice(about));
	}
	if (statusCode === 404 && !isOther) {
		return explained(
			serviceMessage || 'Not Found',
			'The service has no record with this ID. Choose the record from the list, or check the ID. If every operation fails like this, check the Base URL in the credential.',
		);
	}
	if (statusCode === 429) {
		const batching = request.hasRequestOptions
			? `, or send fewer requests at once with Batching, ${REQUEST_OPTIONS}`
			: '';
		return explained(
			serviceMessage || 'The service is receiving too many requests',
			`The service did not carry out this request. Wait a little${batching}.`,
		);
	}
	if (statusCode < 400) {
		const advice =
			'Check the Base URL in the credential. It must be the final address, with https:// if the service requires it.';
		return explained(
			'The service responded with a redirect',
			isChange(request)
				? `The node did not follow the redirect. ${advice} ${OUTCOME_NOT_SHOWN}`
				: advice,
			isChange(request),
		);
	}
	if (statusCode >= 500 || statusCode === 408) {
		const failed = `The service, or a proxy in front of it, failed with HTTP ${statusCode}`;
		return explained(
			serviceMessage || `The service failed (HTTP ${statusCode})`,
			isChange(request)
				? `${failed}, ${OUTCOME_UNKNOWN}`
				: `${failed}. Nothing was changed, because this operation only reads. Try again later. If the error persists, check whether the service is running, and check the Base URL in the credential.`,
			isChange(request),
		);
	}
	const refusal = explainRefusal(about, serviceMessage, String(statusCode));
	if (success === false) return refusal;
	let { message: text, description: advice } = refusal;
	if (statusCode === 413) [text, advice] = tooLarge(request);
	else if (isOther) [text, advice] = [otherServer(statusCode), checkAddress];
	else if (serviceMessage === '') [text, advice] = noReason(statusCode);
	// Only the service can say with a 4xx that it did not carry out a change. It does so in the form of its failures (schema
	// Failure in emulator/openapi.yaml).
	return isChange(request)
		? explained(text, `${advice} ${OUTCOME_NOT_SHOWN}`, true)
		: explained(text, advice);
}

type Texts = [message: string, advice: string];

function tooLarge({ body }: RequestInfo): Texts {
	const isUpload = body instanceof MultipartBody;
	const bytes = isUpload ? body.file.size : Buffer.byteLength(JSON.stringify(body ?? ''));
	const size = bytes < 100_000 ? `${bytes} bytes` : `${(bytes / 1_000_000).toFixed(1)} MB`;
	return [
		`The ${isUpload ? 'file' : 'request'} is too large for the server in front of the service (HTTP 413): ${size}`,
		`Send ${isUpload ? 'a smaller file' : 'less at once'}, or ask whoever runs that server to allow more.`,
	];
}

function noReason(statusCode: number): Texts {
	return [
		`The service refused the request (HTTP ${statusCode})`,
		'It gave no reason. Check the values of this operation. If every operation fails like this, check the Base URL in the credential.',
	];
}

/** Whether a failed response comes from another web server, not from the service. */
function isOtherServer({ method, url }: RequestInfo, statusCode: number, body: unknown): boolean {
	if (statusCode < 400 || statusCode === 408 || statusCode === 429) return false;
	if (isWebPage(body)) return statusCode < 500;
	// The profile and the lists exist in every account. If a 404 for one of them lacks the form of the service's
	// failures, it comes from another web server (schema Failure in emulator/openapi.yaml).
	const isAlwaysThere = method === 'GET' && /^\/int\/v1\/[^/]+$/.test(url);
	return statusCode === 404 && isAlwaysThere && !(isRecord(body) && body.success === false);
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
 * @returns milliseconds from now, or undefined if the header is missing or invalid
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
