import { hash } from 'node:crypto';

/** Characters of a fingerprint, a byte each. */
export const FINGERPRINT_LENGTH = 8;

/**
 * The first 64 bits of a text's SHA-256, a character (of Latin-1) for each byte. A new row is missed when its fingerprint
 * is there already: of 100,000 rows the chance is n² / 2 / 2^64, below one in a billion.
 */
export function fingerprint(text: string): string {
	return hash('sha256', text, 'binary').slice(0, FINGERPRINT_LENGTH);
}
