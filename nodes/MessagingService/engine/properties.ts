import type { INodeProperties } from 'n8n-workflow';

import { routingOf } from './agentRouting';
import { fieldLabel } from '../../shared/field';
import { addToList } from '../../shared/listsByKey';
import { optionsField } from '../../shared/fieldTypes';
import { actionName, mayChange, operationName, type Operation, type Resource } from './declaration';

/**
 * Returns the node's properties: Resource, one Operation selector per resource, and the parameters of all operations.
 * n8n's engine checks every top-level property for every item (n8n-core 2.41.1, RoutingNode). A parameter that operations
 * share therefore becomes as few properties as its display conditions allow.
 */
export function propertiesOf(resources: Record<string, Resource>): INodeProperties[] {
	const screens = Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, declaration]) => ({
			resource,
			operation,
			fields: fieldsWithNotice(declaration),
		})),
	);
	const resourceSelector = optionsField(
		'resource',
		Object.entries(resources).map(([value, resource]) => ({
			name: fieldLabel(value),
			value,
			// Without a credential, n8n fails before it runs a tool (RoutingNode of n8n-core 1.122.48 and 2.41.1).
			...(isLocal(resource) && { displayOptions: { hide: { '@tool': [true] } } }),
		})),
		'campaign',
		'',
		{ noDataExpression: true, routing: routingOf(resources) },
	);
	const operationSelectors = Object.entries(resources).map(operationSelector);
	const parameters = topologicalSort(screens.map(({ fields }) => fields)).flatMap((field) => {
		const { displayOptions } = field;
		const itsScreens = screens.filter(({ fields }) => fields.includes(field));
		return showConditions(itsScreens).map((condition) => ({
			...field,
			displayOptions: { ...displayOptions, show: { ...condition, ...displayOptions?.show } },
		}));
	});
	return [resourceSelector, ...operationSelectors, ...parameters];
}

/** Whether no operation of a resource sends a request. */
function isLocal(resource: Resource): boolean {
	return Object.values(resource).every((operation) => operation.isLocal);
}

/** Returns the display condition of the credential and of Request Options: hidden where no operation sends a request. */
export function displayWithRequests(resources: Record<string, Resource>) {
	const local = Object.keys(resources).filter((name) => isLocal(resources[name] ?? {}));
	return { hide: { resource: local } };
}

/**
 * Returns the fields of an operation, with its notice about sending. If the notice has a display condition, it stands
 * below the first field of this condition. Otherwise, it stands below the first field of the operation.
 */
export function fieldsWithNotice({ fields, sends }: Operation): INodeProperties[] {
	if (!sends) return fields;
	const [condition = ''] = Object.keys(sends.displayOptions?.show ?? {});
	// '/updateFields.status' → 'updateFields'
	const fieldAbove = condition.replace(/^\/|\..*/g, '');
	const position = fields.findIndex(({ name }) => name === fieldAbove);
	const index = Math.max(position, 0);
	return [...fields.slice(0, index + 1), sends, ...fields.slice(index + 1)];
}

/**
 * Returns the Operation list of a resource, in the order of its declaration. Get Many is preselected. If a resource has no Get Many, the first operation
 * that only reads is preselected.
 */
function operationSelector([resource, operations]: [string, Resource]): INodeProperties {
	const onlyRead = Object.entries(operations).flatMap(([value, operation]) =>
		mayChange(operation) ? [] : [value],
	);
	const preselected = onlyRead.includes('getAll') ? 'getAll' : (onlyRead[0] ?? '');
	const options = Object.entries(operations).map(([value, operation]) => ({
		name: operationName(value, operation),
		value,
		action: actionName(resource, value, operation),
		description: operation.description,
		// n8n 2.41.1 refuses a node that has this hint on the selector itself (validateNodeDescription).
		...(operation.builderHint && { builderHint: { propertyHint: operation.builderHint } }),
		// The reference and the output schemas read the endpoint here. n8n does not send it.
		routing: { request: { method: operation.endpoint?.[0], url: operation.endpoint?.[1] } },
	}));
	return optionsField('operation', options, preselected, '', {
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
	});
}

/** A display condition: shows a parameter for each of the operations of each of the resources. */
type ShowCondition = { resource: string[]; operation: string[] };

/**
 * Returns display conditions that match exactly the given screens. n8n shows a property for every pair of a resource and an
 * operation of its condition. So resources share a condition only if the operations on their screens are the same.
 */
function showConditions(screens: Array<{ resource: string; operation: string }>): ShowCondition[] {
	const operationsByResource = new Map<string, string[]>();
	for (const { resource, operation } of screens)
		addToList(operationsByResource, resource, operation);
	const conditions = new Map<string, ShowCondition>();
	for (const [resource, operation] of operationsByResource) {
		operation.sort();
		const condition = conditions.get(operation.join()) ?? { resource: [], operation };
		condition.resource.push(resource);
		conditions.set(operation.join(), condition);
	}
	return [...conditions.values()];
}

/**
 * Sorts the fields of all screens so that each screen keeps its own order: n8n shows a node's properties in one order for
 * all operations.
 *
 * @param screens the fields of each operation. A shared field is the same object everywhere
 * @returns each field once
 * @throws if screens list the same fields in different orders. To fix this, give one screen a separate field
 */
export function topologicalSort<Field extends { name: string }>(screens: Field[][]): Field[] {
	const ordered = new Set<Field>();
	/** Adds a field after the fields above it. @param below the fields that wait for it */
	const add = (field: Field, below: Field[]): void => {
		if (ordered.has(field)) return;
		if (below.includes(field)) {
			const names = below.map(({ name }) => name).join(', ');
			throw new Error(`Screens list these fields in different orders: ${names}`);
		}
		for (const screen of screens) {
			const above = screen[screen.indexOf(field) - 1];
			if (above) add(above, [...below, field]);
		}
		ordered.add(field);
	};
	for (const field of screens.flat()) add(field, []);
	return [...ordered];
}

/**
 * Returns the subtitle of a node on the canvas: an expression that n8n evaluates, for example to "Sync: Recipient Group".
 */
export function subtitleOf(resources: Record<string, Resource>): string {
	const subtitles = Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([value, operation]) => [
			`${resource}.${value}`,
			`${operationName(value, operation)}: ${fieldLabel(resource)}`,
		]),
	);
	// The object must be flat, because two closing braces in a row would end the expression.
	return `={{ (${JSON.stringify(Object.fromEntries(subtitles))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
