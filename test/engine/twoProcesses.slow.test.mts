import { join } from 'node:path';
import * as n8nWorkflow from 'n8n-workflow';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import { TestCredentialsHelper } from '../kit/credentials.mts';
import { runNode } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const DRAFTS = 6;

/** Loads a separate copy of the package, as another n8n process does, with its own access tokens. */
function anotherProcess(): { nodeType: INodeType; credentialType: ICredentialType } {
	const built = (path: string) => join(process.cwd(), 'dist', path);
	let loaded: ReturnType<typeof anotherProcess> | undefined;
	jest.isolateModules(() => {
		// All copies share n8n-workflow, because the engine recognizes errors by their class.
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		const { MessagingService } = jest.requireActual<{ MessagingService: new () => INodeType }>(
			built('nodes/MessagingService/MessagingService.node.js'),
		);
		const { MessagingServiceApi } = jest.requireActual<{
			MessagingServiceApi: new () => ICredentialType;
		}>(built('credentials/MessagingServiceApi.credentials.js'));
		loaded = { nodeType: new MessagingService(), credentialType: new MessagingServiceApi() };
	});
	jest.dontMock('n8n-workflow');
	if (!loaded) throw new Error('The package was not loaded');
	return loaded;
}

test('two processes that invalidate each other’s token both finish, and create no campaign twice', async () => {
	service.emulator.switches.tokensPerClient = 'one';
	const credential = service.newClient();
	const runs = ['first', 'second'].map(async (name) => {
		const { nodeType, credentialType } = anotherProcess();
		return await runNode({
			credential,
			credentialsHelper: new TestCredentialsHelper(credentialType, credential),
			otherNode: { nodeType, type: 'n8n-nodes-messaging-service.messagingService', typeVersion: 1 },
			parameters: {
				resource: 'campaign',
				operation: 'create',
				name: '={{ $json.name }}',
				campaignDescription: 'D',
				status: 'draft',
				recipientsFrom: 'none',
				requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 0 } } },
			},
			items: Array.from({ length: DRAFTS }, (_, n) => ({ json: { name: `${name} ${n}` } })),
		});
	});
	for (const { error, items } of await Promise.all(runs)) {
		expect(error).toBeUndefined();
		expect(items).toHaveLength(DRAFTS);
	}
	const made = service.emulator.state.campaigns
		.values()
		.map(({ name }) => name)
		.filter((name) => /^(first|second) \d$/.test(name));
	expect(new Set(made).size).toBe(2 * DRAFTS);
	expect(made).toHaveLength(2 * DRAFTS);
	// Both processes requested a token, so the first token was invalidated.
	expect(service.emulator.requestCount('POST', '/int/v1/oauth/token')).toBeGreaterThan(1);
	expect(service.requests.some(({ authorization }) => !authorization.ok)).toBe(true);
});
