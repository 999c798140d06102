import { watch } from 'node:fs';
import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { communityFolder, installedPackageFolder } from './install-package.mts';
import { startSupervised } from '../machine/supervised-process.mts';
import { repositoryRoot } from '../machine/paths.mts';
import { say } from '../terminal/progress.mts';

const copiedAsTheyAre = /\.(svg|png|json)$/;

/**
 * Compiles every change into the installed package, so that n8n's hot reload (N8N_DEV_RELOAD) loads the change. Returns a
 * function that stops watching.
 */
export async function watchBuild(userFolder: string): Promise<() => Promise<void>> {
	const dist = join(installedPackageFolder(userFolder), 'dist');
	// Without this stamp file, the next `npm start` installs the package again.
	await rm(join(communityFolder(userFolder), '.installed-from'), { force: true });

	const compiler = await startSupervised(
		process.execPath,
		[
			join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc'),
			...['-p', join(repositoryRoot, 'tsconfig.json'), '--outDir', dist],
			...['--watch', '--preserveWatchOutput', '--pretty'],
		],
		{ cwd: repositoryRoot, env: process.env, output: (chunk) => process.stdout.write(chunk) },
	);

	const copy = async (file: string) => {
		const source = join(repositoryRoot, file);
		if (!(await stat(source).catch(() => undefined))?.isFile()) return;
		await cp(source, join(dist, file));
		say(`${file} copied`);
	};
	const watchers = ['nodes', 'credentials', 'icons'].map((folder) =>
		watch(join(repositoryRoot, folder), { recursive: true }, (_event, name) => {
			if (name !== null && copiedAsTheyAre.test(name)) void copy(join(folder, name));
		}),
	);

	return async () => {
		for (const watcher of watchers) watcher.close();
		await compiler.end('SIGTERM');
	};
}
