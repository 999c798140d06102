import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadPackage } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';

type Example = {
	name: string;
	nodes: Array<{
		name: string;
		type: string;
		parameters: Record<string, unknown>;
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

	test('has a page in docs, with its name and a picture, that docs/README.md links to', () => {
		const [page = ''] = readdirSync('docs/recipes').filter((recipe) =>
			readFileSync(join('docs/recipes', recipe), 'utf8').includes(`](../../examples/${file})`),
		);
		expect(page).toMatch(/\.md$/);
		const text = readFileSync(join('docs/recipes', page), 'utf8');
		expect(text).toContain(name);
		expect(text).toContain('](../images/');
		expect(readFileSync('docs/README.md', 'utf8')).toContain(`](recipes/${page})`);
	});

	test('has several notes on the canvas, the last with the heading "What to look at"', () => {
		const headings = nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map(({ parameters }) => String(parameters.content).split('\n')[0]);
		expect(headings.length).toBeGreaterThan(1);
		expect(headings.at(-1)).toBe('### What to look at');
	});

	test('uses bold in its notes only for names of its nodes', () => {
		const notes = JSON.stringify(nodes.map(({ parameters }) => parameters.content));
		const bold = [...notes.matchAll(/\*\*(.+?)\*\*/g)].map(([, node]) => node);
		expect(nodes.map((node) => node.name)).toEqual(expect.arrayContaining(bold));
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

	test('runs in an end-to-end test', () => {
		const tests = ['test/e2e/one-process', 'sandbox/examples'].flatMap((folder) =>
			readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
		);
		expect(tests.filter((text) => text.includes(`'${file}'`))).not.toEqual([]);
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

test.each([
	['hr-records-into-recipient-group.json', 10],
	['nightly-group-sync.json', 11],
	['survey-with-branching-to-a-group.json', 4],
])('%s has at most %i nodes', (file, most) => {
	const steps = example(file).nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	expect(steps.length).toBeLessThanOrEqual(most);
});
