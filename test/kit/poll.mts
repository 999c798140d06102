import { PollContext } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { TestCredentialsHelper } from './credentials.mts';
import { additionalData, loadPackage, nodeOf } from './engine.mts';
import { parseAs } from './typed.mts';

export type Scheduling = 'inProcess' | 'tasks' | 'durableCursors';

export type HostOptions = {
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	/**
	 * How n8n runs polls. By default, all polls run in n8n's process and share one workflow object. In n8n 2, each poll can
	 * be a task that loads the workflow from the database (`tasks`). `durableCursors` are tasks with durable poll cursors.
	 */
	scheduling?: Scheduling;
	workflowId?: string;
	/** How often n8n tries to activate the trigger. By default, as often as the installed n8n. */
	attempts?: number;
	/** What differs from the usual node: its ID, name or credential. */
	node?: Partial<INode>;
	/** Replaces HTTP: returns the status, headers and body of the response to a request. */
	respond?: (request: IHttpRequestOptions) => IDataObject | Promise<IDataObject>;
};

/** The ways in which the installed n8n can run polls; n8n 1 has no tasks. */
export const schedulings: Scheduling[] = ['inProcess'];
// Only n8n 2's PollContext has its own version of this method, for durable cursors.
export const isVersion2 = Object.hasOwn(PollContext.prototype, 'getWorkflowStaticData');
if (isVersion2) schedulings.push('tasks', 'durableCursors');

/** How often n8n tries to activate a trigger. The attempts of n8n 2.41.1 (`retryTriggerActivation`) share one workflow object. */
const ATTEMPTS = isVersion2 ? 5 : 1;

/**
 * Simulates the part of n8n that runs a polling trigger, using n8n's own PollContext. It saves and loses the same state as
 * n8n (ActiveWorkflows of n8n 1.123.81; ActiveWorkflowTriggers, PollTriggerExecutor,
 * TriggerExecutionContextFactory and PollTriggerTaskHandler of n8n 2.41.1). Plain static data is saved after the first
 * poll of an activation and with each emission. A durable cursor is saved after each poll, except after the first poll of
 * an activation if that poll emits no items.
 */
export class TriggerHost {
	/** n8n's database, which survives a kill. */
	database: { staticData: string; cursor?: string } = { staticData: '{}' };
	/** The items of each execution. */
	executions: IDataObject[][] = [];
	private workflow: Workflow | undefined;
	private mode: WorkflowActivateMode = 'activate';
	/**
	 * Counts activations and kills. n8n 2 discards the result of a poll that began before the last one. n8n 1 emits it
	 * and saves its static data, unless n8n was killed.
	 */
	private activation = 0;
	private kills = 0;

	constructor(readonly options: HostOptions) {}

	/** All items of all executions. */
	get items(): IDataObject[] {
		return this.executions.flat();
	}

	/** Activates the workflow and runs its first poll. @throws the error of that poll, in which case nothing is saved */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		this.mode = mode;
		const activation = ++this.activation;
		const { kills } = this;
		const workflow = await this.load();
		for (let attempt = 1; ; attempt++) {
			try {
				await this.run(workflow, true);
				break;
			} catch (error) {
				if (attempt === (this.options.attempts ?? ATTEMPTS)) throw error;
			}
		}
		if (this.isDiscarded(activation, kills)) return;
		if (activation === this.activation) this.workflow = workflow;
		this.save(workflow);
	}

	/** Runs one scheduled poll. */
	async poll(): Promise<void> {
		if (!this.workflow) throw new Error('The workflow is not active');
		const isTask = (this.options.scheduling ?? 'inProcess') !== 'inProcess';
		if (isTask) this.mode = 'update';
		await this.run(isTask ? await this.load() : this.workflow, false);
	}

	/**
	 * Kills n8n: only the database survives. The node keeps its memory by workflow ID, so a new ID clears it.
	 *
	 * @param losesMemory false if the workflow is only taken down
	 */
	kill(losesMemory = true): void {
		this.workflow = undefined;
		this.activation++;
		if (losesMemory) this.kills++;
	}

	async restart(): Promise<void> {
		this.kill();
		await this.activate('init');
	}

	/** Runs the trigger as the editor's Fetch Test Event does. @throws if it changes the state */
	async sample(): Promise<IDataObject[]> {
		const workflow = await this.load();
		const items = await this.callPoll(workflow, 'manual');
		if (workflow.staticData.__dataChanged === true) throw new Error('The sample changed the state');
		return (items?.[0] ?? []).map(({ json }) => json);
	}

	private async run(workflow: Workflow, isFirst: boolean): Promise<void> {
		const { activation, kills, database } = this;
		const isDurable = this.options.scheduling === 'durableCursors';
		const node = workflow.getNode(this.node.name) ?? undefined;
		if (isDurable) database.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
		const before = database.cursor;
		const cursor = before === undefined ? undefined : parseAs<IDataObject>(before);
		const items = await this.callPoll(workflow, 'trigger', cursor);
		if (this.isDiscarded(activation, kills)) return;
		// An unchanged cursor is not saved, because another poll may have saved a newer one.
		const changed = cursor && JSON.stringify(cursor);
		if (changed !== before && (items || !isFirst)) database.cursor = changed;
		if (!items) return;
		this.save(workflow);
		this.executions.push((items[0] ?? []).map(({ json }) => json));
	}

	private get node(): INode {
		return { ...nodeOf('messagingServiceTrigger', this.options.parameters), ...this.options.node };
	}

	private isDiscarded(activation: number, kills: number): boolean {
		return isVersion2 ? activation !== this.activation : kills !== this.kills;
	}

	private save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.database.staticData = JSON.stringify(workflow.staticData);
		workflow.staticData.__dataChanged = false;
	}

	private async load(): Promise<Workflow> {
		const { nodeTypes } = await loadPackage();
		const { workflowId = 'trigger-workflow' } = this.options;
		return new Workflow({
			id: this.kills === 0 ? workflowId : `${workflowId} ${this.kills}`,
			nodes: [this.node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: parseAs<IDataObject>(this.database.staticData),
			settings: { timezone: 'Europe/Berlin' },
		});
	}

	private async callPoll(
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		cursor?: IDataObject,
	): Promise<INodeExecutionData[][] | null> {
		const { credentialType, node } = await loadPackage();
		const { credential, respond } = this.options;
		const context = new PollContext(
			workflow,
			this.node,
			additionalData(new TestCredentialsHelper(credentialType, credential)),
			mode,
			this.mode,
			...[undefined, undefined, undefined, undefined],
			cursor && (() => cursor),
		);
		if (respond)
			context.helpers.httpRequestWithAuthentication = async (_credential, request) =>
				respond(request);
		const trigger = node('messagingServiceTrigger');
		if (!trigger.poll) throw new Error('The node does not poll');
		return await trigger.poll.call(context);
	}
}
