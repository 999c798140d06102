/**
 * The least that can stand for the service, in a process of its own, so that its work counts for nobody: it checks
 * nothing and says the same to everybody. Lists come in pages of `limit`, `RECORDS` in all.
 */
import { createServer } from 'node:http';

const RECORDS = 200_000;

const record = (number: number) => ({
	_id: String(number),
	name: `Campaign ${number}`,
	title: `Campaign ${number}`,
	status: '1',
	categories: ['news', 'staff'],
	enableEmail: true,
	liveDate: '2026-01-31T09:15:00.000Z',
	recipientAmount: 1200,
});
const one = JSON.stringify({ success: true, data: record(1) });

const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
	request.resume().on('end', () => {
		response.setHeader('content-type', 'application/json');
		const isList = request.method === 'GET' && pathname.endsWith('/campaign');
		response.end(isList ? page(searchParams) : one);
	});
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());

function page(query: URLSearchParams): string {
	const first = Number(query.get('previousLastId') ?? 0) + 1;
	const length = Math.min(Number(query.get('limit') ?? 100), RECORDS - first + 1);
	return JSON.stringify({
		success: true,
		data: Array.from({ length }, (_, index) => record(first + index)),
	});
}
