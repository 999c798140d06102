import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sourceFiles } from './sourceFiles.mts';

test('one name, one thing: no two exported functions have the same name', () => {
	const names = sourceFiles.flatMap((file) => {
		const text = readFileSync(file, 'utf8');
		const exported =
			/^export (?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?[(\w]+[^\n]*=>)/gm;
		return [...text.matchAll(exported)].map(([, name, constant]) => name ?? constant);
	});
	expect(names.length).toBeGreaterThan(200);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no file has the same name as a folder next to it', () => {
	const folders = new Set(sourceFiles.map((file) => join(file, '..')));
	expect(sourceFiles.filter((file) => folders.has(file.replace(/\.ts$/, '')))).toEqual([]);
});
