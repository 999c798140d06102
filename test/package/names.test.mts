import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

test('one name, one thing: no two exported functions have the same name', () => {
	const names = files.flatMap((file) => {
		const text = readFileSync(file, 'utf8');
		const exported =
			/^export (?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?[(\w]+[^\n]*=>)/gm;
		return [...text.matchAll(exported)].map(([, name, constant]) => name ?? constant);
	});
	expect(names.length).toBeGreaterThan(200);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no file has the same name as a folder next to it', () => {
	const folders = new Set(files.map((file) => join(file, '..')));
	expect(files.filter((file) => folders.has(file.replace(/\.ts$/, '')))).toEqual([]);
});
