import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { readExamples } from '../../scripts/docs/example.mts';
import { operationsTable, referencePages } from '../../scripts/docs/reference.mts';
import { loadPackage } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';
import { LIMITS } from '../model/trigger/limits.mts';
import { filesIn } from './sourceFiles.mts';

type Codex = { resources: Record<string, Array<{ url: string }>> };

const REPOSITORY = 'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service';

const read = (path: string) => readFileSync(path, 'utf8');

/** The handwritten pages, as path and text. */
const handWritten = [...readdirSync('.'), ...filesIn('docs')]
	.filter((path) => path.endsWith('.md') && !path.startsWith('docs/reference'))
	.map((path) => [path, read(path)] as const);

/** Returns all matches of the pattern's first group, as page and match. */
const matchesIn = (pages: typeof handWritten, pattern: RegExp) =>
	pages.flatMap(([page, text]) =>
		[...text.matchAll(pattern)].map(([, match = '']) => [page, match] as const),
	);

test('docs/reference and the table of operations equal what `npm run docs` writes now', async () => {
	const { node } = await loadPackage();
	const { description } = node('messagingService');
	const trigger = node('messagingServiceTrigger').description;
	const pages = referencePages(description, trigger, readExamples());
	expect(readdirSync('docs/reference').sort()).toEqual([...pages.keys()].sort());
	for (const [file, text] of pages)
		expect([file, read(`docs/reference/${file}`)]).toEqual([file, text]);
	expect(read('README.md')).toContain(operationsTable(description));
	for (const { name, displayName, type, displayOptions } of description.properties) {
		if (type === 'notice' || type === 'hidden' || name === 'operation') continue;
		const inTable = `(\`${name}\`)`;
		const isCommon = pages.get('common-fields.md')?.includes(inTable) === true;
		for (const resource of displayOptions?.show?.resource ?? []) {
			const page = pages.get(`${String(resource)}.md`);
			const isNamed = isCommon && page?.includes(`*${displayName}*`);
			expect([resource, name, page?.includes(inTable) || isNamed]).toEqual([resource, name, true]);
		}
	}
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
	expect(quotes.length).toBeGreaterThan(10);
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

test('pages name only existing files and folders of the project', () => {
	const isTest = (name: string) => filesIn('test').some((path) => path.startsWith(`test/${name}`));
	const paths = matchesIn(
		handWritten,
		/`((?:nodes|credentials|emulator|local-n8n|scripts|test|docs|examples)\/[^`<*…]*)`/g,
	);
	const tests = matchesIn(handWritten, /`((?:unit|engine|faults|model)\/\w+)`/g);
	expect(paths.length * tests.length).toBeGreaterThan(0);
	const missing = [
		...paths.filter(([, path]) => !existsSync(path) && !existsSync(`${path}.ts`)),
		...tests.filter(([, name]) => !isTest(name)),
	];
	expect(missing).toEqual([]);
});

test('docs/development/trigger.md has the limits of the model, and no others', () => {
	const rows = read('docs/development/trigger.md').matchAll(/^\| `(\w+)` \| ./gm);
	const named = new Set([...rows].map(([, name]) => name));
	expect([...named]).toEqual(Object.keys(LIMITS));
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
	expect(numbers).toHaveLength(9);
	expect(numbers.filter((number) => !new RegExp(`\\b${number}\\b`).test(tests))).toEqual([]);
});
