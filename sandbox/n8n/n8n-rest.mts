import { parse } from 'flatted';
import pWaitFor from 'p-wait-for';
import { z } from 'zod';
import { packageName } from '../machine/paths.mts';
import type { Login } from './login.mts';

const anyFields = z.record(z.unknown());

const node = z
	.object({
		name: z.string(),
		type: z.string(),
		parameters: anyFields,
		credentials: z.record(z.object({ id: z.string(), name: z.string() })).optional(),
	})
	.passthrough();

/** A workflow as the editor exports it. */
export const workflowSchema = z
	.object({
		name: z.string(),
		nodes: z.array(node),
		connections: anyFields,
		settings: anyFields.optional(),
	})
	.passthrough();

const credential = z.object({ id: z.string(), name: z.string(), type: z.string() });

/** The `status` is OK or Error. */
const credentialTestResult = z.object({ status: z.string(), message: z.string() });

const nodeTypeDescription = z.object({ name: z.string(), iconUrl: z.unknown() });

/** One item that a node put out. */
const outputItem = z.object({
	json: anyFields,
	binary: z
		.record(
			z.object({ id: z.string().optional(), data: z.string(), fileName: z.string().optional() }),
		)
		.optional(),
});

const executionSummary = z.object({ id: z.string(), status: z.string() });

/** An execution with its run, in flatted's format, once it has ended. */
const executionRecord = executionSummary.extend({ mode: z.string(), data: z.unknown() });

/** What a run holds of each node: the items of each of its outputs, or null where it did not use the output. */
const runData = z.object({
	resultData: z.object({
		error: anyFields.optional(),
		runData: z.record(
			z.array(
				z.object({
					executionTime: z.number(),
					error: anyFields.optional(),
					data: z.object({ main: z.array(z.array(outputItem).nullable()).optional() }).optional(),
				}),
			),
		),
	}),
});

const withId = z.object({ id: z.string() });

export type WorkflowJson = z.infer<typeof workflowSchema>;
export type WorkflowNode = z.infer<typeof node>;
export type Credential = z.infer<typeof credential>;
export type OutputItem = z.infer<typeof outputItem>;

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
		const content: unknown = JSON.parse(text);
		const wrapped = z.object({ data: z.unknown() }).safeParse(content);
		return wrapped.data?.data ?? content;
	}

	/** One request whose response is used; throws also when that does not match the schema. */
	async ask<T>(schema: z.Schema<T>, method: string, path: string, body?: unknown): Promise<T> {
		return schema.parse(await this.request(method, path, body), { path: [`${method} ${path}`] });
	}

	/** Creates the owner account of a new n8n, or logs in to an existing one. */
	async logIn(owner: Login): Promise<void> {
		const { userManagement } = await this.ask(
			z.object({ userManagement: anyFields }),
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
	async loadedNodeTypes(): Promise<z.infer<typeof nodeTypeDescription>[]> {
		const response = await fetch(`${this.url}/types/nodes.json`, {
			headers: { cookie: this.cookie, 'browser-id': 'sandbox' },
		});
		if (!response.ok) throw new Error(`n8n refused its node types: ${response.status}`);
		const types = z.array(nodeTypeDescription).parse(await response.json());
		return types.filter(({ name }) => name.startsWith(`${packageName}.`));
	}

	/** Saves a credential under its name, replacing the one that has the name already. */
	async saveCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		const all = await this.ask(z.array(credential), 'GET', '/rest/credentials');
		const existing = all.find((one) => one.name === name && one.type === type);
		return existing
			? await this.ask(credential, 'PATCH', `/rest/credentials/${existing.id}`, {
					id: existing.id,
					name,
					type,
					data,
				})
			: await this.ask(credential, 'POST', '/rest/credentials', { name, type, data });
	}

	/** Tests a saved credential with the values given, as the credential dialog does. */
	async testCredential(
		{ id, name, type }: Credential,
		data: Record<string, unknown>,
	): Promise<z.infer<typeof credentialTestResult>> {
		return await this.ask(credentialTestResult, 'POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Saves a workflow under its name, replacing the one that has the name already. Returns its id. */
	async saveWorkflow(workflow: WorkflowJson): Promise<string> {
		const filter = encodeURIComponent(JSON.stringify({ name: workflow.name }));
		const all = await this.ask(
			z.array(withId.extend({ name: z.string() })),
			'GET',
			`/rest/workflows?filter=${filter}`,
		);
		const existing = all.find(({ name }) => name === workflow.name);
		const { id } = existing
			? await this.ask(withId, 'PATCH', `/rest/workflows/${existing.id}?forceSave=true`, workflow)
			: await this.ask(withId, 'POST', '/rest/workflows', { ...workflow, active: false });
		return id;
	}

	/** Switches a workflow on; n8n 2 calls it publishing. */
	async activate(workflowId: string): Promise<void> {
		const { versionId } = await this.ask(
			z.object({ versionId: z.string() }),
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
		const workflowData = await this.ask(workflowSchema, 'GET', `/rest/workflows/${workflowId}`);
		const { executionId } = await this.ask(
			z.object({ executionId: z.string() }),
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
				const record = await this.ask(executionRecord, 'GET', `/rest/executions/${executionId}`);
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
	async executionStatuses(workflowId: string): Promise<z.infer<typeof executionSummary>[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.ask(
			z.object({ results: z.array(executionSummary) }),
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

function messageOf(error: z.infer<typeof anyFields> | undefined): string | undefined {
	return error && [error.message, error.description].filter(Boolean).join(': ');
}

function toExecution({ id, status, mode, data }: z.infer<typeof executionRecord>): Execution {
	const { resultData } = runData.parse(parse(z.string().parse(data)));
	const runError = Object.values(resultData.runData)
		.flat()
		.find((run) => run.error)?.error;
	const lastRun = (name: string) => resultData.runData[name]?.at(-1);
	return {
		id,
		status,
		mode,
		items: (name, output = 0) => lastRun(name)?.data?.main?.[output] ?? [],
		ran: (name) => name in resultData.runData,
		msOf: (name) => lastRun(name)?.executionTime ?? NaN,
		errorOf: (name) => messageOf(lastRun(name)?.error),
		error: messageOf(resultData.error ?? (status === 'success' ? undefined : runError)),
	};
}
