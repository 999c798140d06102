import type { NodeApiError } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import { AccessError } from './accessToken';
import { isChange } from './responseErrors';
import { apiError, OUTCOME_UNKNOWN, REQUEST_OPTIONS, type ErrorContext } from './errors';
import { RedirectError } from './redirect';

/** No connection came about, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;

/** The other side could not prove who it is, or does not speak TLS; nothing was sent. */
const NOT_TRUSTED =
	/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|^EPROTO$/;

const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/** Codes that the HTTP client and the system have for a connection that failed under way. */
const NETWORK_CODE = /^(E[A-Z_]{3,}|HPE_[A-Z_]+|UND_ERR_[A-Z_]+)$/;

/**
 * The error for a request that got no answer, or one that broke off: what happened, whether the request may have been
 * carried out, and what to check.
 *
 * @param thrown what n8n's helper threw
 */
export function connectionError(about: ErrorContext, thrown: unknown): NodeApiError {
	const reason = reasonOf(thrown);
	if (reason instanceof RedirectError) {
		return apiError(about, {
			message: reason.message,
			description: isChange(about.request)
				? `${reason.advice} The answer does not say what became of the request, ${OUTCOME_UNKNOWN}`
				: reason.advice,
			httpCode: reason.httpCode,
		});
	}
	if (reason instanceof AccessError) {
		const error = apiError(about, {
			message: reason.message,
			description: 'Nothing else was sent: n8n has no access to the service without a token.',
			httpCode: reason.httpCode ?? 'none',
		});
		if (reason.retryAfterMs !== undefined) error.context.retryAfterMs = reason.retryAfterMs;
		return error;
	}
	const { message } = isRecord(reason) ? reason : {};
	const said = typeof message === 'string' && message !== '' ? message : 'The request failed';
	// n8n 1 refuses a domain with an error of another kind (ApplicationError of n8n-workflow 1.120.31).
	if (reason instanceof UserError || said.startsWith('Domain not allowed')) {
		return apiError(about, {
			message: said,
			description: 'The request was not carried out.',
			httpCode: 'none',
		});
	}
	if (isRecord(reason) && reason.name === 'URIError') {
		return apiError(about, {
			message: 'A value of this operation holds half a character',
			description:
				'Nothing was sent. Text that was cut in the middle of an emoji ends like this: check the expressions.',
			httpCode: 'none',
		});
	}
	return brokenOff(about, codeOf(reason, thrown), said);
}

function brokenOff(about: ErrorContext, code: string | undefined, said: string): NodeApiError {
	const last = about.sent.at(-1);
	const service = `The service${last ? ` at ${last.baseUrl}` : ''}`;
	const asksForChange = isChange(about.request);
	if (code === undefined) {
		return apiError(about, {
			message: said,
			description: asksForChange
				? `The request failed in n8n, ${OUTCOME_UNKNOWN}`
				: 'The request failed in n8n. Nothing was changed: this only reads. Check the values of this operation, and the Base URL in the credential.',
			httpCode: 'none',
		});
	}
	if (NOT_CONNECTED.test(code)) {
		return apiError(about, {
			message:
				code === 'ECONNREFUSED'
					? `${service} refused the connection`
					: `${service} could not be reached (${code})`,
			description:
				'Nothing was sent. Check the Base URL in the credential, whether the service is running, and whether n8n may reach it from its network.',
			httpCode: code,
		});
	}
	if (NOT_TRUSTED.test(code)) {
		return apiError(about, {
			message: `${service} could not prove who it is (${code})`,
			description: `Nothing was sent. Check the Base URL in the credential, https:// or http:// included. For a service of your own with its own certificate there is Ignore SSL Issues, ${REQUEST_OPTIONS}.`,
			httpCode: code,
		});
	}
	if (code === 'ERR_CANCELED') {
		return apiError(about, {
			message: 'The execution was cancelled before the service answered',
			description: asksForChange
				? `The request was under way, ${OUTCOME_UNKNOWN}`
				: 'Nothing was changed: this only reads.',
			httpCode: code,
		});
	}
	const timedOut = TIMED_OUT.test(code) && !/abort/i.test(said);
	return apiError(about, {
		message: timedOut
			? 'The service did not answer in time'
			: 'The connection broke before the service had answered in full',
		description: asksForChange
			? `${timedOut ? 'The request was sent and not answered' : 'The answer was lost'}, ${OUTCOME_UNKNOWN}`
			: `Nothing was changed: this only reads. Run it again later; if it stays like this, check whether the service is running, and the Base URL in the credential.${timedOut ? ` For an answer that takes long there is Timeout, ${REQUEST_OPTIONS}.` : ''}`,
		httpCode: timedOut ? 'ETIMEDOUT' : 'ECONNRESET',
	});
}

/** What was thrown first: n8n wraps it in an error of its own, and the HTTP client wraps ours. */
function reasonOf(thrown: unknown): unknown {
	let reason = thrown;
	for (let depth = 0; depth < 5 && isRecord(reason); depth++) {
		if (reason instanceof UserError) return reason;
		const { cause } = reason;
		if (!isRecord(cause)) return reason;
		reason = cause;
	}
	return reason;
}

/** The code of a failed connection, from what failed first or from what n8n made of it. */
function codeOf(...failures: unknown[]): string | undefined {
	for (const failure of failures) {
		const { code, httpCode, messages, response } = isRecord(failure) ? failure : {};
		// An answer whose beginning came: the connection broke in its body.
		if (isRecord(response)) return 'ECONNRESET';
		if (typeof code === 'string' && code !== '') return code;
		if (typeof httpCode === 'string' && /^\d{3}$/.test(httpCode)) return 'ECONNRESET';
		if (typeof httpCode === 'string' && NETWORK_CODE.test(httpCode)) return httpCode;
		const text = Array.isArray(messages) ? messages.join(' ') : '';
		if (/socket hang up|aborted/i.test(text)) return 'ECONNRESET';
	}
	return undefined;
}
