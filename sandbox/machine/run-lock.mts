import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** Makes sure that one n8n at a time works on a user folder. Returns what gives it up again. */
export async function takeRunLock(file: string): Promise<() => Promise<void>> {
	const holder = Number(await readFile(file, 'utf8').catch(() => '0'));
	if (holder > 0 && holder !== process.pid && isAlive(holder)) {
		throw new Error(
			`It is running already, as process ${holder}. Stop that one first (Ctrl-C in its terminal).`,
		);
	}
	await mkdir(dirname(file), { recursive: true });
	await writeFile(file, String(process.pid));
	return async () => await rm(file, { force: true });
}
