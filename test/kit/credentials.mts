import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
} from 'n8n-workflow';

/** Returns a credential for a server that accepts any access key. */
export function anyAccessKey(baseUrl: string): ICredentialDataDecryptedObject {
	return { baseUrl, authentication: 'accessKey', accessKey: 'key' };
}

/**
 * Replaces n8n's CredentialsHelper, which needs n8n's database. Calls the credential type the way n8n does
 * (CredentialsHelper of n8n 1.123.81 and 2.41.1). Each request gets a separate copy of the credential's data. Calls
 * `preAuthentication` after a 401, or if the expirable property is empty. If the result has this property, n8n would
 * write the result to its database.
 */
export class TestCredentialsHelper extends ICredentialsHelper {
	/** The number of times n8n would have written the credential to its database. */
	databaseWrites = 0;

	constructor(
		private readonly type: ICredentialType,
		public data: ICredentialDataDecryptedObject,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		_node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const expirable = this.type.properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		);
		if (!expirable || !this.type.preAuthentication) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const output = await this.type.preAuthentication.call(helpers, credentials);
		if (output[expirable.name] === undefined) return undefined;
		this.databaseWrites += 1;
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(credentials, requestOptions);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		const decrypted: ICredentialDataDecryptedObject = {};
		for (const { name, default: value } of this.type.properties) {
			if (typeof value === 'string') decrypted[name] = value;
		}
		return { ...decrypted, ...this.data };
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine does not read encrypted credentials');
	}

	async updateCredentials(): Promise<void> {
		this.databaseWrites += 1;
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		this.databaseWrites += 1;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties() {
		return this.type.properties;
	}
}
