import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { WorkflowExecute } from 'n8n-core';
import {
	NodeHelpers,
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPinData,
	type IVersionedNodeType,
} from 'n8n-workflow';

import { TestCredentialsHelper } from './credentials.mts';
import { additionalData, executionFrom, loadPackage, nodeTypesOf, PACKAGE } from './engine.mts';
import { only, parseAs } from './typed.mts';

/** A workflow file of `examples`. */
export type Recipe = {
	name: string;
	nodes: INode[];
	connections: IConnections;
	pinData?: IPinData;
};

export const readRecipe = (file: string): Recipe =>
	parseAs<Recipe>(readFileSync(join('examples', file), 'utf8'));

/** The names of all recipe files. */
export const recipeFiles = readdirSync('examples').filter((file) => file.endsWith('.json'));

/** Returns a function that gives a recipe this HR export, in a folder of this name. Recipes may read only from this folder. */
export function useHrExport(folderName: string) {
	const path = join(process.env.N8N_USER_FOLDER ?? '', folderName);
	process.env.N8N_RESTRICT_FILE_ACCESS_TO = path;
	beforeAll(() => mkdirSync(path, { recursive: true }));
	return (recipe: Recipe, content: string | Buffer) => {
		const file = join(path, 'employees.csv');
		writeFileSync(file, content);
		parametersIn(recipe, 'Read HR export').fileSelector = file;
	};
}

/** Pins the approval in "Groups of all departments". As imported, the pinned response declines. */
export function approve(recipe: Recipe): void {
	recipe.pinData = {
		...recipe.pinData,
		'Ask the approver': [{ json: { data: { approved: true } } }],
	};
}

/** The line of this engine. */
const n8nLine = require.resolve('n8n-core').includes('n8n-core-v1') ? '1' : '2';
/** The folder of n8n's own nodes. Only the end-to-end tests install them. */
const folder = join(process.cwd(), 'local-n8n', `n8n-${n8nLine}`, 'node_modules', 'n8n-nodes-base');

/** `describe` if n8n's own nodes are installed, completely. */
export const withN8nNodes = existsSync(join(folder, '..', '.installed')) ? describe : describe.skip;

/**
 * Nodes that reach beyond n8n, or wait. In a test, they pass their input on, or their output is pinned. A mail node outputs its mail,
 * and a file transfer fails.
 */
const REPLACED = /\.(dataTable|emailSend|wait|bambooHr|googleSheets|microsoftEntra|ftp|n8n)$/;
const mailFields = ['subject', 'message'].map((name) => ({
	...{ name, displayName: name, type: 'string' as const, default: '' },
}));
const standIn = only<INodeType>({
	description: only<INodeTypeDescription>({
		...{ properties: mailFields, inputs: ['main'], outputs: ['main'] },
	}),
	async execute() {
		const { type } = this.getNode();
		// As the FTP node does with On Error: Continue.
		if (type.endsWith('.ftp')) return [[{ json: { error: 'No such file' } }]];
		if (!type.endsWith('.emailSend')) return await Promise.resolve([this.getInputData()]);
		const subject = this.getNodeParameter('subject', 0);
		return [[{ json: { subject, message: this.getNodeParameter('message', 0) } }]];
	},
});

const loaded = new Map<string, INodeType | IVersionedNodeType>();

/** Loads one of n8n's own nodes, as the index of its package names it. */
function n8nNode(type: string): INodeType | IVersionedNodeType {
	const known = loaded.get(type);
	if (known) return known;
	const index = readFileSync(join(folder, 'dist/known/nodes.json'), 'utf8');
	const name = type.replace('n8n-nodes-base.', '');
	const entry = parseAs<Record<string, { className: string; sourcePath: string }>>(index)[name];
	if (!entry) throw new Error(`n8n ${n8nLine} has no node ${type}`);
	const load: (path: string) => Record<string, new () => INodeType | IVersionedNodeType> =
		createRequire(join(folder, 'package.json'));
	const Node = load(join(folder, entry.sourcePath))[entry.className];
	if (!Node) throw new Error(`${entry.sourcePath} has no ${entry.className}`);
	const node = new Node();
	loaded.set(type, node);
	return node;
}

/** Returns the versions of n8n's own nodes, by type. */
export function n8nVersions(): Map<string, number[]> {
	const types = parseAs<Array<{ name: string; version: number | number[] }>>(
		readFileSync(join(folder, 'dist/types/nodes.json'), 'utf8'),
	);
	const versions = new Map<string, number[]>();
	for (const { name, version } of types) {
		const type = `n8n-nodes-base.${name}`;
		versions.set(type, [...(versions.get(type) ?? []), ...[version].flat()]);
	}
	return versions;
}

/**
 * Runs a recipe from a trigger: n8n's own nodes and our built nodes, in n8n's engine.
 *
 * @returns the message of the error that ended the run, and the output of each node that ran
 */
export async function runRecipe(
	{ nodes, connections, pinData = {} }: Recipe,
	credential: ICredentialDataDecryptedObject,
	trigger = 'When clicking Execute workflow',
) {
	const { node: own, credentialType } = await loadPackage();
	const find = (type: string, version?: number): INodeType => {
		if (REPLACED.test(type)) return standIn;
		if (type.startsWith(PACKAGE)) return own(type.replace(`${PACKAGE}.`, ''));
		return NodeHelpers.getVersionedNodeType(n8nNode(type), version);
	};
	const nodeTypes = nodeTypesOf(find);
	const settings = { executionOrder: 'v1' as const, timezone: 'Europe/Berlin' };
	const base = { id: 'test-workflow', nodes, connections, active: false, nodeTypes, settings };
	const workflow = new Workflow(base);
	const start = workflow.getNode(trigger);
	if (!start) throw new Error(`The recipe has no trigger ${trigger}`);
	const run = executionFrom(start, [{ json: {} }], pinData);
	const helper = new TestCredentialsHelper(credentialType, credential);
	const engine = new WorkflowExecute(additionalData(helper), 'manual', run);
	const { resultData } = (await engine.processRunExecutionData(workflow)).data;
	return {
		error: resultData.error?.message,
		/** The node at which the run ended. */
		last: resultData.lastNodeExecuted,
		ran: (node: string) => resultData.runData[node] !== undefined,
		items: (node: string): INodeExecutionData[] =>
			(resultData.runData[node] ?? []).flatMap(({ data }) =>
				(data?.main ?? []).flatMap((one) => one ?? []),
			),
	};
}

/** Returns the parameters of a node of a recipe. The caller may change them. */
export function parametersIn({ nodes }: Recipe, name: string): INode['parameters'] {
	const node = nodes.find((one) => one.name === name);
	if (!node) throw new Error(`The recipe has no node ${name}`);
	return node.parameters;
}
