import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedPackage } from './build-package.mts';
import { n8nFolder, packageName, type N8nLine } from '../machine/paths.mts';
import { runCommand } from '../machine/run-command.mts';
import { isStamped, writeStamp } from '../machine/stamp.mts';

/** Where n8n looks for community packages in a user folder. */
export function communityFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/** Where our package lies once it is installed. */
export function installedPackageFolder(userFolder: string): string {
	return join(communityFolder(userFolder), 'node_modules', packageName);
}

/**
 * Installs the packed package the way n8n's manual gives for a package that is not on the public
 * registry: `npm install` in `<user folder>/.n8n/nodes`, then n8n is started. (Letting n8n's own
 * installer use another registry is a licensed feature of n8n.) Returns false when it was there.
 */
export async function installPackage(
	line: N8nLine,
	userFolder: string,
	{ tarball, hash }: PackedPackage,
): Promise<boolean> {
	const folder = communityFolder(userFolder);
	const stamp = join(folder, '.installed-from');
	if (await isStamped(stamp, hash)) return false;

	await rm(stamp, { force: true });
	await mkdir(join(folder, 'node_modules'), { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }, null, 2),
	);
	// npm takes an equal version for an equal package, so the old one has to go first.
	await rm(installedPackageFolder(userFolder), { recursive: true, force: true });
	await rm(join(folder, 'node_modules', '.package-lock.json'), { force: true });
	await runCommand(
		'npm',
		[
			'install',
			tarball,
			'--ignore-scripts',
			'--omit=peer',
			'--legacy-peer-deps',
			'--package-lock=false',
			'--no-audit',
			'--no-fund',
		],
		{ cwd: folder },
	);
	await useN8nsOwnWorkflowPackage(line, folder);
	await writeStamp(stamp, hash);
	return true;
}

/**
 * This user folder lies inside the repository, so `require('n8n-workflow')` would climb up to the
 * repository's own copy. n8n's installer leaves it to n8n's copy, and so do we.
 */
async function useN8nsOwnWorkflowPackage(line: N8nLine, folder: string): Promise<void> {
	const link = join(folder, 'node_modules', 'n8n-workflow');
	await rm(link, { recursive: true, force: true });
	await symlink(join(n8nFolder(line), 'node_modules', 'n8n-workflow'), link, 'dir');
}
