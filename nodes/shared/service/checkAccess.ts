import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { isRecord } from '../guards';

/**
 * Asks the service who the caller is (`GET /int/v1/me`) and says in plain words what is wrong when it does not answer
 * with a profile.
 *
 * @param request the authenticated request
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @throws UserError with the service's message and the credential field to check
 */
export async function checkAccess(
	request: IHttpRequestOptions,
	credentials: ICredentialDataDecryptedObject,
	send: (options: IHttpRequestOptions) => Promise<unknown>,
): Promise<void> {
	let body: unknown;
	try {
		// n8n tests a credential with returnFullResponse set; here the body alone matters.
		body = await send({ ...request, returnFullResponse: false });
	} catch (error) {
		throw accessError(error, credentials);
	}
	if (isRecord(body) && body.success === true) return;
	if (isRecord(body) && body.success === false) {
		throw refused(credentials, typeof body.message === 'string' ? body.message : undefined);
	}
	throw new UserError(
		'The answer is not from the messaging service. Check the Base URL in the credential.',
	);
}

/** The field that a person should look at first when the service refuses access. */
export function fieldToCheck(authentication: unknown): string {
	return authentication === 'clientCredentials'
		? 'Check the Client ID and the Client Secret in the credential.'
		: 'Check the access key in the credential.';
}

function accessError(error: unknown, credentials: ICredentialDataDecryptedObject): UserError {
	const response = isRecord(error) && isRecord(error.response) ? error.response : {};
	const { status, data } = response;
	const message = isRecord(data) && typeof data.message === 'string' ? data.message : undefined;
	if (status === 401 || status === 403) return refused(credentials, message);
	if (typeof status === 'number') {
		return new UserError(
			`The service answered with HTTP ${status}${message ? `: ${message}` : ''}. Check the Base URL in the credential.`,
		);
	}
	const code = isRecord(error) && typeof error.code === 'string' ? error.code : 'no answer';
	return new UserError(
		`The service could not be reached (${code}). Check the Base URL in the credential.`,
	);
}

function refused(credentials: ICredentialDataDecryptedObject, message?: string): UserError {
	const said = message ? `: "${message}"` : '';
	return new UserError(
		`The service refused access${said}. ${fieldToCheck(credentials.authentication)}`,
	);
}
