/**
 * A row's 64-bit fingerprint, in two halves as signed 32-bit numbers, which V8 keeps without allocating. One object is
 * used for many rows, because each poll makes very many.
 */
export type Fingerprint = { high: number; low: number };

/**
 * Hashes a text to 64 bits: MurmurHash3_x86_128 over UTF-16 code units, two a word, the last block filled up with zeros
 * (the length is mixed in at the end), of which the first half is kept. n8n Cloud allows no `node:crypto` and
 * `crypto.subtle` is asynchronous. That it is not cryptographic does no harm: ids are the service's, and somebody who
 * crafts an answer that collides hides nothing but that answer, because the time of submission goes into it.
 */
export function hashText(text: string, seed: Readonly<Fingerprint>, into: Fingerprint): void {
	const { length } = text;
	let h1 = seed.high;
	let h2 = seed.low;
	let h3 = h1;
	let h4 = h2;
	for (let at = 0; at < length; at += 8) {
		h1 ^= Math.imul(rotated(Math.imul(wordAt(text, at, length), 0x239b961b), 15), 0xab0e9789);
		h1 = (Math.imul(rotated(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
		h2 ^= Math.imul(rotated(Math.imul(wordAt(text, at + 2, length), 0xab0e9789), 16), 0x38b34ae5);
		h2 = (Math.imul(rotated(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
		h3 ^= Math.imul(rotated(Math.imul(wordAt(text, at + 4, length), 0x38b34ae5), 17), 0xa1e38b93);
		h3 = (Math.imul(rotated(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
		h4 ^= Math.imul(rotated(Math.imul(wordAt(text, at + 6, length), 0xa1e38b93), 18), 0x239b961b);
		h4 = (Math.imul(rotated(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
	}
	h1 ^= length;
	h2 ^= length;
	h3 ^= length;
	h4 ^= length;
	h1 = (h1 + h2 + h3 + h4) | 0;
	h2 = finished((h2 + h1) | 0);
	h3 = finished((h3 + h1) | 0);
	h4 = finished((h4 + h1) | 0);
	h1 = (finished(h1) + h2 + h3 + h4) | 0;
	into.high = h1;
	into.low = (h2 + h1) | 0;
}

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/** Hashes a number to 64 bits; two numbers under one seed never share a hash. */
export function hashNumber(value: number, seed: Readonly<Fingerprint>, into: Fingerprint): void {
	double[0] = value;
	const h1 = finished(seed.high ^ (halves[0] ?? 0));
	const h2 = finished(seed.low ^ (halves[1] ?? 0) ^ rotated(h1, 7));
	into.high = finished((h1 + h2) | 0);
	into.low = h2;
}

/** Adds one fingerprint to another: the sum of a row's fields does not depend on their order. */
export function addFingerprint(sum: Fingerprint, { high, low }: Fingerprint): void {
	sum.low = (sum.low + low) | 0;
	const carry = sum.low >>> 0 < low >>> 0 ? 1 : 0;
	sum.high = (sum.high + high + carry) | 0;
}

/** Two code units as one word; past the end there are zeros. */
function wordAt(text: string, at: number, length: number): number {
	if (at + 1 < length) return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
	return at < length ? text.charCodeAt(at) : 0;
}

function rotated(word: number, by: number): number {
	return (word << by) | (word >>> (32 - by));
}

function finished(word: number): number {
	let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return mixed ^ (mixed >>> 16);
}
