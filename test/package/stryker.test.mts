import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The lowest allowed number of mutated files. If a file is removed, lower this number, and say why in the commit. */
const MUTATED_AT_LEAST = 61;

/** Returns the paths of a pattern like `nodes/{a,b}.ts` or `nodes/*.ts`. */
function pathsOf(pattern: string): string[] {
	const braces = /\{([^}]*)\}/.exec(pattern);
	if (braces) return (braces[1] ?? '').split(',').map((part) => pattern.replace(braces[0], part));
	const [folder = '', rest] = pattern.split('*');
	return rest === undefined ? [pattern] : readdirSync(folder).map((name) => `${folder}${name}`);
}

/** Returns the paths in a file that match the pattern. */
const namedIn = (file: string, pattern: RegExp) =>
	[...readFileSync(file, 'utf8').matchAll(pattern)].flatMap(([, named = '']) => pathsOf(named));

test('Stryker mutates only existing modules, and no fewer than before, and runs only existing suites', () => {
	const modules = namedIn('stryker.config.mjs', /'(nodes\/[^']+)'/g);
	const suites = namedIn('test/kit/mutation.cjs', /'<rootDir>\/(test\/engine\/[^']+)'/g);
	expect([...modules, ...suites].filter((path) => !existsSync(path))).toEqual([]);
	expect(suites).not.toEqual([]);
	expect(new Set(modules).size).toBeGreaterThanOrEqual(MUTATED_AT_LEAST);
});
