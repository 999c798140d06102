import { uploadTimeout } from '../../nodes/MessagingService/resources/file/uploadFile.ts';

test('an upload may take five minutes plus the time of its bytes at 1 Mbit/s', () => {
	expect(uploadTimeout(1)).toBe(300_001);
	expect(uploadTimeout(1024 ** 3)).toBe(300_000 + 8_589_935);
});
