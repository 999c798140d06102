import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Listed = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** What a builder calls the types of n8n. */
const TYPES: Record<string, string> = {
	boolean: 'switch',
	dateTime: 'date and time',
	json: 'JSON',
	multiOptions: 'choices',
	number: 'number',
	options: 'choice',
	string: 'text',
};

/** Our conditions that are no values, in words. */
const CONDITIONS: Record<string, string> = {
	'{"_cnd":{"between":{"from":"=","to":">"}}}': 'an expression',
};

/** What n8n adds when it loads a node: requests, and the times of a poll. */
const OF_N8N = ['requestOptions', 'pollTimes'];

/**
 * The parameters of one screen as Markdown: its notices, a table of the fields, and a table for each collection.
 *
 * @param properties those that the screen can show, in its order; resource and operation are not among them
 */
export function parameterTables(properties: INodeProperties[]): string {
	const notices = properties
		.filter(({ type }) => type === 'notice')
		.map((notice) => `> ${sentences(shownWhen(notice, properties), oneLine(notice.displayName))}`);
	const fields = onScreen(properties).filter(({ name }) => !OF_N8N.includes(name));
	const plain = fields.filter((field) => entriesOf(field) === undefined);
	return [
		...notices,
		...(plain.length > 0 ? [table(plain, properties)] : []),
		...fields.flatMap((field) => collectionTables(field, properties)),
	].join('\n\n');
}

/** The fields that a builder can fill. */
function onScreen(properties: INodeProperties[]): INodeProperties[] {
	return properties.filter(({ type }) => type !== 'notice' && type !== 'hidden');
}

/** The tables of a collection, a fixed collection and what they hold; none of a plain field. */
function collectionTables(
	field: INodeProperties,
	siblings: INodeProperties[],
	path: string[] = [],
): string[] {
	const entries = entriesOf(field);
	if (entries === undefined) return [];
	const own = [...path, field.displayName];
	const title = `**${own.join(' → ')}** (\`${field.name}\`) ${sentences(
		shownWhen(field, siblings),
		oneLine(field.description ?? ''),
	)}`;
	return entries.flatMap((properties) => {
		const plain = onScreen(properties);
		return [
			title.trim(),
			table(plain, properties),
			...plain.flatMap((property) => collectionTables(property, properties, own)),
		];
	});
}

/** What a collection holds; a fixed one can hold several kinds. */
function entriesOf({ type, options = [] }: INodeProperties): INodeProperties[][] | undefined {
	if (type === 'collection') return [options.filter(isProperty)];
	if (type !== 'fixedCollection') return undefined;
	return options.flatMap((kind) => ('values' in kind ? [kind.values] : []));
}

function table(fields: INodeProperties[], siblings: INodeProperties[]): string {
	return [
		'| field | name | type | default | what it is |',
		'|---|---|---|---|---|',
		...fields.map((field) =>
			row([
				field.displayName,
				`\`${field.name}\``,
				typeOf(field),
				defaultOf(field),
				sentences(
					shownWhen(field, siblings),
					field.required === true ? 'Required.' : '',
					oneLine(field.description ?? ''),
					oneLine(field.hint ?? ''),
					choicesOf(field),
				),
			]),
		),
	].join('\n');
}

/** A row of a Markdown table. */
export function row(cells: string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function typeOf({ type, typeOptions, modes = [] }: INodeProperties): string {
	if (type === 'resourceLocator')
		return `record: ${modes.map(({ displayName }) => displayName).join(', ')}`;
	if (type === 'collection' || type === 'fixedCollection') return 'see below';
	if (typeOptions?.password === true) return 'secret text';
	return TYPES[type] ?? type;
}

function defaultOf({ type, default: value, options = [] }: INodeProperties): string {
	if (['resourceLocator', 'collection', 'fixedCollection'].includes(type)) return '';
	if (value === undefined || value === null || value === '') return '';
	if (Array.isArray(value) && value.length === 0) return '';
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (type === 'options') return nameOf(value, options);
	if (type === 'multiOptions' && Array.isArray(value)) {
		return value.map((one) => nameOf(one, options)).join(', ');
	}
	return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function choicesOf({ type, options = [] }: INodeProperties): string {
	if (type !== 'options' && type !== 'multiOptions') return '';
	const choices = options.flatMap((option) =>
		'value' in option
			? [
					`*${option.name}* (\`${option.value}\`)${option.description ? `: ${oneLine(option.description)}` : ''}`,
				]
			: [],
	);
	return choices.length === 0 ? '' : `<br>${choices.join('<br>')}`;
}

/** When the screen shows a field, by the values of others on it; nothing where it always does. */
function shownWhen({ displayOptions }: INodeProperties, siblings: INodeProperties[]): string {
	const conditions = [
		...Object.entries(displayOptions?.show ?? {}).map((entry) => [...entry, 'is'] as const),
		...Object.entries(displayOptions?.hide ?? {}).map((entry) => [...entry, 'is not'] as const),
	]
		.filter(([name]) => name !== 'resource' && name !== 'operation')
		.map(([name, values = [], verb]) => {
			const other = siblings.find(
				(sibling) => `/${sibling.name}` === name || sibling.name === name,
			);
			const label = other?.displayName ?? name.replace('/', '');
			const left = verb === 'is not' ? whatIsLeft(values, other) : undefined;
			const listed = (left ?? values).map((value) => valueInWords(value, other)).join(' or ');
			return `${label} ${left ? 'is' : verb} ${listed}`;
		});
	return conditions.length === 0 ? '' : `When ${conditions.join(' and ')}.`;
}

/** The values that hiding leaves, where they are fewer than those it takes; undefined where they are not. */
function whatIsLeft(hidden: unknown[], field?: INodeProperties): unknown[] | undefined {
	if (JSON.stringify(hidden) === '[{"_cnd":{"not":true}}]') return [true];
	const all = (field?.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	const left = all.filter((value) => !hidden.includes(value));
	return left.length > 0 && left.length < all.length / 2 ? left : undefined;
}

function valueInWords(value: unknown, field?: INodeProperties): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const condition = CONDITIONS[JSON.stringify(value)];
	if (condition !== undefined) return condition;
	return `*${nameOf(value, field?.options ?? [])}*`;
}

function nameOf(value: unknown, options: Listed[]): string {
	const option = options.find((one) => 'value' in one && one.value === value);
	if (option) return option.name;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function isProperty(listed: Listed): listed is INodeProperties {
	return 'type' in listed;
}

/** Texts one after the other, each with its full stop. */
function sentences(...texts: string[]): string {
	return texts
		.filter((text) => text !== '')
		.map((text) => (/[.:!?]$|^<br>/.test(text) ? text : `${text}.`))
		.join(' ');
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}
