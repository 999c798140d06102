import { UserError } from 'n8n-workflow';

import { fieldsIn, isRecord } from '../../values';
import { foreignText } from '../secrets';
import {
	AccessError,
	REQUEST_OPTIONS,
	secretsIn,
	type Explanation,
	type SentRequest,
} from './apiError';

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

const ADDRESS = 'the Base URL in the credential, including https:// or http:// and the port.';

const IF_ALWAYS = `If this happens every time, check whether the service is running, and check ${ADDRESS}`;

/**
 * Explains why a request got no complete response: what happened, whether it was sent, and what to check.
 *
 * @param thrown the error of n8n's helper
 */
export function explainNoResponse({ request, sent }: SentRequest, thrown: unknown): Explanation {
	const cause = rootCause(thrown);
	const text = causeMessage(cause);
	const refused = explainNotSent(cause, text);
	if (refused) return refused;
	const { proxy, hasRequestOptions = false } = request;
	const { baseUrl } = sent.at(-1) ?? {};
	const service = `The service${baseUrl === undefined ? '' : ` at ${baseUrl}`}`;
	const code = codeOf(cause, thrown) ?? 'none';
	const unsent = (message: string, advice: string): Explanation => ({
		...{ message, advice, httpCode: code, outcome: 'unsent' },
	});
	const unclear = (message: string, advice: string, httpCode = code): Explanation => ({
		...{ message, advice, httpCode, outcome: 'unclear' },
	});
	if (code === 'none') {
		return unclear(text, 'Check the values of this operation and the Base URL in the credential.');
	}
	if (NOT_CONNECTED.test(code) && proxy) {
		return unsent(
			`The proxy at ${proxy.host}:${proxy.port} could not be reached (${code})`,
			`Check whether the proxy is running. Also check Proxy, ${REQUEST_OPTIONS}.`,
		);
	}
	if (NOT_CONNECTED.test(code)) {
		const what = code === 'ECONNREFUSED' ? 'refused the connection' : 'could not be reached';
		return unsent(
			`${service} ${what} (${code})`,
			'Check the Base URL in the credential, whether the service is running, and whether n8n can reach it from its network.',
		);
	}
	if (NOT_TRUSTED.test(code)) {
		const trust = hasRequestOptions
			? `switch on Ignore SSL Issues, ${REQUEST_OPTIONS}`
			: "name it in n8n's environment variable NODE_EXTRA_CA_CERTS";
		return unsent(
			`${service} could not be verified (${code})`,
			`Check the Base URL in the credential, including https:// or http://. If you run the service yourself with a self-signed certificate, ${trust}.`,
		);
	}
	if (code === 'ERR_CANCELED') {
		return unclear('The execution was canceled before the service responded', '');
	}
	if (TIMED_OUT.test(code) && !/abort/i.test(text)) {
		const raise = ` If the response takes long, raise Timeout, ${REQUEST_OPTIONS}.`;
		const advice = hasRequestOptions ? IF_ALWAYS + raise : IF_ALWAYS;
		return unclear('The service did not respond in time', advice, 'ETIMEDOUT');
	}
	if (TOO_LARGE.test(code)) {
		const advice = hasRequestOptions ? 'Request less data, with a Limit or with filters.' : '';
		return unclear(`The response is too large to be read (${code})`, advice, 'none');
	}
	if (code.startsWith('HPE_')) {
		const message = `${service} responded with something that is not HTTP (${code})`;
		return unclear(message, `Check ${ADDRESS}`, 'ECONNRESET');
	}
	const broken = 'The connection broke before the response was complete';
	return unclear(broken, IF_ALWAYS, 'ECONNRESET');
}

/**
 * Returns the error for a request of the credential itself, for example for a token, that got no complete response. An
 * AccessError stays as it is.
 */
export function accessError(about: SentRequest, thrown: unknown): AccessError {
	if (thrown instanceof AccessError) return thrown;
	const { message, advice, httpCode } = explainNoResponse(about, thrown);
	return new AccessError(foreignText(`${message}. ${advice}`, secretsIn(about.sent)), httpCode);
}

/** Explains why n8n or the credential did not send a request. Returns undefined for any other failure. */
function explainNotSent(reason: unknown, message: string): Explanation | undefined {
	if (reason instanceof AccessError) {
		const advice = 'Nothing else was sent, because n8n cannot access the service without a token.';
		const { httpCode = 'none', retryAfterMs } = reason;
		return { message, advice, httpCode, retryAfterMs };
	}
	// n8n 1 refuses a domain with another error class (ApplicationError of n8n-workflow 1.120.31).
	if (reason instanceof UserError || message.startsWith('Domain not allowed')) {
		return { message, advice: 'The request was not carried out.', httpCode: 'none' };
	}
	if (!isRecord(reason) || reason.name !== 'URIError') return undefined;
	return {
		message: 'A value of this operation contains an incomplete character',
		advice: 'This happens if text is cut in the middle of an emoji. Check the expressions.',
		httpCode: 'none',
		outcome: 'unsent',
	};
}

function causeMessage(reason: unknown): string {
	const { message } = fieldsIn(reason);
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
		const { code, httpCode, messages, response } = fieldsIn(failure);
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
