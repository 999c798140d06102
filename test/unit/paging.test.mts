import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import {
	byPreviousLastId,
	bySkip,
	inOneResponse,
	type FetchPage,
	type ReadPages,
} from '../../nodes/shared/transport/paging.ts';
import fc, { runs } from '../kit/property.mts';

const record = (n: number): IDataObject => ({ _id: `id-${n}` });
const records = (count: number) => Array.from({ length: count }, (_, n) => record(n));
const idsOf = (list: IDataObject[]) => list.map(({ _id }) => _id);

/** Returns a service that pages by the last ID, with at most `cap` records per page. */
function byIdService(list: IDataObject[], cap: number, means = 'after'): FetchPage {
	return async ({ limit, previousLastId }) => {
		const last = list.findIndex(({ _id }) => _id === previousLastId);
		const start = last !== -1 && means === 'from' ? last : last + 1;
		return { records: list.slice(start, start + Math.min(cap, Number(limit))) };
	};
}

/** Returns a service that pages by skip. `change` edits the list after each page. */
function bySkipService(
	list: IDataObject[],
	cap: number,
	change: (list: IDataObject[], page: number) => void = () => undefined,
): FetchPage {
	let page = 0;
	return async ({ limit, skip }) => {
		const from = Number(skip);
		const total = list.length;
		const response = { records: list.slice(from, from + Math.min(cap, Number(limit))), total };
		change(list, ++page);
		return response;
	};
}

/** Returns a service that gives each page the total from `totalOf`. */
function withTotal(
	service: FetchPage,
	totalOf: (count: number, skip: number, total?: number) => number | undefined,
): FetchPage {
	return async (qs) => {
		const page = await service(qs);
		return { ...page, total: totalOf(page.records.length, Number(qs.skip), page.total) };
	};
}

/** Reads a list. Returns its records, the values of each query and the warnings. */
async function readList(read: ReadPages, service: FetchPage, wanted = Infinity) {
	const queries: unknown[][] = [];
	const fetchPage: FetchPage = async (qs) => {
		queries.push(Object.values(qs));
		return await service(qs);
	};
	const { records: found, problem } = await read(fetchPage, wanted);
	return { found, queries, warnings: problem === undefined ? [] : [problem] };
}

const anySize = fc.nat(60);
const anyWanted = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(Infinity));

describe('byPreviousLastId', () => {
	test.each<[string, number, number, string, number, unknown[][]]>([
		['at most 1,000', 3000, 1000, 'after', 2300, [[1000], [1000, 'id-999'], [301, 'id-1999']]],
		// One record more, because a page may repeat the last record of the page before.
		['what is missing', 9, 4, 'from', 8, [[8], [5, 'id-3'], [2, 'id-6']]],
		['until only the repeated one comes', 2, 2, 'from', 5, [[5], [4, 'id-1']]],
		['until no record is left', 2, 2, 'after', 3, [[3], [2, 'id-1']]],
		['until it has enough records', 4, 2, 'after', 3, [[3], [2, 'id-1']]],
	])('requests records: %s', async (_what, size, cap, means, wanted, expected) => {
		const service = byIdService(records(size), cap, means);
		const { found, queries } = await readList(byPreviousLastId, service, wanted);
		expect(queries).toEqual(expected);
		expect(found).toEqual(records(Math.min(size, wanted)));
	});

	test('accepts a record without an ID if another record follows on its page', async () => {
		const list = [{ name: 'x' }, record(1), { name: 'y' }, record(3)];
		let page = 0;
		const service: FetchPage = async () => ({ records: list.slice(2 * page, 2 * ++page) });
		expect((await readList(byPreviousLastId, service)).found).toEqual(list);
		const noIdLast: FetchPage = async () => ({ records: list.slice(1, 3) });
		expect((await readList(byPreviousLastId, noIdLast, 2)).warnings).toEqual([]);
	});

	test.each([
		['after', 1],
		// A page of one record would contain only the repeated record.
		['from', 2],
	])(
		'returns the first records if each page starts %s the last record of the page before',
		async (means, smallest) => {
			await fc.assert(
				fc.asyncProperty(
					anySize,
					fc.integer({ min: smallest, max: 20 }),
					anyWanted,
					async (size, cap, wanted) => {
						const service = byIdService(records(size), cap, means);
						const { found } = await readList(byPreviousLastId, service, wanted);
						expect(found).toEqual(records(size).slice(0, wanted));
					},
				),
			);
		},
	);

	test.each<[string, (page: number) => IDataObject[], found: number, isWarned: boolean]>([
		['the same page again', () => records(2), 2, true],
		['two pages in turn', (page) => [record(page % 2)], 2, true],
		['a last record without an ID', () => [record(1), { name: 'x' }], 2, true],
		['the only record, without an ID', () => [{ name: 'x' }], 1, true],
		['a full page with one new record', (page) => [record(page), record(page + 1)], 100, false],
		['the only record again', () => records(1), 1, false],
		['a short page without new records', (page) => records(page === 0 ? 2 : 1), 2, true],
	])('drops repeats and ends: %s', async (_what, pageOf, count, isWarned) => {
		let page = 0;
		const service: FetchPage = async () => ({ records: pageOf(page++) });
		const { found, warnings } = await readList(byPreviousLastId, service, 100);
		expect(new Set(found).size).toBe(count);
		expect(found).toHaveLength(count);
		expect(warnings.length > 0).toBe(isWarned);
	});
});

describe('bySkip', () => {
	test.each([
		['pages of 100', 300, 0, 230, 230, [0, 100, 200]],
		['no page after the total', 200, 0, Infinity, 200, [0, 100]],
		['one more page when the total may count only one page', 100, 0, Infinity, 100, [0, 100]],
		['the list again after removals', 250, 3, Infinity, 250, [0, 100, 200, 247, 0, 100, 200]],
		['the list again after many removals', 250, 150, Infinity, 200, [0, 100, 0, 100]],
	])('requests %s', async (_what, size, removed, wanted, count, skips) => {
		const service = bySkipService(records(size), 100, (list, page) => {
			if (page === 1) list.splice(0, removed);
		});
		const { found, queries } = await readList(bySkip, service, wanted);
		expect(queries).toEqual(skips.map((skip) => [Math.min(100, wanted - skip), skip]));
		expect(found).toHaveLength(count);
	});

	test.each([
		[[{ name: 'x' }, { name: 'x' }, { name: 'y' }]],
		[Array.from({ length: 5 }, (_, n) => ({ name: `n${n}` }))],
	])('keeps records without an ID: %j', async (list) => {
		const service = withTotal(bySkipService(list, 2), () => undefined);
		expect((await readList(bySkip, service)).found).toEqual(list);
	});

	test.each([3, 0])(
		'reads again and warns when the total exceeds the %i records returned',
		async (size) => {
			const service = withTotal(bySkipService(records(size), 100), () => 5);
			const { found, queries, warnings } = await readList(bySkip, service);
			expect(found).toEqual(records(size));
			expect(warnings).toEqual([
				expect.stringContaining(`reports 5 records but returned only ${size},`),
			]);
			expect(queries.filter(([, skip]) => skip === 0)).toHaveLength(2);
		},
	);

	test('does not warn when it returns all requested or all existing records', async () => {
		for (const wanted of [2, 3, 4, Infinity]) {
			const { warnings } = await readList(bySkip, bySkipService(records(3), 2), wanted);
			expect(warnings).toEqual([]);
		}
		const service = withTotal(bySkipService(records(2), 100), () => 5);
		expect((await readList(bySkip, service, 2)).warnings).toEqual([]);
	});

	test('warns if the service ignores skip', async () => {
		const { found, warnings } = await readList(bySkip, async () => ({ records: records(2) }));
		expect(found).toEqual(records(2));
		expect(warnings).toEqual([expect.stringContaining('only records that it had returned before')]);
	});

	test('returns the first records for any page size, with and without a total', async () => {
		await fc.assert(
			fc.asyncProperty(
				anySize,
				fc.integer({ min: 1, max: 20 }),
				anyWanted,
				fc.constantFrom<Parameters<typeof withTotal>[1]>(
					(_count, _skip, total) => total,
					() => undefined,
					(count) => count,
					(_count, skip, total = 0) => total - skip,
				),
				async (size, cap, wanted, totalOf) => {
					const service = withTotal(bySkipService(records(size), cap), totalOf);
					const { found } = await readList(bySkip, service, wanted);
					expect(found).toEqual(records(size).slice(0, wanted));
				},
			),
		);
	});

	test('neither loses nor repeats a record while others are removed or added', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 40 }),
				fc.integer({ min: 1, max: 7 }),
				fc.array(fc.tuple(fc.boolean(), fc.nat()), { maxLength: 6 }),
				async (size, cap, changes) => {
					const stable = new Set(idsOf(records(size)));
					let added = 1000;
					const service = bySkipService(records(size), cap, (current, page) => {
						const [removes, where = 0] = changes[page - 1] ?? [];
						if (removes) {
							const [removed] = current.splice(where % Math.max(current.length, 1), 1);
							if (removed) stable.delete(removed._id);
						} else if (removes === false) current.push(record(added++));
					});
					const found = idsOf((await readList(bySkip, service)).found);
					expect(new Set(found).size).toBe(found.length);
					expect(found).toEqual(expect.arrayContaining([...stable]));
				},
			),
			{ numRuns: runs(500) },
		);
	});

	test('loses no record if a record changes its position in the list between two pages', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 2, max: 40 }),
				// With one record per page, a record that moves down looks like a repeated page.
				fc.integer({ min: 2, max: 7 }),
				fc.nat(),
				// The new position of the record, often the same position on the next page, so that the
				// pages look alike.
				fc.option(fc.nat(), { freq: 2 }),
				fc.nat(20),
				async (size, cap, from, to, after) => {
					const pages = Math.ceil(size / cap);
					const service = bySkipService(records(size), cap, (current, page) => {
						if (page !== 1 + (after % pages)) return;
						const moved = current.splice(from % size, 1);
						current.splice((to ?? from + cap) % size, 0, ...moved);
					});
					const { found } = await readList(bySkip, service);
					expect(idsOf(found).sort()).toEqual(idsOf(records(size)).sort());
				},
			),
		);
	});
});

test.each([
	['the list has more records', Infinity, 7, true],
	['fewer records came than wanted', 6, 7, true],
	['enough records came', 5, 7, false],
	['enough records came', 3, 7, false],
	['all records came', Infinity, 5, false],
	['the total is unknown', Infinity, undefined, false],
])(
	'inOneResponse warns only if requested records are missing (%s: limit %d, total %j)',
	async (_case, wanted, total, isWarned) => {
		const service: FetchPage = async () => ({ records: records(5), total });
		const { found, queries, warnings } = await readList(inOneResponse, service, wanted);
		expect(found).toEqual(records(5).slice(0, wanted));
		expect(queries).toEqual([[]]);
		const warning = expect.stringContaining(`returned 5 of ${total} records`);
		expect(warnings).toEqual(isWarned ? [warning] : []);
	},
);

test.each<[string, ReadPages, (list: IDataObject[], cap: number) => FetchPage]>([
	['campaigns or broadcasts', byPreviousLastId, byIdService],
	['recipient groups', bySkip, bySkipService],
	['channels or templates', inOneResponse, bySkipService],
])(
	'drops surplus records, and docs/load.md says how many requests Get Many of 100,000 %s sends',
	async (...[what, read, serviceOf]) => {
		const surplus: FetchPage = async (qs) =>
			await serviceOf(records(9), 9)({ skip: 0, ...qs, limit: 4 });
		expect((await readList(read, surplus, 3)).found).toEqual(records(3));
		const service = serviceOf(records(100_000), 100_000);
		const { queries } = await readList(
			read,
			async (qs) => await service({ limit: Infinity, skip: 0, ...qs }),
		);
		expect(readFileSync('docs/load.md', 'utf8')).toContain(
			`| *Get Many* of 100,000 ${what} | ${queries.length.toLocaleString('en-US')} |`,
		);
	},
);
