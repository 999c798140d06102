import { readFileSync } from 'node:fs';
import { parseAs } from '../kit/typed.mts';

/** Checks rules for community packages (n8n's review; @n8n/eslint-plugin-community-nodes 0.32.0). */
describe('package.json', () => {
	type Manifest = { scripts: object; n8n: { nodes: string[]; credentials: string[] } };
	const manifest = parseAs<Manifest & Record<string, unknown>>(
		readFileSync('package.json', 'utf8'),
	);

	test('has no dependencies, no overrides and only n8n-workflow as a peer', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('overrides');
		expect(manifest).not.toHaveProperty('resolutions');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	test('runs no scripts on installation', () => {
		const forbidden = ['prepare', 'preinstall', 'install', 'postinstall', 'prepublish'];
		expect(Object.keys(manifest.scripts).filter((name) => forbidden.includes(name))).toEqual([]);
	});

	test('contains the fields that n8n requires', () => {
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-messaging-service',
			license: 'MIT',
			files: ['dist'],
			n8n: { n8nNodesApiVersion: 1, strict: true },
			keywords: expect.arrayContaining(['n8n-community-node-package']),
			author: { name: expect.any(String), email: expect.stringContaining('@') },
		});
	});

	// `npm run lint` calls ESLint directly, because `n8n-node lint` would also check the n8n instances in .local-n8n.
	test("keeps n8n's lint configuration, which `n8n-node lint` requires in strict mode", () => {
		const template = 'template/templates/shared/default/eslint.config.mjs';
		expect(readFileSync('eslint.config.mjs', 'utf8')).toBe(
			readFileSync(`node_modules/@n8n/node-cli/dist/${template}`, 'utf8'),
		);
	});
});
