import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A key of the admin console, with an ID and a value. The key is an access key or an OAuth client. */
export interface Key {
	/** The client_id (openapi.yaml, Authentication). */
	readonly id: string;
	/** The access key, or the client_secret. */
	readonly value: string;
	readonly kind: 'accessKey' | 'client';
}

/** Returns a key that does not depend on the seed, so that a saved credential stays valid after a reset. */
function fixedKey(name: string, kind: Key['kind']): Key {
	const secret = (part: string) =>
		createHash('sha256').update(`messaging service emulator, ${part}`).digest('hex');
	return { id: secret(`${name} id`).slice(0, 24), value: secret(name).slice(0, 40), kind };
}

/** Access keys, OAuth clients and issued access tokens. */
export class Keys {
	readonly keys: Key[] = [fixedKey('access key', 'accessKey'), fixedKey('client', 'client')];
	readonly tokens = new Map<string, { readonly key: Key; expiresAt: number }>();

	/** Adds a key whose ID and value no other key has, also after a reset. */
	add(kind: Key['kind']): Key {
		const key = { id: randomUUID(), value: randomUUID(), kind };
		this.keys.push(key);
		return key;
	}

	/** Returns the first key with these fields. */
	find(wanted: Partial<Key>): Key | undefined {
		const fields = Object.entries(wanted);
		return this.keys.find((key) =>
			fields.every(([name, value]) => Reflect.get(key, name) === value),
		);
	}

	/** Issues an access token. With `single`, revokes the client's older tokens. */
	issue(key: Key, now: number, lifetimeSeconds: number, single: boolean): string {
		if (single) {
			for (const [text, older] of this.tokens) if (older.key === key) this.tokens.delete(text);
		}
		const token = randomBytes(24).toString('base64url');
		this.tokens.set(token, { key, expiresAt: now + lifetimeSeconds * 1000 });
		return token;
	}

	expireAll(now: number): void {
		for (const token of this.tokens.values()) token.expiresAt = Math.min(token.expiresAt, now);
	}
}
