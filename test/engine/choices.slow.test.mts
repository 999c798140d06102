import { isDeepStrictEqual } from 'node:util';

import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { loadPackage, runNode } from '../kit/engine.mts';
import { sampleParameters } from '../kit/sampleParameters.mts';
import { emptyData, useTestServer } from '../kit/testServer.mts';

/** A choice or a switch of one operation: where it stands, and parameters of the node under which it shows. */
type Place = {
	operation: string;
	property: INodeProperties;
	/** Names from the top, `['additionalFields', 'enableEmail']`. */
	path: string[];
	parameters: INodeParameters;
};

/** Read in a way of their own: for all items at once, or for the first alone. */
const READ_ELSEWHERE = /^(recipientGroup\.sync|broadcast\.sendAndWait) /;

const recorder = useTestServer((request) => request.respond(emptyData(request)));

const NOTHING_LISTED: unknown[] = [undefined, null, '', ' ', 'nonsense', {}, [], 7];

/** Runs one operation on an item for each value, which an expression puts into the place. */
async function runWith(place: Place, values: unknown[]) {
	const { items } = await runNode({
		credential: recorder.credential,
		parameters: withExpression(place),
		items: values.map((given) => ({
			json: asJson(given),
			binary: { data: { data: 'eA==', mimeType: 'text/plain', fileName: 'a.txt' } },
		})),
		onError: 'continueRegularOutput',
	});
	return items;
}

test.each(['options', 'boolean'] as const)(
	'no field of type %s takes what it does not list: nothing is sent, and the error names field and item',
	async (type) => {
		const wrong: unknown[] = [];
		for (const place of await placesOf(type)) {
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

test('every choice takes what it lists in any case, and sends it as it is listed', async () => {
	const wrong: unknown[] = [];
	for (const place of await placesOf('options')) {
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

test('every switch takes on and off in words, and sends what the switch itself would', async () => {
	const wrong: unknown[] = [];
	for (const place of await placesOf('boolean')) {
		for (const [switched, words] of [
			[true, ['true', 'TRUE', 'yes', 'Yes', '1', 1]],
			[false, ['false', 'False', 'no', 'NO', '0', 0]],
		] as const) {
			const [itself, ...inWords] = await sentFor(place, [switched, ...words]);
			const odd = words.filter((_word, index) => !isDeepStrictEqual(inWords[index], itself));
			if (odd.length > 0) wrong.push([nameOf(place), switched, odd, inWords, itself]);
		}
	}
	expect(wrong).toEqual([]);
}, 120_000);

const nameOf = ({ operation, path }: Place): string => `${operation} ${path.join('.')}`;

/** What was sent for each value: the requests of a run with this value alone. */
async function sentFor(place: Place, values: readonly unknown[]): Promise<unknown[]> {
	const sent: unknown[] = [];
	for (const value of values) {
		recorder.clear();
		const items = await runWith(place, [value]);
		sent.push({ errors: items.map(({ json }) => json.error), requests: recorder.sent });
	}
	return sent;
}

/** The choices or switches of all operations, each once, under parameters that send it. */
async function placesOf(type: 'options' | 'boolean'): Promise<Place[]> {
	const { properties } = (await loadPackage()).node('messagingService').description;
	const places = new Map<string, Place>();
	for (const { resource, operation } of operationsOf(properties)) {
		for (const parameters of sampleParameters(properties, resource, operation)) {
			for (const property of properties) {
				if (!shows(property, parameters)) continue;
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

function operationsOf(
	properties: INodeProperties[],
): Array<{ resource: string; operation: string }> {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.map((option) => ({
				resource: String(displayOptions?.show?.resource?.[0]),
				operation: 'value' in option ? String(option.value) : '',
			})),
		);
}

function shows(property: INodeProperties, parameters: INodeParameters): boolean {
	return (
		property.name in parameters &&
		NodeHelpers.displayParameter(parameters, property, null, null, parameters)
	);
}

/** A top-level field, or the fields of a collection. */
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

/** Input of any kind, as a Code node can make it. */
function asJson(given: unknown): IDataObject {
	const json: IDataObject = {};
	return Object.assign(json, { given });
}
