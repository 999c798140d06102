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

import { isDataObject } from '../../nodes/shared/typeGuards.ts';
import { locator, runNode, type RunOptions, type RunResult } from '../kit/engine.mts';

/** The same work done in a known way: the node to run, and its parameters for each kind of work. */
export type Contestant = {
	name: string;
	otherNode?: RunOptions['otherNode'];
	parameters: (work: Work, baseUrl: string) => INodeParameters;
};

/** One request an item: read a campaign, or make a recipient group. */
export type Work = 'GET' | 'POST';

export const ours: Contestant = {
	name: 'this node',
	parameters: (work) =>
		work === 'GET'
			? {
					resource: 'campaign',
					operation: 'get',
					campaignId: locator('={{ $json.id }}'),
					simplify: false,
				}
			: { resource: 'recipientGroup', operation: 'create', name: '={{ $json.id }}' },
};

/** What anybody would write by hand: the items one after the other, one request each. */
class PlainNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Plain',
		name: 'plain',
		group: ['output'],
		version: 1,
		description: 'One request an item',
		defaults: { name: 'Plain' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
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
			const answer: unknown = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'messagingServiceApi',
				isRead
					? { method: 'GET', url: `/int/v1/campaign/${id}`, json: true }
					: { method: 'POST', url: '/int/v1/recipientGroup', body: { name: id }, json: true },
			);
			output.push({ json: dataOf(answer), pairedItem: { item } });
		}
		return [output];
	}
}

function dataOf(answer: unknown): IDataObject {
	if (isDataObject(answer) && isDataObject(answer.data)) return answer.data;
	throw new Error('The response holds no data');
}

export const plain: Contestant = {
	name: 'plain node',
	otherNode: { nodeType: new PlainNode(), type: 'n8n-nodes-base.plain', typeVersion: 1 },
	parameters: (method) => ({ method, id: '={{ $json.id }}' }),
};

const HTTP_REQUEST_VERSION = 4.2;

/** n8n's own HTTP Request node, where a whole n8n is installed (`N8N_FOLDER`, or the sandbox's). */
export function httpRequestNode(): RunOptions['otherNode'] {
	const nodeType = loadHttpRequest();
	return (
		nodeType && { nodeType, type: 'n8n-nodes-base.httpRequest', typeVersion: HTTP_REQUEST_VERSION }
	);
}

/** The same with the work of one request an item. */
export function httpRequest(): Contestant | undefined {
	const otherNode = httpRequestNode();
	if (!otherNode) return undefined;
	return {
		name: 'HTTP Request',
		otherNode,
		parameters: (method, baseUrl) => ({
			method,
			url:
				method === 'GET'
					? `=${baseUrl}/int/v1/campaign/{{ $json.id }}`
					: `${baseUrl}/int/v1/recipientGroup`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			...(method === 'POST' && {
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify({ name: $json.id }) }}',
			}),
			options: {},
		}),
	};
}

function loadHttpRequest(): INodeType | undefined {
	const folder = process.env.N8N_FOLDER ?? join(process.cwd(), 'sandbox', 'n8n-2');
	if (!existsSync(join(folder, 'node_modules', 'n8n-nodes-base'))) return undefined;
	type Module = { HttpRequest: new () => { nodeVersions: Record<number, INodeType> } };
	const load: (name: string) => Module = createRequire(join(folder, 'package.json'));
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');
	return new HttpRequest().nodeVersions[HTTP_REQUEST_VERSION];
}

/** Runs one request an item. @throws what the node throws, and when an item is missing */
export async function runItems(
	{ otherNode, parameters }: Contestant,
	work: Work,
	count: number,
	baseUrl: string,
): Promise<RunResult> {
	const result = await runNode({
		credential: { baseUrl, authentication: 'accessKey', accessKey: 'key' },
		parameters: parameters(work, baseUrl),
		items: Array.from({ length: count }, (_, number) => ({ json: { id: `i${number}` } })),
		otherNode,
	});
	if (result.error) throw result.error;
	if (result.items.length !== count) throw new Error(`${result.items.length} of ${count} items`);
	return result;
}
