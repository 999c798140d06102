import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pWaitFor from 'p-wait-for';
import { freePort } from '../../../sandbox/machine/ports.mts';
import { runCommand } from '../../../sandbox/machine/run-command.mts';
import { startSupervised } from '../../../sandbox/machine/supervised-process.mts';
import { stateFolder } from '../../../sandbox/machine/paths.mts';
import { step } from '../../../sandbox/terminal/progress.mts';

/** The newest Verdaccio whose dependencies all have a version number. */
const verdaccio = 'verdaccio@5.20.1';

/** An npm registry on loopback that holds only what is published to it. */
export interface Registry {
	url: string;
	/** Publishes what a tarball holds as the version given. */
	publish: (tarball: string, version: string) => Promise<void>;
	stop: () => Promise<void>;
}

/** Starts Verdaccio, which npx installs into npm's cache. */
export async function startRegistry(): Promise<Registry> {
	const folder = join(stateFolder, 'registry');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const url = `http://127.0.0.1:${await freePort(0, 'the registry')}`;
	const config = join(folder, 'config.yaml');
	const everybody = { access: '$all', publish: '$all' };
	await writeFile(
		config,
		JSON.stringify({ storage: join(folder, 'storage'), packages: { '**': everybody } }),
	);
	let output = '';
	const registry = await startSupervised(
		'npx',
		['--yes', verdaccio, '--config', config, '--listen', url],
		{ cwd: folder, env: process.env, output: (chunk) => (output += chunk) },
	);
	const isReady = async () =>
		await fetch(`${url}/-/ping`).then(
			({ ok }) => ok,
			() => false,
		);
	await step('Starting the registry', async () => {
		await pWaitFor(isReady, { interval: 200, timeout: 180_000 }).catch((cause: unknown) => {
			throw new Error(`The registry did not start:\n${output}`, { cause });
		});
	});
	return {
		url,
		publish: async (tarball, version) => {
			await runCommand('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
			const manifest = join(folder, 'package', 'package.json');
			const text = await readFile(manifest, 'utf8');
			await writeFile(manifest, text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
			const token = `--${url.replace('http:', '')}/:_authToken=anybody`;
			await runCommand('npm', ['publish', '--registry', url, token, '--ignore-scripts'], {
				cwd: join(folder, 'package'),
			});
		},
		stop: async () => await registry.end('SIGTERM'),
	};
}
