import type { INodeParameters } from 'n8n-workflow';

import {
	batching,
	endWait,
	loadPackage,
	locator,
	runNode,
	type RunOptions,
	type RunResult,
} from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { useTestServer, type ReceivedRequest } from '../kit/testServer.mts';
import { titleOf } from '../kit/typed.mts';

const service = useTestServer();

const TRIES = 3;
const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const TEN = range(10);

/** n8n replaces a wait of 0 with its default of one second. */
const settings = { retryOnFail: true, maxTries: TRIES, waitBetweenTries: 1 };

const live: INodeParameters = {
	resource: 'broadcast',
	operation: 'create',
	title: '={{ $json.id }}',
	message: 'M',
	status: 'live',
	recipientsFrom: 'groups',
	recipientGroups: ['g'],
};

const run = async (
	parameters: INodeParameters,
	options: Partial<RunOptions> = {},
	count = TEN.length,
): Promise<RunResult> =>
	await runNode({
		credential: service.credential,
		parameters,
		items: range(count).map((number) => ({ json: { id: `i${number}` } })),
		settings,
		...options,
	});

/** Returns how often each item was sent, in the order of the items. */
const timesSent = (count = TEN.length): number[] =>
	range(count).map(
		(number) => service.requests.filter((held) => titleOf(held) === `i${number}`).length,
	);

/** Fails item 7 the given number of times. All other items succeed. */
function failSeven(fail: (held: ReceivedRequest) => void, times = Infinity): void {
	let failed = 0;
	service.respondAll((held) => {
		if (titleOf(held) === 'i7' && failed++ < times) fail(held);
		else held.respond({ _id: titleOf(held) });
	});
}

const refused = (held: ReceivedRequest) => held.refuse('No');
const lost = (held: ReceivedRequest) => held.refuse('Bad gateway', 502);
const ONE_BY_ONE = batching(1);

describe('when n8n retries the node with all items, the node', () => {
	test('fails if an item is refused on every attempt, and lists the completed items and those never sent', async () => {
		failSeven(refused);
		const { error } = await run({ ...live, ...ONE_BY_ONE });
		expect(timesSent()).toEqual([1, 1, 1, 1, 1, 1, 1, TRIES, 0, 0]);
		expect(error?.message).toBe('No');
		expect(error?.description).toContain('7 of 10 items were done: items 0 to 6.');
		expect(error?.description).toContain('Never sent: items 8 to 9.');
		expect(error?.description).toContain(
			"n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.",
		);
	});

	test('sends nothing again after an unknown outcome, and keeps the error', async () => {
		failSeven(lost, 1);
		const { error } = await run({ ...live, ...ONE_BY_ONE });
		expect(timesSent()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
		expect(error?.description).toContain('may or may not have been carried out');
		expect(error?.description?.match(/items were done/g)).toHaveLength(1);
	});

	test('names the item that an earlier try may have sent, even if a later try does not reach it', async () => {
		let lists = 0;
		const names = ['a', 'b', 'c'].map((_id, index) => ({ _id, name: `i${index}` }));
		service.respondAll((held) => {
			if (held.path.includes('/b/')) lost(held);
			else if (held.method === 'GET' && lists++ > 0) refused(held);
			else held.respond(names);
		});
		const channel = { resource: 'channel', operation: 'createBroadcast', title: 'T', message: 'M' };
		const channelId = locator('={{ $json.id }}', 'name');
		const { error } = await run({ ...channel, channelId, ...ONE_BY_ONE }, {}, 3);
		expect(error?.description).toContain('1 of 3 items was done: item 0. Perhaps done: item 1.');
	});

	test('sends only the item that was refused, and not those in flight when it failed', async () => {
		failSeven(refused, 2);
		const { error, items } = await run(live, {}, 30);
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json._id, pairedItem])).toEqual(
			range(30).map((item) => [`i${item}`, { item }]),
		);
		expect(timesSent(30)).toEqual(range(30).map((item) => (item === 7 ? TRIES : 1)));
	});

	// n8n also retries when the first item of the output is an error.
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with On Error %s, sends only the refused item again',
		async (onError) => {
			service.respondAll((held) => {
				if (titleOf(held) === 'i0') refused(held);
				else if (titleOf(held) === 'i1') lost(held);
				else held.respond({ _id: titleOf(held) });
			});
			const twoAgain = [...TEN, 2].map((number) => ({ json: { id: `i${number}` } }));
			const { items, errorItems } = await run(live, { onError, items: twoAgain });
			expect(timesSent()).toEqual([TRIES, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
			const errors = [...items, ...errorItems].filter(({ json }) => 'error' in json);
			expect(errors.map(({ json }) => json.error)).toEqual([
				'No',
				expect.stringContaining('Bad gateway'),
				'2 items would send the same broadcast to the same people',
			]);
			expect([...items, ...errorItems]).toHaveLength(11);
		},
	);

	test('repeats neither completed reads nor completed changes of a record', async () => {
		const byId = { resource: 'campaign', campaignId: locator('={{ $json.id }}'), ...ONE_BY_ONE };
		for (const [operation, ids] of [
			['close', ['i0', 'i1', 'i1', 'i2']],
			['get', ['i0', 'i1', 'i1', 'i2']],
		] as const) {
			service.clear();
			service.respondAll((held, index) => (index === 1 ? refused(held) : held.respond({})));
			const { error, items } = await run({ ...byId, operation }, {}, 3);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(3);
			expect(service.requests.map(({ path }) => /i\d/.exec(path)?.[0])).toEqual(ids);
		}
	});

	test('sends items again in the next run of a loop', async () => {
		service.respondAll();
		const items = range(3).map((n) => ({ json: { id: `i${n}` } }));
		const { error } = await run(live, { items, moreRuns: [items] });
		expect(error).toBeUndefined();
		expect(timesSent(3)).toEqual([2, 2, 2]);
	});

	test('sends items that another node of the workflow has already sent', async () => {
		service.respondAll();
		const items = [{ json: { id: 'i0' } }];
		await run(live, { items });
		await run(
			{ ...live, message: 'From the other node' },
			{ items, settings: { ...settings, id: 'node-2' } },
		);
		expect(timesSent(1)).toEqual([2]);
	});
});

describe('Launch', () => {
	const launch = { ...LAUNCH, sendNow: true };
	const steps = () =>
		service.requests.map(({ method, path }) => `${method} ${path.replace('/int/v1/', '')}`);

	/**
	 * Simulates a service with one draft. `failures` is keyed by method and path. The first function of a key handles the
	 * first request with this method and path, and so on. All other requests succeed.
	 */
	function failing(failures: Record<string, Array<(held: ReceivedRequest) => void>>): void {
		service.respondAll((held) => {
			const fail = failures[`${held.method} ${held.path.replace('/int/v1/', '')}`]?.shift();
			if (fail) fail(held);
			else held.respond({ _id: 'c1', status: '0' });
		});
	}

	const create = 'POST campaign/survey';
	const addRecipients = 'PUT campaign/c1/addRecipients';
	const read = 'GET campaign/c1';
	const send = 'PUT campaign/c1';
	test.each([
		[
			'continues with the draft of the earlier attempt',
			{ [addRecipients]: [refused], [read]: [refused] },
			[create, addRecipients, read, read, addRecipients, read, send],
		],
		[
			'does not add the recipients again after they were added',
			{ [send]: [refused, refused] },
			[create, addRecipients, read, send, read, read, send, read, read, send],
		],
	])('%s, and sends once', async (_what, failures, expected) => {
		failing(failures);
		const { error, json } = await run(launch, {}, 1);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ _id: 'c1', sent: true }]);
		expect(steps()).toEqual(expected);
	});

	test.each([
		[create, 'Check the service'],
		[addRecipients, 'draft c1. Look at it first. If it has no recipients, run'],
		[send, 'draft c1. Look at it first. If it is still a draft, run again'],
	])(
		'repeats nothing after an unknown outcome of %s, and says what to check',
		async (step, advice) => {
			failing({ [step]: [lost] });
			const { error } = await run(launch, {}, 1);
			expect(error?.description).toContain('may or may not have been carried out');
			expect(error?.description).toContain(advice);
			expect(steps().at(-1)).toBe(step);
			expect(new Set(steps()).size).toBe(steps().length);
		},
	);

	test('creates no second survey if the response to the first has no ID', async () => {
		failing({ [create]: [(held) => held.respond({})] });
		const { error } = await run(launch, {}, 1);
		expect(error?.message).toBe('The service created the survey but returned no ID');
		expect(steps()).toEqual([create]);
	});

	test('names the draft, too, if a later try cannot read it', async () => {
		failing({ [addRecipients]: [refused], [read]: [refused, refused] });
		const { error } = await run(launch, {}, 1);
		expect(steps()).toEqual([create, addRecipients, read, read]);
		expect([error?.message, error?.description]).toEqual([
			'No',
			expect.stringContaining('The survey exists as draft c1.'),
		]);
	});
});

test('Send and Wait sends its question again after a refusal by the service, but not after a lost response', async () => {
	for (const [fail, times] of [
		[lost, 1],
		[refused, TRIES],
	] as const) {
		service.clear();
		service.respondAll(fail);
		const { error, status } = await run(
			{ ...live, operation: 'sendAndWait', title: 'i0', responseType: 'approval' },
			{},
			1,
		);
		expect(timesSent(1)).toEqual([times]);
		expect([error?.name, status]).toEqual(['NodeApiError', 'error']);
		expect(error?.context.outcomeUnknown === true).toBe(fail === lost);
	}
});

/** An item that n8n takes for a failed try when it is the first of the output. */
const WITH_ERROR = { json: { error: 'No reply from the other system', n: 1 } };

describe('if the first output item has a field "error", which n8n takes for a failed try,', () => {
	const question = { ...live, operation: 'sendAndWait', title: 'i0', responseType: 'approval' };

	test.each<[string, Partial<RunOptions>]>([
		['', {}],
		[' with Execute Once', { settings: { ...settings, executeOnce: true } }],
		[' with an error output', { onError: 'continueErrorOutput' }],
		[' with On Error: Continue', { onError: 'continueRegularOutput' }],
	])('Send and Wait sends its question once%s, and keeps the fields', async (_what, options) => {
		service.respondAll((held) => held.respond({ _id: 'b1' }));
		const items = [WITH_ERROR, { json: { error: 'second' } }];
		const { json, status, execution } = await run(question, { items, ...options });
		expect(timesSent(1)).toEqual([1]);
		expect([status, json]).toEqual(['waiting', [{ ...WITH_ERROR.json, broadcastId: 'b1' }]]);
		expect((await endWait(execution)).map((item) => item.json)).toEqual(json);
	});

	test('Send and Wait in a loop sends each question once', async () => {
		service.respondAll((held) => held.respond({ _id: 'b1' }));
		const first = await run(question, { items: [WITH_ERROR], moreRuns: [[WITH_ERROR]] });
		expect([first.status, timesSent(1)]).toEqual(['waiting', [1]]);
		const second = await endWait(first.execution, service.credential);
		expect(second.map(({ json }) => json)).toEqual([{ ...WITH_ERROR.json, broadcastId: 'b1' }]);
		expect(timesSent(1)).toEqual([2]);
	});

	test('Send and Wait as a human review sends its question once', async () => {
		service.respondAll((held) => held.respond({ _id: 'b1' }));
		const nodeType = (await loadPackage()).node('messagingService');
		const type = 'n8n-nodes-messaging-service.messagingServiceHitlTool';
		const otherNode = { nodeType, type, typeVersion: 1 };
		const { status } = await run(question, { items: [WITH_ERROR], otherNode });
		expect([status, timesSent(1)]).toEqual(['waiting', [1]]);
	});

	test('Get Responses reads a survey with a question called "error" once', async () => {
		const questions = [{ title: 'error' }];
		service.respondAll((held) =>
			held.respond({ questions, result: [{ submitted: true, 'q.0': 'None' }] }),
		);
		const getResponses = { resource: 'survey', operation: 'getResponses', output: 'table' };
		const { json } = await run({ ...getResponses, campaignId: locator('c1') }, {}, 1);
		expect(json).toMatchObject([{ campaignId: 'c1', error: 'None' }]);
		expect(service.requests).toHaveLength(1);
	});
});
