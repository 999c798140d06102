import type { INodeParameters } from 'n8n-workflow';

import { loadPackage, runNode, type RunOptions } from '../kit/engine.mts';
import { inMemory } from '../kit/binary.mts';
import { operationsOnScreen, properties, sampleParameters } from '../kit/sampleParameters.mts';
import { respondWithRecords, useTestServer } from '../kit/testServer.mts';
import { isObject } from '../kit/typed.mts';

/** Operations that a tool cannot run: Sync needs all input items, and Send and Wait has to wait. */
const NOT_A_TOOL = ['broadcast.sendAndWait', 'channelRecipient.sync', 'recipientGroup.sync'];

/** Sends nothing. A tool does not offer it, because n8n itself fails without a credential before our code runs. */
const LOCAL = 'hrList.read';

/**
 * Records requests. In a workflow, this package's runner sends the requests. In a tool, n8n's declarative engine sends
 * them.
 */
const recorder = useTestServer(respondWithRecords);

async function both(parameters: INodeParameters) {
	const [workflow, tool] = [
		await oneWay(parameters, {}),
		await oneWay(parameters, { asTool: true }),
	];
	return { workflow, tool };
}

async function oneWay(parameters: INodeParameters, options: Partial<RunOptions>) {
	recorder.clear();
	const { items, error } = await runNode({
		credential: recorder.credential,
		parameters,
		...options,
		items: [{ json: {}, binary: { data: inMemory(Buffer.from('x')) } }],
	});
	const requests = recorder.sent;
	const [json] = items.map((item) => item.json);
	// An agent receives an error as text. In a workflow, the same error would stop the execution.
	if (options.asTool && json && 'error' in json) {
		expect(error).toBeUndefined();
		return { requests, items: [], error: [json.error, json.advice] };
	}
	return { requests, items, error: error && [error.message, error.description ?? undefined] };
}

/** By day, every third variant of an operation's parameters, at night all. */
const EVERY = process.env.NIGHTLY ? 1 : 3;

test('runs every operation the same way in a workflow and as a tool of an agent', async () => {
	const operations = operationsOnScreen.filter(
		(names) => ![...NOT_A_TOOL, LOCAL].includes(names.join('.')),
	);
	let variants = 0;
	for (const [resource, operation] of operations) {
		const all = sampleParameters(resource, operation);
		for (const parameters of all.filter((_, index) => index % EVERY === 0)) {
			// The test server has no closed survey.
			if (isObject(parameters.options))
				Reflect.deleteProperty(parameters.options, 'onlyOnceClosed');
			const { workflow, tool } = await both(parameters);
			expect({ resource, operation, error: workflow.error }).toEqual({ resource, operation });
			expect(workflow.requests.length).toBeGreaterThan(0);
			expect(workflow.items.length).toBeGreaterThan(0);
			expect({ resource, operation, ...tool }).toEqual({ resource, operation, ...workflow });
			variants++;
		}
	}
	expect(variants).toBeGreaterThan(operations.length);
}, 120_000);

test.each(NOT_A_TOOL)(
	'%s fails as a tool, sends nothing, and names what to use instead',
	async (names) => {
		const [resource = '', operation = ''] = names.split('.');
		const nodeType = (await loadPackage()).node('messagingService');
		// AI Agent 3 runs the tool with our runner.
		const agent3 = { nodeType, type: 'messagingServiceTool', typeVersion: 1 };
		for (const parameters of sampleParameters(resource, operation)) {
			for (const otherNode of [undefined, agent3]) {
				const { requests, error, items } = await oneWay(parameters, { asTool: true, otherNode });
				expect(requests).toEqual([]);
				expect(items).toEqual([]);
				expect(error?.join(' ')).toMatch(/Use [A-Z]/);
			}
		}
	},
);

test('AI Agent 3 gets the error of each failed item as output, with advice', async () => {
	const nodeType = (await loadPackage()).node('messagingService');
	const { json, items, error } = await runNode({
		credential: recorder.credential,
		parameters: { resource: 'campaign', operation: 'close', campaignId: '={{ $json.id }}' },
		items: ['c1', 'https://x.io'].map((id) => ({ json: { id } })),
		otherNode: { nodeType, type: 'messagingServiceTool', typeVersion: 1 },
	});
	expect(error).toBeUndefined();
	expect(json[1]).toEqual({
		error: expect.stringContaining('web address'),
		advice: expect.any(String),
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

test('a tool does not offer the resource that needs no credential, and n8n refuses it', async () => {
	const selector = properties.find(({ name }) => name === 'resource');
	const hidden = (selector?.options ?? []).flatMap((option) =>
		'value' in option && option.displayOptions ? [[option.value, option.displayOptions]] : [],
	);
	expect(hidden).toEqual([['hrList', { hide: { '@tool': [true] } }]]);
	recorder.clear();
	const parameters = { resource: 'hrList', operation: 'read', source: 'items' };
	const items = [{ json: { email: 'ada@example.com', status: 'active' } }];
	const run = await runNode({ credential: recorder.credential, parameters, items, asTool: true });
	expect(run.error?.message).toBe('Credentials not found');
	expect([recorder.requests, run.items]).toEqual([[], []]);
});
