import { gzipSync } from 'node:zlib';

import { locator, runNode, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { startServer } from '../kit/testServer.mts';

const service = useService();

test.each([
	['get', false],
	['close', true],
])('%s fetches a gzip bomb once and reports it as too large', async (operation, isChange) => {
	// 513 MiB of blanks, more than a string can contain. gzip decodes concatenated members as one stream.
	const member = gzipSync(Buffer.alloc(1 << 20, ' '));
	let fetched = 0;
	const server = await startServer((_request, response) => {
		fetched++;
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		response.end(Buffer.concat(Array.from({ length: 513 }, () => member)));
	});
	const { error } = await runNode({
		credential: { ...service.accessKey, baseUrl: server.url },
		parameters: { resource: 'campaign', operation, campaignId: locator('c1') },
	});
	await server.stop();
	expect(error?.message).toContain('The response is too large to be read');
	const isUnknown = error?.description?.includes('may or may not have been carried out');
	expect(isUnknown).toBe(isChange);
	expect(fetched).toBe(1);
});

test('stops reading at the deadline if a drop-down list arrives byte by byte', async () => {
	const deadline = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
	const server = await startServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const drip = setInterval(() => response.write(' '), 50);
		response.on('close', () => clearInterval(drip));
		deadline.abort();
	});
	try {
		const credential = { ...service.accessKey, baseUrl: server.url };
		await expect(searchList('searchCampaigns', credential)).rejects.toThrow(
			'did not respond in time',
		);
		expect(timeout.mock.calls[0]?.[0]).toBeLessThanOrEqual(60_000);
	} finally {
		timeout.mockRestore();
		await server.stop();
	}
});
