// Runs n8n's own package scan offline, as a program of its own: the scanner is an ES module with a linter inside.
// node test/package/scan.mjs source|tarball FOLDER; prints the scanner's verdict as JSON.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [kind, folder] = process.argv.slice(2);
const patterns = kind === 'tarball' ? ['**/*.js', 'package.json'] : SOURCE_FILE_PATTERNS;
console.log(JSON.stringify(await analyzePackage(folder, patterns)));
