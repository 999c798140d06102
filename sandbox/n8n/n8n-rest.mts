import { parse } from 'flatted';
import pWaitFor from 'p-wait-for';
import { packageName } from '../machine/paths.mts';
import {
	inForm,
	isNumber,
	isObject,
	isText,
	isAnything,
	listOf,
	objectOf,
	optional,
	recordOf,
	type Form,
} from './form.mts';
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
}

/** Its message, and a description where it has one. */
type RunError = Record<string, unknown>;

interface NodeRun {
	executionTime: number;
	error?: RunError;
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
	/** OK or Error. */
	status: string;
	message: string;
}

export interface NodeTypeDescription {
	name: string;
	iconUrl?: unknown;
}

interface ExecutionRecord {
	id: string;
	status: string;
	mode: string;
	/** In the words of flatted, once it has ended. */
	data?: unknown;
}

interface RunResult {
	resultData: {
		error?: RunError;
		runData: Record<string, NodeRun[]>;
	};
}

/** A record of which the id is asked. */
const withId = objectOf<{ id: string }>({ id: isText });

const isCredential = objectOf<Credential>({ id: isText, name: isText, type: isText });

const isTestResult = objectOf<CredentialTestResult>({ status: isText, message: isText });

/** A workflow, as far as the sandbox looks into it. */
export const isWorkflow = objectOf<WorkflowJson>({
	name: isText,
	nodes: listOf(
		objectOf<WorkflowNode>({
			name: isText,
			type: isText,
			parameters: isObject,
			credentials: optional(
				recordOf(objectOf<{ id: string; name: string }>({ id: isText, name: isText })),
			),
		}),
	),
	connections: isObject,
	settings: optional(isObject),
});

const isOutputItem = objectOf<OutputItem>({
	json: isObject,
	binary: optional(
		recordOf(
			objectOf<{ id?: string; data: string; fileName?: string }>({
				id: optional(isText),
				data: isText,
				fileName: optional(isText),
			}),
		),
	),
});

const isExecutionRecord = objectOf<ExecutionRecord>({
	id: isText,
	status: isText,
	mode: isText,
	data: isAnything,
});

const isRunResult = objectOf<RunResult>({
	resultData: objectOf<RunResult['resultData']>({
		error: optional(isObject),
		runData: recordOf(
			listOf(
				objectOf<NodeRun>({
					executionTime: isNumber,
					error: optional(isObject),
					data: optional(objectOf<NonNullable<NodeRun['data']>>({ main: optional(isOutputs) })),
				}),
			),
		),
	}),
});

/** What stands on each output of a node, nothing where it was not used. */
function isOutputs(value: unknown): value is Array<OutputItem[] | null> {
	const isList = listOf(isOutputItem);
	return Array.isArray(value) && value.every((output) => output === null || isList(output));
}

const finalStatuses = new Set(['success', 'error', 'crashed', 'canceled']);

/** n8n's own REST API, the one its editor uses, with the owner's login. */
export class N8nRest {
	private cookie = '';

	constructor(readonly url: string) {}

	/** One request and what it gave, if anything; throws with n8n's own message when it is refused. */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
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
		if (text === '') return undefined;
		const answer: unknown = JSON.parse(text);
		return isObject(answer) && answer.data !== undefined ? answer.data : answer;
	}

	/** One request whose answer is used; throws, too, when that has another form. */
	async ask<T>(has: Form<T>, method: string, path: string, body?: unknown): Promise<T> {
		return inForm(has, await this.request(method, path, body), `n8n's answer to ${method} ${path}`);
	}

	/** Creates the owner account of a new n8n, or logs in to an existing one. */
	async logIn(owner: Login): Promise<void> {
		const { userManagement } = await this.ask(
			objectOf<{ userManagement: Record<string, unknown> }>({ userManagement: isObject }),
			'GET',
			'/rest/settings',
		);
		if (userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			await this.request('POST', '/rest/login', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
		}
	}

	/** The node types of our package that n8n has loaded, by their full names. */
	async loadedNodeTypes(): Promise<NodeTypeDescription[]> {
		const response = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie, 'browser-id': 'sandbox' },
		});
		if (!response.ok) throw new Error(`n8n refused its node types: ${response.status}`);
		const isList = listOf(objectOf<NodeTypeDescription>({ name: isText, iconUrl: isAnything }));
		const types = inForm(isList, await response.json(), "n8n's list of node types");
		return types.filter(({ name }) => name.startsWith(`${packageName}.`));
	}

	/** Saves a credential under its name, replacing the one that has the name already. */
	async saveCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		const all = await this.ask(listOf(isCredential), 'GET', '/rest/credentials');
		const existing = all.find((credential) => credential.name === name && credential.type === type);
		return existing
			? await this.ask(isCredential, 'PATCH', `/rest/credentials/${existing.id}`, {
					id: existing.id,
					name,
					type,
					data,
				})
			: await this.ask(isCredential, 'POST', '/rest/credentials', { name, type, data });
	}

	/** Tests a saved credential with the values given, as the credential dialog does. */
	async testCredential(
		credential: Credential,
		data: Record<string, unknown>,
	): Promise<CredentialTestResult> {
		const { id, name, type } = credential;
		return await this.ask(isTestResult, 'POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Saves a workflow under its name, replacing the one that has the name already. Returns its id. */
	async saveWorkflow(workflow: WorkflowJson): Promise<string> {
		const filter = encodeURIComponent(JSON.stringify({ name: workflow.name }));
		const all = await this.ask(
			listOf(objectOf<{ id: string; name: string }>({ id: isText, name: isText })),
			'GET',
			`/rest/workflows?filter=${filter}`,
		);
		const existing = all.find(({ name }) => name === workflow.name);
		const { id } = existing
			? await this.ask(withId, 'PATCH', `/rest/workflows/${existing.id}?forceSave=true`, workflow)
			: await this.ask(withId, 'POST', '/rest/workflows', {
					...workflow,
					active: false,
				});
		return id;
	}

	/** Switches a workflow on; n8n 2 calls it publishing. */
	async activate(workflowId: string): Promise<void> {
		const { versionId } = await this.ask(
			objectOf<{ versionId: string }>({ versionId: isText }),
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
		const workflowData = await this.ask(isWorkflow, 'GET', `/rest/workflows/${workflowId}`);
		const { executionId } = await this.ask(
			objectOf<{ executionId: string }>({ executionId: isText }),
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
				const record = await this.ask(isExecutionRecord, 'GET', `/rest/executions/${executionId}`);
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
		const isOne = objectOf<{ id: string; status: string }>({ id: isText, status: isText });
		const { results } = await this.ask(
			objectOf<{ results: Array<{ id: string; status: string }> }>({ results: listOf(isOne) }),
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

function inWords(error: RunError | undefined): string | undefined {
	return error && [error.message, error.description].filter(Boolean).join(': ');
}

function toExecution(record: ExecutionRecord): Execution {
	const run: unknown = parse(inForm(isText, record.data, `The data of execution ${record.id}`));
	const { resultData } = inForm(isRunResult, run, `Execution ${record.id}`);
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
