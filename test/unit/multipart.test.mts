import { FilePart } from '../../nodes/shared/transport/multipart.ts';

test('FilePart reads a file from its start each time and destroys the earlier stream', async () => {
	const readings: Array<{ destroyed: boolean }> = [];
	const part = new FilePart(
		'a.txt',
		'text/plain',
		4,
		async () => {
			const reading = { destroyed: false };
			readings.push(reading);
			return {
				async *[Symbol.asyncIterator]() {
					yield Buffer.from('ab');
					yield Buffer.from('cd');
				},
				destroy: () => (reading.destroyed = true),
			};
		},
		'Run again.',
	);
	await part.stream().next();
	const again: Uint8Array[] = [];
	for await (const piece of part.stream()) again.push(piece);
	expect(Buffer.concat(again).toString()).toBe('abcd');
	expect(readings).toEqual([{ destroyed: true }, { destroyed: false }]);
	part.close();
	await Promise.resolve();
	expect(readings).toEqual([{ destroyed: true }, { destroyed: true }]);
});
