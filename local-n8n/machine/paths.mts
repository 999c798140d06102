import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The two n8n lines that the package runs in: the current 2.x and the last 1.x. */
export type N8nLine = '1' | '2';

/** The repository's root folder. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folder with everything that the local n8n writes at run time. If this folder is deleted, the local n8n starts from
 * scratch.
 */
export const stateFolder = join(repositoryRoot, '.local-n8n');

/** Returns the folder of the private package that installs the complete n8n of a line. */
export function n8nFolder(line: N8nLine): string {
	return join(repositoryRoot, 'local-n8n', `n8n-${line}`);
}

export const examplesFolder = join(repositoryRoot, 'examples');

export const packageName = 'n8n-nodes-messaging-service';
