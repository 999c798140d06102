import type { NodeApiError } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { isRecord } from '../../values';
import { RedirectError } from '../address';
import { isChange } from '../requestContext';
import {
	AccessError,
	apiError,
	OUTCOME_UNKNOWN,
	REQUEST_OPTIONS,
	type Asker,
	type ErrorContext,
	type Explanation,
} from './apiError';

/** Why a request got no response. */
type ConnectionFailure = {
	message: string;
	httpCode: string;
	advice: string;
	/** Why the outcome of the request is unknown. Absent if nothing was sent. */
	outcomeUnknown: string | undefined;
};

/** No connection was established, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/** The server's certificate is not trusted, or the server does not speak TLS. In both cases, nothing was sent. */
const NOT_TRUSTED =
	/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|^EPROTO$/;

const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/** Codes of the HTTP client and the system for a failed connection. */
const NETWORK_CODE = /^(E[A-Z_]{3,}|HPE_[A-Z_]+|UND_ERR_[A-Z_]+)$/;

/** Codes for a response that is too large for a string or buffer, for example after decompression. */
const TOO_LARGE =
	/^ERR_(STRING_TOO_LONG|BUFFER_TOO_LARGE|OUT_OF_RANGE|MEMORY_ALLOCATION_FAILED|BAD_RESPONSE)$/;

/** Error texts for a response that is too large. n8n 1 omits the error code in this case (n8n-core 1.122.48). */
const SAYS_TOO_LARGE = /string longer than|is out of range|allocation failed/i;

const RUN_AGAIN =
	'Try again later. If the error persists, check whether the service is running, and check the Base URL in the credential, including https:// or http:// and the port.';

/**
 * Returns the error for a request without a complete response. The error states what happened, whether the request may have
 * been carried out, and what to check.
 *
 * @param thrown the error of n8n's helper
 */
export function connectionError(about: ErrorContext, thrown: unknown): NodeApiError {
	const cause = rootCause(thrown);
	return apiError(about, unsentBecause(cause) ?? described(about, thrown));
}

/**
 * Explains why a request got no response, and what to check.
 *
 * @param thrown the error of n8n's helper
 * @param baseUrl the target, omitted if the request was not sent
 * @param asker what the advice depends on
 */
export function explainConnectionFailure(
	thrown: unknown,
	baseUrl?: string,
	{ proxy, hasRequestOptions = false }: Asker = {},
): ConnectionFailure {
	const cause = rootCause(thrown);
	if (cause instanceof RedirectError) {
		const { message, advice, httpCode } = cause;
		return { message, advice, httpCode, outcomeUnknown: OUTCOME_NOT_SHOWN };
	}
	const service = `The service${baseUrl === undefined ? '' : ` at ${baseUrl}`}`;
	const code = codeOf(cause, thrown);
	const causeMessage = failureMessage(cause);
	const failed = (
		message: string,
		advice: string,
		outcomeUnknown?: string,
		httpCode = code ?? 'none',
	): ConnectionFailure => ({ message, advice, outcomeUnknown, httpCode });
	if (code === undefined) {
		return failed(
			causeMessage,
			'Check the values of this operation and the Base URL in the credential.',
			'The request failed in n8n',
		);
	}
	if (NOT_CONNECTED.test(code) && proxy) {
		return failed(
			`The proxy at ${proxy.host}:${proxy.port} could not be reached (${code})`,
			`Check whether the proxy is running. Also check Proxy, ${REQUEST_OPTIONS}.`,
		);
	}
	if (NOT_CONNECTED.test(code)) {
		return failed(
			code === 'ECONNREFUSED'
				? `${service} refused the connection`
				: `${service} could not be reached (${code})`,
			'Check the Base URL in the credential, whether the service is running, and whether n8n can reach it from its network.',
		);
	}
	if (NOT_TRUSTED.test(code)) {
		return failed(
			`${service} could not be verified (${code})`,
			`Check the Base URL in the credential, including https:// or http://. If you run the service yourself with a self-signed certificate, ${hasRequestOptions ? `switch on Ignore SSL Issues, ${REQUEST_OPTIONS}` : "name it in n8n's environment variable NODE_EXTRA_CA_CERTS"}.`,
		);
	}
	if (code === 'ERR_CANCELED') {
		const message = 'The execution was canceled before the service responded';
		return failed(message, '', 'The request was in flight');
	}
	if (TIMED_OUT.test(code) && !/abort/i.test(causeMessage)) {
		const raise = ` If the response takes long, raise Timeout, ${REQUEST_OPTIONS}.`;
		return failed(
			'The service did not respond in time',
			hasRequestOptions ? RUN_AGAIN + raise : RUN_AGAIN,
			'The request was sent but got no response',
			'ETIMEDOUT',
		);
	}
	if (TOO_LARGE.test(code)) {
		return failed(
			`The response is too large to be read (${code})`,
			hasRequestOptions ? 'Request less data, with a Limit or with filters.' : '',
			'The response could not be read',
			'none',
		);
	}
	if (code.startsWith('HPE_')) {
		return failed(
			`${service} responded with something that is not HTTP (${code})`,
			'Check the Base URL in the credential, including https:// or http:// and the port.',
			OUTCOME_NOT_SHOWN,
			'ECONNRESET',
		);
	}
	const message = 'The connection broke before the response was complete';
	return failed(message, RUN_AGAIN, 'The response was lost', 'ECONNRESET');
}

const OUTCOME_NOT_SHOWN = 'The response does not show the outcome of the request';

function described(about: ErrorContext, thrown: unknown): Explanation {
	const { message, httpCode, advice, outcomeUnknown } = explainConnectionFailure(
		thrown,
		about.sent.at(-1)?.baseUrl,
		about.request,
	);
	if (outcomeUnknown === undefined) {
		return { message, httpCode, description: `Nothing was sent. ${advice}` };
	}
	if (!isChange(about.request)) {
		const description = `Nothing was changed, because this operation only reads. ${advice}`.trim();
		return { message, httpCode, description };
	}
	const help = outcomeUnknown === OUTCOME_NOT_SHOWN ? `${advice} ` : '';
	const description = `${help}${outcomeUnknown}, ${OUTCOME_UNKNOWN}`;
	return { message, httpCode, description, outcomeUnknown: true };
}

/** Returns why n8n or the credential did not send a request, or undefined for any other failure. */
function unsentBecause(reason: unknown): Explanation | undefined {
	const message = failureMessage(reason);
	if (reason instanceof RedirectError) return undefined;
	if (reason instanceof AccessError) {
		const description =
			'Nothing else was sent, because n8n cannot access the service without a token.';
		const { httpCode = 'none', retryAfterMs } = reason;
		return { message, description, httpCode, retryAfterMs };
	}
	// n8n 1 refuses a domain with another error class (ApplicationError of n8n-workflow 1.120.31).
	if (reason instanceof UserError || message.startsWith('Domain not allowed')) {
		return { message, description: 'The request was not carried out.', httpCode: 'none' };
	}
	if (isRecord(reason) && reason.name === 'URIError') {
		return {
			message: 'A value of this operation contains an incomplete character',
			description:
				'Nothing was sent. This happens if text is cut in the middle of an emoji. Check the expressions.',
			httpCode: 'none',
		};
	}
	return undefined;
}

function failureMessage(reason: unknown): string {
	const { message } = isRecord(reason) ? reason : {};
	return typeof message === 'string' && message !== '' ? message : 'The request failed';
}

/** Returns the root cause: n8n wraps errors, and the HTTP client wraps our errors. */
function rootCause(thrown: unknown): unknown {
	let reason = thrown;
	for (let depth = 0; depth < 5 && isRecord(reason); depth++) {
		if (reason instanceof UserError) return reason;
		const { cause } = reason;
		if (!isRecord(cause)) return reason;
		reason = cause;
	}
	return reason;
}

/** Returns the code of a failed connection, from the root cause or n8n's wrapper. */
function codeOf(...failures: unknown[]): string | undefined {
	for (const failure of failures) {
		const { code, httpCode, messages, response } = isRecord(failure) ? failure : {};
		// The response had begun when the connection broke.
		if (isRecord(response)) return 'ECONNRESET';
		if (typeof code === 'string' && code !== '') return code;
		const text = Array.isArray(messages) ? messages.join(' ') : '';
		if (SAYS_TOO_LARGE.test(text)) return 'ERR_STRING_TOO_LONG';
		if (typeof httpCode === 'string' && /^\d{3}$/.test(httpCode)) return 'ECONNRESET';
		if (typeof httpCode === 'string' && NETWORK_CODE.test(httpCode)) return httpCode;
		if (/socket hang up|aborted/i.test(text)) return 'ECONNRESET';
	}
	return undefined;
}
