import type { Item } from '../../nodes/MessagingService/engine/item.ts';
import { uploadRequest, uploadTimeout } from '../../nodes/MessagingService/fields/fileContent.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

test('gives an upload five minutes plus the time for its bytes at 1 Mbit/s, or the chosen timeout', async () => {
	const binary = { data: { data: 'eA==', mimeType: '' } };
	for (const requestOptions of [{}, { timeout: 5 }]) {
		const parameters = new Map<string, object | string>(
			Object.entries({ media: 'raw', binaryPropertyName: 'data', requestOptions }),
		);
		const item = only<Item>({
			getInputData: () => ({ json: {}, binary }),
			getNode: () => anyNode,
			getNodeParameter: (name: string) => parameters.get(name) ?? '',
		});
		const { timeout = 300_001 } = requestOptions;
		expect(await uploadRequest(item)).toMatchObject({ timeout });
	}
	expect(uploadTimeout(1024 ** 3)).toBe(300_000 + 8_589_935);
});
