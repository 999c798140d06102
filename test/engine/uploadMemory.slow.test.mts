import { fork, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

import type { Measured, Task } from '../kit/uploadMemory.mts';
import { parseAs } from '../kit/typed.mts';

const MIB = 1024 * 1024;
const children: ChildProcess[] = [];

afterEach(() => {
	for (const child of children.splice(0)) child.kill();
});

/** The emulator in a process of its own. */
async function startEmulator(): Promise<{ url: string; accessKey: string }> {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'emulator/main.mts', '--json', '--port', '0'],
		{ stdio: ['ignore', 'pipe', 'inherit'] },
	);
	children.push(child);
	for await (const line of createInterface(child.stdout)) {
		return parseAs<{ emulator: { url: string; accessKey: string } }>(line).emulator;
	}
	throw new Error('The emulator did not start');
}

/** n8n's engine in a process of its own, so that nothing but the upload takes memory there. */
async function measure(task: Task): Promise<Measured> {
	const line = require.resolve('n8n-core').includes('n8n-core-v1') ? '-v1' : '';
	const child = fork('test/kit/child.cjs', ['test/kit/uploadMemory.mts', line], { execArgv: [] });
	children.push(child);
	child.send(task);
	return await new Promise<Measured>((resolve, reject) => {
		child.once('message', (measured: Measured) => resolve(measured));
		child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)));
	});
}

async function fetchJson<Data>(url: string, accessKey: string): Promise<Data> {
	const answer = await fetch(url, { headers: { Authorization: `Bearer ${accessKey}` } });
	return parseAs<Data>(await answer.text());
}

test('uploading 1 GiB from n8n’s storage on disk takes less than 64 MiB of memory', async () => {
	const { url, accessKey } = await startEmulator();
	const { data } = await fetchJson<{ data: Array<{ _id: string }> }>(
		`${url}/int/v1/campaign?limit=1`,
		accessKey,
	);
	const size = 1024 * MIB;
	const { before, peak, uploaded, error } = await measure({
		url,
		accessKey,
		campaignId: data[0]?._id ?? '',
		size,
	});
	console.info(
		`1 GiB uploaded: ${(before / MIB).toFixed(1)} MiB before, ${(peak / MIB).toFixed(1)} MiB at its peak, ${((peak - before) / MIB).toFixed(1)} MiB more`,
	);
	expect(error).toBeUndefined();
	expect(uploaded).toMatchObject({ name: 'large.bin', size });
	const requests = await fetchJson<Array<{ upload?: object }>>(
		`${url}/_emulator/requests?operationId=campaignFile.upload`,
		accessKey,
	);
	expect(requests[0]?.upload).toMatchObject({
		size,
		// Of 2^30 zeros.
		sha256: '49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14',
	});
	expect(await fetchJson(`${url}/_emulator/violations`, accessKey)).toEqual([]);
	expect(peak - before).toBeLessThan(64 * MIB);
}, 120_000);
