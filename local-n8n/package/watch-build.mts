import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { communityFolder, installedPackageFolder } from './install-package.mts';
import { startSupervised } from '../machine/supervised-process.mts';
import { repositoryRoot } from '../machine/paths.mts';

/**
 * Compiles every change into the installed package, so that n8n's hot reload (N8N_DEV_RELOAD) loads the change. A changed
 * icon or schema is there after the next start. Returns a function that stops watching.
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

	return async () => await compiler.end('SIGTERM');
}
