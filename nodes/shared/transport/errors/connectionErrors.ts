import { UserError } from 'n8n-workflow';

import { fieldsIn, isObject } from '../../values';
import { textFromService } from '../secrets';
import {
	AccessError,
	REQUEST_OPTIONS,
	secretsIn,
	type Explanation,
	type RequestInfo,
} from './apiError';

/** No connection was established, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/** The server's certificate is not trusted, or the server does not speak TLS. In both cases, nothing was sent. */
const NOT_TRUSTED = /CERT|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|^EPROTO$/;

const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/** Codes of the HTTP client and the system for a failed connection. */
const NETWORK_CODE = /^(E[A-Z_]{3,}|HPE_[A-Z_]+|UND_ERR_[A-Z_]+)$/;

const ADDRESS = 'the Base URL in the credential, including https:// or http:// and the port.';

const IF_ALWAYS = `If this happens every time, check whether the service is running, and check ${ADDRESS}`;

/**
 * Explains why a request got no complete response: what happened, whether it was sent, and what to check.
 *
 * @param thrown the error of n8n's helper
 */
export function explainNoResponse(request: RequestInfo, thrown: unknown): Explanation {
	const cause = rootCause(thrown);
	const { message: said } = fieldsIn(cause);
	const message = typeof said === 'string' && said !== '' ? said : 'The request failed';
	const code = codeOf(cause, thrown);
	return (
		explainRefusedLocally(cause, message) ??
		explainNotConnected(request, code ?? '') ??
		explainBrokenOff(request, code, message)
	);
}

/** Explains a connection that was not established. Returns undefined for any other failure. */
function explainNotConnected(request: RequestInfo, code: string): Explanation | undefined {
	const unsent = (message: string, advice: string): Explanation => {
		return { message: `${message} (${code})`, advice, httpCode: code, outcome: 'unsent' };
	};
	const { proxy } = request;
	if (NOT_CONNECTED.test(code) && proxy) {
		return unsent(
			`The proxy at ${proxy.host}:${proxy.port} could not be reached`,
			`Check whether the proxy is running. Also check Proxy, ${REQUEST_OPTIONS}.`,
		);
	}
	if (NOT_CONNECTED.test(code)) {
		const what = code === 'ECONNREFUSED' ? 'refused the connection' : 'could not be reached';
		return unsent(
			`${serviceAt(request)} ${what}`,
			'Check the Base URL in the credential, whether the service is running, and whether n8n can reach it from its network.',
		);
	}
	if (!NOT_TRUSTED.test(code)) return undefined;
	const trust = request.hasRequestOptions
		? `switch on Ignore SSL Issues, ${REQUEST_OPTIONS}`
		: "name it in n8n's environment variable NODE_EXTRA_CA_CERTS";
	return unsent(
		`${serviceAt(request)} could not be verified`,
		`Check the Base URL in the credential, including https:// or http://. If you run the service yourself with a self-signed certificate, ${trust}.`,
	);
}

/**
 * Explains a request that may have reached the service. Many codes mean the same here. The explanation has the code that
 * decides about a retry (`isTransient`): ETIMEDOUT and ECONNRESET are retried, and 'none' is not.
 */
function explainBrokenOff(
	request: RequestInfo,
	code: string | undefined,
	message: string,
): Explanation {
	const unclear = (httpCode: string, text: string, advice: string): Explanation => {
		return { message: text, advice, httpCode, outcome: 'unclear' };
	};
	if (code === undefined) {
		const advice = 'Check the values of this operation and the Base URL in the credential.';
		return unclear('none', message, advice);
	}
	if (code === 'ERR_CANCELED') {
		return unclear(code, 'The execution was canceled before the service responded', '');
	}
	if (TIMED_OUT.test(code) && !/abort/i.test(message)) {
		const raise = ` If the response takes long, raise Timeout, ${REQUEST_OPTIONS}.`;
		const advice = request.hasRequestOptions ? IF_ALWAYS + raise : IF_ALWAYS;
		return unclear('ETIMEDOUT', 'The service did not respond in time', advice);
	}
	if (code.startsWith('HPE_')) {
		const text = `${serviceAt(request)} responded with something that is not HTTP (${code})`;
		return unclear('ECONNRESET', text, `Check ${ADDRESS}`);
	}
	return unclear('ECONNRESET', 'The connection broke before the response was complete', IF_ALWAYS);
}

function serviceAt({ usedCredentials }: RequestInfo): string {
	const { baseUrl } = usedCredentials.at(-1) ?? {};
	return baseUrl === undefined ? 'The service' : `The service at ${baseUrl}`;
}

/**
 * Returns the error for a request of the credential itself, for example for a token, that got no complete response.
 *
 * @param thrown the error of n8n's helper. An AccessError is returned as it is
 */
export function toAccessError(request: RequestInfo, thrown: unknown): AccessError {
	if (thrown instanceof AccessError) return thrown;
	const { message, advice, httpCode } = explainNoResponse(request, thrown);
	return new AccessError(textFromService(`${message}. ${advice}`, secretsIn(request)), httpCode);
}

/** Explains why n8n or the credential refused to send a request. Returns undefined for any other failure. */
function explainRefusedLocally(cause: unknown, message: string): Explanation | undefined {
	if (cause instanceof AccessError) {
		const advice = 'Nothing else was sent, because n8n cannot access the service without a token.';
		const { httpCode = 'none', retryAfterMs } = cause;
		return { message, advice, httpCode, retryAfterMs };
	}
	// n8n 1 refuses a domain with another error class (ApplicationError of n8n-workflow 1.120.31).
	if (cause instanceof UserError || message.startsWith('Domain not allowed')) {
		return { message, advice: 'The request was not carried out.', httpCode: 'none' };
	}
	return undefined;
}

/** Returns the first error in the chain of causes, or our own UserError: n8n and the HTTP client wrap errors. */
function rootCause(thrown: unknown): unknown {
	let error = thrown;
	for (let depth = 0; depth < 5 && isObject(error); depth++) {
		const { cause } = error;
		if (error instanceof UserError || !isObject(cause)) return error;
		error = cause;
	}
	return error;
}

/**
 * Returns the code of a failed connection. Searches the root cause first, then n8n's wrapper, which may have only texts and
 * an HTTP code.
 */
function codeOf(...errors: unknown[]): string | undefined {
	for (const error of errors) {
		const { code, httpCode, messages, response } = fieldsIn(error);
		// The response had begun when the connection broke.
		if (isObject(response)) return 'ECONNRESET';
		if (typeof code === 'string' && code !== '') return code;
		const text = Array.isArray(messages) ? messages.join(' ') : '';
		if (typeof httpCode === 'string' && /^\d{3}$/.test(httpCode)) return 'ECONNRESET';
		if (typeof httpCode === 'string' && NETWORK_CODE.test(httpCode)) return httpCode;
		if (/socket hang up|aborted/i.test(text)) return 'ECONNRESET';
	}
	return undefined;
}
