/**
 * Counts what a reader of the code walks through: the files and functions that run for some work, their calls, and how often
 * a call goes to another room (docs/development/architecture.md). It counts in a copy of the build whose functions
 * report each call: `npx tsx test/benchmark/walk.mts`. Add `--files` to list the files.
 */
import '../kit/setup.cjs';

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';
import ts from 'typescript';

import { startEmulator } from '../../emulator/emulator.mts';
import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode, type RunOptions } from '../kit/engine.mts';
import { TriggerHost } from '../kit/poll.mts';
import { first } from '../kit/required.mts';

/** Returns the room of a file: its folder, at most three levels deep. */
const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/');

const copy = resolve('.cache', 'walk');
/** The file of each function, by its number. */
const files: string[] = [];
/** The numbers of the functions, in the order of their calls. */
const calls: number[] = [];
Object.assign(globalThis, { recordCall: (number: number) => calls.push(number) });

/** Returns the code of a file with a report at the start of each function. */
function instrument(code: string, file: string): string {
	const insertions: Array<[position: number, text: string]> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node) && 'body' in node && node.body) {
			const report = `globalThis.recordCall(${files.push(file) - 1})`;
			if (ts.isBlock(node.body)) insertions.push([node.body.getStart() + 1, `${report};`]);
			else insertions.push([node.body.getStart(), `(${report},`], [node.body.getEnd(), ')']);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true));
	// From the end, so that the positions stay right. At the same position, an outer function comes before an inner one.
	insertions.sort(([a], [b]) => b - a);
	return insertions.reduce(
		(text, [at, insertion]) => text.slice(0, at) + insertion + text.slice(at),
		code,
	);
}

rmSync(copy, { recursive: true, force: true });
mkdirSync(copy, { recursive: true });
cpSync('dist', join(copy, 'dist'), { recursive: true });
cpSync('package.json', join(copy, 'package.json'));
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
	if (!name.endsWith('.js')) continue;
	const file = join('dist', name);
	writeFileSync(join(copy, file), instrument(readFileSync(file, 'utf8'), name));
}
process.env.PACKAGE_FOLDER = copy;

/** Runs some work, and prints a row of the table. */
async function count(work: string, run: () => Promise<unknown>): Promise<void> {
	calls.length = 0;
	await run();
	const walked = calls.map((number) => files[number] ?? '');
	const changes = walked.filter(
		(file, index) => index > 0 && roomOf(file) !== roomOf(walked[index - 1] ?? ''),
	);
	const used = [...new Set(walked)];
	const counts = [used.length, new Set(calls).size, calls.length, changes.length];
	console.log(`| ${work} | ${counts.join(' | ')} |`);
	if (process.argv.includes('--files')) console.log(used.sort().join('\n'));
}

const emulator = await startEmulator({ seed: { seed: 7, people: 40, groups: 2, surveys: 1 } });
try {
	const credential = { ...anyAccessKey(emulator.url), accessKey: emulator.accessKey };
	const node = async (parameters: INodeParameters, items?: RunOptions['items']) => {
		const { error } = await runNode({ credential, parameters, items });
		if (error) throw error;
	};
	const { state } = emulator;
	const survey = state.campaigns.values().find((campaign) => campaign.survey !== undefined);
	const people = state.people.values();
	const group = state.addRecipientGroup('Ten');
	for (const { _id } of people.slice(0, 10)) group.members.add(_id);
	const report = { resource: 'campaign', operation: 'getReport' };
	const trigger = new TriggerHost({
		credential,
		parameters: { campaignIds: [survey?._id ?? ''], events: ['surveySubmitted'] },
	});
	// The first run reads the package.
	await node({ ...report, campaignId: locator(first(state.campaigns.values())._id) });
	console.log('| work | files | functions | calls | changes of room |\n|---|---|---|---|---|');
	await count('Get Report', async () => {
		await node({ ...report, campaignId: locator(first(state.campaigns.values())._id) });
	});
	await count('Create', async () => {
		await node({
			...{ resource: 'broadcast', operation: 'create', title: 'T', message: 'M' },
			...{ status: 'draft', recipientsFrom: 'none' },
		});
	});
	await trigger.activate();
	const { _id = '' } = survey ?? {};
	emulator.submitResponse(_id, { userId: people.at(-1)?._id });
	await count('poll', async () => await trigger.poll());
	await count('Mirror of ten', async () => {
		await node(
			{
				...{ resource: 'recipientGroup', operation: 'sync', mode: 'mirror', dryRun: false },
				...{ options: {}, recipientGroupId: locator(group._id) },
				...{ identifyBy: 'email', recipient: '={{ $json.email }}' },
			},
			people.slice(1, 11).map(({ email }) => ({ json: { email } })),
		);
	});
} finally {
	await emulator.stop();
	rmSync(copy, { recursive: true });
}
