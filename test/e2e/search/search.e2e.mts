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
type NodeType = { name: string; hidden?: boolean; codex?: unknown };

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

/** Search words that are not an alias of the node. */
const withoutAlias = [
	'company news',
	'employee',
	'employee satisfaction',
	'engagement',
	'HR survey',
	'mailing',
	'newsletter',
	'notification',
	'pulse',
	'recipient',
	'satisfaction',
];

const { alias: aliases } = load<{ alias: string[] }>(
	join(repositoryRoot, 'nodes/MessagingService/MessagingService.node.json'),
);

/**
 * The worst rank that this package may have in a search for each word: 5 for an alias, 10 for other words. The alias
 * "approval" also has 10, because nine nodes of n8n share it.
 */
const lowestRanks = new Map([
	...aliases.map((alias) => [alias, 5] as const),
	...['approval', ...withoutAlias].map((word) => [word, 10] as const),
]);

describe(`n8n's search over all nodes of n8n ${line}.x`, () => {
	let nodes: NodeType[];
	let rankOf: (query: string) => number;

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
			const engine = new NodeSearchEngine(nodes);
			rankOf = (query) => {
				const found = engine.searchByName(query, 100).map(({ name }) => name);
				const rank = found.findIndex((name) => name.startsWith(packageName));
				return rank < 0 ? Infinity : rank + 1;
			};
		},
		{ timeout: 600_000 },
	);

	for (const [query, lowest] of lowestRanks) {
		test(`"${query}" finds this package among the first ${lowest} nodes`, () => {
			assert.ok(rankOf(query) <= lowest, `rank ${rankOf(query)}`);
		});
	}

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
