import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { installN8n } from '../../../local-n8n/n8n/install-n8n.mts';
import { n8nFolder, packageName, repositoryRoot } from '../../../local-n8n/machine/paths.mts';
import { buildPackage } from '../../../local-n8n/package/build-package.mts';
import { line } from '../settings.mts';

/** The parts of a node description that this test uses. */
type NodeType = { name: string; group: string[]; hidden?: boolean; codex?: unknown };

/** The module of n8n 2 that returns search results as text to its AI builder. */
interface NodeCatalog {
	NodeTypeParser: new (nodes: NodeType[]) => object;
	searchCodeBuilderNodes: (parser: object, queries: string[]) => { results: string };
}
type TypeDefinitions = { synthesizeNodeTypeDef: (node: NodeType) => string };

type SearchEngine = new (nodes: NodeType[]) => {
	searchByName: (query: string, limit: number) => NodeType[];
};

const load: <Module>(path: string) => Module = createRequire(import.meta.url);
const inN8n = join(n8nFolder(line), 'node_modules');

/** Returns the node types of one of n8n's packages, with their full names. */
function nodesOf(name: string): NodeType[] {
	const types = load<NodeType[]>(join(inN8n, name, 'dist/types/nodes.json'));
	return types.map((type) => ({ ...type, name: `${name}.${type.name}` }));
}

/** Returns a node of this package as n8n loads it: its description with its codex. */
function ownNode(name: string): NodeType {
	const file = join(repositoryRoot, 'dist/nodes', name, `${name}.node`);
	const Node = load<Record<string, new () => { description: NodeType }>>(`${file}.js`)[name];
	assert.ok(Node);
	const { description } = new Node();
	const codex: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
	return { ...description, name: `${packageName}.${description.name}`, codex };
}

/** Words that are no aliases. Each must find this package among the first ten nodes. */
const plainWords = [
	'employee survey',
	'satisfaction',
	'employee satisfaction',
	'engagement',
	'pulse',
	'NPS',
	'anonymous',
	'responses',
	'HR survey',
	'recipient',
	'mailing',
	'add people',
	'employee',
	'notification',
	'announce',
	'company news',
	'newsletter',
	'emergency',
];

/** Returns the other search words of a node: its aliases. */
function aliasesOf(name: string): string[] {
	const path = join(repositoryRoot, 'nodes', name, `${name}.node.json`);
	return load<{ alias: string[] }>(path).alias;
}

describe(`n8n's search over all nodes of n8n ${line}.x`, () => {
	let nodes: NodeType[];
	let rankIn: (nodes: NodeType[], name: string, query: string) => number;

	before(
		async () => {
			await installN8n(line);
			await buildPackage();
			const { NodeSearchEngine } = load<{ NodeSearchEngine: SearchEngine }>(
				join(inN8n, '@n8n/ai-workflow-builder/dist/tools/engines/node-search-engine.js'),
			);
			nodes = [
				...nodesOf('n8n-nodes-base'),
				...nodesOf('@n8n/n8n-nodes-langchain'),
				...['MessagingService', 'MessagingServiceTrigger'].map(ownNode),
			].filter(({ hidden }) => !hidden);
			rankIn = (some, name, query) => {
				const found = new NodeSearchEngine(some).searchByName(query, 100);
				const rank = found.findIndex((node) => node.name.startsWith(`${packageName}.${name}`));
				return rank < 0 ? Infinity : rank + 1;
			};
		},
		{ timeout: 600_000 },
	);

	for (const query of plainWords) {
		test(`"${query}" finds this package among the first ten nodes`, () => {
			const rank = rankIn(nodes, '', query);
			assert.ok(rank <= 10, `rank ${rank}`);
		});
	}

	test('every alias of the trigger finds it among the first ten triggers', () => {
		const triggers = nodes.filter(({ group }) => group.includes('trigger'));
		const rank = (alias: string) => rankIn(triggers, 'messagingServiceTrigger', alias);
		const aliases = [...aliasesOf('MessagingServiceTrigger'), 'submitted'];
		assert.deepEqual(
			aliases.filter((alias) => rank(alias) > 10),
			[],
		);
	});

	test('every alias finds this package among the first five nodes', () => {
		const hidden = aliasesOf('MessagingService').filter((alias) => rankIn(nodes, '', alias) > 5);
		// Nine nodes of n8n share this word.
		assert.deepEqual(hidden, ['approval']);
	});

	// The node panel shows one entry for both nodes. Its aliases are those of the action node
	// (generateMergedNodesAndActions of n8n 2.41.1).
	test('the action node has all aliases of the trigger', () => {
		const aliases = aliasesOf('MessagingService');
		const missing = aliasesOf('MessagingServiceTrigger').filter((one) => !aliases.includes(one));
		assert.deepEqual(missing, []);
	});

	describe('the AI builder', { skip: line === '1' && 'n8n 1 has no hints' }, () => {
		const own = (name: string) => nodes.find((node) => node.name === `${packageName}.${name}`);

		test('finds both nodes with their hints, and the hints of Launch and Sync', () => {
			const catalog = load<NodeCatalog>(
				join(inN8n, '@n8n/ai-utilities/dist/cjs/node-catalog/index.js'),
			);
			const parser = new catalog.NodeTypeParser(nodes);
			const { results } = catalog.searchCodeBuilderNodes(parser, ['employee survey']);
			assert.match(results, /@builderHint Sends surveys, campaigns and broadcasts to employees/);
			assert.match(results, /messagingServiceTrigger: "Starts the workflow when/);
			assert.match(results, /messagingService: "Creates and sends the surveys/);
			assert.match(results, /- launch\n.+\n +@builderHint Use this operation instead of create/);
			assert.match(results, /- sync\n.+\n +@builderHint Takes all input items/);
		});

		test('receives the fields of both nodes, including an example of questions as text', () => {
			const { synthesizeNodeTypeDef } = load<TypeDefinitions>(
				join(inN8n, 'n8n/dist/modules/mcp-registry/synthesize-type-def.js'),
			);
			const [action, trigger] = ['messagingService', 'messagingServiceTrigger'].map(own);
			assert.ok(action && trigger);
			const definition = synthesizeNodeTypeDef(action);
			assert.match(
				definition,
				/@builderHint One question per line, for example:\n.+\(dropdown: .+\) \*\n/,
			);
			assert.match(synthesizeNodeTypeDef(trigger), /events\?: Array<'\w+'/);
		});
	});
});
