import { sparseOnDisk } from './binary.mts';
import { locator, runNode } from './engine.mts';

/** What the parent process asks for. */
export type Task = { url: string; accessKey: string; campaignId: string; size: number };

/** Resident memory in bytes: before, at its highest, and what the upload gave. */
export type Measured = { before: number; peak: number; uploaded: unknown; error?: string };

const OFTEN_MS = 2;

async function upload({ url, accessKey, campaignId }: Task, size: number) {
	const data = await sparseOnDisk(size);
	return await runNode({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey },
		parameters: { resource: 'campaignFile', operation: 'upload', campaignId: locator(campaignId) },
		items: [{ json: {}, binary: { data } }],
	});
}

process.once('message', (task: Task) => void measure(task));

async function measure(task: Task): Promise<void> {
	// The first upload loads code; what it takes is not the file's.
	await upload(task, 1024 * 1024);
	const before = process.memoryUsage.rss();
	const highestBefore = process.resourceUsage().maxRSS;
	let peak = before;
	const watch = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage.rss());
	}, OFTEN_MS);
	const { json, error } = await upload(task, task.size);
	clearInterval(watch);
	// The system's own high-water mark misses nothing between two looks; it counts once it has risen.
	const highest = process.resourceUsage().maxRSS;
	if (highest > highestBefore) peak = Math.max(peak, highest * 1024);
	const measured: Measured = { before, peak, uploaded: json[0], error: error?.message };
	process.send?.(measured, () => process.exit());
}
