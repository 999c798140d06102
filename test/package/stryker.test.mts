import { existsSync, readFileSync } from 'node:fs';

/** Returns the paths of a pattern like `nodes/{a,b}.ts`, or the folder of a pattern like `nodes/*.ts`. */
function pathsOf(pattern: string): string[] {
	const braces = /\{([^}]*)\}/.exec(pattern);
	const parts = braces?.[1]?.split(',').map((part) => pattern.replace(braces[0], part));
	return (parts ?? [pattern]).map((path) => path.replace(/\*\.ts$/, ''));
}

test('stryker.config.mjs names only existing modules', () => {
	const named = readFileSync('stryker.config.mjs', 'utf8').matchAll(/'(nodes\/[^']+)'/g);
	const paths = [...named].flatMap(([, pattern = '']) => pathsOf(pattern));
	expect(paths.length).toBeGreaterThan(40);
	expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
