import { uploadTimeout } from '../../nodes/MessagingService/resources/file/uploadFile.ts';

test('an upload may take five minutes, and the time that its bytes take at 1 Mbit/s', () => {
	expect(uploadTimeout(1)).toBe(300_001);
	expect(uploadTimeout(1024 ** 3)).toBe(300_000 + 8_589_935);
});
