import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { documents, markdownIn, REFERENCE } from '../../scripts/docs/documents.mts';
import { loadPackage } from '../kit/engine.mts';
import { parseAs } from '../kit/typed.mts';

type Codex = { resources: Record<string, Array<{ url: string }>> };

const REPOSITORY = 'https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service';

const read = (path: string) => readFileSync(path, 'utf8');

const handWritten = () => [
	'README.md',
	'CONTRIBUTING.md',
	...markdownIn('docs'),
	...markdownIn('docs/recipes'),
];

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text: string): string[] {
	return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.trim()
			.replaceAll(' ', '-'),
	);
}

test('the pages say what the package says; `npm run docs` writes them anew', async () => {
	const { node, credentialType } = await loadPackage();
	const pages = documents({
		node: node('messagingService'),
		trigger: node('messagingServiceTrigger'),
		credential: credentialType,
	});
	const stale = [...pages].filter(([path, text]) => !existsSync(path) || read(path) !== text);
	expect(stale.map(([path]) => path)).toEqual([]);
	expect(markdownIn(REFERENCE).filter((path) => !pages.has(path))).toEqual([]);
});

test('every link in a page leads to a file and a heading', () => {
	const broken: string[] = [];
	for (const page of [...handWritten(), ...markdownIn(REFERENCE)]) {
		for (const [, link = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
			if (/^[a-z]+:/.test(link)) continue;
			const [file = '', anchor] = link.split('#');
			const target = file === '' ? page : normalize(join(dirname(page), file));
			const leads =
				existsSync(target) && (anchor === undefined || anchorsOf(read(target)).includes(anchor));
			if (!leads) broken.push(`${page}: ${link}`);
		}
	}
	expect(broken).toEqual([]);
});

test('what a comment cites of emulator/openapi.yaml is there: operations and schemas', () => {
	const contract = read('emulator/openapi.yaml');
	const operationIds = [...contract.matchAll(/operationId: (\S+)/g)].map(([, id]) => id);
	const schemas = [...contract.matchAll(/^ {4}([A-Z]\w+):$/gm)].map(([, name]) => name);
	const cited = ['nodes', 'credentials', 'emulator'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.m?ts$/.test(file))
			.flatMap((file) => {
				const text = read(join(folder, file)).replace(/\s+\*\s+/g, ' ');
				const places = [
					...text.matchAll(/\(([^()]+) in emulator\/openapi\.yaml\)/g),
					...text.matchAll(/\(openapi\.yaml, ([^()]+)\)/g),
				];
				// Words around them name a part of the document that has no name of its own.
				return places
					.flatMap(([, cites = '']) => cites.match(/\b[a-z]\w+\.[a-z]\w+|(?<=schema )\w+/g) ?? [])
					.map((name) => [file, name]);
			}),
	);
	const known: unknown[] = [...operationIds, ...schemas];
	expect(cited.length).toBeGreaterThan(20);
	expect(cited.filter(([, name]) => !known.includes(name))).toEqual([]);
});

test('every picture is shown on a page', () => {
	const pages = [...handWritten(), ...markdownIn(REFERENCE)].map(read).join();
	const shown = (picture: string) => pages.includes(`images/${picture}`);
	expect(readdirSync('docs/images').filter((picture) => !shown(picture))).toEqual([]);
});

test('what n8n links to is there: the Docs link of both nodes and of the credential', async () => {
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

test('every command that a page names is there', () => {
	const { scripts } = parseAs<{ scripts: Record<string, string> }>(read('package.json'));
	const named = handWritten().flatMap((page) =>
		[...read(page).matchAll(/`npm (?:run ([\w:]+)|(test|start))/g)].map(
			([, run, short]) => run ?? short ?? '',
		),
	);
	expect(named.length).toBeGreaterThan(0);
	expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file and folder of the project that a guide names is there', () => {
	const gone = ['CONTRIBUTING.md', 'docs/architecture.md'].flatMap((page) =>
		[
			...read(page).matchAll(
				/`((?:nodes|credentials|emulator|sandbox|scripts|test|docs|examples)\/[^`<*…]*)`/g,
			),
		]
			.map(([, path = '']) => path)
			.filter((path) => !existsSync(path))
			.map((path) => `${page}: ${path}`),
	);
	expect(gone).toEqual([]);
});
