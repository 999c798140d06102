/**
 * Bits as text that JSON writes without escapes: 13 bits in two of 91 characters, 6.5 bits a byte, where base64 has 6.
 * The characters are "#" to "~" without the backslash.
 */
const BITS = 13;
const RADIX = 91;
const FIRST = 35;
const BACKSLASH = 92;

/** Writes numbers bit by bit. */
export class BitWriter {
	private text: Uint8Array;
	private length = 0;
	private pending = 0;
	private pendingBits = 0;

	/** @param expectedBits about how many bits there will be */
	constructor(expectedBits: number) {
		this.text = new Uint8Array(2 * Math.ceil(expectedBits / BITS) + 64);
	}

	/** Writes the `bits` low bits of a number, 16 at most. */
	write(value: number, bits: number): void {
		this.pending = (this.pending << bits) | (value & ((1 << bits) - 1));
		this.pendingBits += bits;
		while (this.pendingBits >= BITS) {
			this.pendingBits -= BITS;
			this.push(this.pending >>> this.pendingBits);
			this.pending &= (1 << this.pendingBits) - 1;
		}
	}

	/** Writes the `bits` low bits of a number, 32 at most. */
	writeWord(value: number, bits: number): void {
		if (bits > 16) this.write(value >>> 16, bits - 16);
		this.write(value, Math.min(bits, 16));
	}

	/** Writes a number as that many zeros and a one. */
	writeUnary(value: number): void {
		let zeros = value;
		for (; zeros >= 15; zeros -= 15) this.write(0, 15);
		this.write(1, zeros + 1);
	}

	/** The text of all that was written. */
	finish(): string {
		if (this.pendingBits > 0) this.push(this.pending << (BITS - this.pendingBits));
		this.pendingBits = 0;
		return Buffer.from(this.text.buffer, 0, this.length).toString('latin1');
	}

	private push(group: number): void {
		if (this.length + 2 > this.text.length) {
			const longer = new Uint8Array(2 * this.text.length);
			longer.set(this.text);
			this.text = longer;
		}
		this.text[this.length++] = characterOf(Math.floor(group / RADIX));
		this.text[this.length++] = characterOf(group % RADIX);
	}
}

/** Reads what a BitWriter wrote. Past the end there are zeros. */
export class BitReader {
	private readonly text: Uint8Array;
	private at = 0;
	private pending = 0;
	private pendingBits = 0;

	constructor(text: string) {
		this.text = Buffer.from(text, 'latin1');
	}

	/** Reads a number of 16 bits at most. */
	read(bits: number): number {
		while (this.pendingBits < bits) {
			this.pending = (this.pending << BITS) | this.next();
			this.pendingBits += BITS;
		}
		this.pendingBits -= bits;
		const value = this.pending >>> this.pendingBits;
		this.pending &= (1 << this.pendingBits) - 1;
		return value;
	}

	/** Reads a number of 32 bits at most, as a signed one. */
	readWord(bits: number): number {
		if (bits <= 16) return this.read(bits);
		const high = this.read(bits - 16);
		return (high << 16) | this.read(16);
	}

	/** Reads a number that was written as zeros and a one. @throws RangeError when the text ends before the one */
	readUnary(): number {
		let zeros = 0;
		while (this.read(1) === 0) {
			zeros++;
			if (this.at > this.text.length) throw new RangeError('The text ends too early');
		}
		return zeros;
	}

	/** Whether all that was written has been read. */
	get isAtEnd(): boolean {
		return this.at === this.text.length;
	}

	private next(): number {
		const first = valueOf(this.text[this.at++] ?? FIRST);
		return first * RADIX + valueOf(this.text[this.at++] ?? FIRST);
	}
}

function characterOf(value: number): number {
	return value + FIRST < BACKSLASH ? value + FIRST : value + FIRST + 1;
}

function valueOf(character: number): number {
	return character < BACKSLASH ? character - FIRST : character - FIRST - 1;
}
