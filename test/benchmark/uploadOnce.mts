/** A process of its own: what one upload takes, after a small one that loads the code. */
import '../kit/setup.cjs';

import { sparseOnDisk } from '../kit/binary.mts';
import { locator, runNode, type RunOptions } from '../kit/engine.mts';
import { httpRequest } from './contestants.mts';
import { cpuOf } from './table.mts';

export type Task = { which: 'ours' | 'httpRequest'; baseUrl: string; size: number };

/** Milliseconds of processor time, and bytes of memory more than before. */
export type Measured = { cpu: number; memory: number };

const OFTEN_MS = 2;

process.once('message', (task: Task) => void measure(task));

async function measure(task: Task): Promise<void> {
	await upload(task, 1024 * 1024);
	const before = process.memoryUsage.rss();
	let peak = before;
	const watch = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage.rss());
	}, OFTEN_MS);
	const cpu = await cpuOf(async () => await upload(task, task.size));
	clearInterval(watch);
	const measured: Measured = { cpu, memory: peak - before };
	process.send?.(measured, () => process.exit());
}

async function upload({ which, baseUrl }: Task, size: number): Promise<void> {
	const data = await sparseOnDisk(size);
	const { error } = await runNode({
		credential: { baseUrl, authentication: 'accessKey', accessKey: 'key' },
		items: [{ json: {}, binary: { data } }],
		...(which === 'ours' ? ours : other(baseUrl)),
	});
	if (error) throw error;
}

const ours: Pick<RunOptions, 'parameters'> = {
	parameters: { resource: 'campaignFile', operation: 'upload', campaignId: locator('1') },
};

function other(baseUrl: string): Pick<RunOptions, 'parameters' | 'otherNode'> {
	return {
		otherNode: httpRequest()?.otherNode,
		parameters: {
			method: 'POST',
			url: `${baseUrl}/int/v1/campaign/1/file`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
			},
			options: {},
		},
	};
}
