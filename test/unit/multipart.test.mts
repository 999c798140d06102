import { FilePart } from '../../nodes/shared/transport/multipart.ts';

test('when a file is sent again, reads it from its start and destroys the first stream', async () => {
	const readings: Array<{ destroyed: boolean }> = [];
	const part = new FilePart('a.txt', 'text/plain', 4, async () => {
		const reading = { destroyed: false };
		readings.push(reading);
		return {
			async *[Symbol.asyncIterator]() {
				yield Buffer.from('ab');
				yield Buffer.from('cd');
			},
			destroy: () => (reading.destroyed = true),
		};
	});
	await part.stream().next();
	const again: Uint8Array[] = [];
	for await (const piece of part.stream()) again.push(piece);
	expect(Buffer.concat(again).toString()).toBe('abcd');
	expect(readings).toEqual([{ destroyed: true }, { destroyed: false }]);
	part.close();
	await Promise.resolve();
	expect(readings).toEqual([{ destroyed: true }, { destroyed: true }]);
});
