import { createHash } from 'node:crypto';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Emulator } from '../../emulator/emulator.mts';
import { properties } from '../kit/sampleParameters.mts';
import { operations as all, samplesOf } from '../kit/samples.mts';
import { first } from '../kit/required.mts';
import { isObject } from '../kit/typed.mts';

/**
 * Sync sends all items together: see syncFaults, syncModel and channelSync. Send and Wait sends one item: see sendAndWait. HR
 * List sends nothing.
 */
const WITH_OWN_TESTS = [
	...['channelRecipient.sync', 'recipientGroup.sync', 'broadcast.sendAndWait', 'hrList.read'],
];

/** The operations of the node, except those that other files test with faults. */
export const operations = all.filter((operation) => !WITH_OWN_TESTS.includes(operation));

/** The path that each operation of the node declares. */
export const declaredPaths = new Map<string, string>();
for (const { name, displayOptions, options = [] } of properties) {
	const resources = name === 'operation' ? (displayOptions?.show?.resource ?? []) : [];
	for (const resource of resources) {
		for (const option of options) {
			if (!('value' in option)) continue;
			const url = 'routing' in option ? option.routing?.request?.url : undefined;
			declaredPaths.set(`${String(resource)}.${option.value}`, url ?? '');
		}
	}
}

/**
 * Returns whether a case runs. `FAULTS=all` runs all cases. Without it, a hash of the name selects one in `every` cases.
 */
export function isInShare(name: string, every: number): boolean {
	if (process.env.FAULTS === 'all') return true;
	return createHash('sha256').update(name).digest().readUInt32BE() % every === 0;
}

/** Returns parameters and three input items. Each item has its own record if the sample creates one. */
export function threeItems(
	operation: string,
	emulator: Emulator,
): { parameters: INodeParameters; items: INodeExecutionData[] } {
	const make = first(samplesOf(operation));
	const own: unknown[][] = [];
	const made = [1, 2, 3].map((number) => {
		const { parameters, items } = make(emulator);
		// The node refuses several items that send the same message, or reset the same group.
		for (const name of ['name', 'title']) {
			if (typeof parameters[name] === 'string') parameters[name] += ` ${number}`;
		}
		const { options } = parameters;
		if (isParameters(options) && 'reset' in options) options.reset = number === 1;
		return { parameters, binary: items[0]?.binary };
	});
	const parameters = joined(
		made.map((each) => each.parameters),
		own,
	);
	if (!isParameters(parameters)) throw new Error(`${operation} has no parameters`);
	const items = made.map(({ binary }, index) => {
		const json = { own: JSON.stringify(own.map((values) => values[index])) };
		return binary ? { json, binary } : { json };
	});
	return { parameters, items };
}

/** Returns one value for all items. If the values differ, returns an expression that reads the value of each item. */
function joined(values: unknown[], own: unknown[][]): unknown {
	const [one] = values;
	if (values.every((value) => JSON.stringify(value) === JSON.stringify(one))) return one;
	if (values.every(isParameters)) {
		const valuesOf = (key: string) => values.map((record) => record[key]);
		const names = Object.keys(values[0] ?? {});
		return Object.fromEntries(names.map((name) => [name, joined(valuesOf(name), own)]));
	}
	own.push(values);
	return `={{ JSON.parse($json.own)[${own.length - 1}] }}`;
}

/** Returns whether a value is an object with parameters of a node or of a collection. */
export function isParameters(value: unknown): value is INodeParameters {
	return isObject(value);
}
