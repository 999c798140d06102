import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { n8nFolder, type N8nLine } from '../machine/paths.mts';

const platformPackages = [
	`node-${process.platform}-${process.arch}`,
	// Apple's ARM builds are published under another prefix.
	`node-bin-${process.platform}-${process.arch}`,
];

/**
 * Returns a Node.js for n8n, and the folder with its headers for native builds, if any. n8n 2 needs Node 24, but this project also runs on Node 20. Therefore npm installs Node for
 * n8n as a platform package: an optional dependency without an install script. If the platform has no such package, returns
 * the running Node.
 *
 * @throws if n8n does not accept the running Node
 */
export function nodeRuntime(line: N8nLine) {
	for (const name of platformPackages) {
		const folder = join(n8nFolder(line), 'node_modules', name);
		const executable = join(folder, 'bin', 'node');
		if (!existsSync(executable)) continue;
		const headers = existsSync(join(folder, 'include', 'node')) ? folder : undefined;
		return { executable, headers };
	}
	const major = Number(process.versions.node.split('.')[0]);
	const fits = line === '2' ? major >= 24 : major >= 20 && major <= 24;
	if (fits) return { executable: process.execPath, headers: undefined };
	throw new Error(
		`n8n ${line}.x needs Node ${line === '2' ? '24 or newer' : '20 to 24'}, and npm has none for ` +
			`${process.platform}-${process.arch}. Run this command with such a Node (now: ${process.versions.node}).`,
	);
}
