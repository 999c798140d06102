import { execFileSync } from 'node:child_process';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { loadPackage } from '../kit/engine.mts';

type Listed = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const properties = async () =>
	(await loadPackage()).node('messagingService').description.properties;

/** Returns all parameters, including those inside collections. */
function everyProperty(list: Listed[]): INodeProperties[] {
	return list.flatMap((entry) => {
		if ('values' in entry) return everyProperty(entry.values);
		if (!('type' in entry)) return [];
		return [entry, ...everyProperty(entry.options ?? [])];
	});
}

test('the description passes n8n’s lint rules', () => {
	const findings = execFileSync(process.execPath, ['test/package/lintDescription.mjs'], {
		encoding: 'utf8',
		env: { ...process.env, NODE_ENV: 'production' },
	});
	expect(JSON.parse(findings)).toEqual([]);
});

test('no display condition uses a regular expression or startsWith, because these can fail', async () => {
	const conditions = everyProperty(await properties()).map(({ displayOptions }) => displayOptions);
	expect(JSON.stringify(conditions)).toContain('"_cnd"');
	expect(JSON.stringify(conditions)).not.toMatch(/"_cnd":\{"(regex|startsWith)"/);
});

test('the node uses date pickers and refers only to existing loaders', async () => {
	const { node } = await loadPackage();
	const { loadOptions = {}, listSearch = {} } = node('messagingService').methods ?? {};
	for (const property of everyProperty(await properties())) {
		// limitWaitTime is a group of fields, as in n8n's own nodes: a time span or a date.
		const isTime = /time$|date$/i.test(property.name) && property.name !== 'limitWaitTime';
		if (isTime) expect(property.type).toBe('dateTime');
		const loader = property.typeOptions?.loadOptionsMethod;
		if (loader) expect(Object.keys(loadOptions)).toContain(loader);
		for (const mode of property.modes ?? []) {
			const search = mode.typeOptions?.searchListMethod;
			if (search) expect(mode.typeOptions?.searchable).toBe(true);
			if (search) expect(Object.keys(listSearch)).toContain(search);
		}
	}
});

// Fields inside collections are checked, too, because adding them in the editor must do no harm. An exception is
// `status`: adding it to a campaign update sends the campaign, as its description says.
test.each([
	['status', 'draft'],
	['sendNow', false],
	['reset', false],
	['deleteFileInUse', false],
	['mode', 'add'],
	['maxRemovalPercent', 20],
])('the default of %s sends and removes nothing', async (name, harmless) => {
	const all = name === 'status' ? await properties() : everyProperty(await properties());
	const found = all.filter((property) => property.name === name);
	expect(found.length).toBeGreaterThan(0);
	for (const property of found) expect(property.default).toBe(harmless);
});

test('the lists of resources and operations begin with what people use most, and end with files', async () => {
	const [resource, ...others] = await properties();
	const values = (property?: INodeProperties) =>
		property?.options?.map((option) => ('value' in option ? option.value : undefined)) ?? [];
	const shown = values(resource);
	const without = shown.filter((one) => one !== 'hrList');
	expect(without.slice(0, 4)).toEqual(['survey', 'recipientGroup', 'campaign', 'broadcast']);
	expect(shown.slice(-2)).toEqual(['campaignFile', 'broadcastFile']);
	const first = (name: string) =>
		values(others.find((one) => one.displayOptions?.show?.resource?.includes(name)))[0];
	expect(first('survey')).toBe('launch');
	expect(first('recipientGroup')).toBe('sync');
	expect(first('channelRecipient')).toBe('sync');
	expect(first('campaignFile')).toBe('upload');
});
