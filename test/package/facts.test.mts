import { readFileSync } from 'node:fs';

import { parseAs } from '../kit/typed.mts';
import { sourceFiles } from './sourceFiles.mts';

type Manifest = { version: string; dependencies?: Record<string, string> };

const manifest = (file: string) => parseAs<Manifest>(readFileSync(file, 'utf8'));

const installed = (name: string) => manifest(`node_modules/${name}/package.json`).version;

/** The versions of n8n and its packages that the tests run. */
const tested = [
	...['n8n-core', 'n8n-core-v1', 'n8n-workflow', 'n8n-workflow-v1'].map(installed),
	...['1', '2'].map((line) => manifest(`local-n8n/n8n-${line}/package.json`).dependencies?.n8n),
];

/** A line of a source file that says in which version something was seen. */
const fact = /\b(?:1\.12\d|2\.\d\d)\.\d+\b/g;

test('each fact about n8n in a comment was seen in a version that the tests run: after an update, check these lines', () => {
	const facts = sourceFiles.flatMap((file) =>
		readFileSync(file, 'utf8')
			.split('\n')
			.flatMap((line, index) =>
				[...line.matchAll(fact)].map(([version]) => ({ version, place: `${file}:${index + 1}` })),
			),
	);
	expect(facts.length).toBeGreaterThan(0);
	expect(facts.filter(({ version }) => !tested.includes(version))).toEqual([]);
});
