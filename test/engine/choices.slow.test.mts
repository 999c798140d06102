import { isDeepStrictEqual } from 'node:util';

import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { runNode } from '../kit/engine.mts';
import { inMemory } from '../kit/binary.mts';
import {
	isShown,
	operationsOnScreen,
	properties,
	sampleParameters,
} from '../kit/sampleParameters.mts';
import { emptyData, useTestServer } from '../kit/testServer.mts';
import { itemJson } from '../kit/typed.mts';

/** A drop-down list or a switch of one operation, with parameters that show it. */
type Place = {
	operation: string;
	property: INodeProperties;
	/** The path to the field, for example `['additionalFields', 'enableEmail']`. */
	path: string[];
	parameters: INodeParameters;
};

/** Operations that read their parameters for all items together, or only for the first item. */
const READ_ELSEWHERE = /^((recipientGroup|channelRecipient)\.sync|broadcast\.sendAndWait) /;

const recorder = useTestServer((request) => request.respond(emptyData(request)));

const NOTHING_LISTED: unknown[] = [undefined, null, '', ' ', 'nonsense', {}, [], 7];

/** Runs one operation with one item per value. An expression sets the field to the value. */
async function runWith(place: Place, values: unknown[]) {
	const { items } = await runNode({
		credential: recorder.credential,
		parameters: withExpression(place),
		items: values.map((given) => ({
			json: itemJson({ given }),
			binary: { data: inMemory(Buffer.from('x')) },
		})),
		onError: 'continueRegularOutput',
	});
	return items;
}

test.each(['options', 'boolean'] as const)(
	'refuses invalid values for fields of type %s before sending, and reports field and item',
	async (type) => {
		const wrong: unknown[] = [];
		for (const place of placesOf(type)) {
			recorder.clear();
			const items = await runWith(place, NOTHING_LISTED);
			const named = `${place.property.displayName} must be `;
			const isRefused =
				recorder.requests.length === 0 &&
				items.length === NOTHING_LISTED.length &&
				items.every(
					({ json, pairedItem }, item) =>
						String(json.error).startsWith(named) && isDeepStrictEqual(pairedItem, { item }),
				);
			if (!isRefused) wrong.push([nameOf(place), recorder.requests.length, items]);
		}
		expect(wrong).toEqual([]);
	},
	120_000,
);

test('accepts the values of every drop-down list in upper or lower case, and sends them as listed', async () => {
	const wrong: unknown[] = [];
	for (const place of placesOf('options')) {
		const listed = (place.property.options ?? []).flatMap((option) =>
			'value' in option ? [String(option.value)] : [],
		);
		const expected = await sentFor(place, listed);
		const sent = await sentFor(
			place,
			listed.map((value) => value.toUpperCase()),
		);
		if (!isDeepStrictEqual(sent, expected)) wrong.push([nameOf(place), sent, expected]);
	}
	expect(wrong).toEqual([]);
}, 120_000);

test('accepts words such as "yes" for every switch, and sends the same as for true or false', async () => {
	const wrong: unknown[] = [];
	for (const place of placesOf('boolean')) {
		for (const [isOn, words] of [
			[true, ['true', 'TRUE', 'yes', 'Yes', '1', 1]],
			[false, ['false', 'False', 'no', 'NO', '0', 0]],
		] as const) {
			const [expected, ...sent] = await sentFor(place, [isOn, ...words]);
			const odd = words.filter((_word, index) => !isDeepStrictEqual(sent[index], expected));
			if (odd.length > 0) wrong.push([nameOf(place), isOn, odd, sent, expected]);
		}
	}
	expect(wrong).toEqual([]);
}, 120_000);

const nameOf = ({ operation, path }: Place): string => `${operation} ${path.join('.')}`;

/** Runs the operation once per value. Returns the errors and requests of each run. */
async function sentFor(place: Place, values: readonly unknown[]): Promise<unknown[]> {
	const sent: unknown[] = [];
	for (const value of values) {
		recorder.clear();
		const items = await runWith(place, [value]);
		sent.push({ errors: items.map(({ json }) => json.error), requests: recorder.sent });
	}
	return sent;
}

/** Returns the drop-down lists or switches of all operations, without duplicates. */
function placesOf(type: 'options' | 'boolean'): Place[] {
	const places = new Map<string, Place>();
	for (const [resource, operation] of operationsOnScreen) {
		for (const parameters of sampleParameters(resource, operation)) {
			for (const property of properties) {
				if (!(property.name in parameters) || !isShown(property, parameters)) continue;
				for (const [path, inner] of fieldsOf(property)) {
					const isOne = inner.type === type && !inner.noDataExpression;
					if (!isOne || inner.typeOptions?.loadOptionsMethod) continue;
					const key = `${resource}.${operation} ${path.join('.')}`;
					if (READ_ELSEWHERE.test(key)) continue;
					places.set(key, {
						operation: `${resource}.${operation}`,
						property: inner,
						path,
						parameters,
					});
				}
			}
		}
	}
	return [...places.values()];
}

/** Returns the fields of a collection. For any other property, returns the property itself. */
function fieldsOf(property: INodeProperties): Array<[path: string[], field: INodeProperties]> {
	if (property.type !== 'collection') return [[[property.name], property]];
	return (property.options ?? []).flatMap(
		(option): Array<[string[], INodeProperties]> =>
			'type' in option ? [[[property.name, option.name], option]] : [],
	);
}

function withExpression({ path, parameters }: Place): INodeParameters {
	const [top = '', inner] = path;
	const expression = '={{ $json.given }}';
	if (inner === undefined) return { ...parameters, [top]: expression };
	return { ...parameters, [top]: Object.assign({}, parameters[top], { [inner]: expression }) };
}
