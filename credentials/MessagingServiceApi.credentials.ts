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

import {
	currentAccessToken,
	forgetAccessToken,
	getAccessToken,
} from '../nodes/shared/service/accessToken';
import { normaliseBaseUrl } from '../nodes/shared/service/baseUrl';
import { checkAccess } from '../nodes/shared/service/checkAccess';

/** Marks the credential test's request; `authenticate` takes it off again before anything is sent. */
const TEST_MARK = 'x-credential-test';

type Session = { helpers: IHttpRequestHelper['helpers']; token?: string };

// The engine hands one and the same credentials object to preAuthentication and authenticate of a request
// (n8n-core 1.122.48 and 2.41.1): what the first learns reaches the second through it.
const sessions = new WeakMap<ICredentialDataDecryptedObject, Session>();

export class MessagingServiceApi implements ICredentialType {
	name = 'messagingServiceApi';

	displayName = 'Messaging Service API';

	icon: Icon = {
		light: 'file:../icons/messagingService.svg',
		dark: 'file:../icons/messagingService.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://messages.example.com',
			description: 'Address of your messaging service, as you open it in the browser',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Access Key',
					value: 'accessKey',
					description: 'A key created in the admin console; every account can make one',
				},
				{
					name: 'OAuth Client Credentials',
					value: 'clientCredentials',
					description: 'A client ID and secret; the service switches OAuth on upon request',
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
			description: 'Shown once in the admin console, when the key is created',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['clientCredentials'] } },
			description: 'The ID of the token in the admin console, visible when it is created or edited',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			displayOptions: { show: { authentication: ['clientCredentials'] } },
			description: 'The value of the token, shown once when it is generated',
		},
		{
			// Stays empty: n8n calls preAuthentication before each request while an expirable property is empty.
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
	 * Readies an access token before each request, and a fresh one when the service answered 401: the engine then calls
	 * a second time with the same credentials object. Gives `{}`, so that n8n writes nothing to its database.
	 *
	 * @throws UserError when the service refuses to give a token
	 */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const session: Session = { helpers: this.helpers };
		if (credentials.authentication === 'clientCredentials') {
			forgetAccessToken(credentials, sessions.get(credentials)?.token);
			session.token = await getAccessToken(credentials, this.helpers.httpRequest);
		}
		sessions.set(credentials, session);
		return {};
	}

	/**
	 * Puts the Authorization header on a request, and the normalised base URL on one that has a base URL.
	 *
	 * @throws UserError when a field of the credential is empty or malformed, and for the credential test when the
	 * service refuses access, with the service's own message
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const session = sessions.get(credentials);
		const { [TEST_MARK]: testMark, ...headers } = requestOptions.headers ?? {};
		const authenticated: IHttpRequestOptions = {
			...requestOptions,
			headers: { ...headers, Authorization: `Bearer ${bearer(credentials, session)}` },
		};
		// n8n's own HTTP Request node gives a whole address, and gives it as `uri`: that one is left as it is.
		const { url }: { url?: string } = requestOptions;
		if (requestOptions.baseURL !== undefined || url?.startsWith('/')) {
			authenticated.baseURL = normaliseBaseUrl(credentials.baseUrl);
		}
		// n8n's test rules know only fixed texts; asking here first lets the service's own message through.
		if (testMark !== undefined && session) {
			await checkAccess(authenticated, credentials, session.helpers.httpRequest);
		}
		return authenticated;
	};
}

function bearer(credentials: ICredentialDataDecryptedObject, session?: Session): string {
	if (credentials.authentication === 'clientCredentials') {
		return session?.token ?? currentAccessToken(credentials) ?? '';
	}
	const accessKey = typeof credentials.accessKey === 'string' ? credentials.accessKey.trim() : '';
	if (accessKey === '') throw new UserError('The Access Key is empty. Check the credential.');
	return accessKey;
}
