import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from './guards.mts';

const packageName = 'n8n-nodes-messaging-service';

function isProjectRoot(folder: string): boolean {
	try {
		const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
		return isObject(manifest) && manifest.name === packageName;
	} catch {
		return false;
	}
}

/**
 * Finds the project's folder from the working directory or the program: this code runs as an ES module (tsx) and as
 * CommonJS (jest), which have no common way to get their path.
 */
function projectRoot(): string {
	for (const start of [process.cwd(), dirname(process.argv[1] ?? '.')]) {
		let folder = start;
		for (;;) {
			if (isProjectRoot(folder)) return folder;
			const parent = dirname(folder);
			if (parent === folder) break;
			folder = parent;
		}
	}
	throw new Error(`Run the emulator from inside the folder of ${packageName}`);
}

/** Returns the path of the service's document. @throws outside the project's folder */
export function contractPath(): string {
	return join(projectRoot(), 'emulator', 'openapi.yaml');
}
