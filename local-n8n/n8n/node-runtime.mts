import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { n8nFolder, type N8nLine } from '../machine/paths.mts';

const platformPackages = [
	`node-${process.platform}-${process.arch}`,
	// Apple's ARM builds are published under another prefix.
	`node-bin-${process.platform}-${process.arch}`,
];

/**
 * Returns a Node.js for n8n, and the folder with its headers for native builds, if any. n8n 2 needs Node 24, but this
 * project also runs on Node 20. Therefore npm installs Node for n8n as a platform package: an optional dependency without
 * an install script.
 *
 * @throws if there is none for this platform
 */
export function nodeRuntime(line: N8nLine) {
	const folders = platformPackages.map((name) => join(n8nFolder(line), 'node_modules', name));
	const folder = folders.find(existsSync);
	if (folder === undefined)
		throw new Error(`npm installed no Node.js for n8n on ${process.platform}-${process.arch}`);
	const headers = existsSync(join(folder, 'include', 'node')) ? folder : undefined;
	return { executable: join(folder, 'bin', 'node'), headers };
}
