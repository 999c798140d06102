import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { assertNothingTwice, onErrors, tenCampaigns } from '../support/ten-campaigns.mts';
import {
	byId,
	chain,
	credentialType,
	nodeOf,
	serviceNode,
	webhookNode,
} from '../support/workflow.mts';
import { isNightly } from '../settings.mts';
import { queueSandbox, switchOn } from './queue-sandbox.mts';

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('an access token in several processes', () => {
	test('is asked for once by each of them', async () => {
		const { emulator, rest, credentialData, workers } = await queueSandbox();
		// A client that nobody has used, so that every process has to ask.
		const client = emulator.addKey('client');
		const data = {
			...credentialData,
			authentication: 'clientCredentials',
			clientId: client.id,
			clientSecret: client.value,
		};
		const credential = await rest.saveCredential(
			'Messaging Service (client)',
			credentialType,
			data,
		);
		const credentials = { [credentialType]: { id: credential.id, name: credential.name } };
		const workflow = chain('Tokens', [
			webhookNode('tokens'),
			serviceNode('Me', 'profile', 'get', {}, { credentials }),
		]);
		// Not through the sandbox, which would put its own credential in.
		const { id, post } = await switchOn(await rest.saveWorkflow(workflow), 'tokens');

		const bothWorked = async () => {
			const ids = (await rest.executions(id)).map((execution) => execution.id);
			const shares = workers.map(async (worker) => await Promise.all(ids.map(worker.tookOn)));
			return (await Promise.all(shares)).every((share) => share.includes(true));
		};
		assert.equal((await rest.testCredential(credential, data)).status, 'OK');
		let sent = 0;
		while (!(await bothWorked())) {
			assert.ok(sent < 60, 'one worker did everything');
			// The processes share SQLite, which cannot serve many at once.
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
});

describe('files in the database', () => {
	test('go through a worker byte by byte, up and down', async () => {
		const { emulator, rest, saveWorkflow } = await queueSandbox();
		const content = randomBytes(5 * 1024 * 1024 + 7);
		const server = createServer((_request, response) => {
			response.setHeader('content-type', 'application/pdf');
			response.end(content);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		assert.ok(address !== null && typeof address === 'object');
		const [campaign] = emulator.state.campaigns.values();
		assert.ok(campaign);

		try {
			const { run } = await switchOn(
				await saveWorkflow(
					chain('Files', [
						webhookNode('files'),
						nodeOf('Download', 'n8n-nodes-base.httpRequest', 4.2, {
							url: `http://127.0.0.1:${address.port}/letter.pdf`,
							options: { response: { response: { responseFormat: 'file' } } },
						}),
						serviceNode('Upload', 'campaignFile', 'upload', {
							campaignId: byId(campaign._id),
							binaryPropertyName: 'data',
						}),
					]),
				),
				'files',
			);
			const execution = await run();
			assert.equal(execution.error, undefined);

			const stored = execution.items('Download')[0]?.binary?.data?.id ?? '';
			assert.match(stored, /^database:/);
			assert.equal(sha256(await rest.binary(stored)), sha256(content));
			const upload = emulator.requests.findLast((request) => request.upload)?.upload;
			assert.equal(upload?.sha256, sha256(content));
			assert.equal(upload?.size, content.length);
		} finally {
			server.close();
		}
	});
});

describe('ten live campaigns under Retry On Fail, of which one is refused', () => {
	for (const onError of onErrors) {
		test(`go out once each through a worker: ${onError}`, async () => {
			const { emulator, saveWorkflow } = await queueSandbox();
			const name = `ten-${onError}`;
			const workflow = tenCampaigns(name, webhookNode(name), emulator, onError);
			const { run } = await switchOn(await saveWorkflow(workflow), name);
			assertNothingTwice(name, emulator, await run(), onError);
		});
	}
});

describe('10,000 items', { skip: !isNightly }, () => {
	test('go through a write in a worker to their end', { timeout: 900_000 }, async (t) => {
		const { emulator, saveWorkflow } = await queueSandbox();
		const names = Array.from({ length: 10_000 }, (_, number) => `Group ${number}`);
		const { run } = await switchOn(
			await saveWorkflow(
				chain('Ten thousand', [
					webhookNode('many'),
					nodeOf('One item a group', 'n8n-nodes-base.splitOut', 1, {
						fieldToSplitOut: 'body.groups',
						options: {},
					}),
					serviceNode('Create group', 'recipientGroup', 'create', {
						name: '={{ $json.name }}',
						additionalFields: {},
					}),
				]),
			),
			'many',
		);
		const started = performance.now();
		const execution = await run({ groups: names.map((name) => ({ name })) }, 900_000);
		t.diagnostic(`${((performance.now() - started) / 1000).toFixed(1)} s`);

		assert.equal(execution.error, undefined);
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			execution.items('Create group').map(({ json }) => json.name),
			names,
		);
		const held = [...emulator.state.recipientGroups.values()].map(({ name }) => name);
		assert.deepEqual(held.filter((name) => names.includes(name)).sort(), [...names].sort());
	});
});
