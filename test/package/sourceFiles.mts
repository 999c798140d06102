import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files and folders in a folder, at any depth, as paths from the root of the project. */
export const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

/** The TypeScript files of the package. */
export const sourceFiles = ['nodes', 'credentials']
	.flatMap(filesIn)
	.filter((file) => file.endsWith('.ts'));
