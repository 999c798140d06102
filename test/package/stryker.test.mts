import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The lowest allowed number of mutated files. It is lowered only when a file is removed; the commit must say why. */
const MUTATED_AT_LEAST = 50;

/** Returns the paths of a pattern like `nodes/{a,b}.ts` or `nodes/*.ts`. */
function pathsOf(pattern: string): string[] {
	const braces = /\{([^}]*)\}/.exec(pattern);
	if (braces) return (braces[1] ?? '').split(',').map((part) => pattern.replace(braces[0], part));
	const [folder = '', rest] = pattern.split('*');
	return rest === undefined ? [pattern] : readdirSync(folder).map((name) => `${folder}${name}`);
}

test('stryker.config.mjs names only existing modules, and no fewer than before', () => {
	const named = readFileSync('stryker.config.mjs', 'utf8').matchAll(/'(nodes\/[^']+)'/g);
	const paths = [...named].flatMap(([, pattern = '']) => pathsOf(pattern));
	expect(paths.filter((path) => !existsSync(path))).toEqual([]);
	expect(new Set(paths).size).toBeGreaterThanOrEqual(MUTATED_AT_LEAST);
});
