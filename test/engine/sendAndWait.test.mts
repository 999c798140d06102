import type { INodeParameters, IWebhookFunctions } from 'n8n-workflow';

import { loadPackage, nodeOf, type RunOptions } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { only } from '../kit/typed.mts';

const service = useService();

/** Runs Send and Wait. By default, it asks a person known to the service. */
async function ask(parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) {
	const [approver] = service.emulator.state.people.values();
	return await service.run(
		'broadcast',
		'sendAndWait',
		{
			title: 'Send it?',
			message: 'Tomorrow at nine',
			recipientsFrom: 'emails',
			recipientEmails: approver?.email ?? '',
			...parameters,
		},
		options,
	);
}

test('sends one live broadcast with a signed link for the first item, and waits', async () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const { status, json } = await ask({ options: { actionLinkText: 'Decide' } }, { items });
	expect(status).toBe('waiting');
	expect(json).toEqual([{ n: 1 }, { n: 2 }]);
	expect(service.requests).toHaveLength(1);
	expect(service.lastRequest.body).toEqual({
		title: 'Send it?',
		message: 'Tomorrow at nine',
		status: 'live',
		recipientEmails: [expect.any(String)],
		actionLinkText: 'Decide',
		actionLink: expect.stringMatching(
			/^http:\/\/n8n\.example\/webhook-waiting\/test-execution\/node-1\?question=[-\da-f]{36}&signature=\w+$/,
		),
	});
});

test.each<[string, INodeParameters, RegExp]>([
	['no recipients', { recipientEmails: '' }, /is empty/],
	['an unlisted choice of recipients', { recipientsFrom: 'none' }, /Recipients From must be/],
	['no title', { title: ' ' }, /Title is empty/],
	['an unlisted response type', { responseType: 'customForm' }, /Response Type must be/],
	[
		'an unlisted type of approval',
		{ approvalOptions: { values: { approvalType: 'triple' } } },
		/Type of Approval must be/,
	],
	[
		'an invalid time limit',
		{ options: { limitWaitTime: { values: { resumeAmount: 0 } } } },
		/Amount must be/,
	],
])('with %s, fails before sending and does not wait', async (_what, parameters, message) => {
	const { error, status } = await ask(parameters);
	expect(error?.message).toMatch(message);
	expect(status).toBe('error');
	expect(service.requests).toEqual([]);
});

test('does not wait if the service refuses the broadcast', async () => {
	const parameters = { recipientEmails: 'nobody.knows@example.com' };
	const { error, status } = await ask(parameters);
	expect(error?.message).toMatch(/^Not all emails/);
	expect(status).toBe('error');

	const { json, status: continued } = await ask(parameters, { onError: 'continueRegularOutput' });
	expect(json).toEqual([{ error: error?.message }]);
	expect(continued).toBe('success');
});

test('as a tool, returns an error with advice to the agent, and sends nothing', async () => {
	const { json } = await ask({}, { asTool: true });
	expect(json).toEqual([
		{ error: 'Send and Wait cannot be used as a tool', advice: expect.stringMatching(/Create/) },
	]);
	expect(service.requests).toEqual([]);
});

test('sends and waits as a human review, a separate node type of n8n 2', async () => {
	const nodeType = (await loadPackage()).node('messagingService');
	const type = 'n8n-nodes-messaging-service.messagingServiceHitlTool';
	const { status } = await ask({}, { otherNode: { nodeType, type, typeVersion: 1 } });
	expect(status).toBe('waiting');
	expect(service.requests).toHaveLength(1);
});

test.each(['GET', 'POST'])(
	'does not resume the workflow if the page that the link opens cannot be created (%s)',
	async (method) => {
		const { node } = await loadPackage();
		const shown: unknown[] = [];
		const response = {
			status: (code: number) => (shown.push(code), response),
			set: () => response,
			send: (html: string) => shown.push(html),
		};
		const logged: string[] = [];
		const context = only<IWebhookFunctions>({
			getNode: () => nodeOf('messagingService', {}),
			evaluateExpression: () => {
				throw new Error('No such execution');
			},
			getRequestObject: () => ({ method, query: {} }),
			getResponseObject: () => response,
			logger: only<IWebhookFunctions['logger']>({ error: (text) => logged.push(text) }),
		});
		const result = await node('messagingService').webhook?.call(context);
		expect(result).not.toHaveProperty('workflowData');
		expect(shown[0]).toBe(500);
		expect(logged).toEqual(['The page of Send and Wait failed: No such execution']);
	},
);
