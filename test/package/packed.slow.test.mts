import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAs } from '../kit/typed.mts';

describe('the packed package', () => {
	let folder = '';
	const unpacked = () => join(folder, 'package');

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'messaging-service-pack-'));
		const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [{ filename }] = parseAs<[{ filename: string }]>(packed);
		execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('contains code, icons and codex files but no tests or sources', () => {
		const files = execFileSync('find', [unpacked(), '-type', 'f'], { encoding: 'utf8' })
			.split('\n')
			.map((file) => file.replace(`${unpacked()}/`, ''));
		expect(files).toEqual(
			expect.arrayContaining([
				'dist/nodes/MessagingService/MessagingService.node.js',
				'dist/nodes/MessagingService/MessagingService.node.json',
				'dist/credentials/MessagingServiceApi.credentials.js',
				'dist/icons/messagingService.svg',
				'dist/icons/messagingService.dark.svg',
				'README.md',
				'LICENSE.md',
			]),
		);
		expect(
			files.filter((file) => /\.m?ts$|(^|\/)test\/|emulator|local-n8n|tsbuildinfo/.test(file)),
		).toEqual([]);
	});

	test.each([
		['source', () => process.cwd()],
		['tarball', unpacked],
	])('passes n8n’s security scan: %s', (kind, where) => {
		const output = execFileSync(process.execPath, ['test/package/scan.mjs', kind, where()], {
			encoding: 'utf8',
			// With NODE_ENV=test, n8n's lint rules check a sample file instead of our files.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		expect(JSON.parse(output)).toEqual({ passed: true });
	});
});
