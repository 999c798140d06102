import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { adviceFor, says } from '../../serviceMessages';
import { LONGEST_MESSAGE, truncate } from '../../truncate';
import { fieldsIn, isBlank } from '../../values';
import { parseUrl } from '../address';
import { isTransientStatus, parseRetryAfter } from '../retry';
import { textFromService } from '../secrets';
import {
	AccessError,
	REQUEST_OPTIONS,
	secretsIn,
	type Explanation,
	type RequestInfo,
} from './apiError';

/**
 * Explains a response with `success: false` (schema Failure in emulator/openapi.yaml). The `httpCode` is 200, unless
 * `explainStatus` replaces it.
 *
 * @param message the service's own message, which becomes the message of the error if it is a text that is not blank
 */
export function explainRefusal(request: RequestInfo, message: unknown): Explanation {
	const serviceMessage = textFromService(message, secretsIn(request));
	return {
		message: serviceMessage || 'The service refused the request without a reason',
		advice: says('aboutAccess', serviceMessage)
			? accessAdvice(request)
			: adviceFor(serviceMessage, request),
		httpCode: '200',
	};
}

/** Explains a response that does not come from the service: a web page, invalid JSON, JSON of another form, or nothing. */
export function explainUnexpected(request: RequestInfo, body: unknown): Explanation {
	let message = 'The service returned something else instead of data';
	if (isBlank(body)) message = 'The service returned an empty response';
	if (isWebPage(body)) message = 'The service returned a web page instead of data';
	return { message, advice: checkBaseUrl(request), httpCode: 'none', outcome: 'unclear' };
}

/**
 * Explains an HTTP status of 300 and above.
 *
 * @param response with headers in lower case, as n8n returns them
 */
export function explainStatus(request: RequestInfo, response: IN8nHttpFullResponse): Explanation {
	const { statusCode, headers, body } = response;
	const said = textFromService(fieldsIn(body).message, secretsIn(request));
	return {
		...(explainAnyServer(request, response, said) ?? explainRejection(request, response, said)),
		httpCode: String(statusCode),
		retryAfterMs: parseRetryAfter(headers),
	};
}

type Texts = Pick<Explanation, 'message' | 'advice' | 'outcome'>;

/**
 * Explains a status that any server may send, also a proxy in front of the service. Returns undefined for any other
 * status.
 *
 * @param said the message in the response, or an empty text
 */
function explainAnyServer(
	request: RequestInfo,
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	said: string,
): Texts | undefined {
	if (statusCode < 400) return explainRedirect(request, headers.location);
	if (statusCode === 407) return explainProxyRefusal(request);
	if (statusCode === 413 && fieldsIn(body).success !== false) {
		return {
			message: 'The request is too large for the server in front of the service (HTTP 413)',
			advice: 'Send less at once or a smaller file, or ask whoever runs that server to allow more.',
			outcome: 'unclear',
		};
	}
	if (statusCode === 429) {
		const slower = `, or send fewer requests at once with Batching, ${REQUEST_OPTIONS}`;
		const batching = request.hasRequestOptions ? slower : '';
		return {
			message: said || 'The service is receiving too many requests',
			advice: `The service did not carry out this request. Wait a little${batching}.`,
		};
	}
	if (statusCode < 500 && statusCode !== 408) return undefined;
	return {
		message: said || `The service failed (HTTP ${statusCode})`,
		advice: `The service, or a proxy in front of it, failed with HTTP ${statusCode}. If this happens every time, check whether the service is running, and check the Base URL in the credential.`,
		outcome: 'unclear',
	};
}

/** Explains any other status from 400: the service, or another web server, rejected the request. */
function explainRejection(
	request: RequestInfo,
	{ statusCode, body }: IN8nHttpFullResponse,
	said: string,
): Texts {
	const isAccess = statusCode === 401 || statusCode === 403;
	if (isOtherServer(request, statusCode, body)) {
		return {
			message: `There is no messaging service at the Base URL: another web server responded (HTTP ${statusCode})`,
			advice: checkBaseUrl(request),
			outcome: isAccess ? undefined : 'unclear',
		};
	}
	if (isAccess) {
		const message = `The service refused access${said && `: ${said}`}`;
		return { message, advice: accessAdvice(request) };
	}
	if (statusCode === 404) {
		return {
			message: said || 'Not Found',
			advice:
				'The service has no record with this ID. Choose the record from the list, or check the ID. If every operation fails like this, check the Base URL in the credential.',
		};
	}
	// Only the service can say with a 4xx that it did not carry out a change. It does so in the form of its failures
	// (schema Failure in emulator/openapi.yaml).
	if (fieldsIn(body).success === false) return explainRefusal(request, said);
	if (said !== '') return { ...explainRefusal(request, said), outcome: 'unclear' };
	return {
		message: `The service refused the request (HTTP ${statusCode})`,
		advice:
			'It gave no reason. Check the values of this operation. If every operation fails like this, check the Base URL in the credential.',
		outcome: 'unclear',
	};
}

/** No redirect is followed: n8n would send the credentials to any host, and would turn a POST into a GET. */
function explainRedirect({ url, usedCredentials }: RequestInfo, location: unknown): Texts {
	const { baseUrl = '' } = usedCredentials.at(-1) ?? {};
	const target = typeof location === 'string' ? parseUrl(location, `${baseUrl}${url}`) : undefined;
	const to = target ? ` to ${target.protocol}//${target.host}${target.pathname}` : '';
	return {
		message: `The service at ${baseUrl} redirected the request${truncate(to, 200)}`,
		advice:
			'The node follows no redirect, so that the credential goes only to the host of its Base URL. Check the Base URL in the credential. It must be the final address, with https:// if the service requires it.',
		outcome: 'unclear',
	};
}

/** Without Proxy in Request Options, n8n takes the proxy from its environment variables. */
function explainProxyRefusal({ proxy }: RequestInfo): Texts {
	const where = proxy
		? `Proxy, ${REQUEST_OPTIONS}`
		: "n8n's environment variables HTTP_PROXY and HTTPS_PROXY";
	return {
		message: 'The proxy refused access (HTTP 407)',
		advice: `Nothing was sent to the service. Check the user name and password in ${where}.`,
	};
}

/** Returns advice for a response that does not come from the service. */
function checkBaseUrl({ usedCredentials }: RequestInfo): string {
	const { baseUrl = '' } = usedCredentials.at(-1) ?? {};
	const origin = parseUrl(baseUrl)?.origin ?? baseUrl;
	// People paste the address of a page of the console.
	const onlyOrigin =
		origin === baseUrl ? '' : ` If this is the address of a page, enter only ${origin}.`;
	return `Check the Base URL in the credential. It must be the address of the messaging service itself, not of its website or a sign-in page.${onlyOrigin}`;
}

/** Whether a body is HTML or XML, which the service does not send. A body that is not JSON is a text. */
function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

/** Whether a response with a status from 400 comes from another web server, not from the service. */
function isOtherServer({ method, url }: RequestInfo, statusCode: number, body: unknown): boolean {
	if (isWebPage(body)) return true;
	// The profile, the lists and the tokens exist in every account. If a 404 for one of them lacks the form of the
	// service's failures, it comes from another web server (schema Failure in emulator/openapi.yaml).
	const endpoint = `${method} ${url}`;
	const isAlwaysThere = /^(GET \/int\/v1\/[^/]+|POST \/int\/v1\/oauth\/token)$/.test(endpoint);
	return statusCode === 404 && isAlwaysThere && fieldsIn(body).success !== false;
}

function accessAdvice({ usedCredentials }: RequestInfo): string {
	return usedCredentials.at(-1)?.token
		? 'Either the access token has expired, or its owner lacks the right for this operation. Run the workflow again: the next run gets a new token. If it fails again, check the rights of the owner.'
		: 'Check the access key in the credential. If the key is correct, its owner may lack the permission for this operation.';
}

/**
 * Returns the error for a token request whose response contains no token (oauth.token in emulator/openapi.yaml). If the
 * service refused the client, the error has the code 401, whatever the status of the response.
 */
export function noTokenError(request: RequestInfo, response: IN8nHttpFullResponse): AccessError {
	const { statusCode, body } = response;
	const { message, error_description: reason } = fieldsIn(body);
	const said = truncate(textFromService(message || reason, secretsIn(request)), LONGEST_MESSAGE);
	if (statusCode < 300 && said === '') {
		return new AccessError(
			`The response of the service contains no access token. ${checkBaseUrl(request)}`,
			'none',
		);
	}
	const isElsewhere = (statusCode >= 300 && statusCode < 400) || isWebPage(body);
	if (isElsewhere || [404, 407].includes(statusCode) || isTransientStatus(statusCode)) {
		const { message: text, advice, httpCode, retryAfterMs } = explainStatus(request, response);
		return new AccessError(`${text}. ${advice}`, httpCode, retryAfterMs);
	}
	// Any other status from 400, or a success with a message: the service refused the client.
	return new AccessError(
		`The service returned no access token: ${said || `HTTP ${statusCode}`}. Check the Client ID and the Client Secret in the credential, and that OAuth is enabled for your account.`,
		'401',
	);
}
