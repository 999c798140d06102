import { createRequire } from 'node:module';
import { join } from 'node:path';
import pWaitFor from 'p-wait-for';
import { z } from 'zod';
import { n8nFolder, type N8nLine } from '../machine/paths.mts';
import { localFetch } from './local-fetch.mts';
import type { Login } from './login.mts';

type Flatted = { parse: (text: string) => unknown };

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
	.object({ name: z.string(), nodes: z.array(node), connections: anyFields })
	.passthrough();

const credential = z.object({ id: z.string(), name: z.string(), type: z.string() });

/** The `status` is OK or Error. */
const credentialTestResult = z.object({ status: z.string(), message: z.string() });

const outputItem = z.object({
	json: anyFields,
	binary: z.record(z.object({ id: z.string(), fileName: z.string() }).partial()).optional(),
});

const executionSummary = z.object({ id: z.string(), status: z.string() });

/** The runs of each node, each with the items of each output. An unused output is null. */
const runData = z.object({
	resultData: z.object({
		error: anyFields.optional(),
		runData: z.record(
			z.array(
				z.object({
					error: anyFields.optional(),
					data: z.object({ main: z.array(z.array(outputItem).nullable()).optional() }).optional(),
				}),
			),
		),
	}),
});

const withId = z.object({ id: z.string() });
const namedList = z.array(withId.extend({ name: z.string() }));

export type WorkflowJson = z.infer<typeof workflowSchema>;
export type WorkflowNode = z.infer<typeof node>;
export type Credential = z.infer<typeof credential>;

/** A finished execution. */
export type Execution = ReturnType<typeof toExecution>;

/** Only against an execution that never ends: a busy machine may need minutes. */
const executionTimeoutMs = 600_000;
const finalStatuses = new Set(['success', 'error', 'crashed', 'canceled']);

/** A client of the REST API that n8n's editor uses, logged in as the owner. */
export class N8nRest {
	private cookie = '';

	private readonly flatted: Flatted;

	constructor(
		readonly url: string,
		line: N8nLine,
		private readonly hasEnded: () => boolean,
	) {
		// n8n writes the data of a finished execution with its own copy of this npm package.
		this.flatted = createRequire(join(n8nFolder(line), 'package.json'))('flatted') as Flatted;
	}

	/** Sends a request and returns the data of the response. @throws n8n's message if n8n refuses the request */
	async request(method: string, path: string, body?: unknown): Promise<unknown> {
		const headers = {
			'content-type': 'application/json',
			// n8n accepts a login only from the browser that logged in.
			'browser-id': 'local-n8n',
			cookie: this.cookie,
		};
		const { response, text } = await localFetch(
			`${this.url}${path}`,
			{ method, headers, body: JSON.stringify(body) },
			this.hasEnded,
		);
		const cookie = response.headers.getSetCookie().find((value) => value.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0] ?? '';
		if (!response.ok)
			throw new Error(`n8n refused ${method} ${path}: ${response.status} ${text.slice(0, 1000)}`);
		if (text === '') return undefined;
		const content: unknown = JSON.parse(text);
		const wrapped = z.object({ data: z.unknown() }).safeParse(content);
		return wrapped.data?.data ?? content;
	}

	/** Sends a request like `request`. @throws also if the data does not match the schema */
	async ask<T>(schema: z.Schema<T>, method: string, path: string, body?: unknown): Promise<T> {
		return schema.parse(await this.request(method, path, body), { path: [`${method} ${path}`] });
	}

	/** Creates the owner account of a new n8n, or logs in to an existing one. */
	async logIn(owner: Login): Promise<void> {
		const settings = z.object({ userManagement: anyFields });
		const { userManagement } = await this.ask(settings, 'GET', '/rest/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** Saves a credential. If one has the same name and type, replaces it. */
	async saveCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<Credential> {
		const path = '/rest/credentials';
		const all = await this.ask(z.array(credential), 'GET', path);
		const existing = all.find((one) => one.name === name && one.type === type);
		const body = { ...existing, name, type, data };
		return existing
			? await this.ask(credential, 'PATCH', `${path}/${existing.id}`, body)
			: await this.ask(credential, 'POST', path, body);
	}

	/** Tests a saved credential with these values, as the credential dialog does. */
	async testCredential(
		{ id, name, type }: Credential,
		data: Record<string, unknown>,
	): Promise<z.infer<typeof credentialTestResult>> {
		const credentials = { id, name, type, data };
		return await this.ask(credentialTestResult, 'POST', '/rest/credentials/test', { credentials });
	}

	/** Returns the ID of the workflow with this name, if there is one. */
	async workflowNamed(wanted: string): Promise<string | undefined> {
		const filter = encodeURIComponent(JSON.stringify({ name: wanted }));
		const all = await this.ask(namedList, 'GET', `/rest/workflows?filter=${filter}`);
		return all.find(({ name }) => name === wanted)?.id;
	}

	async workflow(id: string): Promise<WorkflowJson> {
		return await this.ask(workflowSchema, 'GET', `/rest/workflows/${id}`);
	}

	/** Creates a workflow. Returns its ID. */
	async createWorkflow(workflow: WorkflowJson): Promise<string> {
		const body = { ...workflow, active: false, tags: [] };
		return (await this.ask(withId, 'POST', '/rest/workflows', body)).id;
	}

	async updateWorkflow(id: string, workflow: WorkflowJson): Promise<void> {
		await this.request('PATCH', `/rest/workflows/${id}?forceSave=true`, workflow);
	}

	/** Saves a workflow. If one has the same name, replaces it. Returns the ID of the workflow. */
	async saveWorkflow(workflow: WorkflowJson): Promise<string> {
		const id = await this.workflowNamed(workflow.name);
		if (id === undefined) return await this.createWorkflow(workflow);
		await this.updateWorkflow(id, workflow);
		return id;
	}

	/** Activates a workflow. n8n 2 calls this publishing. */
	async activate(workflowId: string): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		const { versionId } = await this.ask(z.object({ versionId: z.string() }), 'GET', path);
		await this.request('POST', `${path}/activate`, { versionId });
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}

	/** Runs a saved workflow from a trigger, as the editor's button does, and waits for its end. */
	async run(workflowId: string, trigger: string): Promise<Execution> {
		const path = `/rest/workflows/${workflowId}`;
		const started = z.object({ executionId: z.string() });
		const { executionId } = await this.ask(started, 'POST', `${path}/run`, {
			// n8n 1 runs this data, and n8n 2 runs the saved workflow. Here, both are the same.
			workflowData: await this.workflow(workflowId),
			triggerToStartFrom: { name: trigger },
		});
		return await this.finishedExecution(executionId);
	}

	private async finishedExecution(executionId: string): Promise<Execution> {
		const record = executionSummary.extend({ data: z.unknown() });
		const path = `/rest/executions/${executionId}`;
		return await pWaitFor(
			async () => {
				const execution = await this.ask(record, 'GET', path);
				if (!finalStatuses.has(execution.status)) return false;
				return pWaitFor.resolveWith(toExecution(execution, this.flatted));
			},
			{
				interval: 200,
				timeout: { milliseconds: executionTimeoutMs, message: `${path} did not end` },
			},
		);
	}

	/** Returns the IDs and statuses of the last executions of a workflow, at most 100, oldest first. */
	async executionStatuses(workflowId: string): Promise<z.infer<typeof executionSummary>[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.ask(
			z.object({ results: z.array(executionSummary) }),
			'GET',
			`/rest/executions?filter=${filter}&limit=100`,
		);
		return results.reverse();
	}

	/** Returns the finished executions of a workflow, oldest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const all = await this.executionStatuses(workflowId);
		const ended = all.filter(({ status }) => finalStatuses.has(status));
		return await Promise.all(ended.map(async ({ id }) => await this.finishedExecution(id)));
	}

	/**
	 * Waits for a new execution of the workflow, and until it ends. `known` contains the IDs of the old executions.
	 *
	 * @throws if none starts in time
	 */
	async nextExecution(
		workflowId: string,
		known: ReadonlySet<string>,
		milliseconds = executionTimeoutMs,
	): Promise<Execution> {
		const id = await pWaitFor(
			async () => {
				const all = await this.executionStatuses(workflowId);
				const next = all.find((execution) => !known.has(execution.id));
				return next ? pWaitFor.resolveWith(next.id) : false;
			},
			{ interval: 200, timeout: { milliseconds, message: `${workflowId} did not start` } },
		);
		return await this.finishedExecution(id);
	}
}

function toExecution(
	{ id, status, data }: { id: string; status: string; data?: unknown },
	flatted: Flatted,
) {
	const { resultData } = runData.parse(flatted.parse(z.string().parse(data)));
	const runs = Object.values(resultData.runData).flat();
	const error =
		resultData.error ?? (status === 'success' ? undefined : runs.find((run) => run.error)?.error);
	return {
		id,
		status,
		/** Returns the first output of a node in its last run. For a node that did not run, the output is empty. */
		items: (name: string) => resultData.runData[name]?.at(-1)?.data?.main?.[0] ?? [],
		ran: (name: string) => name in resultData.runData,
		/** The message of the error that stopped the workflow or one of its nodes. */
		error: error && [error.message, error.description].filter(Boolean).join(': '),
	};
}
