/**
 * Time to load the node and build its description for the editor, in a process of its own, compared with n8n's Slack
 * node, whose description is as long. Left out where no
 * n8n is installed (`npm start` does that).
 */
import { fork } from 'node:child_process';

import { nextMessage } from './bareService.mts';
import { report } from './table.mts';

/** Times the other node. */
const MOST_CPU = 1;
const ROUNDS = 5;

const costs: Record<'ours' | 'other', number[]> = { ours: [], other: [] };
for (let round = 0; round < ROUNDS; round++) {
	for (const which of ['ours', 'other'] as const) {
		const child = fork('test/benchmark/screenOnce.cjs', { execArgv: [] });
		child.send(which);
		const cost = await nextMessage<number | null>(child);
		if (cost !== null) costs[which].push(cost);
	}
}
if (costs.other.length === 0)
	console.log('No n8n is installed: the line of the screen is left out');
report(
	costs.other.length === 0
		? []
		: [
				{
					work: 'the screen is described to the editor, once a start of n8n',
					cost: Math.min(...costs.ours),
					unit: 'ms CPU',
					yardstick: { name: 'Slack node', cost: Math.min(...costs.other) },
					limit: MOST_CPU,
				},
			],
);
