import * as n8n from 'n8n-workflow';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { locator, runNode, type RunOptions } from '../kit/engine.mts';
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
const close: INodeParameters = { ...get, operation: 'close' };
const create: INodeParameters = {
	resource: 'recipientGroup',
	operation: 'create',
	name: '={{ $json.id }}',
};
const batching = (batchSize: number, batchInterval = 0): INodeParameters => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

const run = async (
	parameters: INodeParameters,
	items: INodeExecutionData[],
	options: Partial<RunOptions> = {},
) => await runNode({ credential: service.credential, parameters, items, ...options });

/** The id at the end of a request's path, or before `/close`. */
const idOf = ({ path }: ReceivedRequest): string => /\/campaign\/(\w+)/.exec(path)?.[1] ?? path;
const idsSeen = (): string[] => service.requests.map(idOf);

describe('many items', () => {
	test('the first request goes out before the second item is looked at', async () => {
		const running = run(
			{ ...get, campaignId: locator('={{ $json.id }}') },
			itemsOf(['first', '..']),
			{ onError: 'continueRegularOutput' },
		);
		expect(idOf(await service.request(0))).toBe('first');
		service.respondAll();
		expect((await running).json).toEqual([
			{ path: '/int/v1/campaign/first' },
			{ error: 'Campaign ".." is not an ID' },
		]);
	});

	test('ten are under way at a time, and the next starts when one gets its response', async () => {
		const running = run(get, numbered(25));
		await service.request(9);
		await service.settled();
		expect(idsSeen()).toEqual(range(10).map((number) => `c${number}`));
		service.requests[4]?.respond();
		expect(idOf(await service.request(10))).toBe('c10');
		await service.settled();
		expect(service.requests).toHaveLength(11);
		service.respondAll();
		const { items } = await running;
		expect(items).toHaveLength(25);
		expect(service.maxInFlight).toBe(10);
	});

	test('the output is in the order of the items, and paired, whatever the order of the responses', async () => {
		const running = run(get, numbered(10));
		await service.request(9);
		for (const held of service.requests.toReversed()) held.respond({ id: idOf(held) });
		const { items } = await running;
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			range(10).map((number) => [`c${number}`, { item: number }]),
		);
	});

	test('several records of one item are all paired with it', async () => {
		service.respondAll(({ query, respond }) =>
			respond(query.category === 'b' ? [] : [{ _id: `${query.category}1` }, { _id: 'x' }]),
		);
		const { items } = await run(
			{
				resource: 'template',
				operation: 'getAll',
				returnAll: true,
				filters: { category: '={{ $json.id }}' },
			},
			itemsOf(['a', 'b', 'c']),
		);
		expect(items.map(({ json, pairedItem }) => [json._id, pairedItem])).toEqual([
			['a1', { item: 0 }],
			['x', { item: 0 }],
			['c1', { item: 2 }],
			['x', { item: 2 }],
		]);
	});

	test.each([
		[3, 3],
		[1, 1],
		[-1, 10],
		[0, 10],
		[1000, 50],
	])('Items per Batch %i: %i at a time', async (batchSize, atOnce) => {
		const running = run({ ...get, ...batching(batchSize) }, numbered(60));
		await service.request(atOnce - 1);
		await service.settled();
		expect(service.requests).toHaveLength(atOnce);
		service.respondAll();
		await running;
		expect(service.maxInFlight).toBe(atOnce);
	});

	test('Batch Interval is a pause after the last response of a batch', async () => {
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
			// A timer may be a millisecond early.
			expect(pause).toBeGreaterThan(pauseMs - 2);
		}
	});

	test('no items, no requests', async () => {
		const { items, error } = await run(get, []);
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
		expect(service.requests).toEqual([]);
	});
});

describe('changes of one record', () => {
	const update = { ...get, operation: 'update', updateFields: { title: '={{ $itemIndex }}' } };

	test('go one at a time in the order of the items; those of other records do not wait', async () => {
		const running = run(update, itemsOf(['a', 'a', 'b', 'a', 'b']));
		await service.request(1);
		await service.settled();
		expect(idsSeen()).toEqual(['a', 'b']);
		service.requests[0]?.respond();
		await service.request(2);
		await service.settled();
		expect(service.requests.map(({ body }) => body)).toEqual([
			{ title: '0' },
			{ title: '2' },
			{ title: '1' },
		]);
		service.respondAll();
		await running;
		expect(service.requests.filter((held) => idOf(held) === 'a').map(({ body }) => body)).toEqual([
			{ title: '0' },
			{ title: '1' },
			{ title: '3' },
		]);
	});

	test('reading one record several times does not wait, nor does making new ones', async () => {
		const reading = run(get, itemsOf(['a', 'a', 'a']));
		await service.request(2);
		service.respondAll();
		await reading;
		service.clear();
		const creating = run(create, itemsOf(['n', 'n', 'n']));
		await service.request(2);
		service.respondAll();
		await creating;
	});

	test('a change that fails without "continue" lets none of its record start', async () => {
		const running = run(update, itemsOf(['a', 'a', 'a']));
		(await service.request(0)).refuse('No');
		const { error } = await running;
		expect(error?.message).toBe('No');
		expect(service.requests).toHaveLength(1);
	});

	test('with "continue" the next one goes on after a failed one', async () => {
		const running = run(update, itemsOf(['a', 'a']), { onError: 'continueRegularOutput' });
		(await service.request(0)).refuse('No');
		(await service.request(1)).respond({ _id: 'a' });
		expect((await running).json).toEqual([{ error: 'No' }, { _id: 'a' }]);
	});
});

describe('a failure', () => {
	test('without "continue": nothing new starts, what is under way is awaited, the lowest item is told', async () => {
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
		expect(error?.message).toBe('Two');
		expect(error?.context.itemIndex).toBe(2);
		expect(error?.description).toContain(
			'8 of 30 items were done: items 0 to 1, items 3 to 6, items 8 to 9.',
		);
		expect(error?.description).toContain('Also failed: item 7.');
	});

	test('in the input of an item stops the items after it, and says what was done before', async () => {
		const running = run(close, itemsOf(['a', 'b', '..', 'c']));
		await service.request(1);
		service.respondAll();
		const { error } = await running;
		expect(error?.message).toBe('Campaign ".." is not an ID');
		expect(error?.description).toContain('2 of 4 items were done: items 0 to 1.');
		expect(idsSeen()).toEqual(['a', 'b']);
	});

	test('of a single item says nothing about others', async () => {
		service.respondAll(({ refuse }) => refuse('No'));
		const { error } = await run(close, numbered(1));
		expect(error?.description).not.toMatch(/items? (was|were) done|None of/);
	});

	test('during the look-up of a name lets the item that waits for it send nothing', async () => {
		const items = itemsOf(['id1', 'Named']);
		const campaignId: INodeParameters = {
			__rl: true,
			mode: '={{ $json.id === "Named" ? "name" : "id" }}',
			value: '={{ $json.id }}',
		};
		const running = run({ ...close, campaignId }, items);
		const change = await service.request(0);
		const lookUp = await service.request(1);
		expect([change.method, lookUp.method]).toEqual(['PUT', 'GET']);
		change.refuse('No');
		await service.settled();
		lookUp.respond([{ _id: 'c1', name: 'Named' }]);
		const end = await service.request(2);
		end.respond([]);
		const { error } = await running;
		expect(error?.message).toBe('No');
		expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s all items are worked off, each failure paired with its item',
		async (onError) => {
			service.respondAll((held) =>
				/[05]$/.test(held.path) ? held.refuse('No') : held.respond({ id: idOf(held) }),
			);
			const { items, errorItems, error } = await run(get, numbered(12), { onError });
			expect(error).toBeUndefined();
			const shown = [...items, ...errorItems]
				.map(({ json, pairedItem }) => ({ said: json.error ?? json.id, pairedItem }))
				.toSorted((a, b) => itemOf(a.pairedItem) - itemOf(b.pairedItem));
			expect(shown).toEqual(
				range(12).map((item) => ({
					said: /[05]$/.test(`c${item}`) ? 'No' : `c${item}`,
					pairedItem: { item },
				})),
			);
			expect(errorItems).toHaveLength(onError === 'continueErrorOutput' ? 3 : 0);
		},
	);
});

describe('a cancelled execution', () => {
	test('lets the changes under way end, starts no other and says how many items were done', async () => {
		let cancel = () => {};
		const running = run(close, numbered(30), { onStart: (stop) => (cancel = stop) });
		await service.request(9);
		for (const { respond } of service.requests.slice(0, 4)) respond();
		await service.request(13);
		cancel();
		await service.settled();
		expect(service.requests.filter(({ aborted }) => aborted)).toEqual([]);
		service.respondAll();
		const { error, status } = await running;
		expect(service.requests).toHaveLength(14);
		expect(status).toBe('canceled');
		expect(error?.message).toBe('The execution was canceled');
		expect(error?.description).toBe(
			"14 of 30 items were done: items 0 to 13. Never sent: items 14 to 29. n8n's Retry button and a restart begin a new execution, which sends all items again.",
		);
	});

	test('breaks off readings under way', async () => {
		let cancel = () => {};
		const running = run(get, numbered(30), { onStart: (stop) => (cancel = stop) });
		await service.request(9);
		cancel();
		const { status, error } = await running;
		await service.settled();
		expect(service.requests.map(({ aborted }) => aborted)).toEqual(range(10).map(() => true));
		expect(status).toBe('canceled');
		expect(error?.description).toContain('None of the 30 items was done.');
	});

	test.each(['waits for its next try', 'comes after a pause of the service'])(
		'sends no change that %s',
		async (which) => {
			let cancel = () => {};
			const items = numbered(which === 'waits for its next try' ? 1 : 30);
			const running = run(close, items, { onStart: (stop) => (cancel = stop) });
			const first = await service.request(items.length === 1 ? 0 : 9);
			service.requests[0]?.refuse('Slow down', 429, { 'retry-after': '60' });
			await service.settled();
			for (const { respond } of service.requests.slice(1)) respond();
			await service.settled();
			cancel();
			const { status } = await running;
			await service.settled();
			expect(status).toBe('canceled');
			expect(first.aborted).toBe(false);
			expect(service.requests).toHaveLength(items.length === 1 ? 1 : 10);
		},
	);
});

describe('waiting instead of failing', () => {
	const NOW = { 'retry-after': '0' };

	test.each([
		['create', create, 'POST'],
		['close', close, 'PUT'],
		['get', get, 'GET'],
	])('a 429 was not carried out: %s is sent again', async (_name, parameters, method) => {
		service.respondAll((held, index) =>
			index === 0 ? held.refuse('Slow down', 429, NOW) : held.respond({ _id: 'x' }),
		);
		const { json, error } = await run(parameters, numbered(1));
		expect(error).toBeUndefined();
		expect(json).toEqual([{ _id: 'x' }]);
		expect(service.requests.map((held) => held.method)).toEqual([method, method]);
		expect(service.requests[1]?.body).toEqual(service.requests[0]?.body);
	});

	test.each([500, 502, 503, 504])('after %i a reading is sent again', async (status) => {
		service.respondAll((held, index) =>
			index === 0 ? held.refuse('Oops', status, NOW) : held.respond({ _id: 'x' }),
		);
		const { json } = await run(get, numbered(1));
		expect(json).toEqual([{ _id: 'x' }]);
		expect(service.requests).toHaveLength(2);
	});

	test.each([
		['create', create, 500],
		['close', close, 503],
	])('a change is not: %s', async (_name, parameters, status) => {
		service.respondAll((held) => held.refuse('Oops', status, NOW));
		const { error } = await run(parameters, numbered(1));
		expect(error?.message).toContain('Oops');
		expect(service.requests).toHaveLength(1);
	});

	test('a reading is tried four times in all', async () => {
		service.respondAll((held) => held.refuse('Oops', 503, NOW));
		const { error } = await run(get, numbered(1));
		expect(error?.message).toContain('Oops');
		expect(service.requests).toHaveLength(4);
	});

	test('a Retry-After of one item holds all others', async () => {
		let askedAt = Infinity;
		service.respondAll((held, index) => {
			if (index === 2) {
				askedAt = performance.now();
				held.refuse('Slow down', 429, { 'retry-after': '1' });
			} else held.respond();
		});
		const { items } = await run({ ...get, ...batching(3) }, numbered(12));
		expect(items).toHaveLength(12);
		expect(service.requests).toHaveLength(13);
		const during = service.requests.filter(({ at }) => at > askedAt && at < askedAt + 990);
		// What was on its way already when the service asked.
		expect(during.length).toBeLessThanOrEqual(2);
		expect(Math.max(...service.requests.map(({ at }) => at))).toBeGreaterThan(askedAt + 990);
	});

	test('a longer Retry-After than five minutes fails at once', async () => {
		service.respondAll((held) =>
			held.refuse('Come back tomorrow', 429, { 'retry-after': '86400' }),
		);
		const { error } = await run(create, numbered(1));
		expect(error?.message).toBe('Come back tomorrow');
		expect(service.requests).toHaveLength(1);
	});
});

type Evaluator = { getParameterValue(...args: unknown[]): unknown };

/** What evaluates every parameter that a node reads; n8n 1 has but one class for it. */
function evaluator(): Evaluator {
	const found: object[] = [n8n.WorkflowExpression, n8n.Expression].map((one) => one?.prototype);
	const reads = (one: object): one is Evaluator => one !== undefined && 'getParameterValue' in one;
	const [first] = found.filter(reads);
	if (!first) throw new Error('n8n evaluates parameters elsewhere now');
	return first;
}

describe('parameters', () => {
	test('with an expression are read for each item, in collections and lists too', async () => {
		service.respondAll();
		await run(
			{
				...get,
				operation: 'update',
				updateFields: { name: 'Same', title: '={{ $json.id }}!', categories: 'one, two' },
			},
			itemsOf(['a', 'b']),
		);
		expect(service.requests.map(({ path, body }) => [path, body])).toEqual(
			['a', 'b'].map((id) => [
				`/int/v1/campaign/${id}`,
				{ name: 'Same', title: `${id}!`, categories: ['one', 'two'] },
			]),
		);
	});

	test('without an expression are read once, for all items', async () => {
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

	// n8n takes an expression in the place of a whole collection for no entries (getNodeParameters of n8n-workflow
	// 1.120.31 and 2.41.0); a node never sees it.
	test('an expression in the place of a whole collection sends nothing', async () => {
		const { error } = await run(
			{ ...get, operation: 'update', updateFields: '={{ $json.fields }}' },
			[{ json: { id: 'a', fields: { title: 'T' } } }],
		);
		expect(error?.message).toBe('Nothing to update');
		expect(service.requests).toEqual([]);
	});

	test('an item leaves nothing behind in the request of the next one', async () => {
		service.respondAll();
		await run(
			{
				resource: 'channel',
				operation: 'create',
				additionalFields: {
					title: '={{ $json.title }}',
					template: '={{ $json.template }}',
					enableSms: true,
				},
			},
			[
				{ json: { title: 'A', template: '' } },
				{ json: { title: '', template: 'T' } },
				{ json: { title: '', template: '' } },
			],
		);
		expect(service.requests.map(({ body }) => body)).toEqual([
			{ title: 'A', defaults: { enableSms: true } },
			{ defaults: { template: 'T', enableSms: true } },
			{ defaults: { enableSms: true } },
		]);
	});
});

test('what a list leaves out reaches the builder as a hint, once for all items', async () => {
	service.respondAll(({ respond }) => respond([{ _id: 'a' }], 5));
	const { hints, items } = await run(
		{ resource: 'channel', operation: 'getAll', returnAll: true },
		numbered(3),
	);
	expect(items).toHaveLength(3);
	expect(hints).toMatchObject([
		{ message: expect.stringContaining('1 of 5 records'), type: 'warning' },
	]);
});

function itemOf(pairedItem: INodeExecutionData['pairedItem']): number {
	return typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : NaN;
}
