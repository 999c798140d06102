import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { isDataObject } from '../../nodes/shared/values.ts';
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

/** A simple hand-written node: one request per item, one after the other. */
class PlainNode implements INodeType {
	description: INodeType['description'] = {
		...{ displayName: 'Plain', name: 'plain', group: ['output'], version: 1 },
		...{ description: 'One request per item', defaults: { name: 'Plain' } },
		...{ inputs: [NodeConnectionTypes.Main], outputs: [NodeConnectionTypes.Main] },
		credentials: [{ name: 'messagingServiceApi', required: true }],
		properties: [
			{ displayName: 'Method', name: 'method', type: 'string', default: 'GET' },
			{ displayName: 'ID', name: 'id', type: 'string', default: '' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		for (const item of this.getInputData().keys()) {
			const id = String(this.getNodeParameter('id', item));
			const isRead = this.getNodeParameter('method', item) === 'GET';
			const response: unknown = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'messagingServiceApi',
				isRead
					? { method: 'GET', url: `/int/v1/campaign/${id}`, json: true }
					: { method: 'POST', url: '/int/v1/recipientGroup', body: { name: id }, json: true },
			);
			output.push({ json: dataOf(response), pairedItem: { item } });
		}
		return [output];
	}
}

function dataOf(response: unknown): IDataObject {
	if (isDataObject(response) && isDataObject(response.data)) return response.data;
	throw new Error('The response holds no data');
}

export const plain: Contestant = {
	name: 'plain node',
	otherNode: { nodeType: new PlainNode(), type: 'n8n-nodes-base.plain', typeVersion: 1 },
	parameters: (method) => ({ method, id: '={{ $json.id }}' }),
};

const HTTP_REQUEST_VERSION = 4.2;

/** Returns n8n's HTTP Request node if a complete n8n is installed in the local n8n. */
function httpRequestNode(): RunOptions['otherNode'] {
	const folder = join(process.cwd(), 'local-n8n', 'n8n-2');
	if (!existsSync(join(folder, 'node_modules', 'n8n-nodes-base'))) return undefined;
	type Module = { HttpRequest: new () => { nodeVersions: Record<number, INodeType> } };
	const load: (name: string) => Module = createRequire(join(folder, 'package.json'));
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');
	const nodeType = new HttpRequest().nodeVersions[HTTP_REQUEST_VERSION];
	const typeVersion = HTTP_REQUEST_VERSION;
	return nodeType && { nodeType, type: 'n8n-nodes-base.httpRequest', typeVersion };
}

/** Returns the HTTP Request node with parameters for one request per item. */
export function httpRequest(): Contestant | undefined {
	const otherNode = httpRequestNode();
	if (!otherNode) {
		console.log('No n8n is installed: the comparison with its HTTP Request node is left out');
		return undefined;
	}
	return {
		name: 'HTTP Request',
		otherNode,
		parameters: (method, baseUrl) => ({
			...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'messagingServiceApi' },
			...{ method, options: {} },
			...(method === 'GET'
				? { url: `=${baseUrl}/int/v1/campaign/{{ $json.id }}` }
				: {
						...{ url: `${baseUrl}/int/v1/recipientGroup`, sendBody: true, specifyBody: 'json' },
						jsonBody: '={{ JSON.stringify({ name: $json.id }) }}',
					}),
		}),
	};
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
