import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { packageName } from '../../../sandbox/machine/paths.mts';
import { buildPackage, type PackedPackage } from '../../../sandbox/package/build-package.mts';
import {
	installedPackageFolder,
	installPackage,
} from '../../../sandbox/package/install-package.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox.mts';
import { line } from '../settings.mts';
import { surveyWithResponses, whyOf } from '../support/responses.mts';
import { chain, nodeOf, serviceNode, surveySubmissions } from '../support/workflow.mts';
import { startRegistry, type Registry } from './registry.mts';

/** A version as a user installs it, by its name. */
const published = (version: string): PackedPackage => ({
	tarball: `${packageName}@${version}`,
	hash: version,
});

describe('a package from a registry', () => {
	let registry: Registry;
	let sandbox: Sandbox;

	before(
		async () => {
			registry = await startRegistry();
			const { tarball } = await buildPackage();
			await registry.publish(tarball, '0.1.0');
			await registry.publish(tarball, '0.2.0');
			process.env.npm_config_registry = registry.url;
			sandbox = await startSandbox({
				line,
				name: `registry-${line}`,
				fresh: true,
				packed: published('0.1.0'),
			});
		},
		{ timeout: 600_000 },
	);
	after(async () => {
		await sandbox?.stop();
		await registry?.stop();
	});

	const installedVersion = async () => {
		const manifest = join(installedPackageFolder(sandbox.userFolder), 'package.json');
		return /"version": "([^"]+)"/.exec(await readFile(manifest, 'utf8'))?.[1];
	};

	test('is updated while its trigger runs: no response is lost or emitted twice', async () => {
		const { rest, emulator, userFolder, login } = sandbox;
		assert.equal(await installedVersion(), '0.1.0');
		const { survey, expected, respond } = surveyWithResponses(emulator);
		const polls = () => emulator.requestCount('GET', `/int/v1/campaign/${survey._id}/surveyData`);
		const nextPoll = async () => {
			const before = polls();
			await pWaitFor(() => polls() > before, { interval: 100, timeout: 60_000 });
		};
		const trigger = await sandbox.saveWorkflow(surveySubmissions);
		const groups = await sandbox.saveWorkflow(
			chain('Groups', [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
				serviceNode('All groups', 'recipientGroup', 'getAll', { returnAll: true, filters: {} }),
			]),
		);
		const groupsNow = async () => {
			const execution = await rest.run(groups, 'Start');
			assert.equal(execution.error, undefined);
			return execution.items('All groups').map(({ json }) => json._id);
		};
		const emitted = async () =>
			(await rest.executions(trigger)).flatMap((execution) =>
				execution.items('Trigger').map(whyOf),
			);
		const allEmitted = async () =>
			await pWaitFor(async () => (await emitted()).length >= expected.length, {
				interval: 500,
				timeout: 60_000,
			});

		const before = await groupsNow();
		assert.notDeepEqual(before, []);
		const firstPoll = nextPoll();
		await rest.activate(trigger);
		await firstPoll;
		respond();
		await allEmitted();

		respond();
		await installPackage(line, userFolder, published('0.2.0'));
		respond();
		await sandbox.restart();
		await rest.logIn(login);
		assert.equal(await installedVersion(), '0.2.0');
		respond();
		await allEmitted();
		// Two more polls, which have nothing to emit.
		await nextPoll();
		await nextPoll();
		assert.deepEqual((await emitted()).sort(), expected.sort());
		assert.deepEqual(await groupsNow(), before);
	});
});
