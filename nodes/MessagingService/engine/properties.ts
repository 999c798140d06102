import type { INodeProperties } from 'n8n-workflow';

import { routingOf } from './agentRouting';
import { fieldLabel } from '../../shared/field';
import { optionsField } from '../../shared/fieldTypes';
import { actionName, operationName, type Operation, type Resource } from './declaration';

/**
 * Returns the node's properties: Resource, one Operation selector per resource, and the parameters of all operations.
 * n8n's engine checks every top-level property for every item (n8n-core 2.41.1, RoutingNode). A parameter that operations
 * share therefore becomes as few properties as its display conditions allow.
 */
export function propertiesOf(resources: Record<string, Resource>): INodeProperties[] {
	const screens = Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([operation, declaration]) => ({
			...{ resource, operation },
			fields: screenOf(declaration),
		})),
	);
	const resourceSelector = optionsField(
		'resource',
		Object.keys(resources).map((value) => ({ name: fieldLabel(value), value })),
		'campaign',
		'',
		{ noDataExpression: true, routing: routingOf(resources) },
	);
	const operationSelectors = Object.entries(resources).map(operationSelector);
	const parameters = topologicalSort(screens.map(({ fields }) => fields)).flatMap((field) => {
		const users = screens.filter(({ fields }) => fields.includes(field));
		const { displayOptions } = field;
		return shownFor(users).map((uses) => ({
			...field,
			displayOptions: { ...displayOptions, show: { ...uses, ...displayOptions?.show } },
		}));
	});
	return [resourceSelector, ...operationSelectors, ...parameters];
}

/**
 * Returns the fields of an operation, with its notice about sending. If the notice has a display condition, it stands
 * below the first field of this condition. Otherwise, it stands below the first field of the operation.
 */
export function screenOf({ fields, sends }: Operation): INodeProperties[] {
	if (!sends) return fields;
	const [condition = ''] = Object.keys(sends.displayOptions?.show ?? {});
	// The condition `/status.x` is about the field `status`.
	const field = condition.replace(/^\/|\..*/g, '');
	const below = Math.max(
		fields.findIndex(({ name }) => name === field),
		0,
	);
	return [...fields.slice(0, below + 1), sends, ...fields.slice(below + 1)];
}

/**
 * Returns the Operation list of a resource. Get Many is preselected. If a resource has no Get Many, the first operation
 * that only reads is preselected.
 */
function operationSelector([resource, operations]: [string, Resource]): INodeProperties {
	const onlyRead = Object.keys(operations).filter(
		(value) => operations[value]?.endpoint?.[0] === 'GET',
	);
	const [preselected = ''] = onlyRead.includes('getAll') ? ['getAll'] : onlyRead;
	const options = Object.entries(operations)
		.map(([value, operation]) => ({
			name: operationName(value, operation),
			value,
			action: actionName(resource, value, operation),
			description: operation.description,
			// n8n 2.41.1 refuses a node that has this hint on the selector itself (validateNodeDescription).
			...(operation.builderHint && { builderHint: { propertyHint: operation.builderHint } }),
			// The reference and the output schemas read the endpoint here. n8n does not send it.
			routing: { request: { method: operation.endpoint?.[0], url: operation.endpoint?.[1] } },
		}))
		.sort((a, b) => a.name.localeCompare(b.name));
	return optionsField('operation', options, preselected, '', {
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
	});
}

type Uses = { resource: string[]; operation: string[] };

/**
 * Returns display conditions that match exactly the given screens. If a condition lists several resources and
 * operations, n8n shows the property for every pair of them. So resources share a condition only if they use the field
 * in the same operations.
 */
function shownFor(screens: Array<{ resource: string; operation: string }>): Uses[] {
	const operations = new Map<string, string[]>();
	for (const { resource, operation } of screens) {
		operations.set(resource, [...(operations.get(resource) ?? []), operation].sort());
	}
	const conditions = new Map<string, Uses>();
	for (const [resource, operation] of operations) {
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
	const before = new Map<Field, Set<Field>>();
	for (const screen of screens) {
		for (const [index, field] of screen.entries()) {
			const earlier = before.get(field) ?? new Set();
			const previous = screen[index - 1];
			if (previous !== undefined) earlier.add(previous);
			before.set(field, earlier);
		}
	}
	const ordered = new Set<Field>();
	while (ordered.size < before.size) {
		const next = [...before].find(
			([field, earlier]) => !ordered.has(field) && [...earlier].every((one) => ordered.has(one)),
		);
		if (next === undefined) {
			const left = [...before.keys()].filter((field) => !ordered.has(field));
			throw new Error(
				`Screens list these fields in different orders: ${left.map(({ name }) => name).join(', ')}`,
			);
		}
		ordered.add(next[0]);
	}
	return [...ordered];
}

/**
 * Returns the subtitle of a node on the canvas: an expression that n8n evaluates, for example to "Sync: Recipient Group".
 */
export function subtitleOf(resources: Record<string, Resource>): string {
	const subtitles: Record<string, string> = {};
	for (const [resource, operations] of Object.entries(resources)) {
		for (const [value, operation] of Object.entries(operations)) {
			const name = operationName(value, operation);
			subtitles[`${resource}.${value}`] = `${name}: ${fieldLabel(resource)}`;
		}
	}
	// The object must be flat, because two closing braces in a row would end the expression.
	return `={{ (${JSON.stringify(subtitles)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
