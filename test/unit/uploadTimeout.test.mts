import type { Item } from '../../nodes/MessagingService/engine/item.ts';
import { uploadRequest, uploadTimeout } from '../../nodes/MessagingService/fields/fileContent.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

test('gives an upload five minutes plus the time for its bytes at 1 Mbit/s', async () => {
	const item = only<Item>({
		getInputData: () => ({ json: {}, binary: { data: { data: 'eA==', mimeType: '' } } }),
		getNode: () => anyNode,
		getNodeParameter: (name: string) => (name === 'media' ? 'raw' : 'data'),
	});
	expect(await uploadRequest(item)).toMatchObject({ timeout: 300_001 });
	expect(uploadTimeout(1024 ** 3)).toBe(300_000 + 8_589_935);
});
