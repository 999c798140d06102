import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
	chain,
	locatorById,
	nodeOf,
	serviceNode,
	webhookNode,
} from '../../../local-n8n/n8n/workflow.mts';
import { startServer } from '../../kit/testServer.mts';
import { activate, queueN8n } from '../support/queue-n8n.mts';

test('a worker uploads a file from n8n’s database without changing it', async () => {
	const { emulator } = await queueN8n();
	const content = randomBytes(5 * 1024 * 1024 + 7);
	const server = await startServer((_request, response) => response.end(content));
	const [campaign] = emulator.state.campaigns.values();
	try {
		const { run } = await activate(
			chain('Files', [
				webhookNode('files'),
				nodeOf('Download', 'n8n-nodes-base.httpRequest', 4.2, {
					url: `${server.url}/letter.pdf`,
					options: { response: { response: { responseFormat: 'file' } } },
				}),
				serviceNode('Upload', 'campaignFile', 'upload', {
					campaignId: locatorById(campaign?._id ?? ''),
					binaryPropertyName: 'data',
				}),
			]),
			'files',
		);
		const execution = await run();
		assert.equal(execution.error, undefined);
		assert.match(execution.items('Download')[0]?.binary?.data?.id ?? '', /^database:/);
		const upload = emulator.requests.findLast((request) => request.upload)?.upload;
		assert.equal(upload?.sha256, createHash('sha256').update(content).digest('hex'));
		assert.equal(upload?.size, content.length);
	} finally {
		await server.stop();
	}
});
