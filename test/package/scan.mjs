// Runs n8n's package scan offline, in a separate process: the scanner is an ES module, but Jest runs CommonJS.
// Usage: node test/package/scan.mjs source|tarball FOLDER. Prints the result of the scanner as JSON.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [kind, folder] = process.argv.slice(2);
const patterns = kind === 'tarball' ? ['**/*.js', 'package.json'] : SOURCE_FILE_PATTERNS;
console.log(JSON.stringify(await analyzePackage(folder, patterns)));
