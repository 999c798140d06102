import {
	ExecuteContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PackageDirectoryLoader,
	RoutingNode,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	Workflow,
	type ExecutionStatus,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	type IPinData,
	type IRunExecutionData,
	type IVersionedNodeType,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeApiError,
	type NodeExecutionHint,
	type NodeOperationError,
} from 'n8n-workflow';

import { TestCredentialsHelper } from './credentials.mts';
import { only, parseAs } from './typed.mts';

export const PACKAGE = 'n8n-nodes-messaging-service';

let loaded: ReturnType<typeof load> | undefined;

/**
 * In `npm run mutation`, tests use the sources, because Stryker changes only the sources. The sources load before the first
 * test.
 */
const sources = process.env.MUTATION ? importSources() : undefined;

/**
 * Loads the built package, or the package in PACKAGE_FOLDER, with n8n-core's PackageDirectoryLoader. Each test file loads
 * the package once.
 */
export async function loadPackage() {
	return await (loaded ??= load());
}

async function load() {
	const { nodes, credentialType } = await (sources ?? loadBuild());
	const node = (name: string): INodeType => {
		const found = nodes[name];
		if (!found || !('description' in found) || 'nodeVersions' in found) {
			throw new Error(`The package has no node ${name}`);
		}
		return found;
	};
	const byType = (type: string): INodeType => node(type.replace(`${PACKAGE}.`, ''));
	const nodeTypes = nodeTypesOf(byType);
	if (!credentialType) throw new Error('The package has no credential messagingServiceApi');
	return { nodeTypes, node, credentialType };
}

type Classes = {
	nodes: Partial<Record<string, INodeType | IVersionedNodeType>>;
	credentialType?: ICredentialType;
};

async function loadBuild(): Promise<Classes> {
	const loader = new PackageDirectoryLoader(process.env.PACKAGE_FOLDER ?? process.cwd());
	await loader.loadAll();
	const nodes = Object.entries(loader.nodeTypes).map(([name, { type }]) => [name, type] as const);
	return {
		nodes: Object.fromEntries(nodes),
		credentialType: loader.credentialTypes.messagingServiceApi?.type,
	};
}

async function importSources(): Promise<Classes> {
	const [{ MessagingService }, { MessagingServiceTrigger }, { MessagingServiceApi }] =
		await Promise.all([
			import('../../nodes/MessagingService/MessagingService.node.ts'),
			import('../../nodes/MessagingServiceTrigger/MessagingServiceTrigger.node.ts'),
			import('../../credentials/MessagingServiceApi.credentials.ts'),
		]);
	const nodes = {
		messagingService: new MessagingService(),
		messagingServiceTrigger: new MessagingServiceTrigger(),
	};
	return { nodes, credentialType: new MessagingServiceApi() };
}

export type RunOptions = {
	/** Data of the credential: `{ baseUrl, authentication, accessKey … }`. */
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	/** Input items. The default is one empty item. */
	items?: INodeExecutionData[];
	/** The input items of further runs of the node in the same execution, as of a second incoming branch. */
	moreRuns?: INodeExecutionData[][];
	/** IANA name of the workflow's time zone. */
	timezone?: string;
	/** Whether n8n 2 keeps files in the JSON of an item (`_files`). n8n 1 does not have this setting. */
	binaryMode?: IWorkflowSettings['binaryMode'];
	onError?: INode['onError'];
	/** Other settings of the node, such as Retry On Fail, or another name. */
	settings?: Partial<INode>;
	/** A node of another package. This node runs instead of our node, but with our credential. */
	otherNode?: { nodeType: INodeType; type: string; typeVersion: number };
	/** Runs the node as a tool of an AI agent: by the routing in its description, without our runner. */
	asTool?: boolean;
	/** Receives a function that cancels the execution, as the editor's Stop button does. */
	onStart?: (cancel: () => void) => void;
};

export type RunResult = {
	/** Items of the first output. Empty if the node failed. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errorItems: INodeExecutionData[];
	json: Array<INodeExecutionData['json']>;
	error?: NodeApiError | NodeOperationError;
	databaseWrites: number;
	/** Hints that the node shows above its output. */
	hints: NodeExecutionHint[];
	/** The status with which n8n lists the execution. */
	status: ExecutionStatus;
	/** The data of the execution that n8n stores. */
	execution: IRunExecutionData;
};

/** Runs the node in n8n's real engine, WorkflowExecute, over real HTTP. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { credential, parameters, items = [{ json: {} }] } = options;
	const { timezone = 'Europe/Berlin', binaryMode, asTool, otherNode } = options;
	const { nodeTypes: ours, node: ownNode, credentialType } = await loadPackage();
	const replaced =
		otherNode?.nodeType ?? (asTool ? withoutRunner(ownNode('messagingService')) : undefined);
	const nodeTypes = replaced ? nodeTypesOf(() => replaced) : ours;
	const helper = new TestCredentialsHelper(credentialType, credential);
	const { onError, settings } = options;
	const node = { ...nodeOf('messagingService', parameters), onError, ...settings };
	if (asTool) node.type += 'Tool';
	if (otherNode) Object.assign(node, { type: otherNode.type, typeVersion: otherNode.typeVersion });
	const workflow = workflowOf(node, nodeTypes, { executionOrder: 'v1', timezone, binaryMode });
	const started = executionFrom(node, items);
	for (const more of options.moreRuns ?? [])
		started.executionData?.nodeExecutionStack.push({ node, data: { main: [more] }, source: null });
	const engine = new WorkflowExecute(additionalData(helper), 'manual', started);
	const running = engine.processRunExecutionData(workflow);
	options.onStart?.(() => running.cancel());
	const { data, status } = await running;
	const taskData = data.resultData.runData[node.name]?.[0];
	const output = taskData?.data?.main ?? [];
	const result: RunResult = {
		items: output[0] ?? [],
		errorItems: output[1] ?? [],
		json: (output[0] ?? []).map(({ json }) => json),
		databaseWrites: helper.databaseWrites,
		hints: taskData?.hints ?? [],
		status,
		execution: data,
	};
	const error = taskData?.error ?? data.resultData.error;
	if (error && 'description' in error) Object.assign(result, { error });
	else if (error) throw new Error(`The engine failed: ${JSON.stringify(error)}`, { cause: error });
	return result;
}

/**
 * Returns the node type in the form that n8n runs as a tool. The `execute` of a tool calls n8n's RoutingNode instead of
 * our runner (NodeTypes of n8n 1.123.81 and 2.41.1).
 */
function withoutRunner(nodeType: INodeType): INodeType {
	return only<INodeType>(
		{
			customOperations: undefined,
			async execute() {
				if (!(this instanceof ExecuteContext)) throw new Error('n8n passes another context');
				return (await new RoutingNode(this, nodeType).runNode()) ?? [];
			},
		},
		nodeType,
	);
}

/** Returns the data of an execution that begins at a node with these items. */
export function executionFrom(
	node: INode,
	items: INodeExecutionData[],
	pinData?: IPinData,
): IRunExecutionData {
	return only<IRunExecutionData>({
		version: 1,
		startData: {},
		resultData: { runData: {}, pinData },
		executionData: {
			contextData: {},
			nodeExecutionStack: [{ node, data: { main: [items] }, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	});
}

export function nodeTypesOf(byType: (type: string, version?: number) => INodeType): INodeTypes {
	return { getByName: byType, getByNameAndVersion: byType, getKnownTypes: () => ({}) };
}

function workflowOf(node: INode, nodeTypes: INodeTypes, settings: IWorkflowSettings = {}) {
	const workflow = { id: 'test-workflow', nodes: [node], connections: {}, active: false };
	return new Workflow({ ...workflow, nodeTypes, settings });
}

/** Returns the node as a saved workflow contains it. */
export function nodeOf(type: string, parameters: INodeParameters): INode {
	return {
		id: 'node-1',
		name: 'Messaging Service',
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { messagingServiceApi: { id: '1', name: 'Test' } },
	};
}

/** The data that n8n passes to every execution, limited to what the engine reads in these tests. */
export function additionalData(helper: TestCredentialsHelper): IWorkflowExecuteAdditionalData {
	const executionId = 'test-execution';
	const workflow = only<IWorkflowBase>({ id: 'test-workflow', name: 'Test' });
	return only<IWorkflowExecuteAdditionalData>({
		credentialsHelper: helper,
		hooks: new ExecutionLifecycleHooks('manual', executionId, workflow),
		executionId,
		webhookWaitingBaseUrl: 'http://n8n.example/webhook-waiting',
		variables: {},
	});
}

/** A request to the link of a waiting node. */
export type Visit = {
	credential: ICredentialDataDecryptedObject;
	/** The execution as it was stored when the node began to wait. */
	execution: IRunExecutionData;
	query: Record<string, string>;
	/** The submitted form. Without a form, the request opens the page. */
	form?: object;
	name?: string;
	/** Receives the lines of n8n's log. */
	onLog?: (line: string) => void;
};

/**
 * Opens the link of a waiting Send and Wait, or submits its form, as n8n's webhook server does. Returns the page with its
 * status and headers, whether the execution resumes, and the output item.
 */
export async function visitLink({ credential, execution, query, form, name, onLog }: Visit) {
	const { nodeTypes, node: ownNode, credentialType } = await loadPackage();
	const node = { ...nodeOf('messagingService', {}), ...(name !== undefined && { name }) };
	const sent: unknown[] = [];
	const response = {
		status: (code: number) => (sent.push(code), response),
		set: (headers: object) => (sent.push(headers), response),
		send: (html: unknown) => sent.push(html),
	};
	const data = additionalData(new TestCredentialsHelper(credentialType, credential));
	Object.assign(data, {
		httpRequest: { method: form === undefined ? 'GET' : 'POST', query, body: form },
		httpResponse: response,
	});
	const stored = parseAs<IRunExecutionData>(JSON.stringify(execution));
	const webhookData = only<IWebhookData>({ node: node.name, path: '', httpMethod: 'POST' });
	const workflow = workflowOf(node, nodeTypes);
	const context = new WebhookContext(workflow, node, data, 'manual', webhookData, [], stored);
	const log = (line: string) => onLog?.(line);
	Object.defineProperty(context, 'logger', { value: { info: log, warn: log, error: log } });
	const result: IWebhookResponseData | undefined =
		await ownNode('messagingService').webhook?.call(context);
	if (!result) throw new Error('The node has no webhook');
	const { workflowData } = result;
	const output: INodeExecutionData | undefined = workflowData?.[0]?.[0];
	return {
		...{ status: sent[0], headers: sent[1], html: String(sent[2] ?? result.webhookResponse) },
		resumed: workflowData !== undefined,
		output,
	};
}

/** Continues a waiting execution when its time limit ends, as n8n does. Returns what the node outputs then. */
export async function endWait(
	execution: IRunExecutionData,
	credential: ICredentialDataDecryptedObject = {},
): Promise<INodeExecutionData[]> {
	const { nodeTypes, credentialType } = await loadPackage();
	const stored = parseAs<IRunExecutionData>(JSON.stringify(execution));
	const [waiting] = stored.executionData?.nodeExecutionStack ?? [];
	if (!waiting) throw new Error('The execution does not wait');
	const data = additionalData(new TestCredentialsHelper(credentialType, credential));
	const workflow = workflowOf(waiting.node, nodeTypes, { executionOrder: 'v1' });
	const ended = await new WorkflowExecute(data, 'manual', stored).processRunExecutionData(workflow);
	const runs = ended.data.resultData.runData[waiting.node.name];
	return runs?.at(-1)?.data?.main?.[0] ?? [];
}

/** Returns the Request Options for batches of this size. */
export const batching = (batchSize: number, batchInterval = 0): INodeParameters => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

/** Returns a resource locator as a saved workflow contains it. */
export function locator(
	value: string,
	mode: 'id' | 'list' | 'url' | 'name' = 'id',
): INodeParameters {
	return { __rl: true, mode, value };
}

/** Opens a searchable drop-down list as n8n's server does. */
export async function searchList(
	method: string,
	credential: ICredentialDataDecryptedObject,
	{ filter, paginationToken, parameters = {} }: ListRequest = {},
): Promise<INodeListSearchResult> {
	const { context, node } = await editorContext(ownAccount(credential), parameters);
	const search = node.methods?.listSearch?.[method];
	if (!search) throw new Error(`The node has no list search ${method}`);
	return await search.call(context, filter, paginationToken);
}

/** Opens a drop-down list of options. */
export async function loadOptions(
	method: string,
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters = {},
	type?: string,
): Promise<INodePropertyOptions[]> {
	const { context, node } = await editorContext(ownAccount(credential), parameters, type);
	const load = node.methods?.loadOptions?.[method];
	if (!load) throw new Error(`The node has no load options ${method}`);
	return await load.call(context);
}

type ListRequest = { filter?: string; paginationToken?: string; parameters?: INodeParameters };

/** Returns the context in which n8n loads a drop-down list, and the node. */
export async function editorContext(
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters = {},
	type = 'messagingService',
) {
	const { nodeTypes, node, credentialType } = await loadPackage();
	const workflowNode = nodeOf(type, parameters);
	const workflow = workflowOf(workflowNode, nodeTypes);
	const data = additionalData(new TestCredentialsHelper(credentialType, credential));
	data.currentNodeParameters = parameters;
	return { context: new LoadOptionsContext(workflow, workflowNode, data, ''), node: node(type) };
}

/** Returns a credential that only the current test uses, because drop-down lists are cached for a minute. */
function ownAccount(credential: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	const unused = credential.authentication === 'accessKey' ? 'clientId' : 'accessKey';
	return { ...credential, [unused]: expect.getState().currentTestName ?? '' };
}
