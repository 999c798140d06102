import { createHash, randomBytes } from 'node:crypto';

/** A key of the admin console, with an ID and a value. The key is an access key or an OAuth client. */
export interface Key {
	/** The client_id (openapi.yaml, Authentication). */
	readonly id: string;
	/** The access key, or the client_secret. */
	readonly value: string;
	readonly kind: 'accessKey' | 'client';
}

export interface AccessToken {
	readonly token: string;
	readonly key: Key;
	expiresAt: number;
}

/** Returns a secret that does not depend on the seed, so that a saved credential stays valid after a reset. */
function fixedSecret(name: string, length: number): string {
	return createHash('sha256')
		.update(`messaging service emulator, ${name}`)
		.digest('hex')
		.slice(0, length);
}

/** Access keys, OAuth clients and issued access tokens. */
export class Keys {
	readonly keys: Key[] = [];
	readonly tokens = new Map<string, AccessToken>();

	constructor() {
		this.addNamed('access key', 'accessKey');
		this.addNamed('client', 'client');
	}

	add(kind: Key['kind']): Key {
		return this.addNamed(`${kind} ${this.keys.length}`, kind);
	}

	/** Returns the first key with these fields. */
	find(wanted: Partial<Key>): Key | undefined {
		const fields = Object.entries(wanted);
		return this.keys.find((key) =>
			fields.every(([name, value]) => Reflect.get(key, name) === value),
		);
	}

	/** Issues an access token. With `single`, revokes the client's older tokens. */
	issue(key: Key, now: number, lifetimeSeconds: number, single: boolean): AccessToken {
		if (single) {
			for (const [text, older] of this.tokens) if (older.key === key) this.tokens.delete(text);
		}
		const token: AccessToken = {
			token: randomBytes(24).toString('base64url'),
			key,
			expiresAt: now + lifetimeSeconds * 1000,
		};
		this.tokens.set(token.token, token);
		return token;
	}

	expireAll(now: number): void {
		for (const token of this.tokens.values()) token.expiresAt = Math.min(token.expiresAt, now);
	}

	private addNamed(name: string, kind: Key['kind']): Key {
		const key: Key = { id: fixedSecret(`${name} id`, 24), value: fixedSecret(name, 40), kind };
		this.keys.push(key);
		return key;
	}
}
