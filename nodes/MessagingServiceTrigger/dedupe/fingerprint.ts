import { hash } from 'node:crypto';

/** Length of a fingerprint in characters, one per byte. */
export const FINGERPRINT_LENGTH = 8;

/**
 * Returns the first 64 bits of a text's SHA-256 as Latin-1, one character per byte. A collision would hide a new row. Among
 * n rows, its probability is n² / 2 / 2^64: below one in a billion for 100,000 rows.
 */
export function fingerprint(text: string): string {
	return hash('sha256', text, 'binary').slice(0, FINGERPRINT_LENGTH);
}
