import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sharedRecipes } from '../../scripts/docs/recipes.mts';
import { loadPackage } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';

type Example = {
	name: string;
	nodes: Array<{
		name: string;
		type: string;
		typeVersion: number;
		position: [number, number];
		onError?: string;
		parameters: Record<string, unknown> & { options?: object };
		credentials?: Record<string, { id: string }>;
	}>;
	/** The connections by node and kind. The kind is `main`, or `ai_…` for a part of an AI node. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
};

const OURS = 'n8n-nodes-messaging-service.messagingService';

const files = readdirSync('examples').filter((file) => file.endsWith('.json'));

const example = (file: string) => parseAs<Example>(readFileSync(join('examples', file), 'utf8'));

describe.each(files)('%s', (file) => {
	const { name, nodes, connections } = example(file);
	const ours = nodes.filter(({ type }) => type === OURS);

	test('has a name, starts manually or with our trigger, and contains our node, an error trigger or a data table', () => {
		expect(name).toMatch(/\S/);
		const triggers = ['n8n-nodes-base.manualTrigger', `${OURS}Trigger`];
		expect(nodes.some(({ type }) => triggers.includes(type))).toBe(true);
		const isAboutOurs =
			ours.length > 0 || nodes.some(({ type }) => /\.(errorTrigger|dataTable)$/.test(type));
		expect(isAboutOurs).toBe(true);
	});

	test('has unique node names and connects only existing nodes', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		const targets = Object.values(connections).flatMap((byKind) =>
			Object.values(byKind)
				.flat(2)
				.map(({ node }) => node),
		);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
	});

	test('contains no record IDs and no credential of a real service', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/\b[0-9a-f]{24}\b/);
		for (const { credentials } of ours) expect(credentials?.messagingServiceApi?.id).toBe('');
	});

	test('maps columns automatically, because the editor empties a mapping when the user chooses the data table', () => {
		const columns = nodes
			.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
			.flatMap(({ parameters }) => parameters.columns ?? []);
		for (const mapping of columns)
			expect(mapping).toEqual(
				expect.objectContaining({ mappingMode: 'autoMapInputData', value: {} }),
			);
	});

	test('uses only existing parameters', async () => {
		const { properties } = (await loadPackage()).node('messagingService').description;
		const shownFor = (resource: unknown, operation: unknown) =>
			properties.filter(({ displayOptions }) => {
				const { resource: resources, operation: operations } = displayOptions?.show ?? {};
				const shown = (list: unknown[] | undefined, value: unknown) =>
					!list || list.includes(value);
				return shown(resources, resource) && shown(operations, operation);
			});
		const trigger = (await loadPackage()).node('messagingServiceTrigger').description;
		const ofTrigger = nodes
			.filter(({ type }) => type === `${OURS}Trigger`)
			.flatMap(({ parameters }) => Object.keys(parameters));
		expect(['pollTimes', ...trigger.properties.map((property) => property.name)]).toEqual(
			expect.arrayContaining(ofTrigger),
		);
		for (const { parameters } of ours) {
			const { resource, operation } = parameters;
			const known = new Set(shownFor(resource, operation).map((property) => property.name));
			const unknown = Object.keys(parameters).filter((parameter) => !known.has(parameter));
			expect([resource, operation, ...unknown]).toEqual([resource, operation]);
		}
	});
});

/** Returns the names of the nodes that a node leads to, directly or not. */
function after(connections: Example['connections'], node: string, seen = new Set<string>()) {
	for (const next of Object.values(connections[node] ?? {}).flat(2)) {
		if (seen.has(next.node)) continue;
		seen.add(next.node);
		after(connections, next.node, seen);
	}
	return seen;
}

const nodesOf = (keep: (node: Example['nodes'][number]) => boolean) =>
	files.flatMap((file) => {
		const { nodes, connections } = example(file);
		return nodes.filter(keep).map((node) => ({ ...node, file, connections }));
	});

test('the examples that read people equal what `npm run docs` writes now', () => {
	for (const [file, workflow] of sharedRecipes())
		expect([file, example(file)]).toEqual([file, workflow]);
});

test('every example that reads people checks the list, and has the shared nodes unchanged', () => {
	const shared = new Map<string, unknown>();
	for (const { name, parameters, file } of nodesOf(({ type }) =>
		/\.(set|if|filter|stopAndError)$/.test(type),
	)) {
		if (
			!['Check the list', 'What is wrong', 'List in order?', 'List not used', 'Result'].includes(
				name,
			)
		)
			continue;
		expect([file, name, parameters]).toEqual([file, name, shared.get(name) ?? parameters]);
		shared.set(name, parameters);
	}
	expect(shared.size).toBe(5);
	const readers = nodesOf(({ name }) => name === 'Still employed').map(({ file }) => file);
	expect([...sharedRecipes().keys()].sort()).toEqual(readers);
});

test('files are read with version 1.1 of Extract from File, without the byte order mark, with empty cells', () => {
	const nodes = nodesOf(({ type }) => type.endsWith('.extractFromFile'));
	expect(nodes.length).toBeGreaterThan(9);
	for (const { file, name, typeVersion, parameters } of nodes) {
		const isText = parameters.operation === 'text';
		const options = isText
			? { encoding: 'utf8', stripBOM: true }
			: { enableBOM: true, includeEmptyCells: true };
		expect([file, name, typeVersion, parameters]).toEqual([
			file,
			name,
			1.1,
			expect.objectContaining({ options: expect.objectContaining(options) }),
		]);
		// In n8n 1.x, a blank line at the end of a file is an error.
		if (!isText) expect(parameters.operation).toBe('csv');
	}
});

test('a sync goes on after an error, and its run then fails', () => {
	const syncs = nodesOf(({ parameters }) => parameters.operation === 'sync');
	expect(syncs.length).toBeGreaterThan(10);
	for (const { file, name, onError, connections } of syncs) {
		expect([file, name, onError]).toEqual([file, name, 'continueRegularOutput']);
		expect([file, ...after(connections, name)]).toContain('Not everything was done');
	}
});

test('a report on a sync runs before the run fails, because it is higher on the canvas', () => {
	for (const { file, connections } of nodesOf(
		({ parameters, name }) => parameters.operation === 'sync' && name !== 'Dry run',
	)) {
		const y = new Map(example(file).nodes.map(({ name, position }) => [name, position[1]]));
		const branches = connections['Sync the group']?.main?.[0] ?? [];
		for (const { node } of branches)
			if (node !== 'Result')
				expect([file, node, (y.get(node) ?? 0) < (y.get('Result') ?? 0)]).toEqual([
					file,
					node,
					true,
				]);
	}
});

test('text of employees is no formula in a CSV file', () => {
	const isSafe = ({ name }: Example['nodes'][number]) => name.startsWith('No formulas');
	const [safe, ...others] = nodesOf(isSafe);
	for (const { parameters } of others) expect(parameters).toEqual(safe?.parameters);
	for (const { file, name, connections } of nodesOf(
		({ type, parameters }) =>
			type.endsWith('.convertToFile') &&
			parameters.operation !== 'toText' &&
			parameters.operation !== 'html',
	)) {
		const before = Object.keys(connections).filter((node) =>
			connections[node]?.main?.flat().some((next) => next.node === name),
		);
		expect([file, name, before.every((node) => node.startsWith('No formulas'))]).toEqual([
			file,
			name,
			true,
		]);
	}
});

/** The tests that prove what the pages of the recipes promise ("It never …"), each with the pages. */
const PROMISES: Record<string, string> = {
	'%s never harms anybody':
		'channel-follows-hr department-groups hr-data-sources hr-records-into-recipient-group keep-list nightly-group-sync nightly-log unknown-people',
	'%s changes nothing in its dry run': 'channel-follows-hr hr-data-sources',
	'removes a person only after approval': 'department-groups',
	'creates one group per department, without asking for approval': 'department-groups',
	'if the list cannot be read, removes nobody and tells somebody': 'keep-list',
	'writes a row with the number of failures into its log, and no address': 'nightly-log',
	'"Campaign approval" sends only after Send it: %s': 'campaign-approval',
	'shows twelve rounds, with gaps where too few people answered': 'pulse-programme',
	'asks only the trial group, reminds those who have not answered': 'pulse-programme',
	'%s only reads': 'pulse-survey-results what-my-key-can-do',
	'"Reminder" reminds nobody if anonymous is true: %s': 'survey-reminder',
	'shows the figures of each team, except for teams that are too small': 'survey-results-by-team',
	'creates a draft broadcast per low score': 'survey-submission-alert',
	'sends nothing if too few people wrote something': 'what-people-wrote',
};

test('each promise "It never …" of a page has a test', () => {
	const promising = readdirSync('docs/recipes').filter((page) =>
		readFileSync(join('docs/recipes', page), 'utf8').includes('It never'),
	);
	const proved = new Set(Object.values(PROMISES).flatMap((pages) => pages.split(' ')));
	expect(promising.map((page) => page.replace('.md', ''))).toEqual([...proved].sort());
	const tests = ['test/engine', 'test/e2e/one-process', 'test/package']
		.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
		.map((path) => readFileSync(path, 'utf8').replace(/const PROMISES[^;]*/, ''))
		.join();
	expect(Object.keys(PROMISES).filter((title) => !tests.includes(title))).toEqual([]);
});

test.each(['pulse-survey-results.json', 'weekly-campaign-report.json', 'what-my-key-can-do.json'])(
	'%s only reads',
	(file) => {
		const ours = example(file).nodes.filter(({ type }) => type.startsWith(OURS));
		const operations = ours.map(({ parameters }) => parameters.operation ?? 'get');
		expect(operations.length).toBeGreaterThan(1);
		for (const operation of operations) expect(operation).toMatch(/^get/);
	},
);
