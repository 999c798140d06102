import { inspect } from 'node:util';

import { samplesOf, SAMPLE_SEED, type SampleMaker } from '../kit/samples.mts';
import { useService } from '../kit/service.mts';
import { isObject, itemJson } from '../kit/typed.mts';
import { isInShare, isParameters, operations } from './operations.mts';

/**
 * Tests every parameter of every operation with expressions that return unexpected values. The node must refuse an
 * unexpected value with a clear error, or send a valid request. After an invalid request, useService fails the test.
 * Nothing may be sent to people by accident.
 */

/** Only one in `SHARE` parameter values is replaced and tested. */
const SHARE = 15;

const service = useService(SAMPLE_SEED);

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

/** The unexpected values. Each value becomes an input item. */
const HOSTILE: unknown[] = [
	...[undefined, null, true, false, 0, -1, 1.5, 1e21, NaN, Infinity, 10n],
	...['', ' ', '\n', 'false', 'null', 'undefined', 'NaN', '2001-01-01', 'week 7'],
	...['\ud800', 'a\udc00b', '\u0000', 'x'.repeat(200_000)],
	...['../me', 'a/b?c=d#e', '%2e%2e%2f', '__proto__', 'constructor', '{{ 1 }}', '="x"'],
	...['[1, 2', '{"a":', new Date(NaN), new Date(0), cyclic],
	...[[], [null], [[]], [['a']], [{}], ['', ' ']],
	...[{}, { a: 1 }, { a: 10n }, { value: 'a' }, { length: 3 }],
	{ __rl: true, mode: 'id', value: 'a' },
];

/** The path of a value in the parameters, for example `['additionalFields', 'title']`. */
type Path = Array<string | number>;

/** Returns the paths of all values, including lists and collections. For a locator, returns only the path of its value. */
function pathsIn(value: unknown, path: Path = []): Path[] {
	if (Array.isArray(value)) {
		return [
			path,
			...value.slice(0, 12).flatMap((entry, index) => pathsIn(entry, [...path, index])),
		];
	}
	if (typeof value !== 'object' || value === null) return [path];
	if ('__rl' in value) return [[...path, 'value']];
	const inner = Object.entries(value).flatMap(([name, own]) => pathsIn(own, [...path, name]));
	return path.length === 0 ? inner : [path, ...inner];
}

function valueAt(value: unknown, [key, ...rest]: Path): unknown {
	if (key === undefined) return value;
	const hasParts = Array.isArray(value) || isObject(value);
	return hasParts ? valueAt(Reflect.get(value, key), rest) : undefined;
}

const EXPRESSION = '={{ $json.given }}';

function withExpression(value: unknown, [key, ...rest]: Path): unknown {
	if (key === undefined) return EXPRESSION;
	if (Array.isArray(value)) {
		const at = Number(key);
		return value.with(at, withExpression(value[at], rest));
	}
	if (!isObject(value)) throw new Error(`There is nothing at ${String(key)}`);
	return { ...value, [key]: withExpression(value[key], rest) };
}

/** Text of internal JavaScript errors, which does not help a user. */
const INTERNAL =
	/\bundefined\b|\[object|\b(Type|Range|Reference|Syntax|Axios)Error\b|Cannot (read|convert|mix)|is not a function|is not iterable|circular|Converting|BigInt|socket hang up|\n\s+at /i;

/** Operations that send to people only if the status is live or scheduled. */
const CREATES = ['campaign.create', 'broadcast.create', 'channel.createCampaign'];

function live(): string[] {
	const { campaigns, broadcasts } = service.emulator.state;
	return [...campaigns.values(), ...broadcasts.values()]
		.filter(({ status }) => status === '1')
		.map(({ _id }) => _id);
}

/** Ignores the error of n8n about a missing required field. @throws any other error */
function notBegun(error: unknown): undefined {
	if (error instanceof Error && error.name === 'WorkflowHasIssuesError') return undefined;
	throw error;
}

/**
 * Runs a sample in which the parameter at `path` takes each unexpected value in turn, one per item. Returns the problems
 * found.
 */
async function wrongAt(operation: string, make: SampleMaker, path: Path): Promise<unknown[]> {
	service.emulator.reset();
	const { parameters, items: [item = { json: {} }] = [] } = make(service.emulator);
	const given = withExpression(parameters, path);
	if (!isParameters(given)) throw new Error('No parameters');
	const before = live();
	const run = service.run(operation, given, {
		items: HOSTILE.map((value) => ({ ...item, json: itemJson({ given: value }) })),
		onError: 'continueErrorOutput',
	});
	const result = await run.catch(notBegun);
	if (!result) return [];
	const wrong: unknown[] = service.emulator.violations.map(({ detail }) => detail);
	service.emulator.clearRequests();
	if (result.error) wrong.push(result.error.message);
	for (const { json, pairedItem } of result.errorItems) {
		const { error } = json;
		const at = isObject(pairedItem) && 'item' in pairedItem ? Number(pairedItem.item) : -1;
		// One value is the text "undefined", and the service may repeat it.
		const repeated = HOSTILE[at] === 'undefined' ? 'undefined' : '';
		const isClear = typeof error === 'string' && !INTERNAL.test(error.replaceAll(repeated, ''));
		const isReadable = isClear && error.trim() !== '' && error.length <= 500;
		if (!isReadable) wrong.push([inspect(HOSTILE[at]).slice(0, 60), String(error).slice(0, 200)]);
	}
	const outputs = [...result.items, ...result.errorItems];
	if (outputs.some(({ pairedItem }) => !isObject(pairedItem)))
		wrong.push('an item without its pair');
	if (CREATES.includes(operation) && live().length > before.length)
		wrong.push('something went out');
	if (inspect(outputs, { depth: 9 }).includes(service.emulator.accessKey)) wrong.push('a secret');
	return wrong;
}

test.each(operations)(
	'%s',
	async (operation) => {
		const wrong: Record<string, unknown[]> = {};
		const seen = new Set<string>();
		for (const [number, make] of samplesOf(operation).entries()) {
			service.emulator.reset();
			const { parameters } = make(service.emulator);
			for (const path of pathsIn(parameters)) {
				// Samples of an operation share most fields. A field with the same value in several samples is tested once.
				const field = JSON.stringify([path, valueAt(parameters, path)]);
				if (seen.has(field)) continue;
				seen.add(field);
				const place = `${operation} ${number}: ${path.join('.')}`;
				if (!isInShare(place, SHARE)) continue;
				const found = await wrongAt(operation, make, path);
				if (found.length > 0) wrong[place] = found;
			}
		}
		expect(wrong).toEqual({});
	},
	600_000,
);
