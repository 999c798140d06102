/**
 * How long the node takes in the whole n8n, beside n8n's HTTP Request node on the same work: n8n's own measure of the
 * node's run. The service is a process of its own. Left out where no n8n is installed (`npm start` does that).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { repositoryRoot } from '../../sandbox/machine/paths.mts';
import type { WorkflowNode } from '../../sandbox/n8n/n8n-rest.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { chain, credentialType, nodeOf, serviceNode } from '../../sandbox/n8n/workflow.mts';
import { startBareService } from './bareService.mts';
import { report, type Line } from './table.mts';

/** Times the HTTP Request node. */
const MOST_TIME = 1;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const items = values.short ? 300 : 1000;
const rounds = values.short ? 4 : 8;

const TRIGGER = 'When clicking Execute workflow';
const WORK = 'The work';

const lines: Line[] = [];
if (existsSync(join(repositoryRoot, 'sandbox', 'n8n-2', 'node_modules', 'n8n'))) {
	const { baseUrl, stop } = await startBareService();
	const sandbox = await startSandbox({ name: 'benchmark', fresh: true }).catch((error: unknown) => {
		stop();
		throw error;
	});
	try {
		for (const work of ['GET', 'POST'] as const) lines.push(await beside(sandbox, baseUrl, work));
	} finally {
		await sandbox.stop();
		stop();
	}
} else {
	console.log('No n8n is installed: the lines of the whole n8n are left out');
}
report(lines);

async function beside({ rest }: Sandbox, baseUrl: string, work: 'GET' | 'POST'): Promise<Line> {
	const { id, name } = await rest.saveCredential('Bare service', credentialType, {
		baseUrl,
		authentication: 'accessKey',
		accessKey: 'key',
	});
	const credentials = { [credentialType]: { id, name } };
	const contestants: WorkflowNode[] = [
		{ ...ours(work), credentials },
		{ ...httpRequest(work, baseUrl), credentials },
	];
	const workflows = await Promise.all(
		contestants.map(
			async (node, index) =>
				await rest.saveWorkflow(chain(`${work} ${index}`, [...source(), node])),
		),
	);
	const times = workflows.map(() => Infinity);
	for (let round = 0; round <= rounds; round++) {
		for (const [place, workflow] of workflows.entries()) {
			const execution = await rest.run(workflow, TRIGGER);
			const count = execution.items(WORK).length;
			if (count !== items) throw new Error(execution.error ?? `${count} of ${items} items`);
			if (round > 0) times[place] = Math.min(times[place] ?? Infinity, execution.msOf(WORK));
		}
	}
	const [cost = NaN, other = NaN] = times;
	return {
		work: `${work}, an item in the whole n8n (${items} items)`,
		cost: cost / items,
		unit: 'ms',
		yardstick: { name: 'HTTP Request', cost: other / items },
		limit: MOST_TIME,
	};
}

/** Nodes that give so many items with an id. */
function source(): WorkflowNode[] {
	return [
		nodeOf(TRIGGER, 'n8n-nodes-base.manualTrigger', 1, {}),
		nodeOf('One item', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { records: Array.from({ length: ${items} }, (_, index) => ({ id: 'i' + index })) } }}`,
			options: {},
		}),
		nodeOf('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'records', options: {} }),
	];
}

function ours(work: 'GET' | 'POST'): WorkflowNode {
	return work === 'GET'
		? serviceNode(WORK, 'campaign', 'get', {
				campaignId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				simplify: false,
			})
		: serviceNode(WORK, 'recipientGroup', 'create', { name: '={{ $json.id }}' });
}

function httpRequest(work: 'GET' | 'POST', baseUrl: string): WorkflowNode {
	return nodeOf(WORK, 'n8n-nodes-base.httpRequest', 4.2, {
		method: work,
		url:
			work === 'GET'
				? `=${baseUrl}/int/v1/campaign/{{ $json.id }}`
				: `${baseUrl}/int/v1/recipientGroup`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credentialType,
		...(work === 'POST' && {
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ name: $json.id }) }}',
		}),
		options: {},
	});
}
