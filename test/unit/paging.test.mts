import fc, { runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import {
	byPreviousLastId,
	bySkip,
	inOneAnswer,
	type FetchPage,
} from '../../nodes/shared/service/paging.ts';

const fail = (message: string) => new Error(message);
const record = (n: number): IDataObject => ({ _id: `id-${n}` });
const records = (count: number) => Array.from({ length: count }, (_, n) => record(n));

/** A list that is paged by the last id, and never gives more than `cap` at once. */
function byIdService(list: IDataObject[], cap: number, means = 'after'): FetchPage {
	return async ({ limit, previousLastId }) => {
		const last = list.findIndex(({ _id }) => _id === previousLastId);
		const start = last !== -1 && means === 'from' ? last : last + 1;
		return { records: list.slice(start, start + Math.min(cap, Number(limit))) };
	};
}

/** A list that is paged by skip; `between` changes it after each page. */
function bySkipService(
	list: IDataObject[],
	cap: number,
	withTotal: boolean,
	between: (list: IDataObject[], page: number) => void = () => undefined,
): FetchPage {
	let page = 0;
	return async ({ limit, skip }) => {
		const from = Number(skip);
		const answer = {
			records: list.slice(from, from + Math.min(cap, Number(limit))),
			...(withTotal && { total: list.length }),
		};
		page += 1;
		between(list, page);
		return answer;
	};
}

describe('byPreviousLastId', () => {
	test.each([
		['after', 1],
		// Pages of one record would hold the known one alone.
		['from', 2],
	])('gives the first records wanted, pages starting %s the last one', async (means, smallest) => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(60),
				fc.integer({ min: smallest, max: 20 }),
				fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(Infinity)),
				async (size, cap, wanted) => {
					const list = records(size);
					const found = await byPreviousLastId(byIdService(list, cap, means), wanted, fail);
					expect(found).toEqual(list.slice(0, wanted));
				},
			),
		);
	});

	test.each([
		['the same page again', async () => ({ records: records(2) })],
		['records without an id', async () => ({ records: [{ name: 'x' }] })],
	])('%s ends with an error', async (_case, fetchPage: FetchPage) => {
		await expect(byPreviousLastId(fetchPage, Infinity, fail)).rejects.toThrow('repeats a page');
	});

	test('a Limit on a service that gives its first page for ever gives nothing twice', async () => {
		const fetchPage: FetchPage = async ({ limit }) => ({
			records: records(5).slice(0, Math.min(Number(limit), 2)),
		});
		expect(await byPreviousLastId(fetchPage, 2, fail)).toEqual(records(2));
		await expect(byPreviousLastId(fetchPage, 3, fail)).rejects.toThrow('repeats a page');
	});

	test('two pages in turn end with an error', async () => {
		let page = 0;
		const fetchPage: FetchPage = async () => ({ records: [record(page++ % 2)] });
		await expect(byPreviousLastId(fetchPage, Infinity, fail)).rejects.toThrow('repeats a page');
	});

	test('200,000 records do not overflow the stack', async () => {
		const list = records(200_000);
		let start = 0;
		const fetchPage: FetchPage = async ({ limit }) => {
			const page = list.slice(start, start + Number(limit));
			start += page.length;
			return { records: page };
		};
		expect(await byPreviousLastId(fetchPage, Infinity, fail)).toHaveLength(200_000);
	});
});

describe('bySkip', () => {
	test('gives the first records wanted, whatever the page size, with and without a total', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(60),
				fc.integer({ min: 1, max: 20 }),
				fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(Infinity)),
				fc.boolean(),
				async (size, cap, wanted, withTotal) => {
					const list = records(size);
					const found = await bySkip(bySkipService(list, cap, withTotal), wanted, fail);
					expect(found).toEqual(list.slice(0, wanted));
				},
			),
		);
	});

	test('records that go or come while it reads take no other with them, and none comes twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.integer({ min: 1, max: 7 }),
				fc.array(fc.tuple(fc.boolean(), fc.nat()), { maxLength: 6 }),
				async (size, cap, changes) => {
					const list = records(size);
					const stable = new Set(list.map(({ _id }) => _id));
					let added = 1000;
					const fetchPage = bySkipService(list, cap, true, (current, page) => {
						const change = changes[page - 1];
						if (!change) return;
						const [removes, where] = change;
						if (removes) {
							const [gone] = current.splice(where % Math.max(current.length, 1), 1);
							if (gone) stable.delete(gone._id);
						} else current.push(record(added++));
					});
					const found = (await bySkip(fetchPage, Infinity, fail)).map(({ _id }) => _id);
					expect(new Set(found).size).toBe(found.length);
					expect(found).toEqual(expect.arrayContaining([...stable]));
				},
			),
			{ numRuns: runs(500) },
		);
	});

	test('a record that moves while it reads is not lost, wherever it goes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 2, max: 40 }),
				// A page of one record that moves down a place looks like a page given again.
				fc.integer({ min: 2, max: 7 }),
				fc.nat(),
				fc.nat(),
				fc.nat(20),
				async (size, cap, from, to, after) => {
					const list = records(size);
					const pages = Math.ceil(size / cap);
					const fetchPage = bySkipService(list, cap, true, (current, page) => {
						if (page !== 1 + (after % pages)) return;
						current.splice(to % size, 0, ...current.splice(from % size, 1));
					});
					const found = await bySkip(fetchPage, Infinity, fail);
					expect(found.map(({ _id }) => _id).sort()).toEqual(
						records(size)
							.map(({ _id }) => _id)
							.sort(),
					);
				},
			),
		);
	});

	test('a total that counts only its own page is not taken for the end', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (size, cap) => {
				const list = records(size);
				const whole = bySkipService(list, cap, false);
				const fetchPage: FetchPage = async (qs) => {
					const page = await whole(qs);
					return { ...page, total: page.records.length };
				};
				expect(await bySkip(fetchPage, Infinity, fail)).toEqual(list);
			}),
		);
	});

	test('a record that moves to the start of the next page makes no page given again', async () => {
		const fetchPage = bySkipService(records(4), 2, true, (current, page) => {
			if (page === 1) current.splice(2, 0, ...current.splice(0, 1));
		});
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(4);
	});

	test('a service that ignores skip ends with an error', async () => {
		const fetchPage: FetchPage = async () => ({ records: [record(1), record(2)] });
		await expect(bySkip(fetchPage, Infinity, fail)).rejects.toThrow('repeats a page');
	});
});

test('inOneAnswer asks once and cuts off', async () => {
	const fetchPage = jest.fn(async () => ({ records: records(5) }));
	expect(await inOneAnswer(fetchPage, 3, fail)).toEqual(records(3));
	expect(fetchPage).toHaveBeenCalledTimes(1);
});
