import * as n8n from 'n8n-workflow';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { batching, locator, runNode, type RunOptions } from '../kit/engine.mts';
import { useTestServer, type ReceivedRequest } from '../kit/testServer.mts';

const service = useTestServer();

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const itemsOf = (ids: string[]): INodeExecutionData[] => ids.map((id) => ({ json: { id } }));
const numbered = (count: number) => itemsOf(range(count).map((number) => `c${number}`));

const get: INodeParameters = {
	resource: 'campaign',
	operation: 'get',
	simplify: false,
	campaignId: locator('={{ $json.id }}'),
};
/** n8n does not store a value that is the default. */
const addedBatching = { requestOptions: { batching: { batch: { batchInterval: 0 } } } };
const close: INodeParameters = { ...get, operation: 'close' };
const update = { ...get, operation: 'update', updateFields: { title: '={{ $itemIndex }}' } };

const run = async (
	parameters: INodeParameters,
	items: INodeExecutionData[],
	options: Partial<RunOptions> = {},
) => await runNode({ credential: service.credential, parameters, items, ...options });

const idOf = ({ path }: ReceivedRequest): string => /\/campaign\/(\w+)/.exec(path)?.[1] ?? path;
const idsSeen = (): string[] => service.requests.map(idOf);
const bodies = (): unknown[] => service.requests.map(({ body }) => body);

describe('many items', () => {
	test.each([
		['by default', get, 10],
		['with Items per Batch 3', { ...get, ...batching(3) }, 3],
		['with Batching as the screen adds it', { ...get, ...addedBatching }, 5],
	])('%s, starts the next item after each response', async (_what, parameters, concurrency) => {
		const running = run(parameters, numbered(25));
		await service.request(concurrency - 1);
		await service.settled();
		expect(idsSeen()).toEqual(range(concurrency).map((number) => `c${number}`));
		service.requests[1]?.respond();
		if (concurrency === 10) {
			expect(idOf(await service.request(10))).toBe('c10');
			await service.settled();
			expect(service.requests).toHaveLength(11);
		}
		service.respondAll();
		expect((await running).items).toHaveLength(25);
		expect(service.maxInFlight).toBe(concurrency);
	});

	test('starts ten changes without a record at a time', async () => {
		const parameters = { resource: 'channel', operation: 'create', name: '={{ $json.id }}' };
		const running = run(parameters, numbered(12));
		await service.request(9);
		service.respondAll();
		await running;
		expect(service.maxInFlight).toBe(10);
	});

	test('returns output in input order, paired with the input, whatever the order of the responses', async () => {
		const running = run(get, numbered(10));
		await service.request(9);
		for (const held of service.requests.toReversed()) held.respond({ id: idOf(held) });
		const { items } = await running;
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			range(10).map((number) => [`c${number}`, { item: number }]),
		);
	});

	test('waits for the Batch Interval after the last response of a batch', async () => {
		const pauseMs = 200;
		const respondedAt: number[] = [];
		service.respondAll(({ respond }) => {
			respondedAt.push(performance.now());
			respond();
		});
		await run({ ...get, ...batching(2, pauseMs) }, numbered(5));
		expect(service.requests).toHaveLength(5);
		for (const first of [2, 4]) {
			const pause = (service.requests[first]?.at ?? 0) - (respondedAt[first - 1] ?? Infinity);
			// A timer may fire a millisecond early.
			expect(pause).toBeGreaterThan(pauseMs - 2);
		}
	});
});

describe('the order of requests', () => {
	test('changes of one record run one at a time in item order, without blocking other records', async () => {
		const running = run(update, itemsOf(['a', 'a', 'b', 'a', 'b']));
		await service.request(1);
		await service.settled();
		expect(idsSeen()).toEqual(['a', 'b']);
		service.requests[0]?.respond();
		await service.request(2);
		await service.settled();
		expect(bodies()).toEqual([{ title: '0' }, { title: '2' }, { title: '1' }]);
		service.respondAll();
		await running;
		expect(service.requests.filter((held) => idOf(held) === 'a').map(({ body }) => body)).toEqual([
			{ title: '0' },
			{ title: '1' },
			{ title: '3' },
		]);
	});

	test('a change that starts late also waits for an earlier change of its record', async () => {
		const running = run({ ...update, ...batching(2, 0) }, itemsOf(['a', 'a', 'a']));
		(await service.request(0)).respond();
		await service.request(1);
		await service.settled();
		expect(bodies()).toEqual([{ title: '0' }, { title: '1' }]);
		service.respondAll();
		expect((await running).items).toHaveLength(3);
	});

	test('after a failed change of a record, the later changes of the same record are not sent', async () => {
		const running = run(update, itemsOf(['a', 'a', 'a']));
		(await service.request(0)).refuse('No');
		expect((await running).error?.message).toBe('No');
		expect(service.requests).toHaveLength(1);
	});

	test('if On Error is set to continue, a failed change does not stop later changes of the same record', async () => {
		const running = run(update, itemsOf(['a', 'a']), { onError: 'continueRegularOutput' });
		(await service.request(0)).refuse('No');
		(await service.request(1)).respond({ _id: 'a' });
		expect((await running).json).toEqual([{ error: 'No' }, { _id: 'a' }]);
	});
});

test('a failure ends the run after the requests in flight, with the error of the first failed item', async () => {
	const running = run(close, numbered(30));
	await service.request(9);
	service.requests[7]?.refuse('Seven');
	await service.settled();
	expect(service.requests).toHaveLength(10);
	service.requests[2]?.refuse('Two');
	const others = service.requests.filter((_, index) => index !== 7 && index !== 2);
	for (const { respond } of others) respond();
	const { error, items, status } = await running;
	expect(service.requests).toHaveLength(10);
	expect(items).toEqual([]);
	expect(status).toBe('error');
	expect(error).toMatchObject({ message: 'Two', context: { itemIndex: 2 } });
	expect(error?.description).toContain(
		'8 of 30 items were done: items 0 to 1, items 3 to 6, items 8 to 9.',
	);
	expect(error?.description).toContain('Also failed: item 7 (Seven).');
});

test.each([
	['for changes in flight', close, 4, 14],
	['not for the next batch', { ...close, ...batching(10, 150_000) }, 10, 10],
])(
	'a canceled execution waits %s, starts no other change, and reports how many items were done',
	async (_what, parameters, responses, count) => {
		let cancel = () => {};
		const running = run(parameters, numbered(30), { onStart: (stop) => (cancel = stop) });
		await service.request(9);
		for (const { respond } of service.requests.slice(0, responses)) respond();
		await service.request(count - 1);
		await service.settled();
		cancel();
		await service.settled();
		expect(service.requests.filter(({ aborted }) => aborted)).toEqual([]);
		service.respondAll();
		const { error, status } = await running;
		expect(service.requests).toHaveLength(count);
		expect(status).toBe('canceled');
		expect(error?.message).toBe('The execution was canceled');
		expect(error?.description).toBe(
			`${count} of 30 items were done: items 0 to ${count - 1}. Never sent: items ${count} to 29. n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.`,
		);
	},
);

test('a canceled execution that continues on errors does not call an item never sent that may have been sent', async () => {
	let cancel = () => {};
	const running = run({ ...close, ...batching(1) }, numbered(3), {
		onStart: (stop) => (cancel = stop),
		onError: 'continueRegularOutput',
	});
	(await service.request(0)).refuse('Bad gateway', 502);
	const second = await service.request(1);
	cancel();
	second.respond();
	expect((await running).error?.description).toContain(
		'1 of 3 items was done: item 1. Perhaps done: item 0. Never sent: item 2.',
	);
});

type Evaluator = { getParameterValue(...args: unknown[]): unknown };

/** Returns the prototype of the n8n class that evaluates parameters. This class differs between n8n 1 and 2. */
function evaluator(): Evaluator {
	const found: object[] = [n8n.WorkflowExpression, n8n.Expression].map((one) => one?.prototype);
	const reads = (one: object): one is Evaluator => one !== undefined && 'getParameterValue' in one;
	const [first] = found.filter(reads);
	if (!first) throw new Error('n8n evaluates parameters elsewhere now');
	return first;
}

describe('parameters', () => {
	test('a parameter with an expression is read once per item, and any other parameter once per run', async () => {
		service.respondAll();
		const read = jest.spyOn(evaluator(), 'getParameterValue');
		const timesRead = (text: string): number =>
			read.mock.calls.filter(([value]) => JSON.stringify(value) === text).length;
		await run({ ...get, operation: 'update', updateFields: { name: 'Same' } }, numbered(20));
		expect(service.requests).toHaveLength(20);
		expect(timesRead('{"name":"Same"}')).toBe(1);
		expect(timesRead('"={{ $json.id }}"')).toBe(20);
		read.mockRestore();
	});

	test('what an item was sent with is what its output says, even if an expression has another value each time', async () => {
		service.respondAll(({ send }) => send(200, { success: true }));
		for (const operation of ['set', 'remove']) {
			const user = '={{ Math.random() }}';
			const parameters = { channelId: locator('c1'), user, permissions: ['channel_admin'] };
			const { json } = await run(
				{ resource: 'channelManager', operation, ...parameters },
				numbered(2),
			);
			expect(new Set(json.map((output) => output.user)).size).toBe(2);
			expect(bodies().slice(-2)).toMatchObject(json.map((output) => ({ user: output.user })));
		}
	});

	// If an expression replaces a whole collection, the node gets an empty collection
	// (getNodeParameters of n8n-workflow 1.120.31 and 2.41.0).
	test('if an expression replaces a whole collection, an error occurs before anything is sent', async () => {
		const { error } = await run({ ...update, updateFields: '={{ $json.fields }}' }, [
			{ json: { id: 'a', fields: { title: 'T' } } },
		]);
		expect(error?.message).toBe('Nothing to update');
		expect(service.requests).toEqual([]);
	});

	test('the request of an item does not contain parameters of the item before', async () => {
		service.respondAll();
		const additionalFields = {
			title: '={{ $json.title }}',
			template: '={{ $json.template }}',
			enableSms: true,
		};
		await run({ resource: 'channel', operation: 'create', additionalFields }, [
			{ json: { title: 'A', template: '' } },
			{ json: { title: '', template: 'T' } },
			{ json: { title: '', template: '' } },
		]);
		expect(bodies()).toEqual([
			{ title: 'A', defaults: { enableSms: true } },
			{ defaults: { template: 'T', enableSms: true } },
			{ defaults: { enableSms: true } },
		]);
	});
});

const id = '64f1c0ffee0000000000abcd';
test.each([
	[locator('={{ "../ä?c#d" }}'), '..%2F%C3%A4%3Fc%23d'],
	['={{ $json.id }}', 'c0'],
	[locator(`https://m.example.com/console/campaign/${id}`, 'url'), id],
	[locator(`https://m.example.com/console/#/campaign/${id}/report?tab=1`, 'url'), id],
	[locator(`https://m.example.com/campaign/${id}/file/64f1c0ffee0000000000abce`, 'url'), id],
	[locator('https://m.example.com/campaign/short-id', 'url'), 'short-id'],
	[locator('https://m.example.com/campaign/short-id/?back=/a/b', 'url'), 'short-id'],
])('resolves the locator %j to /campaign/%s', async (campaignId, segment) => {
	service.respondAll();
	await run({ ...get, campaignId }, numbered(1));
	expect(service.requests[0]?.path).toBe(`/int/v1/campaign/${segment}`);
});

test('shows one hint for all items if a list is incomplete', async () => {
	service.respondAll(({ respond }) => respond([{ _id: 'a' }], 5));
	const list = { resource: 'channel', operation: 'getAll', returnAll: true };
	const { hints, items } = await run(list, numbered(3));
	expect(items).toHaveLength(3);
	expect(hints).toMatchObject([
		{ message: expect.stringContaining('1 of 5 records'), type: 'warning' },
	]);
});
