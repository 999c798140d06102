import type { Settings } from './settings';

/** The characters 0x80 to 0x9F of Windows-1252. `TextDecoder` of Node.js 20 reads them as control characters. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Byte order marks, as Latin-1. */
const MARKS: Array<[mark: string, encoding: string]> = [
	['\u00ef\u00bb\u00bf', 'utf-8'],
	['\u00ff\u00fe', 'utf-16le'],
	['\u00fe\u00ff', 'utf-16be'],
];

/**
 * Matches how the text of a file begins that is certainly no CSV file: with a control character, like Excel, ZIP and
 * pictures, or like a PDF, a web page, XML or JSON. A NUL may come from a wrong encoding.
 */
export const NO_CSV =
	/^(?:[^]{0,7}(?![\0\t\r\n])\p{Cc}|%PDF|GIF8|\s*<[!?/a-z]|\s*[[{]\s*["{[\]}])/iu;

/**
 * Returns the text of a file without byte order marks. A mark decides the encoding, otherwise the setting. Bytes that are not
 * in the encoding become U+FFFD.
 */
export function decode(bytes: Buffer, setting: Settings['encoding']): string {
	const start = bytes.toString('latin1', 0, 3);
	const [, marked] = MARKS.find(([mark]) => start.startsWith(mark)) ?? [];
	const encoding = marked ?? (setting === 'auto' ? 'utf-8' : setting);
	if (encoding !== 'windows-1252')
		return new TextDecoder(encoding).decode(bytes).replace(/^\ufeff+/, '');
	const latin1 = bytes.toString('latin1');
	return latin1.replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252.charAt(one.charCodeAt(0) - 0x80));
}

/** Whether a text has characters that could not be read: U+FFFD, or a NUL, which is never text. */
export const isUnreadable = (text: string) => text.includes('\ufffd') || text.includes('\0');
