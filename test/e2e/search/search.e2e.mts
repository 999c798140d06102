import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { installN8n } from '../../../sandbox/n8n/install-n8n.mts';
import { n8nFolder, packageName, repositoryRoot } from '../../../sandbox/machine/paths.mts';
import { buildPackage } from '../../../sandbox/package/build-package.mts';
import { line } from '../settings.mts';

/** What n8n's AI builder and its node panel search: the parts of a description that this test names. */
type NodeType = { name: string; hidden?: boolean; codex?: unknown };

type SearchEngine = new (nodes: NodeType[]) => {
	searchByName: (query: string, limit: number) => NodeType[];
};

const load: <Module>(path: string) => Module = createRequire(import.meta.url);
const inN8n = join(n8nFolder(line), 'node_modules');

/** The node types of a package that n8n brings, under their full names. */
function nodesOf(name: string): NodeType[] {
	const types = load<NodeType[]>(join(inN8n, name, 'dist/types/nodes.json'));
	return types.map((type) => ({ ...type, name: `${name}.${type.name}` }));
}

/** A node of ours as n8n loads it: its description with its codex. */
function ownNode(name: string): NodeType {
	const file = join(repositoryRoot, 'dist/nodes', name, `${name}.node`);
	const Node = load<Record<string, new () => { description: NodeType }>>(`${file}.js`)[name];
	assert.ok(Node);
	const { description } = new Node();
	const codex: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
	return { ...description, name: `${packageName}.${description.name}`, codex };
}

/** What a builder may type, from most to least obvious. */
const obvious = [
	...['announcement', 'audience', 'broadcast', 'campaign', 'channel', 'distribution list'],
	...['employee message', 'eNPS', 'feedback', 'form responses', 'group', 'HR', 'intranet'],
	...['internal communication', 'mailing list', 'newsletter to employees', 'onboarding', 'people'],
	...['poll', 'pulse survey', 'push notification', 'questionnaire', 'recipient group', 'reminder'],
	...['staff', 'survey', 'sync', 'user group'],
];

/** Words without an alias of their own. */
const others = [
	...['company news', 'employee', 'employee satisfaction', 'engagement', 'HR survey', 'mailing'],
	...['newsletter', 'notification', 'pulse', 'recipient', 'satisfaction'],
];

describe(`n8n's search over all nodes of n8n ${line}.x`, () => {
	let rankOf: (query: string) => number;

	before(
		async () => {
			await installN8n(line);
			await buildPackage();
			const { NodeSearchEngine } = load<{ NodeSearchEngine: SearchEngine }>(
				join(inN8n, '@n8n/ai-workflow-builder/dist/tools/engines/node-search-engine.js'),
			);
			const nodes = [
				...nodesOf('n8n-nodes-base'),
				...nodesOf('@n8n/n8n-nodes-langchain'),
				...['MessagingService', 'MessagingServiceTrigger'].map(ownNode),
			];
			const engine = new NodeSearchEngine(nodes.filter(({ hidden }) => !hidden));
			rankOf = (query) => {
				const found = engine.searchByName(query, 100).map(({ name }) => name);
				const rank = found.findIndex((name) => name.startsWith(packageName));
				return rank < 0 ? Infinity : rank + 1;
			};
		},
		{ timeout: 600_000 },
	);

	for (const [queries, last] of [
		[obvious, 5],
		[others, 10],
	] as const) {
		for (const query of queries) {
			test(`"${query}" shows this package among the first ${last} nodes`, () => {
				assert.ok(rankOf(query) <= last, `rank ${rankOf(query)}`);
			});
		}
	}
});
