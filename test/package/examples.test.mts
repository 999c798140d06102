import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isShown } from '../../scripts/built.mts';
import { loadPackage } from '../kit/engine.mts';
import { readRecipe, recipeFiles, type Recipe } from '../kit/recipe.mts';

const OURS = 'n8n-nodes-messaging-service.messagingService';

/** Returns the names of the nodes that a node leads to directly. */
const nextOf = (connections: Recipe['connections'], node: string) =>
	Object.values(connections[node] ?? {}).flatMap((outputs) =>
		outputs.flatMap((all) => (all ?? []).map((next) => next.node)),
	);

describe.each(recipeFiles)('%s', (file) => {
	const { name, nodes, connections } = readRecipe(file);
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
		const connected = Object.keys(connections);
		const targets = connected.flatMap((node) => nextOf(connections, node));
		expect(names).toEqual(expect.arrayContaining([...connected, ...targets]));
	});

	test('contains no record IDs and no credential of a real service', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/\b[0-9a-f]{24}\b/);
		for (const { credentials, parameters } of ours)
			expect(credentials?.messagingServiceApi?.id ?? parameters.resource).toBe(
				parameters.resource === 'hrList' ? 'hrList' : '',
			);
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
		const trigger = (await loadPackage()).node('messagingServiceTrigger').description;
		const ofTrigger = nodes
			.filter(({ type }) => type === `${OURS}Trigger`)
			.flatMap(({ parameters }) => Object.keys(parameters));
		expect(['pollTimes', ...trigger.properties.map((property) => property.name)]).toEqual(
			expect.arrayContaining(ofTrigger),
		);
		for (const { parameters } of ours) {
			const { resource, operation } = parameters;
			const shown = properties.filter((property) => isShown(property, resource, operation));
			const known = new Set(shown.map((property) => property.name));
			const unknown = Object.keys(parameters).filter((parameter) => !known.has(parameter));
			expect([resource, operation, ...unknown]).toEqual([resource, operation]);
		}
	});
});

/** Returns the names of the nodes that a node leads to, directly or not. */
function after(connections: Recipe['connections'], node: string, seen = new Set<string>()) {
	for (const next of nextOf(connections, node)) {
		if (seen.has(next)) continue;
		seen.add(next);
		after(connections, next, seen);
	}
	return seen;
}

const nodesOf = (keep: (node: Recipe['nodes'][number]) => boolean) =>
	recipeFiles.flatMap((file) => {
		const { nodes, connections } = readRecipe(file);
		return nodes.filter(keep).map((node) => ({ ...node, file, connections }));
	});

const syncs = nodesOf(({ parameters }) => parameters.operation === 'sync');
const hrLists = nodesOf(({ parameters }) => parameters.resource === 'hrList');

describe('an example that reads people', () => {
	test('reads them with HR List, which stops the run if the list is not clear', () => {
		for (const { file, name } of syncs) {
			const [list] = hrLists.filter((one) => one.file === file);
			expect([file, ...after(list?.connections ?? {}, 'HR List')]).toContain(name);
		}
		for (const { file, name, onError, executeOnce } of hrLists)
			expect([file, name, onError, executeOnce]).toEqual([file, 'HR List', undefined, undefined]);
		expect(hrLists).toHaveLength(13);
	});

	test('goes on to HR List if the node that reads the list outputs nothing', () => {
		const readers = nodesOf(({ name }) => /^(Read|Download) /.test(name));
		expect(readers.map(({ file }) => file)).toEqual(
			expect.arrayContaining(hrLists.map(({ file }) => file)),
		);
		for (const { file, name, alwaysOutputData } of readers)
			expect([file, name, alwaysOutputData]).toEqual([file, name, true]);
	});

	test('reads every CSV file with the same settings', () => {
		const withFile = hrLists.filter(({ parameters }) => parameters.source === 'file');
		expect(withFile.length).toBeGreaterThan(8);
		for (const { file, parameters } of withFile)
			expect([file, { ...parameters, options: {} }]).toEqual([
				file,
				{ ...withFile[0]?.parameters, options: {} },
			]);
	});
});

describe('a sync that is no dry run before another one', () => {
	const real = syncs.filter(({ name }) => name !== 'Dry run');
	const isStop = ({ type }: { type: string }) => type.endsWith('.stopAndError');

	test('sends the people who failed to a node that names the first five and fails', () => {
		expect(real.length).toBeGreaterThan(12);
		for (const { file, name, onError, connections } of real) {
			const [, failed] = connections[name]?.main ?? [];
			expect([file, onError, failed?.map(({ node }) => node)]).toEqual([
				file,
				'continueErrorOutput',
				['Not everything was done'],
			]);
		}
		const [first, ...others] = nodesOf(isStop).filter(({ file }) =>
			real.some((one) => one.file === file),
		);
		expect(first?.parameters.errorMessage).toContain('.slice(0, 5)');
		for (const { file, name, parameters } of others)
			expect([file, name, parameters]).toEqual([file, first?.name, first?.parameters]);
	});

	test('has its report higher on the canvas than this node, so that n8n runs the report first', () => {
		for (const { file, name, connections } of real) {
			const { nodes } = readRecipe(file);
			const y = new Map(nodes.map((node) => [node.name, node.position[1]]));
			const [done] = connections[name]?.main ?? [];
			const end = y.get(nodes.find(isStop)?.name ?? '') ?? -Infinity;
			for (const { node } of done ?? [])
				expect([file, node, (y.get(node) ?? Infinity) < end]).toEqual([file, node, true]);
		}
	});
});

describe('an example is read at a glance', () => {
	/** Nodes of the examples that read people, without notes. */
	const MOST_NODES: Record<string, number> = {
		...{ 'nightly-group-sync': 8, 'hr-records-into-recipient-group': 8, 'hr-from-sftp': 8 },
		...{ 'hr-from-google-sheets': 8, 'hr-from-microsoft-entra': 8, 'hr-from-bamboohr': 8 },
		...{ 'hr-from-csv-file': 8, 'hr-from-http-api': 8, 'department-groups': 12 },
		...{ 'keep-list': 12, 'nightly-log': 12, 'unknown-people': 12, 'channel-follows-hr': 12 },
	};

	test('it has few nodes', () => {
		const count = (file: string) =>
			readRecipe(file).nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length;
		const sizes = hrLists.map(({ file }) => [file.replace('.json', ''), count(file)] as const);
		expect(sizes.map(([file]) => file).sort()).toEqual(Object.keys(MOST_NODES).sort());
		expect(sizes.filter(([file, size]) => size > (MOST_NODES[file] ?? 0))).toEqual([]);
	});

	/** Returns the expressions in a parameter, without the braces. */
	const expressionsIn = (value: unknown): string[] => {
		if (typeof value === 'object' && value !== null)
			return Object.values(value).flatMap(expressionsIn);
		if (typeof value !== 'string' || !value.startsWith('=')) return [];
		return [...value.matchAll(/\{\{(.*?)\}\}/gs)].map(([, text = '']) => text);
	};

	test('it has no long expression', () => {
		const reading = new Set(hrLists.map(({ file }) => file));
		const long = nodesOf(() => true).flatMap(({ file, name, parameters }) =>
			expressionsIn(parameters)
				.filter(({ length }) => length > (reading.has(file) ? 160 : 400))
				.map(({ length }) => [file, name, length]),
		);
		expect(long).toEqual([]);
	});
});

test('text of employees is no formula in a CSV file', () => {
	const isSafe = ({ name }: Recipe['nodes'][number]) => name.startsWith('No formulas');
	const hasOption = new Set(
		nodesOf(({ parameters }) =>
			JSON.stringify(parameters.options)?.includes('"safeForSpreadsheets":true'),
		).flatMap(({ name, connections }) => [name, ...after(connections, name)]),
	);
	const [safe, ...others] = nodesOf(isSafe);
	for (const { parameters } of others) expect(parameters).toEqual(safe?.parameters);
	for (const { file, name, connections } of nodesOf(
		({ type, parameters }) =>
			type.endsWith('.convertToFile') &&
			parameters.operation !== 'toText' &&
			parameters.operation !== 'html',
	)) {
		const before = Object.keys(connections).filter((node) =>
			nextOf(connections, node).includes(name),
		);
		const isProtected = (node: string) => node.startsWith('No formulas') || hasOption.has(node);
		expect([file, name, before.every(isProtected)]).toEqual([file, name, true]);
	}
});

/** What pages of recipes promise, in their own words or by a link to the nightly sync. */
const PROMISE = /workflows? never|as (in )?the\s+\[nightly sync\]|changes nothing in the service/;

/** The tests that prove what the pages of the recipes promise, each with the pages. */
const PROMISES: Record<string, string> = {
	'%s never harms anybody':
		'channel-follows-hr department-groups hr-data-sources hr-records-into-recipient-group keep-list nightly-group-sync nightly-log unknown-people',
	'%s changes nothing in its dry run': 'channel-follows-hr hr-data-sources',
	'asks for approval with whom it would remove': 'department-groups',
	'asks for no approval if nobody would be removed': 'department-groups',
	'if the list cannot be read, removes nobody and tells somebody': 'keep-list',
	'writes a row with the number of failures into its log, and no address': 'nightly-log',
	'"Campaign approval" sends only after Send it: %s': 'campaign-approval',
	'shows twelve rounds, with gaps where too few people answered': 'pulse-programme',
	'asks only the trial group, reminds those who have not answered': 'pulse-programme',
	'%s only reads': 'pulse-survey-results what-my-key-can-do',
	'"Reminder" reminds nobody if anonymous is true: %s': 'survey-reminder',
	'is readable, and names the teams that are too small': 'survey-results-by-team',
	'drafts an alert for a low score only': 'survey-submission-alert',
	'sends nothing if too few people wrote something': 'what-people-wrote',
};

test('each promise of a page has a test', () => {
	const promising = readdirSync('docs/recipes').filter((page) =>
		PROMISE.test(readFileSync(join('docs/recipes', page), 'utf8')),
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
		const ours = readRecipe(file).nodes.filter(({ type }) => type.startsWith(OURS));
		const operations = ours.map(({ parameters }) => parameters.operation ?? 'get');
		expect(operations.length).toBeGreaterThan(1);
		for (const operation of operations) expect(operation).toMatch(/^get/);
	},
);
