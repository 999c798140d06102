import { sparseOnDisk } from './binary.mts';
import { anyAccessKey } from './credentials.mts';
import { locator, runNode } from './engine.mts';

/** What to measure: the address of the service, and the size of the file to upload. */
export type Task = { url: string; size: number };

/** The additional resident memory during the upload, in bytes, and the message of the error, if any. */
export type Measured = { memory: number; error?: string };

const SAMPLE_MS = 2;

async function upload(url: string, size: number) {
	const data = await sparseOnDisk(size);
	return await runNode({
		credential: anyAccessKey(url),
		parameters: { resource: 'campaignFile', operation: 'upload', campaignId: locator('1') },
		items: [{ json: {}, binary: { data } }],
	});
}

process.once('message', (task: Task) => void measure(task));

async function measure({ url, size }: Task): Promise<void> {
	// The first upload loads the code, so it is not measured.
	await upload(url, 1024 * 1024);
	const before = process.memoryUsage.rss();
	const highestBefore = process.resourceUsage().maxRSS;
	let peak = before;
	const watch = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage.rss());
	}, SAMPLE_MS);
	const { error } = await upload(url, size);
	clearInterval(watch);
	// The operating system's maximum also includes peaks between two samples. If this maximum rose
	// during the upload, it is used.
	const highest = process.resourceUsage().maxRSS;
	if (highest > highestBefore) peak = Math.max(peak, highest * 1024);
	const measured: Measured = { memory: peak - before, error: error?.message };
	process.send?.(measured, () => process.exit());
}
