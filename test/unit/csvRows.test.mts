import { csvRows } from '../../nodes/MessagingService/resources/hrList/read/csv.ts';
import { decode } from '../../nodes/MessagingService/resources/hrList/read/decode.ts';
import fc from '../kit/property.mts';

const cell = fc.string({ unit: fc.constantFrom(...'aü€ ",;\t|\n\r'), maxLength: 6 });
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), {
	minLength: 1,
	maxLength: 6,
});

/** Writes a cell as RFC 4180 says: in quotation marks if it has to be, or always. */
function written(text: string, delimiter: string, always: boolean): string {
	const isPlain = ![delimiter, '"', '\n', '\r'].some((one) => text.includes(one));
	return isPlain && !always ? text : `"${text.replaceAll('"', '""')}"`;
}

const encoders: Array<[encoding: 'auto' | 'windows-1252' | 'utf-16le', (text: string) => Buffer]> =
	[
		['auto', (text) => Buffer.from(text)],
		['windows-1252', (text) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1')],
		['auto', (text) => Buffer.from(`\ufeff\ufeff${text}`)],
		['auto', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
		['windows-1252', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
		['utf-16le', (text) => Buffer.from(text, 'utf16le')],
	];

test('what a CSV writer wrote comes back exactly, with each delimiter, encoding and line end', () => {
	const style = fc.record({
		delimiter: fc.constantFrom(',', ';', '\t', '|'),
		lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
		encoder: fc.constantFrom(...encoders),
		isQuoted: fc.boolean(),
		isEnded: fc.boolean(),
	});
	fc.assert(
		fc.property(table, style, (rows, { delimiter, lineEnd, encoder, isQuoted, isEnded }) => {
			// A last row of one blank cell without a line end cannot be written.
			const lines = rows.map((cells) =>
				cells.map((text) => written(text, delimiter, isQuoted)).join(delimiter),
			);
			fc.pre(lines.at(-1) !== '' || isEnded);
			const [encoding, encode] = encoder;
			const text = decode(encode(lines.join(lineEnd) + (isEnded ? lineEnd : '')), encoding);
			let line = 1;
			const expected: Array<{ line: number; cells: string[] }> = [];
			for (const [index, cells] of rows.entries()) {
				// Rows without any text are left out.
				if (cells.join('').trim() !== '') expected.push({ line, cells });
				line += lines[index]?.match(/\r\n|\r|\n/g)?.length ?? 0;
				line++;
			}
			expect([...csvRows(text, delimiter)]).toEqual(expected);
		}),
		{ numRuns: 500 },
	);
});

test.each([
	['not around a whole cell', 'a,b\nc,"d"e\n', 2],
	['opened in the second line of a row', 'a,"b\nc","d\n', 2],
])(
	'a quotation mark that is %s ends the reading, with the line of its cell',
	(_what, text, line) => {
		const last = [...csvRows(text, ',')].at(-1);
		expect(last).toEqual({ line, cells: [], isBroken: true });
	},
);

test('long cells and quotation marks that are never closed take linear time', () => {
	const open = [...csvRows(`a,b\n"${'x,\n'.repeat(2_000_000)}`, ',')];
	expect(open.map(({ line, isBroken }) => [line, isBroken])).toEqual([
		[1, undefined],
		[2, true],
	]);
	const [doubled] = csvRows(`"${'""'.repeat(1_000_000)}",b`, ',');
	expect(doubled?.cells.map(({ length }) => length)).toEqual([1_000_000, 1]);
});
