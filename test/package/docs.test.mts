import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { operationsTable, referencePages } from '../../scripts/docs/reference.mts';
import { loadPackage } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';
import { LIMITS } from '../model/trigger/limits.mts';

type Codex = { resources: Record<string, Array<{ url: string }>> };

const REPOSITORY = 'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service';

const read = (path: string) => readFileSync(path, 'utf8');

const filesIn = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

/** The handwritten pages, as path and text. */
const handWritten = [...readdirSync('.'), ...filesIn('docs')]
	.filter((path) => path.endsWith('.md') && !path.startsWith('docs/reference'))
	.map((path) => [path, read(path)] as const);

/** Returns all matches of the pattern's first group, as page and match. */
const matchesIn = (pages: typeof handWritten, pattern: RegExp) =>
	pages.flatMap(([page, text]) =>
		[...text.matchAll(pattern)].map(([, match = '']) => [page, match] as const),
	);

/** The descriptions of both nodes, and the reference as `npm run docs` would write it now. */
async function freshReference() {
	const { node } = await loadPackage();
	const { description } = node('messagingService');
	const trigger = node('messagingServiceTrigger').description;
	const pages = referencePages(description, trigger, read('emulator/openapi.yaml'));
	return { description, trigger, pages };
}

test('docs/reference and the table of operations equal what `npm run docs` writes now', async () => {
	const { description, pages } = await freshReference();
	expect(readdirSync('docs/reference').sort()).toEqual([...pages.keys()].sort());
	for (const [file, text] of pages) {
		expect([file, read(`docs/reference/${file}`)]).toEqual([file, text]);
	}
	expect(read('README.md')).toContain(operationsTable(description));
});

test('the reference states labels, limits, defaults and the ways to choose a record', async () => {
	const { pages } = await freshReference();
	const lineOf = (page: string, name: string) =>
		pages
			.get(page)
			?.split('\n')
			.find((line) => line.includes(`| \`${name}\` |`)) ?? '';
	expect(lineOf('campaign.md', 'campaignId')).toContain(
		'record: From List, By ID, By URL, By Name',
	);
	expect(lineOf('recipientGroup.md', 'createMissingGroups')).toMatch(/When \*Mode\* is \*Add\* or/);
	expect(lineOf('recipientGroup.md', 'maxRemovalPercent')).toContain('at least 0 and at most 100');
	expect(lineOf('request-options.md', 'timeout')).toMatch(/\| 10000 \| .*milliseconds/);
	expect(pages.get('campaign.md')).toContain(
		'When *Status* is *Live*. Live: the campaign goes out',
	);
	expect(pages.get('request-options.md')).toContain('| default when added |');
	expect(pages.get('campaign.md')).toContain('](request-options.md)');
});

test('the generated reference has every operation and every field of both nodes', async () => {
	const { description, trigger, pages } = await freshReference();
	for (const { name, type, displayOptions, options = [] } of description.properties) {
		if (type === 'notice' || type === 'hidden') continue;
		for (const resource of displayOptions?.show?.resource ?? []) {
			const page = pages.get(`${String(resource)}.md`);
			if (name !== 'operation') expect(page).toContain(`\`${name}\``);
			else for (const option of options) expect(page).toContain(`\n## ${option.name}\n`);
		}
	}
	for (const { name, type } of trigger.properties) {
		if (type !== 'notice' && name !== 'pollTimes')
			expect(pages.get('trigger.md')).toContain(`\`${name}\``);
	}
	expect(matchesIn([...pages], /(undefined|\[object)/g)).toEqual([]);
	expect(read('README.md')).toMatch(/<!-- npm run docs -->\n[^]*<!-- end -->/);
});

test('README has at most 160 lines of at most 120 characters', () => {
	const lines = read('README.md').trimEnd().split('\n');
	expect(lines.length).toBeLessThanOrEqual(160);
	expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test('comments cite only operations and schemas that emulator/openapi.yaml contains', () => {
	const contract = read('emulator/openapi.yaml');
	const known = [/operationId: (\S+)/g, /^ {4}([A-Z]\w+):$/gm]
		.flatMap((pattern) => matchesIn([['', contract]], pattern))
		.map(([, name]) => name);
	const sources = ['nodes', 'credentials', 'emulator']
		.flatMap(filesIn)
		.filter((path) => /\.m?ts$/.test(path))
		.map((path) => [path, read(path).replace(/\s+\*\s+/g, ' ')] as const);
	const cited = [
		...matchesIn(sources, /\(([^()]+) in emulator\/openapi\.yaml\)/g),
		...matchesIn(sources, /\(openapi\.yaml, ([^()]+)\)/g),
	].flatMap(([file, cites]) =>
		// Names have the form `a.b` or `schema B`. Other words describe a part of the document that has no name.
		(cites.match(/\b[a-z]\w+\.[a-z]\w+|(?<=schema )\w+/g) ?? []).map((name) => [file, name]),
	);
	expect(cited.length).toBeGreaterThan(20);
	expect(cited.filter(([, name = '']) => !known.includes(name))).toEqual([]);
});

/** The texts of the nodes, the emulator and the examples in lower case. A variable part is `*`. */
const shownTexts = () =>
	['nodes', 'credentials', 'emulator', 'examples']
		.flatMap(filesIn)
		.filter((path) => /\.(m?ts|yaml|json)$/.test(path))
		.map((path) => read(path).replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '*'))
		.join('\n')
		.replace(/\\(['"])/g, '$1')
		.toLowerCase();

/** The pages for users. */
const userPages = handWritten
	.filter(([path]) => /^(README|docs\/(recipes\/)?[\w-]+)\.md$/.test(path))
	.map(([path, text]) => [path, text.replace(/```[^]*?```|`[^`\n]*`/g, '')] as const);

test('pages quote only texts of the nodes, the service and the examples', () => {
	const tables = matchesIn(
		handWritten.filter(([path]) => /common-problems|questions-as-text/.test(path)),
		/^\| error \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm,
	);
	const errors = matchesIn(tables, /^\| (.+?) \|/gm).map(([, error]) => error);
	const others = userPages.filter(([path]) => !/questions-as-text/.test(path));
	const quotes = matchesIn(others, /"([^"\n]{5,})"/g).map(([, quote]) => quote);
	const code = shownTexts();
	const parts = [...errors, ...quotes].flatMap((text) =>
		text
			.replace(/\*[^*]+\*/g, '*')
			.replace(/^\*|\*$/g, '')
			.toLowerCase()
			.split(/[:;]? ?… ?| \/ /),
	);
	expect(errors.length).toBeGreaterThan(20);
	expect(quotes.length).toBeGreaterThan(20);
	expect(parts.filter((text) => !code.includes(text.trim()))).toEqual([]);
});

/** The names of both nodes on the screen, each with the default of its field. */
async function namesOnScreen(): Promise<Map<string, unknown>> {
	const { node, credentialType } = await loadPackage();
	const names = new Map<string, unknown>();
	const collect = (value: unknown): void => {
		if (typeof value !== 'object' || value === null) return;
		const {
			displayName,
			name,
			default: standard,
		} = parseAs<Record<string, unknown>>(JSON.stringify(value));
		for (const text of [displayName, name]) if (typeof text === 'string') names.set(text, standard);
		Object.values(value).forEach(collect);
	};
	collect([node('messagingService').description, node('messagingServiceTrigger').description]);
	collect(credentialType);
	return names;
}

test('pages name operations, fields, options and defaults as the screen does', async () => {
	const names = await namesOnScreen();
	const ofN8n = new Set('On Error,Continue,Continue (using error output),Settings'.split(','));
	const pairs = matchesIn(userPages, /(?<![\w*])\*([A-Z][^*\n]+(?:: | → )[A-Z][^*\n]+)\*(?!\*)/g);
	const isKnown = (text: string) => names.has(text) || ofN8n.has(text);
	const unknown = pairs.filter(([, pair]) => !pair.split(/: | → /).every(isKnown));
	expect(pairs.length).toBeGreaterThan(40);
	expect(
		unknown.filter(([, pair]) => !/^(Settings|Workflow settings|Save As) → /.test(pair)),
	).toEqual([]);
	const defaults = userPages.flatMap(([, text]) => [
		...text.matchAll(/\*([A-Z][^*\n]+)\* \((?:default )?(\d+)\)/g),
	]);
	expect(defaults.length).toBeGreaterThan(4);
	for (const [shown, name = '', number] of defaults)
		expect([shown, names.get(name)]).toEqual([shown, Number(number)]);
});

test('every picture in docs/images is shown on a page', () => {
	const shown = handWritten.map(([, text]) => text).join();
	expect(readdirSync('docs/images').filter((file) => !shown.includes(`images/${file}`))).toEqual(
		[],
	);
});

test('the Docs links of both nodes and the credential lead to existing files', async () => {
	const { credentialType } = await loadPackage();
	const links = ['MessagingService', 'MessagingServiceTrigger']
		.map((name) => parseAs<Codex>(read(`nodes/${name}/${name}.node.json`)))
		.flatMap(({ resources }) => Object.values(resources).flat())
		.map(({ url }) => url);
	for (const link of [...links, credentialType.documentationUrl ?? '']) {
		expect(link).toMatch(`${REPOSITORY}/blob/main/`);
		expect([link, existsSync(link.replace(`${REPOSITORY}/blob/main/`, ''))]).toEqual([link, true]);
	}
});

test('pages name only existing commands', () => {
	const { scripts } = parseAs<{ scripts: Record<string, string> }>(read('package.json'));
	const named = matchesIn(handWritten, /`npm (?:run )?((?<=run )[\w:-]+|test|start)/g);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter(([, name]) => !(name in scripts))).toEqual([]);
});

test('pages name only existing files and folders of the project', () => {
	const paths = matchesIn(
		handWritten,
		/`((?:nodes|credentials|emulator|local-n8n|scripts|test|docs|examples)\/[^`<*…]*)`/g,
	);
	const short = matchesIn(
		handWritten,
		/[`"]((?:sync|fields|methods|resources|shared|transport|errors|lists|campaign|recipientGroup|channelRecipient)\/[\w./]+)/g,
	);
	const own = 'nodes/MessagingService';
	const roots = ['.', 'nodes', own, `${own}/resources`, 'nodes/shared', 'nodes/shared/transport'];
	const exists = (path: string) =>
		roots.some((root) => existsSync(join(root, path)) || existsSync(join(root, `${path}.ts`)));
	expect(paths.length * short.length).toBeGreaterThan(0);
	expect([...paths, ...short].filter(([, path]) => !exists(path))).toEqual([]);
	const tests = matchesIn(handWritten, /`((?:unit|engine|faults|model)\/\w+)`/g);
	const isTest = (name: string) => filesIn('test').some((path) => path.startsWith(`test/${name}`));
	expect(tests.filter(([, name]) => !isTest(name))).toEqual([]);
});

test('docs/development/trigger.md has the limits of the model, and no others', () => {
	const page = read('docs/development/trigger.md');
	const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, text]) => [
		name,
		text,
	]);
	expect(rows).toEqual(Object.entries(LIMITS).map(([name, { sentence }]) => [name, sentence]));
});

test('the numbers of requests in docs/sync.md and docs/load.md are limits of tests', () => {
	const tests = ['test/engine/syncCalls.slow.test.mts', 'test/benchmark/sync.mts']
		.map(read)
		.join()
		.replace(/(?<=\d)_(?=\d)/g, '');
	const [, costs = ''] = read('docs/sync.md').split('## What Sync costs');
	const numbers = [
		...costs.matchAll(/^\|.*people: .*\| (.*) \|$|^\| 200 groups.*\| (.*) \|$/gm),
		...read('docs/load.md').matchAll(/^\| Nightly Sync [^|]*\| at most (\d+) /gm),
	].flatMap(([, one, other]) => (one ?? other ?? '').replaceAll(',', '').split('; '));
	expect(numbers).toHaveLength(11);
	expect(numbers.filter((number) => !new RegExp(`\\b${number}\\b`).test(tests))).toEqual([]);
});
