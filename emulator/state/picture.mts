/** What the first bytes of a picture tell about it. */
export interface Picture {
	format: 'png' | 'gif' | 'jpg';
	/** In pixels. */
	width: number;
	height: number;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns format and size of a PNG, GIF or JPEG; undefined for anything else or an incomplete header. */
export function pictureOf(bytes: Buffer): Picture | undefined {
	if (bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature)) {
		return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
	}
	if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
		return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
	}
	return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined;
}

/** Skips segments up to the start of the frame, which contains the size. */
function jpeg(bytes: Buffer): Picture | undefined {
	let position = 2;
	while (position + 9 <= bytes.length && bytes[position] === 0xff) {
		const marker = bytes[position + 1] ?? 0;
		// 0xc4, 0xc8 and 0xcc are in the same range, but do not start a frame.
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
