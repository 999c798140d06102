import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';

/** Returns the exported functions of a file: declarations, and constants that are functions. */
function exportedFunctions(text: string): string[] {
	const isExported = (node: ts.HasModifiers) =>
		ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
	return ts
		.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true)
		.statements.flatMap((statement) => {
			if (ts.isFunctionDeclaration(statement)) {
				return isExported(statement) && statement.name ? [statement.name.text] : [];
			}
			if (!ts.isVariableStatement(statement) || !isExported(statement)) return [];
			return statement.declarationList.declarations
				.filter(
					({ initializer }) =>
						initializer &&
						(ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
				)
				.map(({ name }) => name.getText());
		});
}

/** Returns the names that several files export as a function, with the files. */
function usedTwice(files: Array<[file: string, text: string]>): string[] {
	const owners = new Map<string, string[]>();
	for (const [file, text] of files) {
		for (const name of exportedFunctions(text)) {
			owners.set(name, [...(owners.get(name) ?? []), file]);
		}
	}
	return [...owners]
		.filter(([, { length }]) => length > 1)
		.map(([name, places]) => `${name}: ${places.join(', ')}`);
}

test('one name, one thing: no two exported functions have the same name', () => {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file): [string, string] => [
				join(folder, file),
				readFileSync(join(folder, file), 'utf8'),
			]),
	);
	expect(files.flatMap(([, text]) => exportedFunctions(text)).length).toBeGreaterThan(200);
	expect(usedTwice(files)).toEqual([]);
});

test('no file has the same name as a folder next to it', () => {
	const paths = readdirSync('nodes', { recursive: true, encoding: 'utf8' });
	const folders = new Set(paths.map((path) => dirname(path)));
	expect(
		paths.filter((path) => folders.has(path.replace(/\.ts$/, '')) && /\.ts$/.test(path)),
	).toEqual([]);
});
