import { access, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeRuntime } from './node-runtime.mts';
import { n8nFolder, repositoryRoot, type N8nLine } from '../machine/paths.mts';
import { step } from '../terminal/progress.mts';
import { runCommand } from '../machine/run-command.mts';
import { contentHash, isStamped, writeStamp } from '../machine/stamp.mts';

/**
 * Installs the complete n8n of a line from its lock file. Then builds sqlite3, the only native module of n8n without a
 * prebuilt binary. If both were done for this lock file and platform, does nothing.
 */
export async function installN8n(line: N8nLine): Promise<void> {
	const folder = n8nFolder(line);
	const stamp = join(folder, 'node_modules', '.installed');
	const hash = await contentHash(
		folder,
		['package.json', 'package-lock.json', '.npmrc'],
		`${process.platform}-${process.arch}`,
	);
	if (await isStamped(stamp, hash)) return;

	// If this run is interrupted, the folder must not look finished.
	await rm(stamp, { force: true });
	await step(`Installing n8n ${line}.x (about 2 GB and ten minutes, once)`, async () => {
		// Hides warnings about packages that require a newer Node.
		await runCommand('npm', ['ci', '--prefer-offline', '--loglevel=error'], { cwd: folder });
	});
	await step('Building sqlite3 for n8n (once)', async () => await buildSqlite(line));
	await writeStamp(stamp, hash);
}

async function buildSqlite(line: N8nLine): Promise<void> {
	const folder = n8nFolder(line);
	const runtime = nodeRuntime(line);
	await runCommand('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'], {
		cwd: folder,
		env: {
			// The build must use the Node that will load sqlite3, and the headers of that Node.
			PATH: `${dirname(runtime.executable)}:${process.env.PATH ?? ''}`,
			// Full optimization would take a minute and make no difference here.
			CFLAGS: '-O1',
			CXXFLAGS: '-O1',
			JOBS: 'max',
			...(runtime.headers ? { npm_config_nodedir: runtime.headers } : {}),
			// This is the folder for downloaded headers. The default folder is in the home folder, which may be read-only.
			npm_config_devdir: join(repositoryRoot, '.cache', 'node-gyp'),
		},
	}).catch((error: unknown) => {
		throw new Error(
			'sqlite3, the database of n8n, could not be built. No prebuilt binary was found, and building ' +
				'one needs Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++, macOS: xcode-select --install).',
			{ cause: error },
		);
	});
	// npm also reports success for a script that it skipped, so this line checks the result.
	await access(join(folder, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node'));
}
