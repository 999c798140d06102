import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedPackage } from './build-package.mts';
import { n8nFolder, packageName, type N8nLine } from '../machine/paths.mts';
import { runCommand } from '../machine/run-command.mts';
import { isStamped, writeStamp } from '../machine/stamp.mts';

/** Returns the folder of community packages in a user folder. */
export function communityFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/** Returns the folder of the installed package. */
export function installedPackageFolder(userFolder: string): string {
	return join(communityFolder(userFolder), 'node_modules', packageName);
}

/**
 * Installs the packed package as n8n's manual describes for a package outside the public registry: by `npm install` in
 * `<user folder>/.n8n/nodes`, before n8n starts. (n8n's own installer can use another registry only with a license.)
 *
 * @returns false if the package is already installed
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
	// npm skips a package of the same version, so the old one is removed first.
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
 * Links the n8n-workflow of the installed n8n. The user folder is inside the repository, so Node would otherwise find the
 * repository's n8n-workflow.
 */
async function useN8nsOwnWorkflowPackage(line: N8nLine, folder: string): Promise<void> {
	const link = join(folder, 'node_modules', 'n8n-workflow');
	await rm(link, { recursive: true, force: true });
	await symlink(join(n8nFolder(line), 'node_modules', 'n8n-workflow'), link, 'dir');
}
