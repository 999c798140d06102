/**
 * Compares the run times of our node and of n8n's HTTP Request node for the same work. A complete n8n reports the run
 * times. The service runs in a separate process.
 */
import '../kit/setup.cjs';

import { packageName } from '../../local-n8n/machine/paths.mts';
import { chain, credentialType, manualStart, nodeOf } from '../../local-n8n/n8n/workflow.mts';
import { startLocalN8n, type LocalN8n } from '../../local-n8n/local-n8n.mts';
import { anyAccessKey } from '../kit/credentials.mts';
import { startBareService } from './bareService.mts';
import { httpRequest, ours, type Contestant, type Work } from './contestants.mts';
import { isShort, report, type Line } from './table.mts';

/** The highest allowed ratio of this node's time to that of the HTTP Request node. */
const MOST_TIME = 1;

const items = isShort ? 300 : 1000;
const rounds = isShort ? 4 : 8;

const WORK = 'The work';

const lines: Line[] = [];
const other = httpRequest();
if (other) {
	const { baseUrl, stop } = await startBareService();
	const localN8n = await startLocalN8n({ name: 'benchmark', fresh: true }).catch(
		(error: unknown) => {
			stop();
			throw error;
		},
	);
	try {
		for (const work of ['GET', 'POST'] as const)
			lines.push(await compareTime(localN8n, baseUrl, work, other));
	} finally {
		await localN8n.stop();
		stop();
	}
}
report(lines);

async function compareTime(
	{ rest }: LocalN8n,
	baseUrl: string,
	work: Work,
	http: Contestant,
): Promise<Line> {
	const credential = { ...anyAccessKey(baseUrl) };
	const { id, name } = await rest.saveCredential('Bare service', credentialType, credential);
	const workflows = await Promise.all(
		[ours, http].map(async ({ otherNode, parameters }, index) => {
			const type = otherNode?.type ?? `${packageName}.messagingService`;
			const version = otherNode?.typeVersion ?? 1;
			const node = nodeOf(WORK, type, version, parameters(work, baseUrl), {
				credentials: { [credentialType]: { id, name } },
			});
			return await rest.saveWorkflow(chain(`${work} ${index}`, [...source(), node]));
		}),
	);
	const times = workflows.map(() => Infinity);
	for (let round = 0; round <= rounds; round++) {
		for (const [place, workflow] of workflows.entries()) {
			const execution = await rest.run(workflow, manualStart.name);
			const count = execution.items(WORK).length;
			if (count !== items) throw new Error(execution.error ?? `${count} of ${items} items`);
			if (round > 0) times[place] = Math.min(times[place] ?? Infinity, execution.msOf(WORK));
		}
	}
	const [cost = NaN, reference = NaN] = times;
	return {
		work: `${work}, per item in a running n8n (${items} items)`,
		cost: cost / items,
		unit: 'ms',
		reference: { name: http.name, cost: reference / items },
		limit: MOST_TIME,
	};
}

/** Returns the nodes that create the items. Each item has an ID. */
function source() {
	return [
		manualStart,
		nodeOf('One item', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: `={{ { records: Array.from({ length: ${items} }, (_, index) => ({ id: 'i' + index })) } }}`,
			options: {},
		}),
		nodeOf('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'records', options: {} }),
	];
}
