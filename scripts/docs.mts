// Writes docs/reference and the table of operations in README.md from the built package. Each release runs this script.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { built } from './built.mts';
import { readExamples } from './docs/example.mts';
import { operationsTable, referencePages } from './docs/reference.mts';
import { countDocumentation } from './docs/words.mts';

const REFERENCE = 'docs/reference';

const node = built('MessagingService');
// Also deletes pages of removed resources.
rmSync(REFERENCE, { recursive: true, force: true });
mkdirSync(REFERENCE, { recursive: true });
const pages = referencePages(node, built('MessagingServiceTrigger'), readExamples());
for (const [file, text] of pages) writeFileSync(`${REFERENCE}/${file}`, text);
const readme = readFileSync('README.md', 'utf8').replace(
	/(<!-- npm run docs -->\n)[^]*?(<!-- end -->)/,
	(_block, begin: string, end: string) => `${begin}\n${operationsTable(node)}\n\n${end}`,
);
writeFileSync('README.md', readme);
console.log(`✓ ${pages.size} pages and the table in README.md`);
const words = countDocumentation();
console.log(`✓ ${words.pages} words on pages, ${words.notes} in canvas notes, without examples`);
