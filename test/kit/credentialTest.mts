import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { TestCredentialsHelper } from './credentials.mts';
import { editorContext, loadPackage } from './engine.mts';

/**
 * Tests a credential as n8n does (CredentialsTester and RoutingNode of n8n 1.123.81 and 2.41.1): authenticates, then sends the
 * request that the credential declares as its `test`.
 *
 * @returns the request that the credential sends
 * @throws the error that the user sees
 */
export async function testCredential(
	credential: ICredentialDataDecryptedObject,
): Promise<IHttpRequestOptions> {
	const { credentialType } = await loadPackage();
	const { request } = credentialType.test ?? {};
	if (request?.url === undefined) throw new Error('The credential has no test');
	const helper = new TestCredentialsHelper(credentialType, credential);
	const decrypted = await helper.getDecrypted();
	const { context } = await editorContext(credential);
	const { helpers } = context;
	await credentialType.preAuthentication?.call({ helpers }, decrypted);
	const options = await helper
		.authenticate(decrypted, 'messagingServiceApi', {
			baseURL: String(credential.baseUrl),
			url: request.url,
			headers: { ...request.headers },
			returnFullResponse: true,
		})
		.catch((error: Error) => {
			const { message } = error;
			const options = { message, httpCode: 'none' };
			const shown = new NodeApiError(context.getNode(), { message }, options).message;
			// n8n replaces messages that contain a system error code.
			throw shown === message ? error : new Error(shown);
		});
	await helpers.httpRequest(options);
	return options;
}
