import { readdirSync, readFileSync } from 'node:fs';

type Workflow = { nodes: Array<{ type: string; parameters: { content?: string } }> };

const parseWorkflow: (text: string) => Workflow = JSON.parse;

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** Returns the text of a page without its examples, which stand in fences. */
const withoutExamples = (text: string): string => text.replace(/^```[^]*?^```/gm, '');

/** Returns the number of words that users and engineers read: README, CONTRIBUTING, docs, and the notes of the examples. */
export function countDocumentation(): { pages: number; notes: number } {
	const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' });
	const files = [
		...readdirSync('.').filter((file) => file !== 'LICENSE.md'),
		...docs.map((file) => `docs/${file}`),
	];
	const pages = files
		.filter((file) => file.endsWith('.md'))
		.map((file) => countWords(withoutExamples(readFileSync(file, 'utf8'))));
	const notes = readdirSync('examples')
		.filter((file) => file.endsWith('.json'))
		.flatMap((file) => parseWorkflow(readFileSync(`examples/${file}`, 'utf8')).nodes)
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map(({ parameters }) => countWords(parameters.content ?? ''));
	const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
	return { pages: sum(pages), notes: sum(notes) };
}
