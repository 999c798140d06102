/** The format and the size of a picture. */
export interface Picture {
	format: 'png';
	/** In pixels. */
	width: number;
	height: number;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Returns the format and size of a PNG, given its first bytes. Returns undefined for other files and for an incomplete
 * header.
 */
export function pictureOf(bytes: Buffer): Picture | undefined {
	if (bytes.length < 24 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined;
	return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
