/**
 * Counts the files whose functions run for one item, and how often control passes from one file to another. Measures two
 * operations: Campaign: Create, and Sync: Add with one person. Runs the built package in n8n's engine against the emulator.
 *
 *     npm run build && node --import tsx scripts/data-flow.mts [--files]
 */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';
import ts from 'typescript';

import '../test/kit/setup.cjs';

import { startEmulator } from '../emulator/emulator.mts';
import { locator, runNode } from '../test/kit/engine.mts';

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false } } });

/** The file of each function that ran, in the order of the calls. */
const entered: string[] = [];
Object.assign(globalThis, { noteEntered: (file: string) => entered.push(file) });

type Compile = (this: unknown, code: string, file: string) => unknown;
type ModuleClass = { prototype: { _compile: Compile } };
const load: (name: string) => ModuleClass = createRequire(import.meta.url);
const { prototype } = load('node:module');
const compile = prototype._compile;
prototype._compile = function (code, file) {
	const name = relative('dist', file);
	return compile.call(this, name.startsWith('..') ? code : traced(code, name), file);
};

/** Inserts a call at the start of each function. The call records the file of the function. */
function traced(code: string, name: string): string {
	const note = `noteEntered(${JSON.stringify(name)})`;
	const insertions: Array<{ at: number; text: string }> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node) && 'body' in node && node.body) {
			const { body } = node;
			if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `${note};` });
			else {
				insertions.push({ at: body.getStart(), text: `(${note},` });
				insertions.push({ at: body.getEnd(), text: ')' });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true));
	return insertions
		.sort((a, b) => b.at - a.at)
		.reduce((text, { at, text: own }) => text.slice(0, at) + own + text.slice(at), code);
}

const emulator = await startEmulator();
const credential = {
	baseUrl: emulator.url,
	authentication: 'accessKey',
	accessKey: emulator.accessKey,
};
const [group] = emulator.state.recipientGroups.values();
const [person] = emulator.state.people.values();

async function print(name: string, parameters: INodeParameters): Promise<void> {
	// The first run fills caches.
	await runNode({ credential, parameters });
	entered.length = 0;
	const { error } = await runNode({ credential, parameters });
	if (error) throw error;
	const changes = entered.filter((file, index) => index > 0 && file !== entered[index - 1]);
	const files = [...new Set(entered)];
	console.log(`${name}: ${files.length} files, ${changes.length} changes from file to file`);
	if (values.files) console.log(`\t${files.join('\n\t')}`);
}

try {
	await print('Campaign: Create', {
		resource: 'campaign',
		operation: 'create',
		name: 'Picnic',
		campaignDescription: 'In the park',
	});
	await print('Sync: Add', {
		resource: 'recipientGroup',
		operation: 'sync',
		recipientGroupId: locator(group?._id ?? ''),
		recipient: person?.email ?? '',
	});
} finally {
	await emulator.stop();
}
