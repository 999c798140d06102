import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { expectedMembers, sampleEmployees } from './examples/employees.mts';
import { groupMembers } from './examples/emulator.mts';
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

/**
 * Saves all examples and runs the nightly sync once. Returns the workflow ID of the nightly sync.
 *
 * @throws if the group in the service has the wrong members
 */
export async function tryOut(localN8n: LocalN8n): Promise<string> {
	const ids = await step(
		'Adding the example workflows',
		async () => await saveExamples(localN8n),
		(saved) => `${saved.size}`,
	);
	const id = ids.get(nightlySync.file);
	if (id === undefined) throw new Error(`examples/${nightlySync.file} is missing`);
	const execution = await step(
		`Running the example "${nightlySync.name}"`,
		async () => await localN8n.rest.run(id, nightlySync.trigger),
	);
	if (execution.error !== undefined) throw new Error(execution.error);
	const members = groupMembers(localN8n.emulator, nightlySync.group);
	assert.deepEqual(members, expectedMembers(await sampleEmployees()), 'Members of the group');
	say(`✓ The group has the expected ${members.length} members.`);
	return id;
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
}

/** Saves all example workflows. Returns the IDs of the workflows by file name. */
async function saveExamples(localN8n: LocalN8n): Promise<Map<string, string>> {
	const ids = new Map<string, string>();
	for (const file of await exampleFiles())
		ids.set(file, await localN8n.saveWorkflow(await exampleWorkflow(file)));
	return ids;
}
