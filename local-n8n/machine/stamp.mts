import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

async function filesUnder(path: string): Promise<string[]> {
	const info = await stat(path).catch(() => undefined);
	if (!info) return [];
	if (info.isFile()) return [path];
	const entries = await readdir(path, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

/** Returns a hash of the names and contents of files and folders. A missing path is treated as an empty folder. */
export async function contentHash(root: string, paths: string[], extra = ''): Promise<string> {
	const found = await Promise.all(paths.map(async (path) => await filesUnder(join(root, path))));
	const hash = createHash('sha256').update(extra);
	for (const file of found.flat().sort()) {
		hash.update(`\0${relative(root, file)}\0`).update(await readFile(file));
	}
	return hash.digest('hex');
}

/** Whether the work for this hash is done, according to the stamp file. */
export async function isStamped(file: string, hash: string): Promise<boolean> {
	return (await readFile(file, 'utf8').catch(() => '')) === hash;
}

/** Records that the work for this hash is done. */
export async function writeStamp(file: string, hash: string): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, hash);
}
