import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { repositoryRoot, stateFolder } from '../machine/paths.mts';
import { step } from '../terminal/progress.mts';
import { runCommand } from '../machine/run-command.mts';
import { contentHash, isStamped, writeStamp } from '../machine/stamp.mts';

/** The result of `npm pack`, with a hash of its sources. */
export interface PackedPackage {
	tarball: string;
	hash: string;
}

/** All files that the build reads or the package contains. */
const sources = [
	'credentials',
	'emulator/contract.mts',
	'emulator/openapi.yaml',
	'emulator/server/guards.mts',
	'gulpfile.js',
	'icons',
	'LICENSE.md',
	'nodes',
	'package.json',
	'package-lock.json',
	'README.md',
	'scripts/built.mts',
	'scripts/output-schemas.mts',
	'tsconfig.json',
];

/**
 * Builds and packs the package as it would be published. If the sources have not changed, returns the last result. If
 * another process builds the package, waits for it.
 */
export async function buildPackage(): Promise<PackedPackage> {
	const folder = join(stateFolder, 'package');
	await mkdir(folder, { recursive: true });
	const release = await lock(folder, { retries: { retries: 120, factor: 1 } });
	try {
		return await buildIn(folder);
	} finally {
		await release();
	}
}

async function buildIn(folder: string): Promise<PackedPackage> {
	const stamp = join(folder, 'packed-from');
	const hash = await contentHash(repositoryRoot, sources, repositoryRoot);
	if (!(await isStamped(stamp, hash))) {
		await step('Building and packing the package', async () => {
			await rm(folder, { recursive: true, force: true });
			await mkdir(folder, { recursive: true });
			const pack = ['pack', '--ignore-scripts', '--pack-destination', folder];
			await runCommand('npm', ['run', 'build'], { cwd: repositoryRoot });
			await runCommand('npm', pack, { cwd: repositoryRoot });
			await writeStamp(stamp, hash);
		});
	}
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error(`No packed package in ${folder}`);
	return { tarball: join(folder, tarball), hash };
}
