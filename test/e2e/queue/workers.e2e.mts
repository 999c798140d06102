import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import pWaitFor from 'p-wait-for';
import {
	locatorById,
	chain,
	credentialType,
	nodeOf,
	serviceNode,
	webhookNode,
} from '../../../local-n8n/n8n/workflow.mts';
import { startServer } from '../../kit/testServer.mts';
import { activate, queueN8n } from '../support/queue-n8n.mts';

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('each process requests an access token once', async () => {
	const { emulator, rest, credentialData, workers } = await queueN8n();
	// The client is new, so every process needs a token.
	const client = emulator.addKey('client');
	const data = {
		...credentialData,
		authentication: 'clientCredentials',
		clientId: client.id,
		clientSecret: client.value,
	};
	const credential = await rest.saveCredential('Client', credentialType, data);
	const credentials = { [credentialType]: { id: credential.id, name: credential.name } };
	const workflow = chain('Tokens', [
		webhookNode('tokens'),
		serviceNode('Me', 'profile', 'get', {}, { credentials }),
	]);
	const { id, post } = await activate(workflow, 'tokens');

	const bothWorked = async () => {
		const ids = (await rest.executions(id)).map((execution) => execution.id);
		const shares = workers.map(async (worker) => await Promise.all(ids.map(worker.tookOn)));
		return (await Promise.all(shares)).every((share) => share.includes(true));
	};
	assert.equal((await rest.testCredential(credential, data)).status, 'OK');
	let sent = 0;
	while (!(await bothWorked())) {
		assert.ok(sent < 60, 'one worker did everything');
		// The processes share SQLite, which cannot serve many concurrent executions.
		await Promise.all([post(), post(), post()]);
		sent += 3;
		await pWaitFor(async () => (await rest.executions(id)).length === sent, {
			interval: 200,
			timeout: 60_000,
		});
	}
	for (const { error } of await rest.executions(id)) assert.equal(error, undefined);
	const tokenRequests = emulator.requests.filter(
		({ path, authorization }) =>
			path === '/int/v1/oauth/token' && authorization.keyId === client.id,
	);
	assert.equal(tokenRequests.length, 1 + workers.length);
});

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
		assert.equal(upload?.sha256, sha256(content));
		assert.equal(upload?.size, content.length);
	} finally {
		await server.stop();
	}
});
