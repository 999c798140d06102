import {
	eligibleFirst,
	onlyEligible,
} from '../../nodes/MessagingService/methods/eligibleStatuses.ts';
import { disambiguate } from '../../nodes/shared/lists/entry.ts';
import { findByName } from '../../nodes/shared/names.ts';
import { TtlCache, type Entry } from '../../nodes/shared/transport/ttlCache.ts';

const entry = (name: string, status?: string, id = `id of ${name}`): Entry => ({
	...{ id, name, shown: name, status },
});

const found = (entries: Entry[], filter: string, operation = ''): string[] =>
	eligibleFirst(entries, filter, operation).map(({ name }) => name);

describe('a search', () => {
	test('shows exact names first, then names that hold it, otherwise as they came', () => {
		const entries = ['Pulse 2', 'The pulse', 'PULSE', 'Party'].map((name) => entry(name));
		expect(found(entries, ' pulse ')).toEqual(['PULSE', 'Pulse 2', 'The pulse']);
		expect(found(entries, '')).toEqual(['Pulse 2', 'The pulse', 'PULSE', 'Party']);
	});

	test('takes an ID only whole', () => {
		const entries = [entry('Cafe', undefined, '64f1c0ffee'), entry('Team 64F1', undefined, '7')];
		expect(found(entries, '64f1')).toEqual(['Team 64F1']);
		expect(found(entries, '64F1C0FFEE')).toEqual(['Cafe']);
	});

	test('does not mind how a letter is composed', () => {
		expect(found([entry('Cafe\u0301')], 'café')).toHaveLength(1);
	});

	test('hides nothing for its state: what fits, what may fit, what does not', () => {
		const entries = ['0', '9', undefined, '1', '3', '4'].map((code) => entry(`x${code}`, code));
		const first = found(entries, 'x', 'campaign.send').join(' ');
		expect(first).toBe('x0 x4 x9 xundefined x1 x3');
		expect(found(entries, 'X3', 'campaign.send')).toEqual(['x3']);
	});
});

test('a list that is not for searching leaves out what the operation is known to refuse', () => {
	const entries = ['0', '9', undefined, '1', '3', '4'].map((code) => entry(`x${code}`, code));
	const names = (operation: string) => onlyEligible(entries, operation).map(({ name }) => name);
	expect(names('campaign.send')).toEqual(['x0', 'x4', 'x9', 'xundefined']);
	expect(names('survey.getResponses')).toEqual(['x1', 'x3', 'x9', 'xundefined']);
	expect(names('campaign.get')).toEqual(['x0', 'x9', 'xundefined', 'x1', 'x3', 'x4']);
});

test('namesakes have exactly that name, whatever its case, blanks and composed letters', () => {
	const entries = ['Café', ' CAFE\u0301 ', 'Café 2', 'Cafe', ''].map((name, n) =>
		entry(name, undefined, String(n)),
	);
	const ids = (name: string) => findByName(entries, name).map(({ id }) => id);
	expect(ids(' cafe\u0301')).toEqual(['0', '1']);
	expect(ids('Caf')).toEqual([]);
	expect(ids('3')).toEqual([]);
});

test('names that several entries have in one state carry their IDs', () => {
	const twins = [entry('Pulse', '1', 'a'), entry('Pulse', '1', 'b'), entry('Party', '1', 'c')];
	const shown = disambiguate(twins).map((one) => one.shown);
	expect(shown).toEqual(['Pulse · a', 'Pulse · b', 'Party']);
	const apart = ['live', 'draft'].map((state) => ({ ...entry('Pulse'), state }));
	expect(disambiguate(apart)).toEqual(apart);
});

describe('kept lists', () => {
	function counted() {
		let now = 1_000_000;
		let readings = 0;
		const lists = new TtlCache<string>(() => now);
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

	test('end after 60 seconds from the end of the reading', async () => {
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
	});

	test('make room beyond 100,000 entries, the oldest first', async () => {
		const { lists, readings, read } = counted();
		for (const key of ['a', 'b', 'c']) await lists.list(key, async () => await read(40_000));
		await lists.list('c', read);
		await lists.list('b', read);
		expect(readings()).toBe(3);
		await lists.list('a', read);
		expect(readings()).toBe(4);
	});

	test('that are read while something changes are not kept', async () => {
		const { lists, readings, read } = counted();
		const reading = lists.list('a', read);
		lists.clear();
		await reading;
		await lists.list('a', read);
		expect(readings()).toBe(2);
	});

	test('a reading from before a change that fails late leaves the newer one alone', async () => {
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

	test('a failed reading reaches everybody who waits, and is not kept', async () => {
		const { lists, read } = counted();
		const failing = async (): Promise<string[]> => await Promise.reject(new Error('down'));
		const both = await Promise.allSettled([lists.list('a', failing), lists.list('a', read)]);
		expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(await lists.list('a', read)).toEqual(['reading 1']);
	});
});
