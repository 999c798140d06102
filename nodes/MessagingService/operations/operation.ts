import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { topologicalSort } from './topologicalSort';
import { forTools, refusable } from '../runner/agentTool';

/** One operation: its entry in the Operation list, its parameters in the order of the screen, and how it runs. */
export type Operation = INodePropertyOptions & {
	value: string;
	action: string;
	/** Shared ones are the same object in every operation that uses them. */
	fields: INodeProperties[];
	/** Runs in place of our runner where an operation must see all input items at once. */
	execute?: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

export type Resource = {
	displayName: string;
	value: string;
	operations: Operation[];
	/** The operation chosen when a builder picks the resource: one that changes nothing. */
	defaultOperation: string;
};

type Uses = Map<string, Set<string>>;

/**
 * The node's properties: Resource, one Operation selector a resource, and the parameters of all operations. A parameter
 * that operations share becomes as few properties as its display conditions allow, because the engine looks at each
 * top-level property for each item (n8n-core 2.41.1, RoutingNode).
 */
export function propertiesOf(resources: Resource[]): INodeProperties[] {
	const resourceSelector: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ displayName, value }) => ({ name: displayName, value })),
		default: 'campaign',
	};
	return [
		resourceSelector,
		...resources.map(operationSelector),
		...topologicalSort(
			resources.flatMap(({ operations }) => operations.map(({ fields }) => fields)),
		).flatMap((field) =>
			shownFor(usesOf(field, resources)).map(({ resource, operation }) => ({
				...forTools(field),
				displayOptions: {
					...field.displayOptions,
					show: { resource, operation, ...field.displayOptions?.show },
				},
			})),
		),
	];
}

function operationSelector({ value, operations, defaultOperation }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: byName(operations, ({ name }) => name).map(
			({ name, value: operation, action, description, routing }) => ({
				name,
				value: operation,
				action,
				description,
				routing: routing && refusable(routing),
			}),
		),
		default: defaultOperation,
	};
}

function usesOf(field: INodeProperties, resources: Resource[]): Uses {
	const uses: Uses = new Map();
	for (const { value, operations } of resources) {
		const using = operations.filter(({ fields }) => fields.includes(field));
		if (using.length > 0) uses.set(value, new Set(using.map((operation) => operation.value)));
	}
	return uses;
}

/**
 * Display conditions that cover exactly the uses: n8n shows a property for every pair of a listed resource and a listed
 * operation, so resources share a condition only when they use the field in the same operations.
 */
function shownFor(uses: Uses): Array<{ resource: string[]; operation: string[] }> {
	const conditions = new Map<string, { resource: string[]; operation: string[] }>();
	for (const [resource, operations] of uses) {
		const operation = [...operations].sort();
		const key = operation.join();
		const condition = conditions.get(key) ?? { resource: [], operation };
		condition.resource.push(resource);
		conditions.set(key, condition);
	}
	return [...conditions.values()];
}

/** The entries of a collection in the order in which the editor lists them best: by name. */
export function sortedByName(options: INodeProperties[]): INodeProperties[] {
	return byName(options, ({ displayName }) => displayName);
}

function byName<Entry>(entries: Entry[], nameOf: (entry: Entry) => string): Entry[] {
	return [...entries].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}
