import { Workflow, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { operationName } from '../../nodes/MessagingService/engine/declaration.ts';
import { fieldsWithNotice } from '../../nodes/MessagingService/engine/properties.ts';
import { resources } from '../../nodes/MessagingService/resources/index.ts';
import { loadPackage, nodeOf } from '../kit/engine.mts';

/** Returns the subtitle that the editor shows under a node on the canvas. */
async function subtitle(type: string, parameters: INodeParameters): Promise<unknown> {
	const { nodeTypes, node } = await loadPackage();
	const onCanvas = nodeOf(type, parameters);
	const workflow = new Workflow({ nodes: [onCanvas], connections: {}, active: false, nodeTypes });
	await workflow.expression.acquireIsolate?.();
	try {
		return workflow.expression.getSimpleParameterValue(
			onCanvas,
			node(type).description.subtitle ?? '',
			'internal',
			{},
		);
	} finally {
		await workflow.expression.releaseIsolate?.();
	}
}

const operations = Object.entries(resources).flatMap(([resource, all]) =>
	Object.entries(all).map(([value, operation]) => ({
		...{ resource, value, operation },
		name: operationName(value, operation),
	})),
);

test('equal fields of several screens are one object, because the engine evaluates each copy', () => {
	const fields = new Set(operations.flatMap(({ operation }) => fieldsWithNotice(operation)));
	const copies = [...fields].map((field) => JSON.stringify(field));
	const again = copies.filter((text, index) => copies.indexOf(text) !== index);
	expect(again).toEqual([]);
});

test('the screens that create a survey say beside the questions that the service cannot make it anonymous', () => {
	const creating = operations.filter(
		({ resource, operation }) =>
			resource === 'survey' && operation.fields.some(({ name }) => name === 'name'),
	);
	expect(creating.map(({ name }) => name)).toEqual(['Launch', 'Create']);
	for (const { operation } of creating) {
		const hint = operation.fields.find(({ name }) => name === 'questionsInput')?.hint;
		expect(hint).toMatch(/API cannot make a survey anonymous/);
	}
});

test('options that belong to a record are reloaded when another record is selected', () => {
	let dependent = 0;
	for (const { operation } of operations) {
		const owners = operation.fields.filter(({ name }) =>
			/^(campaign|broadcast|channel)Id$/.test(name),
		);
		// Groups of console users are not checked, because they belong to the account, not to a channel.
		const parts = operation.fields.filter(
			({ name, typeOptions }) =>
				name === 'fileId' || typeOptions?.loadOptionsMethod === 'getChannelManagers',
		);
		for (const { name, typeOptions } of parts) {
			const expected = owners.map((owner) => `${owner.name}.value`);
			expect({ name, dependsOn: typeOptions?.loadOptionsDependsOn }).toEqual({
				name,
				dependsOn: expect.arrayContaining(expected),
			});
			dependent += expected.length;
		}
	}
	expect(dependent).toBeGreaterThan(2);
});

test('the canvas shows operations and resources under the same names as the screen', async () => {
	const { properties } = (await loadPackage()).node('messagingService').description;
	const nameIn = (selector: INodeProperties | undefined, chosen: string) =>
		selector?.options?.find((option) => 'value' in option && option.value === chosen)?.name;
	const [resourceSelector, ...others] = properties;
	for (const { resource, value } of operations) {
		const operationSelector = others.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		);
		expect(await subtitle('messagingService', { resource, operation: value })).toBe(
			`${nameIn(operationSelector, value)}: ${nameIn(resourceSelector, resource)}`,
		);
	}
	const trigger = await subtitle('messagingServiceTrigger', {
		events: ['surveySubmitted', 'campaignRead'],
		campaignIds: ['x'],
	});
	expect(trigger).toBe('Survey Submitted, Survey Opened');
});

test('screens show fields in the order that the operation defines, with Channel first', async () => {
	const { properties } = (await loadPackage()).node('messagingService').description;
	const isFor = ({ displayOptions }: INodeProperties, resource: string, operation: string) =>
		displayOptions?.show?.resource?.includes(resource) === true &&
		displayOptions.show.operation?.includes(operation) === true;
	for (const { resource, value, operation } of operations) {
		const shown = properties.filter((property) => isFor(property, resource, value));
		const names = shown.map(({ name }) => name);
		expect(names).toEqual(fieldsWithNotice(operation).map(({ name }) => name));
		if (names.includes('channelId')) expect(names[0]).toBe('channelId');
	}
});
