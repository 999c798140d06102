import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The two n8n lines the package is run in: the current 2.x and the last 1.x. */
export type N8nLine = '1' | '2';

/** The repository's root folder. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Everything the sandbox writes at run time lies here; deleting it is a full reset. */
export const stateFolder = join(repositoryRoot, '.sandbox');

/** The private package that brings a whole n8n of the given line. */
export function n8nFolder(line: N8nLine): string {
	return join(repositoryRoot, 'sandbox', `n8n-${line}`);
}

export const examplesFolder = join(repositoryRoot, 'examples');

export const packageName = 'n8n-nodes-messaging-service';
