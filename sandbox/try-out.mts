import { readdir } from 'node:fs/promises';
import { expectedMembers, sampleEmployees } from './employees.mts';
import { groupMembers } from './emulator.mts';
import { exampleWorkflow, type Sandbox } from './harness.mts';
import { hrExample, hrReport, hrReportText, membersProblem } from './hr-example.mts';
import { owner } from './n8n-rest.mts';
import { examplesFolder } from './paths.mts';
import { say, step } from './progress.mts';

/**
 * What a newcomer gets to see: all examples in the editor, and the HR example run once with its
 * outcome. Returns that workflow's id; throws when the service does not hold the members it should.
 */
export async function tryOut(sandbox: Sandbox): Promise<string> {
	const ids = await step(
		'Adding the example workflows',
		async () => await saveExamples(sandbox),
		(saved) => `${saved.size}`,
	);
	const id = ids.get(hrExample.file);
	if (id === undefined) throw new Error(`examples/${hrExample.file} is missing`);
	const execution = await step(
		'Running the example "HR records into a recipient group"',
		async () => await sandbox.rest.run(id, hrExample.trigger),
	);
	say(`\n${hrReportText(hrReport(execution))}\n`);

	const members = groupMembers(sandbox.emulator, hrExample.group);
	const problem = membersProblem(expectedMembers(await sampleEmployees()), members);
	if (problem) throw new Error(problem);
	say(`✓ The service holds the ${members.length} members it should.`);
	return id;
}

/** Where to look now, and with which login. */
export function sayWhereToLook({ editorUrl, emulator }: Sandbox, path = ''): void {
	say(`\n  n8n       ${editorUrl}${path}`);
	say(`            log in as ${owner.email}, password ${owner.password}`);
	say(`  Emulator  ${emulator.url}`);
	say(`            access key ${emulator.accessKey}`);
}

/** Saves all example workflows, as a user would import them. Returns their ids by file name. */
export async function saveExamples(sandbox: Sandbox): Promise<Map<string, string>> {
	const files = (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
	const ids = new Map<string, string>();
	for (const file of files) ids.set(file, await sandbox.saveWorkflow(await exampleWorkflow(file)));
	return ids;
}
