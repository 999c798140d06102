import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

// One n8n for all files, so they run in one process; `npm run test:e2e -- credential` runs only some.
const wanted = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const files = (await readdir(here)).filter((file) => file.endsWith('.e2e.mts')).sort();
const chosen = files.filter(
	(file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
if (chosen.length === 0) throw new Error(`No test file has ${wanted.join(' or ')} in its name`);
for (const file of chosen) await import(new URL(file, import.meta.url).href);
