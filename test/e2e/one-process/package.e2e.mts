import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { packageName } from '../../../sandbox/machine/paths.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('the package in a real n8n', () => {
	test('n8n has loaded its nodes from the folder of installed community packages', async () => {
		const { rest } = await sharedSandbox();
		const names = (await rest.loadedNodeTypes()).map(({ name }) => name);
		assert.ok(names.includes(`${packageName}.messagingService`), names.join());
	});

	test('its icons can be fetched', async () => {
		const { rest } = await sharedSandbox();
		const node = (await rest.loadedNodeTypes()).find(({ name }) =>
			name.endsWith('.messagingService'),
		);
		const { light, dark } = z.object({ light: z.string(), dark: z.string() }).parse(node?.iconUrl);
		for (const icon of [light, dark]) {
			const response = await fetch(`${rest.url}/${icon}`);
			assert.equal(response.status, 200, icon);
			assert.match(response.headers.get('content-type') ?? '', /svg/);
		}
	});
});
