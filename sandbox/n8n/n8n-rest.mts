import { parse } from 'flatted';
import pWaitFor from 'p-wait-for';
import { packageName } from '../machine/paths.mts';
import type { Login } from './login.mts';

/** A workflow as the editor exports it. */
export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[key: string]: unknown;
}

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[key: string]: unknown;
}

/** One item that a node put out. */
export interface OutputItem {
	json: Record<string, unknown>;
	binary?: Record<string, { id?: string; data: string; fileName?: string }>;
	pairedItem?: unknown;
	error?: unknown;
}

interface NodeRun {
	executionTime: number;
	error?: { message: string; description?: string };
	data?: { main?: Array<OutputItem[] | null> };
}

/** A finished execution. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	/** What a node put out on one of its outputs in its last run; empty when it did not run. */
	items(node: string, output?: number): OutputItem[];
	/** Whether the run came to that node. */
	ran(node: string): boolean;
	/** How long a node's last run took, in milliseconds. */
	msOf(node: string): number;
	/** The error of a node's last run, with its description; undefined when it had none. */
	errorOf(node: string): string | undefined;
	/** The error that stopped the workflow, or a node of it. */
	error: string | undefined;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	failedLoading?: boolean;
}

export interface NodeTypeDescription {
	name: string;
	displayName: string;
	version: number | number[];
	[key: string]: unknown;
}

interface ExecutionRecord {
	id: string;
	status: string;
	mode: string;
	finished: boolean;
	data: string;
}

interface RunResult {
	resultData: {
		error?: { message: string; description?: string };
		runData: Record<string, NodeRun[]>;
	};
}

const finalStatuses = new Set(['success', 'error', 'crashed', 'canceled']);

/** n8n's own REST API, the one its editor uses, with the owner's login. */
export class N8nRest {
	private cookie = '';

	constructor(readonly url: string) {}

	/** One request; throws with n8n's own message when it is refused. */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n ties a login to the browser it was made in.
				'browser-id': 'sandbox',
				cookie: this.cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookie = response.headers.getSetCookie().find((value) => value.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0] ?? '';
		const text = await response.text();
		if (!response.ok)
			throw new Error(`n8n refused ${method} ${path}: ${response.status} ${text.slice(0, 1000)}`);
		if (text === '') return undefined as T;
		const parsed = JSON.parse(text) as { data?: T };
		return (parsed.data === undefined ? parsed : parsed.data) as T;
	}

	/** Creates the owner account of a new n8n, or logs in to an existing one. */
	async logIn(owner: Login): Promise<void> {
		const settings = await this.request<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/rest/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			await this.request('POST', '/rest/login', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
		}
	}

	/** What Settings > Community nodes lists: the packages that n8n's own installer put there. */
	async installedPackages(): Promise<InstalledPackage[]> {
		return await this.request('GET', '/rest/community-packages');
	}

	/** The node types of our package that n8n has loaded, by their full names. */
	async loadedNodeTypes(): Promise<NodeTypeDescription[]> {
		const response = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie, 'browser-id': 'sandbox' },
		});
		if (!response.ok) throw new Error(`n8n refused its node types: ${response.status}`);
		const types = (await response.json()) as NodeTypeDescription[];
		return types.filter(({ name }) => name.startsWith(`${packageName}.`));
	}

	/** Saves a credential under its name, replacing the one that has the name already. */
	async saveCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		const all = await this.request<Credential[]>('GET', '/rest/credentials');
		const existing = all.find((credential) => credential.name === name && credential.type === type);
		return existing
			? await this.request('PATCH', `/rest/credentials/${existing.id}`, {
					id: existing.id,
					name,
					type,
					data,
				})
			: await this.request('POST', '/rest/credentials', { name, type, data });
	}

	/** Tests a saved credential with the values given, as the credential dialog does. */
	async testCredential(
		credential: Credential,
		data: Record<string, unknown>,
	): Promise<CredentialTestResult> {
		const { id, name, type } = credential;
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Saves a workflow under its name, replacing the one that has the name already. Returns its id. */
	async saveWorkflow(workflow: WorkflowJson): Promise<string> {
		const filter = encodeURIComponent(JSON.stringify({ name: workflow.name }));
		const all = await this.request<Array<{ id: string; name: string }>>(
			'GET',
			`/rest/workflows?filter=${filter}`,
		);
		const existing = all.find(({ name }) => name === workflow.name);
		const { id } = existing
			? await this.request<{ id: string }>(
					'PATCH',
					`/rest/workflows/${existing.id}?forceSave=true`,
					workflow,
				)
			: await this.request<{ id: string }>('POST', '/rest/workflows', {
					...workflow,
					active: false,
				});
		return id;
	}

	/** Switches a workflow on; n8n 2 calls it publishing. */
	async activate(workflowId: string): Promise<void> {
		const { versionId } = await this.request<{ versionId: string }>(
			'GET',
			`/rest/workflows/${workflowId}`,
		);
		await this.request('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}

	/** Runs a saved workflow from one of its triggers as the editor's button does, and waits for its end. */
	async run(workflowId: string, trigger: string, timeoutMs = 120_000): Promise<Execution> {
		const workflowData = await this.request<WorkflowJson>('GET', `/rest/workflows/${workflowId}`);
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			{
				// n8n 1 runs what it is sent, n8n 2 what it has saved; both are the same here.
				workflowData,
				triggerToStartFrom: { name: trigger },
			},
		);
		return await this.finishedExecution(executionId, timeoutMs);
	}

	/** Waits until an execution has ended and returns what it did. */
	async finishedExecution(executionId: string, timeoutMs = 120_000): Promise<Execution> {
		return await pWaitFor(
			async () => {
				const record = await this.request<ExecutionRecord>(
					'GET',
					`/rest/executions/${executionId}`,
				);
				return finalStatuses.has(record.status) ? pWaitFor.resolveWith(toExecution(record)) : false;
			},
			{
				interval: 200,
				timeout: {
					milliseconds: timeoutMs,
					message: `Execution ${executionId} did not end in ${timeoutMs} ms`,
				},
			},
		);
	}

	/** What became of the executions of a workflow so far, oldest first; at most the last 100. */
	async executionStatuses(workflowId: string): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.request<{ results: Array<{ id: string; status: string }> }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=100`,
		);
		return results.reverse();
	}

	/** The finished executions of a workflow, oldest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const all = await this.executionStatuses(workflowId);
		const ended = all.filter(({ status }) => finalStatuses.has(status));
		return await Promise.all(ended.map(async ({ id }) => await this.finishedExecution(id)));
	}

	/** Waits for the execution of a workflow that began after those known, and for its end. */
	async nextExecution(
		workflowId: string,
		known: ReadonlySet<string>,
		timeoutMs = 120_000,
	): Promise<Execution> {
		const id = await pWaitFor(
			async () => {
				const begun = await this.executionStatuses(workflowId);
				const next = begun.find((execution) => !known.has(execution.id));
				return next ? pWaitFor.resolveWith(next.id) : false;
			},
			{ interval: 200, timeout: timeoutMs },
		);
		return await this.finishedExecution(id, timeoutMs);
	}

	/** The content of a file that a workflow put out, by its id in n8n's storage. */
	async binary(id: string): Promise<Buffer> {
		const query = new URLSearchParams({ id, action: 'download' });
		const response = await fetch(`${this.url}/rest/binary-data?${query}`, {
			headers: { cookie: this.cookie, 'browser-id': 'sandbox' },
		});
		if (!response.ok) throw new Error(`n8n refused the file ${id}: ${response.status}`);
		return Buffer.from(await response.arrayBuffer());
	}
}

function inWords(error: NodeRun['error']): string | undefined {
	return error && [error.message, error.description].filter(Boolean).join(': ');
}

function toExecution(record: ExecutionRecord): Execution {
	const { resultData } = parse(record.data) as RunResult;
	const runError = Object.values(resultData.runData)
		.flat()
		.find((run) => run.error)?.error;
	const error = resultData.error ?? (record.status === 'success' ? undefined : runError);
	return {
		id: record.id,
		status: record.status,
		mode: record.mode,
		items: (node, output = 0) => resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [],
		ran: (node) => node in resultData.runData,
		msOf: (node) => resultData.runData[node]?.at(-1)?.executionTime ?? NaN,
		errorOf: (node) => inWords(resultData.runData[node]?.at(-1)?.error),
		error: inWords(error),
	};
}
