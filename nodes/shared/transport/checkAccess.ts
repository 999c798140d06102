import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { isRecord } from '../typeGuards';
import type { Settings } from './accessToken';
import { normaliseBaseUrl } from './baseUrl';
import { fetchProfile, type ProfileResponse } from './profile';
import { RedirectError } from './redirect';
import { secretsOf, shownText } from './secrets';
import type { SendRequest } from './fullResponse';

/**
 * Asks the service who the caller is and says in plain words what is wrong when it does not answer with a profile.
 *
 * @param bearer access key or token
 * @param send how a request is made, n8n's own `helpers.httpRequest`
 * @throws UserError with the service's message and the credential field to check
 */
export async function checkAccess(
	credentials: ICredentialDataDecryptedObject,
	bearer: string,
	send: SendRequest,
	settings: Settings,
): Promise<void> {
	const secrets = secretsOf(credentials, bearer);
	const baseUrl = normaliseBaseUrl(credentials.baseUrl);
	let answer: ProfileResponse;
	try {
		answer = await fetchProfile(baseUrl, bearer, send, settings);
	} catch (error) {
		throw noAnswer(error, baseUrl, secrets);
	}
	const { granted, refused, statusCode, message } = answer;
	if (granted) return;
	const said = message === undefined ? undefined : shownText(message, secrets);
	if (refused) {
		throw new UserError(
			`The service refused access${said ? `: "${said}"` : ''}. ${fieldToCheck(credentials.authentication)}`,
		);
	}
	if (statusCode >= 300) {
		throw new UserError(
			`The service answered with HTTP ${statusCode}${said ? `: ${said}` : ''}. Check the Base URL in the credential.`,
		);
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

function noAnswer(error: unknown, baseUrl: string, secrets: string[]): UserError {
	if (error instanceof RedirectError) return new UserError(`${error.message}. ${error.advice}`);
	const { code, message } = isRecord(error) ? error : {};
	const why = [code, message].find((text) => typeof text === 'string' && text !== '');
	return new UserError(
		`The service at ${baseUrl} could not be reached (${shownText(String(why ?? 'no answer'), secrets)}). Check the Base URL in the credential, https:// or http:// included.`,
	);
}
