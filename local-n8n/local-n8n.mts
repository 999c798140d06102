import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { buildPackage } from './package/build-package.mts';
import { CleanupStack } from './machine/cleanup-stack.mts';
import type { Switches } from '../emulator/emulator.mts';
import { startSeededEmulator } from './examples/emulator.mts';
import { tables } from './examples/tables.mts';
import { DataTables } from './n8n/data-tables.mts';
import { installN8n } from './n8n/install-n8n.mts';
import { installPackage } from './package/install-package.mts';
import { filesFolder, startN8n, type N8nProcess } from './n8n/n8n-process.mts';
import { loginOf } from './n8n/login.mts';
import { N8nRest, workflowSchema, type Credential, type WorkflowJson } from './n8n/n8n-rest.mts';
import { examplesFolder, stateFolder, type N8nLine } from './machine/paths.mts';
import { freePort } from './machine/ports.mts';
import { say, step } from './terminal/progress.mts';

export interface LocalN8nOptions {
	/** The n8n line: the current 2.x (default) or the last 1.x. */
	line?: N8nLine;
	/** The folder in `.local-n8n/` for the data of this n8n. Only one n8n at a time may use it. */
	name?: string;
	fresh?: boolean;
	/**
	 * Keeps the records of the emulator, and files that a person changed, from one start to the next, and prefers the usual ports:
	 * 5678 for n8n, 5680 for the emulator. By default, the local n8n uses any free ports.
	 */
	keepsRecords?: boolean;
	env?: Record<string, string>;
	/** How the service behaves where its documentation says nothing. */
	switches?: Partial<Switches>;
	/** Collects the functions that stop what was started. A signal during the set-up runs these functions. */
	cleanups?: CleanupStack;
}

/** A real n8n with this package, an emulator of the service, and logins to both. */
export type LocalN8n = Awaited<ReturnType<typeof setUp>>;

const credentialName = 'Messaging Service (emulator)';

/** Returns the file names of all example workflows. */
export async function exampleFiles(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

/** Returns the example workflow in a file, as a user imports it. */
export async function exampleWorkflow(file: string): Promise<WorkflowJson> {
	return workflowSchema.parse(JSON.parse(await readFile(join(examplesFolder, file), 'utf8')));
}

/** For an example that reads a data table: the example that fills this table, and the trigger from which it runs. */
export const fillers: Record<string, { file: string; trigger?: string }> = {
	'pulse-trend.json': { file: 'pulse-results.json', trigger: 'Survey closed' },
	'unknown-people-mail.json': { file: 'unknown-people.json' },
	'nightly-log-check.json': { file: 'nightly-log.json' },
};

function withCredential(workflow: WorkflowJson, { id, name, type }: Credential): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.[type]?.id === ''
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}

/** Locks a user folder for one n8n. Returns a function that releases the lock. */
async function lockFolder(userFolder: string): Promise<() => Promise<void>> {
	await mkdir(stateFolder, { recursive: true });
	// The lock of a killed process expires after 10 s.
	const retries = { retries: 12, factor: 1 };
	return await lock(userFolder, { realpath: false, retries }).catch((cause: unknown) => {
		throw new Error(
			`Another n8n is running on ${userFolder}. Stop it first (Ctrl-C in its terminal).`,
			{ cause },
		);
	});
}

/** Sets up and starts a local n8n. If a step fails, stops everything. */
export async function startLocalN8n(options: LocalN8nOptions = {}): Promise<LocalN8n> {
	const cleanups = options.cleanups ?? new CleanupStack();
	return await cleanups.closeOnFailure(async () => await setUp(options, cleanups));
}

async function setUp(options: LocalN8nOptions, cleanups: CleanupStack) {
	const { line = '2', name = `n8n-${line}`, fresh = false, keepsRecords = false } = options;
	const userFolder = join(stateFolder, name);

	await installN8n(line);
	const packed = await buildPackage();

	cleanups.add(await lockFolder(userFolder));
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	await mkdir(userFolder, { recursive: true });
	const isFirst = !existsSync(join(userFolder, '.n8n', 'database.sqlite'));
	const login = await loginOf(userFolder);

	const emulator = await step(
		'Starting the emulator of the service',
		async () =>
			await startSeededEmulator(keepsRecords ? 5680 : 0, options.switches, {
				...(keepsRecords && { stateFile: join(userFolder, 'emulator-records') }),
				// n8n may remember records of an earlier emulator. New ones must have other IDs.
				...(keepsRecords && !isFirst && { seed: Date.now() % 2 ** 31 }),
			}),
		({ url }) => url,
	);
	if (keepsRecords && !isFirst && !emulator.isRestored) {
		say('The emulator has no records of the last start. It begins with new ones, with new IDs.');
	}
	cleanups.add(async () => await emulator.stop());

	await step(
		'Installing the package into n8n',
		async () => await installPackage(line, userFolder, packed),
		(installed) => (installed ? 'as a community package' : 'unchanged'),
	);
	const data = join(examplesFolder, 'data');
	await cp(data, filesFolder(userFolder), { recursive: true, force: !keepsRecords });

	const port = await freePort(keepsRecords ? 5678 : 0, 'n8n');
	let n8n: N8nProcess | undefined;
	let asked = false;
	let reportDeath: () => void = () => undefined;
	const n8nDied = new Promise<void>((resolve) => (reportDeath = resolve));
	const start = async () => {
		asked = false;
		n8n = await startN8n({ line, userFolder, port, env: options.env });
		void n8n.ended.then(() => asked || reportDeath());
		await n8n.ready();
	};
	const end = async (how: 'stop' | 'kill') => {
		asked = true;
		await n8n?.[how]();
	};
	cleanups.add(async () => await end('stop'));
	await step(`Starting n8n ${line}.x`, start, () => `http://127.0.0.1:${port}`);

	const hasEnded = () => n8n === undefined || n8n.hasEnded();
	const rest = new N8nRest(`http://127.0.0.1:${port}`, line, hasEnded);
	const credentialData = {
		baseUrl: emulator.url,
		authentication: 'accessKey',
		accessKey: emulator.accessKey,
	};
	const credential = await step('Preparing the owner account and the credential', async () => {
		await rest.logIn(login);
		return await rest.saveCredential(credentialName, 'messagingServiceApi', credentialData);
	});

	const dataTables = await DataTables.create(rest, tables);
	/** Replaces the placeholders for the credential and the data tables. */
	const fillIn = (workflow: WorkflowJson) =>
		dataTables.chosenIn(withCredential(workflow, credential));
	/** Saves a workflow and returns its ID. Replaces its placeholders. */
	const saveWorkflow = async (workflow: WorkflowJson) => await rest.saveWorkflow(fillIn(workflow));
	return {
		editorUrl: rest.url,
		...{ userFolder, emulator, dataTables, fillIn, saveWorkflow, cleanups },
		/** n8n's owner account. */
		login,
		rest,
		/** The saved credential for the emulator, and its values. */
		...{ credential, credentialData },
		/** Resolves when n8n stops unexpectedly. */
		n8nDied,
		/** Saves a workflow, runs it from this trigger and waits for its end. */
		runWorkflow: async (workflow: WorkflowJson, trigger: string) =>
			await rest.run(await saveWorkflow(workflow), trigger),
		/** Stops n8n and starts it again on the same data. */
		restart: async () => {
			await end('stop');
			await start();
		},
		/** Replaces the package's files, as an update does. n8n loads the new files when it restarts. */
		reinstallPackage: async () =>
			void (await installPackage(line, userFolder, { ...packed, hash: 'reinstalled' })),
		/** Kills n8n, like a power cut. `restart` starts n8n again. */
		kill: async () => await end('kill'),
		stop: async () => await cleanups.closeAll(),
	};
}
