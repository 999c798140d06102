import { fork } from 'node:child_process';

import { startServer } from '../kit/testServer.mts';
import type { Measured, Task } from '../kit/uploadMemory.mts';

const MIB = 1024 * 1024;

test('uploads 256 MiB from n8n’s storage on disk with less than 64 MiB of memory', async () => {
	let received = 0;
	const server = await startServer((request, response) => {
		request.on('data', (chunk: Buffer) => (received += chunk.length));
		request.on('end', () => {
			response.setHeader('content-type', 'application/json');
			response.end('{"success":true,"data":{"_id":"1"}}');
		});
	});
	// The upload runs in a separate process, so that nothing else uses memory there.
	const line = require.resolve('n8n-core').includes('n8n-core-v1') ? '-v1' : '';
	const child = fork('test/kit/child.cjs', ['test/kit/uploadMemory.mts', line], { execArgv: [] });
	const task: Task = { url: server.url, size: 256 * MIB };
	child.send(task);
	const { memory, error } = await new Promise<Measured>((resolve, reject) => {
		child.once('message', (measured: Measured) => resolve(measured));
		child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)));
	});
	await server.stop();
	expect(error).toBeUndefined();
	expect(received).toBeGreaterThan(task.size);
	expect(memory).toBeLessThan(64 * MIB);
});
