import { fieldLabel } from '../../shared/field';
import { operationName, type Resource } from './operation';

/**
 * Returns the subtitle of a node on the canvas: an expression that n8n evaluates, for example to "Sync: Recipient Group".
 */
export function subtitleOf(resources: Record<string, Resource>): string {
	const usual: Record<string, string> = {};
	const special: Record<string, string> = {};
	const names: Record<string, string> = {};
	for (const [resource, operations] of Object.entries(resources)) {
		names[resource] = fieldLabel(resource);
		for (const [operation, declaration] of Object.entries(operations)) {
			const name = operationName(operation, declaration);
			usual[operation] ??= name;
			if (usual[operation] !== name) special[`${resource}.${operation}`] = name;
		}
	}
	const [resource, operation] = ['$parameter["resource"]', '$parameter["operation"]'];
	const action = `((${inExpression(special)})[${resource} + "." + ${operation}] || (${inExpression(usual)})[${operation}])`;
	return `={{ ${action} + ": " + (${inExpression(names)})[${resource}] }}`;
}

/** Returns the object as JSON. It must be flat, because two closing braces in a row would end the expression. */
function inExpression(words: Record<string, string>): string {
	return JSON.stringify(words);
}
