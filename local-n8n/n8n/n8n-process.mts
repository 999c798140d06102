import { openSync, closeSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import getPort from 'get-port';
import pWaitFor from 'p-wait-for';
import { startSupervised } from '../machine/supervised-process.mts';
import { n8nFolder, repositoryRoot, type N8nLine } from '../machine/paths.mts';
import { nodeRuntime } from './node-runtime.mts';

export interface N8nProcessOptions {
	line: N8nLine;
	/** `start` runs the editor, the API, triggers and webhooks. `worker` runs a worker of queue mode. */
	command?: 'start' | 'worker';
	/** The name of the log file in the user folder, without extension. The default is `n8n`. */
	name?: string;
	/** The folder that contains n8n's `.n8n`, its home folder, its logs, and the files that workflows may read. */
	userFolder: string;
	port: number;
	/** Additional settings, such as `N8N_DEV_RELOAD`. */
	env?: Record<string, string>;
}

/** A running n8n. */
export type N8nProcess = Awaited<ReturnType<typeof startN8n>>;

/** Only against a start that never ends: a busy machine may need minutes. */
const startTimeoutMs = 900_000;

/** The folder in which workflows can read and write files. */
export function filesFolder(userFolder: string): string {
	return join(userFolder, 'files');
}

async function environment({
	line,
	userFolder,
	port,
	env,
}: N8nProcessOptions): Promise<Record<string, string>> {
	const home = join(userFolder, 'home');
	const brokerPort = await getPort({ host: '127.0.0.1' });
	return {
		PATH: [dirname(nodeRuntime(line).executable), process.env.PATH ?? ''].join(delimiter),
		// Keeps the user's home folder and n8n settings untouched.
		HOME: home,
		XDG_CACHE_HOME: join(home, '.cache'),
		XDG_CONFIG_HOME: join(home, '.config'),
		NODE_ENV: 'production',
		// Keeps compiled code, so that n8n's next start is faster.
		NODE_COMPILE_CACHE: join(repositoryRoot, '.cache', 'node-compile'),
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		// The port of a worker serves only health checks.
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		// Browsers send no secure cookie to a plain HTTP address.
		N8N_SECURE_COOKIE: 'false',
		N8N_RESTRICT_FILE_ACCESS_TO: filesFolder(userFolder),
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_PYTHON_ENABLED: 'false',
		DB_SQLITE_POOL_SIZE: '4',
		// Otherwise, n8n's schedules and dates are those of New York.
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// No data leaves this machine.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		// The first setting is only for n8n 2, the second only for n8n 1.
		...(line === '2' ? { N8N_DISABLED_MODULES: 'mcp-registry' } : { N8N_RUNNERS_ENABLED: 'true' }),
		...env,
	};
}

/** Returns the environment variables that n8n inherits from the shell. Other variables could change the behavior of n8n. */
function inherited(): Record<string, string> {
	const keep = ['LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];
	return Object.fromEntries(
		keep.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
	);
}

async function isHealthy(url: string, command: 'start' | 'worker'): Promise<boolean> {
	try {
		const ready = await fetch(`${url}/healthz/readiness`);
		if (!ready.ok || command === 'worker') return ready.ok;
		// n8n passes health checks a moment before its REST routes exist.
		return (await fetch(`${url}/rest/settings`)).ok;
	} catch {
		return false;
	}
}

/** Starts n8n in its own process group. `ready()` waits until n8n can be used. */
export async function startN8n(options: N8nProcessOptions) {
	const { line, userFolder, port, command = 'start', name = 'n8n' } = options;
	const env = { ...inherited(), ...(await environment(options)) };
	await mkdir(env.HOME ?? userFolder, { recursive: true });
	await mkdir(filesFolder(userFolder), { recursive: true });
	// A killed process leaves this file behind. If n8n finds it, n8n waits ten seconds (crash-journal of n8n 2.41.1).
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });

	const logFile = join(userFolder, `${name}.log`);
	const log = openSync(logFile, 'a');
	const n8n = await startSupervised(
		nodeRuntime(line).executable,
		[join(n8nFolder(line), 'node_modules', 'n8n', 'bin', 'n8n'), command],
		{ cwd: filesFolder(userFolder), env, output: log },
	);
	closeSync(log);
	let ended = false;
	void n8n.ended.then(() => (ended = true));
	const url = `http://127.0.0.1:${port}`;
	const ready = async () => {
		try {
			await pWaitFor(async () => ended || (await isHealthy(url, command)), {
				interval: 250,
				timeout: startTimeoutMs,
			});
			if (ended) throw new Error('n8n exited unexpectedly');
		} catch (error) {
			await n8n.end('SIGKILL');
			const text = await readFile(logFile, 'utf8').catch(() => '');
			const lastLines = text.trimEnd().split('\n').slice(-25).join('\n');
			throw new Error(`n8n did not start. Last lines of ${logFile}:\n${lastLines}`, {
				cause: error,
			});
		}
	};
	return {
		/** Waits until the REST API responds, or until a worker takes jobs. */
		ready,
		/** Resolves when n8n has ended for any reason. */
		ended: n8n.ended,
		hasEnded: () => ended,
		/** Asks n8n to end, and waits until it ends. If this takes too long, kills n8n. */
		stop: async () => await n8n.end('SIGTERM'),
		/** Kills n8n and its child processes, like a power cut. */
		kill: async () => await n8n.end('SIGKILL'),
	};
}
