/** What a picture says of itself in its first bytes. */
export interface Picture {
	format: 'png' | 'gif' | 'jpg';
	/** In pixels. */
	width: number;
	height: number;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Format and size of a PNG, GIF or JPEG; undefined for anything else, and for one that ends too early. */
export function pictureOf(bytes: Buffer): Picture | undefined {
	if (bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature)) {
		return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
	}
	if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
		return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
	}
	return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined;
}

/** Segments follow each other until the one that starts the frame, which has the size. */
function jpeg(bytes: Buffer): Picture | undefined {
	let position = 2;
	while (position + 9 <= bytes.length && bytes[position] === 0xff) {
		const marker = bytes[position + 1] ?? 0;
		// Not the tables 0xc4, 0xc8 and 0xcc, which lie in the same range.
		if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
			return {
				format: 'jpg',
				width: bytes.readUInt16BE(position + 7),
				height: bytes.readUInt16BE(position + 5),
			};
		}
		position += 2 + bytes.readUInt16BE(position + 2);
	}
	return undefined;
}
