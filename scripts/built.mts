import { createRequire } from 'node:module';

import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

const load: (path: string) => Record<string, new () => INodeType> = createRequire(import.meta.url);

/** Returns the description of a node in the built package. @throws if it is not built */
export function built(name: string): INodeTypeDescription {
	const Node = load(`../dist/nodes/${name}/${name}.node.js`)[name];
	if (Node === undefined) throw new Error(`${name} is missing in dist: run npm run build`);
	return new Node().description;
}

/** Whether a field is shown for a resource and an operation, or for any operation. */
export function isShown(
	{ displayOptions }: INodeProperties,
	resource: unknown,
	operation?: unknown,
): boolean {
	const { resource: resources, operation: operations } = displayOptions?.show ?? {};
	const has = (list: unknown[] | undefined, value: unknown) =>
		value === undefined || list === undefined || list.includes(value);
	return has(resources, resource) && has(operations, operation);
}
