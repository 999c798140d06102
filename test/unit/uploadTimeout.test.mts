import { uploadTimeout } from '../../nodes/MessagingService/fields/fileContent.ts';

test('gives an upload five minutes plus the time for its bytes at 1 Mbit/s', () => {
	expect(uploadTimeout(1)).toBe(300_001);
	expect(uploadTimeout(1024 ** 3)).toBe(300_000 + 8_589_935);
});
