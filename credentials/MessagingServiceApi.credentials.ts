import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { getAccessToken, type TlsAndProxy } from '../nodes/shared/transport/credential/accessToken';
import {
	absoluteUrlOf,
	checkHost,
	normalizeBaseUrl,
	allowedDomainsFor,
} from '../nodes/shared/transport/address';
import { checkAccess } from '../nodes/shared/transport/credential/checkAccess';
import { AccessError } from '../nodes/shared/transport/errors/apiError';
import { sharedState, type UsedCredential } from '../nodes/shared/transport/sharedState';
import { cleanPastedText, secretsOf } from '../nodes/shared/transport/secrets';

/** The header that marks the request of the credential test. `authenticate` removes it before sending. */
const TEST_MARK = 'x-credential-test';

/** The credential: an access key, or a client ID and secret, for one Base URL. */
export class MessagingServiceApi implements ICredentialType {
	name = 'messagingServiceApi';

	displayName = 'Messaging Service API';

	icon: Icon = {
		light: 'file:../icons/messagingService.svg',
		dark: 'file:../icons/messagingService.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://messages.example.com',
			description: 'The address at which you open the messaging service in your browser',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Access Key',
					value: 'accessKey',
					description: 'A key that you create in the admin console',
				},
				{
					name: 'OAuth Client Credentials',
					value: 'clientCredentials',
					description: 'A client ID and secret. The service enables OAuth on request.',
				},
			],
			default: 'accessKey',
		},
		{
			displayName: 'Access Key',
			name: 'accessKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['accessKey'] } },
			description:
				'Copy the key when you create it, because the admin console may not show it again',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['clientCredentials'] } },
			description:
				'ID of a token in the admin console. The console shows the ID when you create or edit the token.',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['clientCredentials'] } },
			description:
				'Value of the token. Copy it when you generate the token, because the admin console may not show it again.',
		},
		{
			// While this property is empty, n8n calls preAuthentication before each request.
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/int/v1/me',
			headers: { [TEST_MARK]: 'true' },
		},
	};

	/**
	 * Stores n8n's request helper for the requests that the credential itself sends. Returns `{}`, so that n8n writes
	 * nothing to its database.
	 *
	 * n8n calls this method again after a 401, with the same credentials object. For its HTTP Request node, it does so
	 * after any failure (n8n-core 1.122.48 and 2.41.1). So a repeated call means that the service may have refused the
	 * access token.
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const state = sharedState(credentials);
		state.httpRequest = this.helpers.httpRequest;
		state.usedCredential?.token?.recordRefusal('likely');
		return {};
	}

	/**
	 * Adds the Authorization header to a request. If the URL of the request is a path, also adds the normalized Base URL.
	 * Credentials go only to the host of the Base URL, even if n8n's HTTP Request node follows a redirect.
	 *
	 * @throws UserError if a field of the credential is empty or malformed, the request is for another host, or the
	 *   service issues no token. In the credential test, also throws UserError if the access check fails. The message
	 *   states the reason.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		try {
			return await authorize(credentials, requestOptions);
		} catch (error) {
			sharedState(requestOptions).credentialError = error;
			const isTest = requestOptions.headers?.[TEST_MARK] !== undefined;
			if (!isTest || !(error instanceof AccessError)) throw error;
			// n8n's test replaces the message of an error with an HTTP status or a system code (NodeApiError of
			// n8n-workflow 2.41.0).
			throw new UserError(error.message.replace(/ \(E[A-Z_]+\)/, ''));
		}
	};
}

/** Returns the options of a request with the Authorization header, bound to the host of the Base URL. */
async function authorize(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	const address = absoluteUrlOf(requestOptions);
	if (address !== undefined) checkHost(baseUrl, address);

	const credentialState = sharedState(credentials);
	const requestState = sharedState(requestOptions);
	const token = await accessTokenFor(credentials, requestOptions);
	const bearer = token?.value ?? accessKeyOf(credentials);
	const secrets = () => secretsOf(credentials, bearer);
	const usedCredential: UsedCredential = { baseUrl, secrets, token };
	credentialState.usedCredential = usedCredential;
	requestState.usedCredential = usedCredential;

	const { [TEST_MARK]: testMark, ...headers } = requestOptions.headers ?? {};
	const { httpRequest } = credentialState;
	// n8n's test rules can show only fixed texts. This check shows the service's own message.
	if (testMark !== undefined && httpRequest) {
		await checkAccess(usedCredential, bearer, httpRequest, connectionSettings(requestOptions));
	}
	const options: IHttpRequestOptions = {
		...requestOptions,
		headers: { ...headers, Authorization: `Bearer ${bearer}` },
		sendCredentialsOnCrossOriginRedirect: false,
		allowedDomains: allowedDomainsFor(baseUrl, requestOptions.allowedDomains),
	};
	if (address === undefined) options.baseURL = baseUrl;
	if (requestState.createAbortSignal) options.abortSignal = requestState.createAbortSignal();
	return options;
}

/** Returns the OAuth access token for a request, or undefined if the credential has an access key. */
async function accessTokenFor(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): Promise<UsedCredential['token']> {
	if (credentials.authentication !== 'clientCredentials') return undefined;
	const { httpRequest } = sharedState(credentials);
	if (!httpRequest) throw new UserError('n8n provides no way to request an access token.');
	const { abortSignal } = requestOptions;
	const n8nSignal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
	const { cancelSignal, createAbortSignal } = sharedState(requestOptions);
	// Our nodes decide themselves what ends the wait, for example nothing during the clean-up after a cancellation.
	const signal = createAbortSignal ? cancelSignal : n8nSignal;
	const settings = connectionSettings(requestOptions);
	return await getAccessToken(credentials, httpRequest, settings, signal);
}

/**
 * Returns the access key.
 *
 * @throws UserError if the key is empty or contains a space or an invalid character (n8n's own error would show the key)
 */
function accessKeyOf(credentials: ICredentialDataDecryptedObject): string {
	const accessKey = cleanPastedText(credentials.accessKey);
	if (accessKey === '') throw new UserError('The Access Key is empty. Check the credential.');
	if (/^[\x21-\x7e]+$/.test(accessKey)) return accessKey;
	throw new UserError(
		'The Access Key contains a space, a line break or an invalid character. Enter it again in the credential.',
	);
}

/**
 * Returns the settings of a request that also apply when the credential itself sends a request, for example for a token.
 * To ignore SSL errors, n8n's HTTP Request node sets `rejectUnauthorized` to false, and our nodes set
 * `skipSslCertificateValidation` to true.
 */
function connectionSettings(options: IHttpRequestOptions): TlsAndProxy {
	const { proxy, skipSslCertificateValidation } = options;
	const ignoresSsl = 'rejectUnauthorized' in options && options.rejectUnauthorized === false;
	return {
		...(proxy && { proxy }),
		...((skipSslCertificateValidation === true || ignoresSsl) && {
			skipSslCertificateValidation: true,
		}),
	};
}
