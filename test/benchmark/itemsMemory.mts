/** Runs as a separate process. Measures the additional memory of a node for many items, compared with a few items. */
import '../kit/setup.cjs';

import { httpRequest, ours, runItems } from './contestants.mts';

const FEW = 100;

export type Task = { which: 'ours' | 'httpRequest'; baseUrl: string; count: number };

process.once('message', (task: Task) => void measure(task));

async function measure({ which, baseUrl, count }: Task): Promise<void> {
	const contestant = which === 'ours' ? ours : httpRequest();
	if (!contestant) throw new Error('No n8n is installed');
	await runItems(contestant, 'GET', FEW, baseUrl);
	const before = process.memoryUsage.rss();
	await runItems(contestant, 'GET', count, baseUrl);
	const peak = process.resourceUsage().maxRSS * 1024;
	process.send?.(peak - before, () => process.exit());
}
