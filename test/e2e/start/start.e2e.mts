import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { z } from 'zod';
import { signalGroup } from '../../../local-n8n/machine/supervised-process.mts';
import { repositoryRoot, stateFolder } from '../../../local-n8n/machine/paths.mts';
import { N8nRest } from '../../../local-n8n/n8n/n8n-rest.mts';
import { chain, noOp, triggerNode } from '../../../local-n8n/n8n/workflow.mts';
import { loginFile, loginOf } from '../../../local-n8n/n8n/login.mts';
import { line } from '../settings.mts';
import { allProcesses, treeOf, type ProcessInfo } from './processes.mts';

const startTimeoutMs = 600_000;
const endTimeoutMs = 30_000;
/** The trigger polls every 10 s. */
const hearTimeoutMs = 120_000;

/** An `npm start` as a user runs it, with its output so far. */
class Start {
	private text = '';
	readonly npm: ChildProcess;

	constructor(env: NodeJS.ProcessEnv = {}, ...options: string[]) {
		this.npm = spawn('npm', ['start', '--', '--n8n', line, ...options], {
			cwd: repositoryRoot,
			env: { ...process.env, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
			// A separate process group, as in a shell, so that Ctrl-C reaches all its processes.
			detached: true,
		});
		for (const stream of [this.npm.stdout, this.npm.stderr]) {
			stream?.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
		}
		started.push(this);
	}

	get output(): string {
		return this.text;
	}

	async running(): Promise<void> {
		await pWaitFor(() => this.text.includes('Ctrl-C stops everything') || this.hasEnded, {
			interval: 100,
			timeout: startTimeoutMs,
		});
		assert.equal(this.hasEnded, false, this.text);
	}

	/** Returns the addresses that the command printed. */
	get addresses(): { n8n: string; emulator: string; accessKey: string } {
		const found = (pattern: RegExp) => pattern.exec(this.text)?.[1] ?? '';
		return {
			n8n: found(/n8n {7}(http:\/\/[^/]+)/),
			emulator: found(/Emulator {2}(\S+)/),
			accessKey: found(/access key (\S+)/),
		};
	}

	/** Logs in to this n8n as its owner. */
	async rest(): Promise<N8nRest> {
		const rest = new N8nRest(this.addresses.n8n, line, () => this.hasEnded);
		await rest.logIn(await loginOf(join(stateFolder, `n8n-${line}`)));
		return rest;
	}

	/** Returns how many of the last requests to the emulator were of this operation. */
	async shownRequests(operation: string): Promise<number> {
		const page = await (await fetch(this.addresses.emulator)).text();
		return page.split(`>${operation}<`).length - 1;
	}

	/** Sends a survey to two people. Returns its ID. */
	async sendSurvey(name: string): Promise<string> {
		const { emulator, accessKey } = this.addresses;
		const call = async (method: string, path: string, body: object) => {
			const headers = { authorization: `Bearer ${accessKey}`, 'content-type': 'application/json' };
			const url = `${emulator}/int/v1/${path}`;
			const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
			const { data } = z
				.object({ data: z.object({ _id: z.string() }).passthrough().nullish() })
				.parse(await response.json());
			return data?._id ?? '';
		};
		const questions = [{ templateCode: 'rating', title: 'How was it?' }];
		const id = await call('POST', 'campaign/survey', { name, description: 'D', questions });
		const recipientEmails = ['ada@example.com', 'grace@example.com'];
		await call('PUT', `campaign/${id}/addRecipients`, { recipientEmails });
		await call('PUT', `campaign/${id}`, { status: 'live', description: 'D' });
		return id;
	}

	/** Lets one of its recipients answer a survey. */
	async answerSurvey(id: string): Promise<void> {
		const url = `${this.addresses.emulator}/console/campaign/${id}/people`;
		const body = new URLSearchParams({ count: '1' });
		const page = await fetch(url, { method: 'POST', body });
		assert.match(await page.text(), /1 person has answered/, 'The emulator forgot the survey');
	}

	async processes(): Promise<ProcessInfo[]> {
		return await treeOf(this.npm.pid ?? 0);
	}

	/** Sends the signal to the process group of npm, like Ctrl-C in a terminal. */
	signal(signal: NodeJS.Signals): void {
		signalGroup(this.npm.pid ?? 0, signal);
	}

	private get hasEnded(): boolean {
		return this.npm.exitCode !== null || this.npm.signalCode !== null;
	}
}

const started: Start[] = [];
const endAll = () => {
	for (const one of started) one.signal('SIGTERM');
};
after(endAll);
// After Ctrl-C, no hook of the tests runs.
process.once('exit', endAll);

/** Waits until these processes and their process groups have ended. Fails and names those that do not end. */
async function assertAllEnd(processes: ProcessInfo[]): Promise<void> {
	const groups = new Set(processes.map(({ group }) => group));
	// A process ID may have been reused by another command.
	const isOne = ({ pid, args }: ProcessInfo) =>
		processes.some((one) => one.pid === pid && one.args === args);
	const left = async () =>
		(await allProcesses()).filter((one) => groups.has(one.group) || isOne(one));
	await pWaitFor(async () => (await left()).length === 0, {
		interval: 200,
		timeout: endTimeoutMs,
	}).catch(() => undefined);
	assert.deepEqual(await left(), []);
}

describe('npm start', () => {
	for (const [role, name] of [
		['npm', 'npm start'],
		['the script that installs what is needed', 'bootstrap.mjs'],
		['the local n8n', 'local-n8n/start.mts'],
	] as const) {
		test(`leaves nothing running when ${role} is killed`, async () => {
			const start = new Start();
			await start.running();
			const processes = await start.processes();
			const victim = processes.findLast(({ args }) => args.includes(name));
			assert.ok(victim, `${role} is not among\n${processes.map(({ args }) => args).join('\n')}`);
			process.kill(victim.pid, 'SIGKILL');
			await assertAllEnd(processes);
		});
	}

	test('keeps what a person changed, and a trigger hears the second survey after a restart', async () => {
		const recipe = 'What my key can do';
		const first = new Start({}, '--fresh');
		await first.running();
		const rest = await first.rest();
		const recipeId = (await rest.workflowNamed(recipe)) ?? '';
		const workflow = await rest.workflow(recipeId);
		await rest.updateWorkflow(recipeId, { ...workflow, nodes: [...workflow.nodes, noOp('Mine')] });
		const [credential] = await rest.ask(
			z.array(z.object({ id: z.string(), name: z.string() })),
			...(['GET', '/rest/credentials'] as const),
		);
		assert.ok(credential);
		const trigger = triggerNode('Trigger', { watch: 'all', options: { maxReadGapMinutes: 0 } });
		const hears = chain('Hears', [
			{ ...trigger, credentials: { messagingServiceApi: credential } },
			noOp('Heard'),
		]);
		const id = await rest.createWorkflow(hears);
		await rest.activate(id);
		const known = new Set<string>();
		const hearsNext = async (n8n: N8nRest, survey: string) => {
			const heard = await n8n.nextExecution(id, known, hearTimeoutMs);
			known.add(heard.id);
			assert.equal(heard.items('Heard')[0]?.json.campaignName, survey);
		};
		// What the first poll finds is not news. Each poll reads the list twice.
		await pWaitFor(async () => (await first.shownRequests('campaign.getAll')) >= 3, {
			interval: 500,
		});
		const surveyId = await first.sendSurvey('First survey');
		await first.answerSurvey(surveyId);
		await hearsNext(rest, 'First survey');
		const processes = await first.processes();
		first.signal('SIGINT');
		await assertAllEnd(processes);

		const second = new Start();
		await second.running();
		assert.match(second.output, /Adding the recipes .*: 0 new/);
		assert.doesNotMatch(second.output, /Running the example|new ones, with new IDs/);
		const again = await second.rest();
		const kept = await again.workflow(recipeId);
		assert.ok(
			kept.nodes.some(({ name }) => name === 'Mine'),
			'The recipe was overwritten',
		);
		await second.answerSurvey(surveyId);
		await hearsNext(again, 'First survey');
		await second.answerSurvey(await second.sendSurvey('Second survey'));
		await hearsNext(again, 'Second survey');
		const left = await second.processes();
		second.signal('SIGINT');
		await assertAllEnd(left);
	});

	test('works if the home folder is not writable', async () => {
		const userFolder = join(stateFolder, `n8n-${line}`);
		const start = new Start({ HOME: '/dev/null/home' });
		await start.running();
		const processes = await start.processes();
		assert.match(start.output, /Next: docs\/first-survey\.md/);

		// The printed login is also in a file that only its owner can read.
		const { mode } = await stat(loginFile(userFolder));
		assert.equal(mode & 0o777, 0o600);
		const { password } = await loginOf(userFolder);
		assert.ok(password.length >= 20);
		assert.ok(start.output.includes(password));

		start.signal('SIGINT');
		await assertAllEnd(processes);
	});
});
