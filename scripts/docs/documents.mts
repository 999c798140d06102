import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType, INodeType } from 'n8n-workflow';

import { parameterTables } from './parameters.mts';
import { operationsTable, resourcePage, resourcesOf, triggerPage } from './reference.mts';
import { workflowSteps, type Workflow } from './workflow.mts';

/** The built package. */
export type BuiltPackage = { node: INodeType; trigger: INodeType; credential: ICredentialType };

/** Pages that are generated as a whole: one a resource, one for the trigger. */
export const REFERENCE = 'docs/reference';

/** A part of a hand-written page that is generated: `<!-- npm run docs: what -->` … `<!-- end -->`. */
const BLOCK = /(<!-- npm run docs: (.+?) -->\n)[^]*?(<!-- end -->)/g;

const readWorkflow: (text: string) => Workflow = JSON.parse;

/**
 * Every page that the package's own description goes into, as it should be.
 *
 * @returns the texts by path
 * @throws when a page asks for a part that does not exist
 */
export function documents({ node, trigger, credential }: BuiltPackage): Map<string, string> {
	const { description } = node;
	const resources = resourcesOf(description);
	const contract = readFileSync('emulator/openapi.yaml', 'utf8');
	const documented = new Set(
		[...contract.matchAll(/^ +operationId: (\S+)$/gm)].map(([, operationId]) => operationId),
	);
	const blocks: Record<string, (argument: string) => string> = {
		operations: (folder) => operationsTable(resources, folder),
		credential: () =>
			parameterTables(credential.properties.filter(({ type }) => type !== 'hidden')),
		workflow: (example) =>
			workflowSteps(readWorkflow(readFileSync(join('examples', example), 'utf8')), description),
	};
	const withBlocks = (text: string) =>
		text.replaceAll(BLOCK, (_block, begin: string, what: string, end: string) => {
			const [name = '', argument = ''] = what.split(' ');
			const make = blocks[name];
			if (!make) throw new Error(`Nothing is called "${name}" that could be generated`);
			return `${begin}\n${make(argument)}\n\n${end}`;
		});
	const handWritten = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/recipes')];
	return new Map([
		...handWritten.map((path) => [path, withBlocks(readFileSync(path, 'utf8'))] as const),
		[`${REFERENCE}/trigger.md`, triggerPage(trigger.description)],
		...resources.map(
			(resource) =>
				[
					`${REFERENCE}/${resource.value}.md`,
					resourcePage(resource, description, (operationId) => documented.has(operationId)),
				] as const,
		),
	]);
}

/** The Markdown files of a folder. */
export function markdownIn(folder: string): string[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.md'))
		.map((file) => `${folder}/${file}`);
}
