import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectedMembers, sampleEmployees } from '../../sandbox/employees.mts';
import { groupMembers } from '../../sandbox/emulator.mts';
import { exampleWorkflow } from '../../sandbox/harness.mts';
import { hrExample, hrReport } from '../../sandbox/hr-example.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('the example "HR records into a recipient group"', () => {
	test('fills the group with everybody whom the service knows', async () => {
		const sandbox = await sharedSandbox();
		const workflow = await exampleWorkflow(hrExample.file);
		const report = hrReport(await sandbox.runWorkflow(workflow, hrExample.trigger));
		const expected = expectedMembers(await sampleEmployees());
		assert.deepEqual(groupMembers(sandbox.emulator, hrExample.group), expected);
		assert.equal(report.read, 250);
		assert.equal(report.added, expected.length);
		assert.equal(
			report.read,
			report.left + report.added + report.alreadyThere + report.refused.length,
		);
	});

	test('adds nobody twice when it runs again', async () => {
		const sandbox = await sharedSandbox();
		const workflow = await exampleWorkflow(hrExample.file);
		const report = hrReport(await sandbox.runWorkflow(workflow, hrExample.trigger));
		assert.equal(report.added, 0);
		assert.equal(
			groupMembers(sandbox.emulator, hrExample.group).length,
			report.alreadyThere - duplicates,
		);
	});
});

/** Records of somebody who is in the sample a second time. */
const duplicates = 3;
