import { readFileSync } from 'node:fs';

import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { collectionsIn, valueInWords } from './fields.mts';

/** A filled-in screen, and the first item that comes out of it. The samples test runs it. */
export type Example = {
	parameters: INodeParameters;
	/** What the screen shows instead of an ID, by parameter. */
	shown?: Record<string, string>;
	/** The JSON of the input items, if they matter. */
	input?: IDataObject[];
	output: IDataObject;
};

/** Longest example of an output item, in lines. */
const MOST_LINES = 12;

/** Longest line of an example. */
const WIDTH = 100;

const parseExamples: (text: string) => Record<string, Example> = JSON.parse;

/** Returns the examples that the samples test has written, by `resource.operation`, and `trigger`. */
export function readExamples(): Record<string, Example> {
	return parseExamples(readFileSync('scripts/docs/examples.json', 'utf8'));
}

/** Returns an example as Markdown: the fields as a person fills them, and the output item. Empty without an example. */
export function exampleBlocks(fields: INodeProperties[], example: Example | undefined): string {
	if (!example) return '';
	const lines = linesOf(fields, { ...example.parameters, ...example.shown });
	const items = (example.input ?? []).map((item) => JSON.stringify(item)).join(' ');
	if (items !== '') lines.unshift(['Input items', items]);
	const width = Math.max(...lines.map(([label]) => label.length));
	const screen = lines.map(([label, value]) =>
		`${label.padEnd(width)}  ${value.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`.trimEnd(),
	);
	return [
		...(screen.length === 0 ? [] : ['```text', ...screen, '```', '']),
		'```json',
		asJson(example.output),
		'```',
	].join('\n');
}

/** Returns the labels and values of filled-in fields, in the order of the parameters. */
function linesOf(
	fields: INodeProperties[],
	parameters: Record<string, unknown>,
): Array<[string, string]> {
	return Object.entries(parameters).flatMap(([name, value]) => {
		const field = fields.find((one) => one.name === name);
		if (!field) throw new Error(`An example fills in the unknown field ${name}`);
		const [inner] = collectionsIn(field);
		if (inner && isObject(value))
			return linesOf(inner, value).map(([label, text]): [string, string] => [
				`${field.displayName} → ${label}`,
				text,
			]);
		return [[field.displayName, valueOnScreen(field, value)]];
	});
}

/** Returns a value as the screen shows it. A record has the way in which it is chosen. */
function valueOnScreen(field: INodeProperties, value: unknown): string {
	if (Array.isArray(value)) return value.map((one) => valueInWords(one, field)).join(', ');
	if (!isObject(value)) return valueInWords(value, field);
	const { mode, value: chosen, cachedResultName = chosen } = value;
	const way = field.modes?.find(({ name }) => name === mode)?.displayName;
	return `${way}: ${String(cachedResultName)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an item as JSON: a line per field, a line per entry of a list of records, and at most twelve lines. */
function asJson(item: IDataObject): string {
	const oneLine = onOneLine(item);
	if (oneLine.length <= WIDTH) return oneLine;
	const fields = Object.entries(item).map(([name, value]) => {
		const text = onOneLine(value);
		const inner = Array.isArray(value) && text.length > WIDTH ? value.map(onOneLine) : undefined;
		const shown = inner ? `[\n\t\t${inner.join(',\n\t\t')}\n\t]` : text;
		return `\t${JSON.stringify(name)}: ${shown}`;
	});
	const lines = fields.join(',\n').split('\n');
	const most = MOST_LINES - 2;
	if (lines.length > most) lines.splice(most - 1, lines.length, '\t…');
	return ['{', ...lines, '}'].join('\n');
}

/** Returns a value as JSON on one line, with spaces between the parts. */
function onOneLine(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
	if (!isObject(value)) return JSON.stringify(value);
	const fields = Object.entries(value).map(
		([name, one]) => `${JSON.stringify(name)}: ${onOneLine(one)}`,
	);
	return `{ ${fields.join(', ')} }`;
}
