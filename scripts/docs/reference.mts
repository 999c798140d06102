import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { parameterTables, row } from './parameters.mts';

/** One resource of the action node as its description tells it. */
export type ResourceDoc = {
	value: string;
	name: string;
	operations: INodePropertyOptions[];
};

/** The resources of the action node with their operations, in the order of the screen. */
export function resourcesOf({ properties }: INodeTypeDescription): ResourceDoc[] {
	const selector = properties.find(({ name }) => name === 'resource');
	return choices(selector).map(({ name, value }) => ({
		value: String(value),
		name,
		operations: properties
			.filter((property) => property.name === 'operation' && isShown(property, String(value)))
			.flatMap(choices),
	}));
}

/**
 * The page of one resource: each operation with its request and its fields.
 *
 * @param hasEndpoint whether the service has an operation of that ID
 */
export function resourcePage(
	{ value, name, operations }: ResourceDoc,
	{ properties }: INodeTypeDescription,
	hasEndpoint: (operationId: string) => boolean,
): string {
	const sections = operations.map((operation) => {
		const shown = properties.filter(
			(property) =>
				!['resource', 'operation'].includes(property.name) &&
				isShown(property, value, String(operation.value)),
		);
		return [
			`## ${operation.name}`,
			fullStop(operation.description ?? ''),
			`On the canvas: *${operation.action}*. ${requestOf(operation, hasEndpoint(`${value}.${String(operation.value)}`))}`,
			parameterTables(shown),
		]
			.filter((part) => part !== '')
			.join('\n\n');
	});
	const index = operations
		.map((operation) => `[${operation.name}](#${anchor(operation.name)})`)
		.join(' · ');
	return `${[NOTE, `# ${name}`, index, ...sections].join('\n\n')}\n`;
}

/** The page of the trigger: its fields. */
export function triggerPage({ displayName, properties }: INodeTypeDescription): string {
	return `${[NOTE, `# ${displayName}`, parameterTables(properties)].join('\n\n')}\n`;
}

/** Resources and their operations, as a table whose first column leads to the pages. */
export function operationsTable(resources: ResourceDoc[], folder: string): string {
	return [
		'| resource | operations |',
		'|---|---|',
		...resources.map(({ value, name, operations }) =>
			row([`[${name}](${folder}${value}.md)`, operations.map((one) => one.name).join(', ')]),
		),
	].join('\n');
}

const NOTE = '<!-- Written by `npm run docs` from the node itself: change the texts there. -->';

/** The request of an operation; some are put together from those of others. */
function requestOf({ routing }: INodePropertyOptions, isItsOwn: boolean): string {
	const { method = 'GET', url } = routing?.request ?? {};
	const request = url === undefined ? '' : `\`${method} ${url}\``;
	if (isItsOwn) return `Request: ${request}`;
	return `No endpoint of its own: it works with those of other operations${request === '' ? '' : `, ${request} among them`}.`;
}

function isShown({ displayOptions }: INodeProperties, resource: string, operation?: string) {
	const { resource: resources, operation: operations } = displayOptions?.show ?? {};
	return (
		(resources?.includes(resource) ?? true) &&
		(operation === undefined || (operations?.includes(operation) ?? true))
	);
}

function choices(selector?: INodeProperties): INodePropertyOptions[] {
	return (selector?.options ?? []).flatMap((option) => ('value' in option ? [option] : []));
}

function anchor(heading: string): string {
	return heading.toLowerCase().replaceAll(' ', '-');
}

function fullStop(text: string): string {
	return text === '' || text.endsWith('.') ? text : `${text}.`;
}
