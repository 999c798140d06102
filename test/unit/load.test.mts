import { readFileSync } from 'node:fs';

import {
	byPreviousLastId,
	bySkip,
	inOneResponse,
	type FetchPage,
	type ReadPages,
} from '../../nodes/shared/transport/paging.ts';

const RECORDS = 100_000;

async function requestsFor(read: ReadPages): Promise<number> {
	let requests = 0;
	const fetchPage: FetchPage = async ({ limit = RECORDS, skip, previousLastId }) => {
		requests += 1;
		const from = Number(skip ?? previousLastId ?? 0);
		const length = Math.max(0, Math.min(Number(limit), RECORDS - from));
		const records = Array.from({ length }, (_, index) => ({ _id: String(from + index + 1) }));
		return { records, total: RECORDS };
	};
	const found = await read(fetchPage, Infinity, (message) => new Error(message));
	expect(found).toHaveLength(RECORDS);
	return requests;
}

test.each([
	['100,000 campaigns or broadcasts', byPreviousLastId],
	['100,000 recipient groups', bySkip],
	['100,000 channels or templates', inOneResponse],
])('docs/load.md says how many requests Get Many of %s sends', async (records, read) => {
	const requests = await requestsFor(read);
	expect(readFileSync('docs/load.md', 'utf8')).toContain(
		`| *Get Many* of ${records} | ${requests.toLocaleString('en-US')} |`,
	);
});
