import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The TypeScript files of the package, as paths from the root of the project. */
export const sourceFiles = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);
