import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

type Choice = Pick<INodePropertyOptions, 'name' | 'value' | 'description' | 'action' | 'routing'>;

const NOTE = '<!-- Written by `npm run docs` from the node itself: change the texts there. -->';

/** n8n's field types in the user's words. */
const TYPES: Record<string, string> = {
	boolean: 'switch',
	collection: 'see below',
	dateTime: 'date and time',
	fixedCollection: 'see below',
	json: 'JSON',
	multiOptions: 'choices',
	options: 'choice',
	resourceLocator: 'record',
	string: 'text',
};

/** Conditions in words. */
const CONDITIONS: Record<string, string> = {
	true: 'on',
	false: 'off',
	'{"_cnd":{"not":true}}': 'off',
	'{"_cnd":{"between":{"from":"=","to":">"}}}': 'an expression',
};

/** Fields that select the screen, and fields that n8n adds to every screen. */
const NOT_LISTED = ['resource', 'operation', 'requestOptions', 'pollTimes'];

/**
 * The reference pages as Markdown, by file name: one for each resource, one for the trigger.
 *
 * @param contract text of emulator/openapi.yaml, which shows whether an operation has its own endpoint
 */
export function referencePages(
	node: INodeTypeDescription,
	trigger: INodeTypeDescription,
	contract: string,
): Map<string, string> {
	const page = (...parts: string[]) =>
		`${[NOTE, ...parts].filter((part) => part !== '').join('\n\n')}\n`;
	const resources = resourcesOf(node).map(({ name, value, operations }) => {
		const index = operations.map(
			(operation) => `[${operation.name}](#${operation.name.toLowerCase().replaceAll(' ', '-')})`,
		);
		const sections = operations.flatMap((operation) => [
			`## ${operation.name}`,
			sentences(operation.description),
			`In the node panel: *${operation.action}*. ${
				contract.includes(`operationId: ${value}.${operation.value}\n`)
					? `Request: \`${operation.routing?.request?.method ?? 'GET'} ${operation.routing?.request?.url}\``
					: 'It combines requests of other operations.'
			}`,
			parameterTables(node.properties.filter((field) => isShown(field, value, operation.value))),
		]);
		return [`${value}.md`, page(`# ${name}`, index.join(' · '), ...sections)] as const;
	});
	const triggerPage = page(`# ${trigger.displayName}`, parameterTables(trigger.properties));
	return new Map([...resources, ['trigger.md', triggerPage]]);
}

/** The resources with their operations as a Markdown table. */
export function operationsTable(node: INodeTypeDescription): string {
	return table(
		['resource', 'operations'],
		resourcesOf(node).map(({ name, operations }) => [
			name,
			operations.map((operation) => operation.name).join(', '),
		]),
	);
}

function resourcesOf({ properties }: INodeTypeDescription) {
	return choicesOf(properties.find(({ name }) => name === 'resource')).map((resource) => ({
		...resource,
		operations: properties
			.filter((field) => field.name === 'operation' && isShown(field, resource.value))
			.flatMap(choicesOf),
	}));
}

function isShown(
	{ displayOptions }: INodeProperties,
	resource: unknown,
	operation?: unknown,
): boolean {
	const { resource: resources, operation: operations } = displayOptions?.show ?? {};
	const has = (list: unknown[] | undefined, value: unknown) =>
		value === undefined || list === undefined || list.includes(value);
	return has(resources, resource) && has(operations, operation);
}

/** The notices of a screen, a table of its fields, and a table of each collection. */
function parameterTables(all: INodeProperties[], path: string[] = []): string {
	const fields = all.filter(
		({ name, type }) => !NOT_LISTED.includes(name) && type !== 'notice' && type !== 'hidden',
	);
	const rows = fields.map((field) => [
		field.displayName,
		`\`${field.name}\``,
		field.typeOptions?.password ? 'secret text' : (TYPES[field.type] ?? field.type),
		defaultOf(field),
		sentences(
			shownWhen(field, all),
			field.required ? 'Required' : '',
			field.description,
			field.hint,
			...choicesOf(field).map(
				({ name, value, description }) =>
					`<br>*${name}* (\`${value}\`)${description ? `: ${description}` : ''}`,
			),
		),
	]);
	const notices = all.filter(({ type }) => type === 'notice');
	return [
		...notices.map((notice) => `> ${sentences(shownWhen(notice, all), notice.displayName)}`),
		...(rows.length === 0 ? [] : [table(['field', 'name', 'type', 'default', 'what it is'], rows)]),
		...fields.flatMap((field) =>
			collectionsIn(field).flatMap((inner) => {
				const own = [...path, field.displayName];
				const title = `**${own.join(' → ')}** (\`${field.name}\`)`;
				return [
					sentences(`${title}:`, shownWhen(field, all), field.description),
					parameterTables(inner, own),
				];
			}),
		),
	].join('\n\n');
}

function collectionsIn({ type, options = [] }: INodeProperties): INodeProperties[][] {
	if (type === 'collection')
		return [options.flatMap((option) => ('type' in option ? [option] : []))];
	if (type !== 'fixedCollection') return [];
	return options.flatMap((kind) => ('values' in kind ? [kind.values] : []));
}

function choicesOf(field: INodeProperties | undefined): Choice[] {
	return (field?.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
}

function defaultOf(field: INodeProperties): string {
	const value = field.default;
	if (TYPES[field.type] === 'see below' || field.type === 'resourceLocator') return '';
	return [value ?? []]
		.flat()
		.map((one) => valueInWords(one, field))
		.join(', ');
}

/** The condition on other fields that shows a field; empty if it is always shown. */
function shownWhen({ displayOptions }: INodeProperties, siblings: INodeProperties[]): string {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const conditions = [
		...Object.entries(show).map(([name, values]) => ({ name, values, verb: 'is' })),
		...Object.entries(hide).map(([name, values]) => ({ name, values, verb: 'is not' })),
	]
		.filter(({ name }) => !NOT_LISTED.includes(name) && !name.startsWith('@'))
		.map(({ name, values = [], verb }) => {
			const other = siblings.find((sibling) => sibling.name === name.replace('/', ''));
			const left = choicesOf(other).flatMap(({ value }) => (values.includes(value) ? [] : [value]));
			const isOneLeft = verb === 'is not' && left.length === 1;
			const listed = (isOneLeft ? left : values).map((value) => `*${valueInWords(value, other)}*`);
			const label = other?.displayName ?? name.replace('/', '');
			return `*${label}* ${isOneLeft ? 'is' : verb} ${listed.join(' or ')}`;
		});
	return conditions.length === 0 ? '' : `When ${conditions.join(' and ')}`;
}

function valueInWords(value: unknown, field?: INodeProperties): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return choicesOf(field).find((one) => one.value === value)?.name ?? CONDITIONS[text] ?? text;
}

/** Joins texts on one line, each with a full stop. */
function sentences(...texts: Array<string | undefined>): string {
	return texts
		.map((text = '') => text.replace(/\s+/g, ' ').trim())
		.filter((text) => text !== '')
		.map((text) => (/[.:!?]$|^<br>/.test(text) ? text : `${text}.`))
		.join(' ');
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
