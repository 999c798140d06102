import type { INodeParameters } from 'n8n-workflow';

import { operations, threeItems } from '../faults/operations.mts';
import { onDisk } from '../kit/binary.mts';
import { batching, locator, type RunOptions } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { SAMPLE_SEED } from '../kit/samples.mts';
import { useService } from '../kit/service.mts';
import { titleOf } from '../kit/typed.mts';

/** An operation that changes something reads all items before it sends the first request. */

const service = useService(SAMPLE_SEED);

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const titles = () => service.changes.map(titleOf);
const toOne = () => first(service.emulator.state.people.values()).email;

const live: INodeParameters = {
	title: '={{ $json.title }}',
	message: 'M',
	status: '={{ $json.status }}',
	scheduledTime: '={{ $json.at }}',
	recipientsFrom: 'emails',
	recipientEmails: '={{ $json.to }}',
};
type Row = { title: string; status: string; at?: string };
const rows = (count: number, invalid: number[]): Row[] =>
	range(count).map((n) => ({ title: `t${n}`, status: invalid.includes(n) ? 'lively' : 'live' }));
const create = async (items: Row[], options: Partial<RunOptions> = {}) =>
	await service.run('broadcast.create', live, {
		items: items.map((json) => ({ json: { ...json, to: toOne() } })),
		...options,
	});

describe('an invalid item', () => {
	test('the error lists up to ten other invalid items, and the number of those it does not list', async () => {
		const invalid = range(13).map((n) => n + 3);
		const { error, items } = await create(rows(20, invalid));
		expect([service.requests, items]).toEqual([[], []]);
		expect(error?.context.itemIndex).toBe(3);
		const named = [...(error?.description ?? '').matchAll(/item (\d+) \(Status must be/g)].map(
			([, n]) => Number(n),
		);
		expect(named).toEqual(invalid.slice(1, 11));
		expect(error?.description).toMatch(/ and 2 more\. Never sent: items 0 to 2, items 16 to 19\.$/);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'an invalid item does not stop the valid items with On Error %s',
		async (onError) => {
			const { items, errorItems, error } = await create(rows(20, [4, 15]), { onError });
			expect(error).toBeUndefined();
			expect(titles()).toEqual(
				range(20)
					.filter((n) => n !== 4 && n !== 15)
					.map((n) => `t${n}`),
			);
			const failed = [...items, ...errorItems].filter(({ json }) => 'error' in json);
			expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 4 }, { item: 15 }]);
		},
	);

	test.each(operations)('an invalid item stops %s before the first change', async (operation) => {
		const { parameters, items } = threeItems(operation, service.emulator);
		const timeout = '={{ $itemIndex === 2 ? "soon" : 30000 }}';
		const given = { ...parameters, requestOptions: { timeout } };
		const { error } = await service.run(operation, given, { items });
		expect(error?.message).toBe('Timeout must be a number of milliseconds, at most 2147483647');
		expect(error?.context.itemIndex).toBe(2);
		expect(service.changes).toEqual([]);
	});
});

describe('Retry On Fail', () => {
	const oneByOne = { ...live, ...batching(1) };
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	test('does not read an item again if an earlier try has sent it, because its Scheduled Time may be past', async () => {
		const soon = new Date(Date.now() + 60_000).toISOString();
		const items = range(3).map((n) => ({
			json: { title: `t${n}`, status: 'scheduled', at: soon, to: toOne() },
		}));
		service.emulator.faults.on('POST /broadcast', { refuse: 'No' }, { skip: 2 });
		service.emulator.onRequest((request) => {
			// Sets the times of the sent items to the past before the next try.
			if (titleOf(request) !== 't2') return;
			for (const { json } of items.slice(0, 2)) json.at = '2020-01-01T00:00:00.000Z';
		});
		const { error } = await service.run('broadcast.create', oneByOne, { items, settings });
		expect(error).toBeUndefined();
		expect(titles()).toEqual(['t0', 't1', 't2', 't2']);
	});

	test('if an item becomes invalid between two tries, the error says what the earlier try has sent', async () => {
		const items = rows(3, []).map((json) => ({ json: { ...json, to: toOne() } }));
		service.emulator.faults.on('POST /broadcast', { refuse: 'No' }, { skip: 2 });
		service.emulator.onRequest((request) => {
			if (titleOf(request) === 't2') items.at(2)!.json.status = 'lively';
		});
		const { error } = await service.run('broadcast.create', oneByOne, { items, settings });
		expect(titles()).toEqual(['t0', 't1', 't2']);
		expect(error?.message).toMatch(/^Status must be/);
		expect(error?.description).toContain('2 of 3 items were done: items 0 to 1.');
	});
});

describe('names', () => {
	const byName = { __rl: true, mode: 'name', value: '={{ $json.name }}' };
	const named = (...names: string[]) => ({ items: names.map((name) => ({ json: { name } })) });

	test.each([
		['delete', { recipientGroupId: byName }, 'No such group'],
		['getOrCreate', { name: '={{ $json.name }}' }, 'TWINS'],
	])('%s looks up all names before the first change: %j', async (operation, parameters, odd) => {
		const [group] = service.emulator.state.recipientGroups.values();
		const twins = ['Twins', 'twins'].map((name) => service.emulator.state.addRecipientGroup(name));
		const known = operation === 'delete' ? String(group?.name) : 'New';
		const { error } = await service.run(
			`recipientGroup.${operation}`,
			parameters,
			named(known, odd),
		);
		expect(error?.message).toContain(`called "${odd}"`);
		const shown = twins.map(({ _id }) => error?.description?.includes(_id));
		expect(shown).toEqual(operation === 'delete' ? [false, false] : [true, true]);
		expect(error?.context.itemIndex).toBe(1);
		expect(service.changes).toEqual([]);
	});

	test('if the list cannot be read, all items with names are invalid, and the list is not read again for each item', async () => {
		service.emulator.faults.on(
			'GET /recipientGroup',
			{ refuse: 'Closed today' },
			{ times: Infinity },
		);
		const remove = async (options: Partial<RunOptions>) =>
			await service.run(
				'recipientGroup.delete',
				{ recipientGroupId: byName },
				{ ...named('A', 'B', 'C'), ...options },
			);
		const { json } = await remove({ onError: 'continueRegularOutput' });
		expect(json).toEqual(range(3).map(() => ({ error: 'Closed today' })));
		// After the refusal, the page is requested once more, with the size that the service always accepts.
		expect(service.requests.map(({ query }) => query.limit)).toEqual(['1000', '100']);
		const { error } = await remove({});
		expect(error?.context.itemIndex).toBe(0);
		expect(error?.description).toContain(
			'Also failed: item 1 (Closed today), item 2 (Closed today).',
		);
	});
});

test('if the file of an item is missing or no longer in the storage, nothing is sent', async () => {
	const data = await onDisk(Buffer.from('a,b'));
	const campaignId = locator(first(service.emulator.state.campaigns.values())._id);
	const upload = async (items: RunOptions['items']) =>
		await service.run('campaignFile.upload', { campaignId }, { items });
	const present = { json: {}, binary: { data } };
	const { error } = await upload([present, { json: {} }]);
	expect(error?.message).toContain('has no file');
	expect(service.requests).toEqual([]);
	const gone = { json: {}, binary: { data: { ...data, id: `${data.id}0` } } };
	const second = await upload([present, gone]);
	expect(second.error?.message).toContain("no longer in n8n's storage");
	expect(service.requests).toEqual([]);
});
