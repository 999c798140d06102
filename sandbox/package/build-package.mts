import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot, stateFolder } from '../machine/paths.mts';
import { step } from '../terminal/progress.mts';
import { runCommand } from '../machine/run-command.mts';
import { contentHash, isStamped, writeStamp } from '../machine/stamp.mts';

/** What `npm pack` made, with a hash of everything it was made from. */
export interface PackedPackage {
	/** Anything that `npm install` takes. */
	tarball: string;
	hash: string;
}

const sources = [
	'credentials',
	'gulpfile.js',
	'icons',
	'LICENSE.md',
	'nodes',
	'package.json',
	'package-lock.json',
	'README.md',
	'tsconfig.json',
];

/** Builds the package and packs it as it would be published, unless nothing changed since last time. */
export async function buildPackage(root: string = repositoryRoot): Promise<PackedPackage> {
	const folder = join(stateFolder, 'package');
	const stamp = join(folder, 'packed-from');
	const hash = await contentHash(root, sources, root);
	if (!(await isStamped(stamp, hash))) {
		await step('Building and packing the package', async () => {
			await rm(folder, { recursive: true, force: true });
			await mkdir(folder, { recursive: true });
			await runCommand('npm', ['run', '--if-present', 'build'], { cwd: root });
			await runCommand('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
				cwd: root,
			});
			await writeStamp(stamp, hash);
		});
	}
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error(`No packed package in ${folder}`);
	return { tarball: join(folder, tarball), hash };
}
