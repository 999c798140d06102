import { hash } from 'node:crypto';

/** Characters of a fingerprint, six bits each. */
export const FINGERPRINT_LENGTH = 11;

/**
 * The first 66 bits of a text's SHA-256, in base64url. A new row is missed when its fingerprint is there already: of
 * 100,000 rows the chance is n² / 2 / 2^66, below one in ten billion.
 */
export function fingerprint(text: string): string {
	return hash('sha256', text, 'base64url').slice(0, FINGERPRINT_LENGTH);
}
