import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { loadPackage } from '../kit/engine.mts';

type Listed = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const properties = async () =>
	(await loadPackage()).node('messagingService').description.properties;

/** All parameters, those inside collections too. */
function everyProperty(list: Listed[]): INodeProperties[] {
	return list.flatMap((entry) => {
		if ('values' in entry) return everyProperty(entry.values);
		if (!('type' in entry)) return [];
		return [entry, ...everyProperty(entry.options ?? [])];
	});
}

test('at most 2.2 top-level properties an operation: the engine looks at each for every item', async () => {
	const operations = (await properties())
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [] }) => options);
	expect((await properties()).length).toBeLessThanOrEqual(operations.length * 2.2);
});

test('every operation says what it does, in its list and in the node panel', async () => {
	const selectors = (await properties()).filter(({ name }) => name === 'operation');
	expect(selectors.length).toBeGreaterThan(0);
	for (const { options = [] } of selectors) {
		for (const operation of options) {
			expect(operation).toMatchObject({
				name: expect.stringMatching(/\S/),
				action: expect.stringMatching(/^[A-Z]/),
				description: expect.stringMatching(/\S/),
			});
		}
	}
});

test('every parameter shows exactly for the operations that use it, once', async () => {
	const shown = new Map<string, string>();
	for (const { name, displayOptions, displayName } of await properties()) {
		const { resource = [], operation = [], ...others } = displayOptions?.show ?? {};
		for (const resourceName of resource) {
			for (const operationName of operation) {
				const place = JSON.stringify([resourceName, operationName, name, others]);
				expect([place, shown.get(place)]).toEqual([place, undefined]);
				shown.set(place, displayName);
			}
		}
	}
});

test('no field shows or hides by a regular expression, which n8n lets fail on a busy machine', async () => {
	const conditions = everyProperty(await properties()).map(({ displayOptions }) => displayOptions);
	expect(JSON.stringify(conditions)).toContain('"_cnd"');
	expect(JSON.stringify(conditions)).not.toMatch(/"_cnd":\{"(regex|startsWith)"/);
});

test('every Get Many has Return All and a Limit of 50', async () => {
	const all = await properties();
	const getMany = all
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.some((option) => 'value' in option && option.value === 'getAll')
				? (displayOptions?.show?.resource ?? [])
				: [],
		);
	for (const resource of getMany) {
		const of = (name: string) =>
			all.find(
				(property) =>
					property.name === name &&
					property.displayOptions?.show?.resource?.includes(resource) &&
					property.displayOptions.show.operation?.includes('getAll'),
			);
		expect(of('returnAll')).toMatchObject({ default: false });
		expect(of('limit')).toMatchObject({ default: 50 });
	}
});

test('dates are pickers, long lists of options are sorted, every loader exists', async () => {
	const { node } = await loadPackage();
	const { loadOptions = {}, listSearch = {} } = node('messagingService').methods ?? {};
	for (const property of everyProperty(await properties())) {
		// What n8n's own nodes call this option holds a span or a date.
		const isTime = /time$|date$/i.test(property.name) && property.name !== 'limitWaitTime';
		if (isTime) expect(property.type).toBe('dateTime');
		const loader = property.typeOptions?.loadOptionsMethod;
		if (loader) expect(Object.keys(loadOptions)).toContain(loader);
		for (const mode of property.modes ?? []) {
			const search = mode.typeOptions?.searchListMethod;
			if (search) expect(mode.typeOptions?.searchable).toBe(true);
			if (search) expect(Object.keys(listSearch)).toContain(search);
		}
		if (property.type === 'collection') {
			const names = (property.options ?? []).map((option) =>
				'displayName' in option ? option.displayName : option.name,
			);
			if (names.length >= 5) expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		}
	}
});

test('nothing is sent by default', async () => {
	const status = (await properties()).filter(({ name }) => name === 'status');
	expect(status.length).toBeGreaterThan(0);
	for (const property of status) expect(property.default).toBe('draft');
});

/** Also inside a collection: a switch that a builder only adds must not do harm. */
test.each([
	['sendNow', false],
	['reset', false],
	['deleteFileInUse', false],
	['mode', 'add'],
	['maxRemovalPercent', 20],
])('nothing is sent or removed because %s was left as it is', async (name, harmless) => {
	const found = everyProperty(await properties()).filter((property) => property.name === name);
	expect(found.length).toBeGreaterThan(0);
	for (const property of found) expect(property.default).toBe(harmless);
});
