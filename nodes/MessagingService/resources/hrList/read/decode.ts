import type { Settings } from './settings';

/** The characters 0x80 to 0x9F of Windows-1252. `TextDecoder` of Node.js 20 reads them as control characters. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** Byte order marks, as Latin-1. */
const MARKS: Array<[mark: string, encoding: Encoding]> = [
	['\u00ef\u00bb\u00bf', 'utf-8'],
	['\u00ff\u00fe', 'utf-16le'],
	['\u00fe\u00ff', 'utf-16be'],
];

type Encoding = Exclude<Settings['encoding'], 'auto'> | 'utf-16be';

/** How files of other kinds begin, as Latin-1. */
const SIGNATURES: Array<[kind: string, start: string]> = [
	['an Excel or ZIP file', 'PK\u0003\u0004'],
	['an Excel file', '\u00d0\u00cf\u0011\u00e0'],
	['a PDF file', '%PDF'],
	['a picture', '\u0089PNG'],
	['a picture', '\u00ff\u00d8\u00ff'],
	['a picture', 'GIF8'],
	['a compressed file', '\u001f\u008b'],
];

/** Returns what a file is that is certainly no CSV file: `an Excel file`. Returns undefined for any other file. */
export function kindOfFile(bytes: Buffer, text: string): string | undefined {
	const start = bytes.toString('latin1', 0, 8);
	const [kind] = SIGNATURES.find(([, signature]) => start.startsWith(signature)) ?? [];
	if (kind !== undefined) return kind;
	if (/^\s*<[!?/a-z]/i.test(text)) return 'a web page or XML';
	return /^\s*[[{]\s*["{[\]}]/.test(text) ? 'JSON' : undefined;
}

/**
 * Returns the text of a file without byte order marks. A mark decides the encoding, otherwise the setting. Bytes that are not
 * in the encoding become U+FFFD.
 */
export function decode(bytes: Buffer, setting: Settings['encoding']): string {
	const start = bytes.toString('latin1', 0, 3);
	const [, marked] = MARKS.find(([mark]) => start.startsWith(mark)) ?? [];
	const encoding = marked ?? (setting === 'auto' ? 'utf-8' : setting);
	const text =
		encoding === 'windows-1252' ? fromWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
	return text.replace(/^\ufeff+/, '');
}

function fromWindows1252(bytes: Buffer): string {
	return bytes
		.toString('latin1')
		.replace(/[\u0080-\u009f]/g, (one) => WINDOWS_1252.charAt(one.charCodeAt(0) - 0x80));
}

/** Whether a text has characters that could not be read: U+FFFD, or a NUL, which is never text. */
export function isUnreadable(text: string): boolean {
	return text.includes('\ufffd') || text.includes('\0');
}

/** Returns the numbers of the lines that `isUnreadable`, counted from 1. */
export function unreadableLines(text: string): number[] {
	if (!isUnreadable(text)) return [];
	return text.split(/\r\n|\r|\n/).flatMap((line, index) => (isUnreadable(line) ? [index + 1] : []));
}
