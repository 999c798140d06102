import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeParameters, INodeType } from 'n8n-workflow';

import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode, type RunOptions } from '../kit/engine.mts';

/** A node to run, and its parameters for each kind of work. */
export type Contestant = {
	name: string;
	otherNode?: RunOptions['otherNode'];
	parameters: (work: Work, baseUrl: string) => INodeParameters;
};

/** One request per item: reads a campaign, or creates a recipient group. */
export type Work = 'GET' | 'POST';

export const ours: Contestant = {
	name: 'this node',
	parameters: (work) =>
		work === 'GET'
			? {
					...{ resource: 'campaign', operation: 'get', simplify: false },
					campaignId: locator('={{ $json.id }}'),
				}
			: { resource: 'recipientGroup', operation: 'create', name: '={{ $json.id }}' },
};

/** Our node creates a survey of ten questions per item. */
export const surveys: INodeParameters = {
	...{ resource: 'survey', operation: 'create', questionsInput: 'text' },
	...{ name: '={{ $json.id }}', campaignDescription: 'What we think' },
	questionsText: `=${Array.from(
		{ length: 5 },
		() =>
			'How content are you with {{ $json.id }}? (radio: Not at all, A little, Very) *\nWhat could be better? (textarea)',
	).join('\n')}`,
};

/**
 * Returns n8n's HTTP Request node with parameters for one request per item, if a complete n8n is installed in the local n8n.
 */
export function httpRequest(): Contestant | undefined {
	const folder = join(process.cwd(), 'local-n8n', 'n8n-2');
	if (!existsSync(join(folder, 'node_modules', 'n8n-nodes-base'))) {
		console.log('No n8n is installed: the comparison with its HTTP Request node is left out');
		return undefined;
	}
	type Module = { HttpRequest: new () => { nodeVersions: Record<number, INodeType> } };
	const load: (name: string) => Module = createRequire(join(folder, 'package.json'));
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');
	const typeVersion = 4.2;
	const nodeType = new HttpRequest().nodeVersions[typeVersion];
	return (
		nodeType && {
			name: 'HTTP Request',
			otherNode: { nodeType, type: 'n8n-nodes-base.httpRequest', typeVersion },
			parameters: (method, baseUrl) => ({
				...{
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'messagingServiceApi',
				},
				...{ method, options: {} },
				...(method === 'GET'
					? { url: `=${baseUrl}/int/v1/campaign/{{ $json.id }}` }
					: {
							...{ url: `${baseUrl}/int/v1/recipientGroup`, sendBody: true, specifyBody: 'json' },
							jsonBody: '={{ JSON.stringify({ name: $json.id }) }}',
						}),
			}),
		}
	);
}

/** Runs a node with one request per item. @throws if the node fails or an item is missing */
export async function runItems(
	{ otherNode, parameters }: Contestant,
	work: Work,
	count: number,
	baseUrl: string,
): Promise<void> {
	const options = { parameters: parameters(work, baseUrl), items: numbered(count), otherNode };
	await run(baseUrl, count, options);
}

/** Returns this many input items, each with an ID of its own. */
export function numbered(count: number): NonNullable<RunOptions['items']> {
	return Array.from({ length: count }, (_, number) => ({ json: { id: `i${number}` } }));
}

/** Runs a node. @throws if the node fails or does not return `count` items */
export async function run(
	baseUrl: string,
	count: number,
	options: Omit<RunOptions, 'credential'>,
): Promise<void> {
	const { items, error } = await runNode({ credential: anyAccessKey(baseUrl), ...options });
	if (error) throw error;
	if (items.length !== count) throw new Error(`${items.length} of ${count} items`);
}
