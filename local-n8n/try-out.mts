import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { expectedMembers, sampleEmployees } from './examples/employees.mts';
import { groupMembers } from './examples/emulator.mts';
import { startHere } from './examples/startHere.mts';
import { exampleFiles, exampleWorkflow, type LocalN8n } from './local-n8n.mts';
import { loginFile } from './n8n/login.mts';
import { repositoryRoot } from './machine/paths.mts';
import { say, step } from './terminal/progress.mts';

const nightlySync = {
	file: 'nightly-group-sync.json',
	name: 'Nightly group sync',
	trigger: 'When clicking Execute workflow',
	group: 'All employees (nightly)',
};

const startHereKey = 'start-here';

/**
 * Adds the recipes to n8n. The first time, also runs the nightly sync. Returns the ID of the workflow to open first.
 *
 * @throws if the group in the service has the wrong members
 */
export async function tryOut(localN8n: LocalN8n): Promise<string> {
	const { ids, isFirst } = await step(
		'Adding the recipes',
		async () => await addRecipes(localN8n),
		(added) => `${added.count} new`,
	);
	if (isFirst) await runNightlySync(localN8n, ids[nightlySync.file]);
	return ids[startHereKey] ?? 'new';
}

/**
 * Adds the recipes that this n8n has not had yet. The others stay as a person left them, changed or deleted. A file in the
 * user folder lists the IDs of all.
 */
async function addRecipes({ rest, userFolder, fillIn }: LocalN8n) {
	const file = join(userFolder, 'recipe-ids.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	const ids = z.record(z.string()).parse(JSON.parse(text ?? '{}'));
	// n8n lists the newest workflow first.
	const missing = [...(await exampleFiles()), startHereKey].filter((key) => !(key in ids));
	for (const key of missing) {
		const workflow = key === startHereKey ? startHere() : await exampleWorkflow(key);
		ids[key] = await rest.createWorkflow(fillIn(workflow));
		// Also after a failure, this file lists what was added.
		await writeFile(file, JSON.stringify(ids));
	}
	return { ids, count: missing.length, isFirst: text === undefined };
}

/** Runs the nightly sync once. @throws if the group in the service then has the wrong members */
async function runNightlySync(localN8n: LocalN8n, id: string | undefined): Promise<void> {
	if (id === undefined) throw new Error(`examples/${nightlySync.file} is missing`);
	const execution = await step(
		`Running the example "${nightlySync.name}"`,
		async () => await localN8n.rest.run(id, nightlySync.trigger),
	);
	if (execution.error !== undefined) throw new Error(execution.error);
	const members = groupMembers(localN8n.emulator, nightlySync.group);
	assert.deepEqual(members, expectedMembers(await sampleEmployees()), 'Members of the group');
	say(`✓ The group has the expected ${members.length} members.`);
}

/** Prints the addresses and logins. */
export function sayWhereToLook(
	{ editorUrl, userFolder, login, emulator }: LocalN8n,
	path = '',
): void {
	say(`\n  n8n       ${editorUrl}${path}`);
	say(`            log in as ${login.email}, password ${login.password}`);
	say(`            (saved in ${relative(repositoryRoot, loginFile(userFolder))})`);
	say(`  Emulator  ${emulator.url}`);
	say(`            access key ${emulator.accessKey}`);
	say('\n  Next: docs/first-survey.md');
	say(`        build your own survey in ${editorUrl}/workflow/new`);
}
