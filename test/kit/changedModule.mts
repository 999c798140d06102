import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compileFunction } from 'node:vm';

import ts from 'typescript';

import { parseAs } from './typed.mts';

/** A change in one place of a source file. */
export type Change = {
	file: string;
	/** A text that occurs exactly once in the file. */
	from: string;
	to: string;
};

/**
 * Loads a module with a change in its own file, or in a file that it imports.
 *
 * @param path the module's path from the root of the project
 * @throws if `from` does not occur exactly once
 */
export function loadChanged<Module extends object>(
	path: string,
	{ file, from, to }: Change,
): Module {
	const parts = readFileSync(file, 'utf8').split(from);
	if (parts.length !== 2) throw new Error(`"${from}" occurs ${parts.length - 1} times in ${file}`);
	const { outputText } = ts.transpileModule(parts.join(to), {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
	});
	const load = (): Module => evaluate<Module>(outputText, resolve(file));
	if (file === path) return load();
	const loaded: Module[] = [];
	jest.isolateModules(() => {
		jest.doMock(resolve(file), load);
		loaded.push(jest.requireActual<Module>(resolve(path)));
		jest.dontMock(resolve(file));
	});
	const [module] = loaded;
	if (module === undefined) throw new Error(`${path} did not load`);
	return module;
}

function evaluate<Module extends object>(code: string, file: string): Module {
	const exports = parseAs<Module>('{}');
	const requireFrom = (name: string): unknown =>
		jest.requireActual(name.startsWith('.') ? join(dirname(file), name) : name);
	Reflect.apply(compileFunction(code, ['require', 'exports']), undefined, [requireFrom, exports]);
	return exports;
}
