import fc, { runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import {
	byPreviousLastId,
	bySkip,
	inOneResponse,
	type FetchPage,
	type ReadPages,
} from '../../nodes/shared/transport/paging.ts';

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

/** Notes what is asked for. */
function noted(fetchPage: FetchPage): { asked: IDataObject[]; fetchPage: FetchPage } {
	const asked: IDataObject[] = [];
	return {
		asked,
		fetchPage: async (qs) => {
			asked.push(qs);
			return await fetchPage(qs);
		},
	};
}

/** What a builder is told to do about a list that does not end. */
async function adviceOf(read: ReadPages, fetchPage: FetchPage, wanted = Infinity): Promise<string> {
	const advice: string[] = [];
	await expect(
		read(fetchPage, wanted, (message, description = '') => {
			advice.push(description);
			return new Error(message);
		}),
	).rejects.toThrow('repeats a page');
	return advice.join();
}

describe('byPreviousLastId', () => {
	test('asks for what is wanted, 1,000 at a time', async () => {
		const { asked, fetchPage } = noted(byIdService(records(3000), 1000));
		await byPreviousLastId(fetchPage, 2300, fail);
		expect(asked).toStrictEqual([
			{ limit: 1000 },
			{ limit: 1000, previousLastId: 'id-999' },
			{ limit: 300, previousLastId: 'id-1999' },
		]);
	});

	test('leaves room for the record that it knows, where pages begin with it', async () => {
		const { asked, fetchPage } = noted(byIdService(records(9), 4, 'from'));
		await byPreviousLastId(fetchPage, 8, fail);
		expect(asked).toStrictEqual([
			{ limit: 8 },
			{ limit: 4, previousLastId: 'id-3' },
			{ limit: 2, previousLastId: 'id-6' },
		]);
	});

	test('asks for one more when there was room for the known record alone', async () => {
		const { asked, fetchPage } = noted(byIdService(records(3), 2, 'from'));
		expect(await byPreviousLastId(fetchPage, 3, fail)).toEqual(records(3));
		expect(asked).toStrictEqual([
			{ limit: 3 },
			{ limit: 1, previousLastId: 'id-1' },
			{ limit: 2, previousLastId: 'id-1' },
		]);
	});

	test.each([
		['no record is left where pages hold the known one', 'from', 2, 5, 2],
		['no record is left, and there was room for the known one alone', 'from', 2, 3, 3],
		['no record is left where pages do without the known one', 'after', 2, 3, 2],
		['as many are there as are wanted', 'after', 4, 3, 2],
	])('asks no more once %s', async (_case, means, size, wanted, times) => {
		const { asked, fetchPage } = noted(byIdService(records(size), 2, means));
		expect(await byPreviousLastId(fetchPage, wanted, fail)).toEqual(
			records(Math.min(size, wanted)),
		);
		expect(asked).toHaveLength(times);
	});

	test('cuts off what a service gives beyond what is wanted, and takes it for no reason to ask again', async () => {
		const service = byIdService(records(9), 2, 'from');
		const { asked, fetchPage } = noted(async (qs) => await service({ ...qs, limit: 2 }));
		expect(await byPreviousLastId(fetchPage, 3, fail)).toEqual(records(3));
		expect(asked).toHaveLength(2);
		expect(await byPreviousLastId(fetchPage, 1, fail)).toEqual(records(1));
	});

	test('names the record that comes again, or says that the last one has no ID', async () => {
		const same: FetchPage = async () => ({ records: records(2) });
		expect(await adviceOf(byPreviousLastId, same)).toContain(
			'After 2 records it gives id-0 once more.',
		);
		const nameless: FetchPage = async () => ({ records: [record(1), { name: 'x' }] });
		expect(await adviceOf(byPreviousLastId, nameless)).toContain(
			'After 0 records the last one has no ID.',
		);
	});

	test('does not mind records without an ID before the last one', async () => {
		const list = [{ name: 'x' }, record(1), { name: 'y' }, record(3)];
		let page = 0;
		const fetchPage: FetchPage = async () => ({ records: list.slice(2 * page, 2 * ++page) });
		expect(await byPreviousLastId(fetchPage, Infinity, fail)).toEqual(list);
	});

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
	test('asks for what is wanted, 100 at a time', async () => {
		const { asked, fetchPage } = noted(bySkipService(records(300), 100, true));
		await bySkip(fetchPage, 230, fail);
		expect(asked).toStrictEqual([
			{ limit: 100, skip: 0 },
			{ limit: 100, skip: 100 },
			{ limit: 30, skip: 200 },
		]);
	});

	test('asks no more once it has as many as there are', async () => {
		const { asked, fetchPage } = noted(bySkipService(records(200), 100, true));
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(200);
		expect(asked).toHaveLength(2);
	});

	test('asks for a page more where a total may count its own page alone', async () => {
		const { asked, fetchPage } = noted(bySkipService(records(100), 100, true));
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(100);
		expect(asked).toHaveLength(2);
	});

	test('steps back by as many as have gone', async () => {
		const service = bySkipService(records(250), 100, true, (list, page) => {
			if (page === 1) list.splice(0, 3);
		});
		const { asked, fetchPage } = noted(service);
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(250);
		expect(asked.map(({ skip }) => skip)).toEqual([0, 100, 97, 197]);
	});

	test('steps back to the beginning at most', async () => {
		const service = bySkipService(records(250), 100, true, (list, page) => {
			if (page === 1) list.splice(0, 150);
		});
		const { asked, fetchPage } = noted(service);
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(200);
		expect(asked.map(({ skip }) => skip)).toEqual([0, 100, 0]);
	});

	test('keeps records without an ID, equal ones too', async () => {
		const list = [{ name: 'x' }, { name: 'x' }, { name: 'y' }];
		expect(await bySkip(bySkipService(list, 2, false), Infinity, fail)).toEqual(list);
	});

	test('tells of records that are counted and not given, after it has looked twice', async () => {
		for (const size of [3, 0]) {
			const service = bySkipService(records(size), 100, false);
			const { asked, fetchPage } = noted(async (qs) => ({ ...(await service(qs)), total: 5 }));
			const warn = jest.fn();
			expect(await bySkip(fetchPage, Infinity, fail, warn)).toEqual(records(size));
			expect(warn.mock.calls).toEqual([
				[expect.stringContaining(`speaks of 5 records and gave ${size},`)],
			]);
			expect(asked.filter(({ skip }) => skip === 0)).toHaveLength(2);
		}
	});

	test('tells nothing when it has what is wanted, or all there is', async () => {
		const warn = jest.fn();
		for (const wanted of [2, 3, 4, Infinity]) {
			await bySkip(bySkipService(records(3), 2, true), wanted, fail, warn);
		}
		const service = bySkipService(records(2), 100, false);
		await bySkip(async (qs) => ({ ...(await service(qs)), total: 5 }), 2, fail, warn);
		expect(warn).not.toHaveBeenCalled();
	});

	test('cuts off what a service gives beyond what is wanted', async () => {
		const service = bySkipService(records(9), 4, true);
		const fetchPage: FetchPage = async (qs) => await service({ ...qs, limit: 4 });
		expect(await bySkip(fetchPage, 3, fail)).toEqual(records(3));
	});

	test('gives what there is when nobody wants to be told what is missing', async () => {
		const service = bySkipService(records(3), 100, false);
		const fetchPage: FetchPage = async (qs) => ({ ...(await service(qs)), total: 5 });
		expect(await bySkip(fetchPage, Infinity, fail)).toEqual(records(3));
	});

	test('goes by the total that was told last, where a page tells none', async () => {
		const service = bySkipService(records(250), 100, true);
		const { asked, fetchPage } = noted(async (qs) => {
			const { total, ...page } = await service(qs);
			return qs.skip === 100 ? page : { ...page, total };
		});
		expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(250);
		expect(asked).toHaveLength(3);
	});

	test.each([0, 1, 5, 99, 100, 101, 200, 201, 250, 1000])(
		'a total that counts only what is left of %i records is not relied on',
		async (size) => {
			for (const own of [0, 1]) {
				const service = bySkipService(records(size), 100, false);
				const { asked, fetchPage } = noted(async (qs) => {
					const page = await service(qs);
					return { ...page, total: size - Number(qs.skip) - own * page.records.length };
				});
				expect(await bySkip(fetchPage, Infinity, fail)).toEqual(records(size));
				// Twice a step back, and the empty page.
				expect(asked.length).toBeLessThanOrEqual(Math.ceil(size / 100) + 5);
			}
		},
	);

	test('one record that goes while another comes takes no third one with it', async () => {
		const service = bySkipService(records(350), 100, true, (list, page) => {
			if (page === 1 || page === 3) list.splice(0, 1);
			if (page === 2) list.push(record(1000));
		});
		const found = (await bySkip(service, Infinity, fail)).map(({ _id }) => _id);
		expect(found).toEqual(
			expect.arrayContaining(
				records(350)
					.slice(2)
					.map(({ _id }) => _id),
			),
		);
	});

	test('a list that is emptied while it reads ends with an error', async () => {
		const service = bySkipService(records(2000), 100, true, (list) => void list.splice(0, 1));
		expect(await adviceOf(bySkip, service)).toContain('It is emptied while it is read.');
	});

	test('records may go a hundred times while it reads', async () => {
		const service = bySkipService(records(400), 100, true, (list, page) => {
			if (page <= 100) list.splice(0, 1);
		});
		expect(await bySkip(service, Infinity, fail)).toHaveLength(400);
	});

	test('says where a page came again', async () => {
		const same: FetchPage = async () => ({ records: records(2) });
		expect(await adviceOf(bySkip, same)).toContain('Skipping 2 records gives the same page again.');
	});

	test('does not take records without an ID for a page that comes again', async () => {
		const list = Array.from({ length: 5 }, (_, n) => ({ name: `n${n}` }));
		expect(await bySkip(bySkipService(list, 2, false), Infinity, fail)).toEqual(list);
	});

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

	test.each([3, 4])(
		'a record that moves to the start of the next page makes no page given again, of %d records',
		async (size) => {
			const fetchPage = bySkipService(records(size), 2, true, (current, page) => {
				if (page === 1) current.splice(2, 0, ...current.splice(0, 1));
			});
			expect(await bySkip(fetchPage, Infinity, fail)).toHaveLength(size);
		},
	);

	test('a service that ignores skip ends with an error', async () => {
		const fetchPage: FetchPage = async () => ({ records: [record(1), record(2)] });
		await expect(bySkip(fetchPage, Infinity, fail)).rejects.toThrow('repeats a page');
	});
});

describe('inOneResponse', () => {
	test('asks once and cuts off', async () => {
		const { asked, fetchPage } = noted(async () => ({ records: records(5) }));
		expect(await inOneResponse(fetchPage, 3, fail)).toEqual(records(3));
		expect(await inOneResponse(fetchPage, Infinity, fail)).toEqual(records(5));
		expect(asked).toEqual([{}, {}]);
	});

	test.each([
		['there are more', Infinity, 7, true],
		['there are more than are wanted, and fewer came', 6, 7, true],
		['as many came as are wanted', 5, 7, false],
		['as many came as there are', Infinity, 5, false],
		['nobody says how many there are', Infinity, undefined, false],
	])('when %s: warns or not', async (_case, wanted, total, warns) => {
		const warn = jest.fn();
		await inOneResponse(async () => ({ records: records(5), total }), wanted, fail, warn);
		const told = [[expect.stringContaining(`gave 5 of ${total} records`)]];
		expect(warn.mock.calls).toEqual(warns ? told : []);
	});

	test('gives what there is when nobody wants to be told what is missing', async () => {
		const fetchPage: FetchPage = async () => ({ records: records(3), total: 5 });
		expect(await inOneResponse(fetchPage, Infinity, fail)).toEqual(records(3));
	});
});

test.each([
	['by the last ID', byPreviousLastId],
	['by skipping', bySkip],
])('a list with ever new IDs ends, with a warning (%s)', async (_how, read) => {
	let next = 0;
	const warn = jest.fn();
	const fetchPage: FetchPage = async ({ limit }) => ({
		records: Array.from({ length: Number(limit) }, () => ({ _id: `r${next++}` })),
	});
	const records = await read(fetchPage, Infinity, (message) => new Error(message), warn);
	expect(records).toHaveLength(500_000);
	expect(warn).toHaveBeenCalledWith(expect.stringContaining('ended after 500000 records'));
	await read(fetchPage, 1_000, (message) => new Error(message), warn);
	expect(warn).toHaveBeenCalledTimes(1);
});
