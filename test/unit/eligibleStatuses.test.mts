import {
	eligibleFirst,
	onlyEligible,
} from '../../nodes/MessagingService/methods/eligibleStatuses.ts';
import type { Entry } from '../../nodes/shared/lists/dropDownEntry.ts';
import { TtlCache } from '../../nodes/shared/lists/ttlCache.ts';

const entry = (name: string, status?: string, id = `id of ${name}`): Entry => ({
	...{ id, name, shown: name, status },
});

const found = (entries: Entry[], filter: string, operation = ''): string[] =>
	eligibleFirst(entries, filter, operation).map(({ name }) => name);

describe('a search', () => {
	test('lists exact names first, then names that contain the text, without changing the order within either part', () => {
		const entries = ['Pulse 2', 'The pulse', 'PULSE', 'Party'].map((name) => entry(name));
		expect(found(entries, ' pulse ')).toEqual(['PULSE', 'Pulse 2', 'The pulse']);
		expect(found(entries, '')).toEqual(['Pulse 2', 'The pulse', 'PULSE', 'Party']);
	});

	test('finds a record by its ID only if the ID is complete', () => {
		const entries = [entry('Cafe', undefined, '64f1c0ffee'), entry('Team 64F1', undefined, '7')];
		expect(found(entries, '64f1')).toEqual(['Team 64F1']);
		expect(found(entries, '64F1C0FFEE')).toEqual(['Cafe']);
	});

	test('ignores Unicode composition', () => {
		expect(found([entry('Cafe\u0301')], 'café')).toHaveLength(1);
	});
});

describe('eligibility for an operation', () => {
	const entries = ['0', '9', undefined, '1', '3', '4'].map((code) => entry(`x${code}`, code));

	test('lists eligible entries first, then entries with an unknown status, then the other entries', () => {
		expect(found(entries, 'x', 'campaign.send').join(' ')).toBe('x0 x4 x9 xundefined x1 x3');
		expect(found(entries, 'X3', 'campaign.send')).toEqual(['x3']);
	});

	test.each([
		['campaign.send', 'x0 x4 x9 xundefined'],
		['survey.getResponses', 'x1 x3 x9 xundefined'],
		['channel.archive', 'x1 x0 x9 xundefined x4'],
		['campaign.get', 'x0 x9 xundefined x1 x3 x4'],
		['campaign.unknown', 'x0 x9 xundefined x1 x3 x4'],
	])('omits entries that %s refuses', (operation, expected) => {
		const names = onlyEligible(entries, operation).map(({ name }) => name);
		expect(names.join(' ')).toBe(expected);
	});
});

describe('a TTL cache', () => {
	afterEach(() => jest.restoreAllMocks());

	function counted() {
		let now = 1_000_000;
		let readings = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const lists = new TtlCache<string>();
		return {
			lists,
			later: (ms: number) => (now += ms),
			readings: () => readings,
			read: async (length = 1) => {
				readings += 1;
				return Array.from({ length }, () => `reading ${readings}`);
			},
		};
	}

	test('a cached list expires 60 seconds after the read, or when the clock is set back', async () => {
		const { lists, later, readings, read } = counted();
		await lists.list('a', async () => {
			later(90_000);
			return await read();
		});
		later(59_999);
		await lists.list('a', read);
		expect(readings()).toBe(1);
		later(1);
		await lists.list('a', read);
		expect(readings()).toBe(2);
		later(-1);
		await lists.list('a', read);
		expect(readings()).toBe(3);
	});

	test('drops the oldest lists beyond 100,000 entries', async () => {
		const { lists, readings, read } = counted();
		for (const key of ['a', 'b', 'c']) await lists.list(key, async () => await read(40_000));
		await lists.list('c', read);
		await lists.list('b', read);
		expect(readings()).toBe(3);
		await lists.list('a', read);
		expect(readings()).toBe(4);
	});

	test('does not keep a list that was read while the cache was cleared', async () => {
		const { lists, readings, read } = counted();
		const reading = lists.list('a', read);
		lists.clear();
		await reading;
		await lists.list('a', read);
		expect(readings()).toBe(2);
	});

	test('keeps the newer list when an older read fails late', async () => {
		const { lists, readings, read } = counted();
		let fail = (_error: Error): void => {};
		const old = lists.list('a', async () => await new Promise((_, reject) => (fail = reject)));
		lists.clear();
		await lists.list('a', read);
		fail(new Error('down'));
		await expect(old).rejects.toThrow('down');
		await lists.list('a', read);
		expect(readings()).toBe(1);
	});

	test('rejects all callers of a failed read and does not keep the failure', async () => {
		const { lists, read } = counted();
		const failing = async (): Promise<string[]> => await Promise.reject(new Error('down'));
		const both = await Promise.allSettled([lists.list('a', failing), lists.list('a', read)]);
		expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await lists.list('a', read)).toEqual(['reading 1']);
	});
});
