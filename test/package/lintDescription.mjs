// Checks the built description with n8n's lint rules, and prints the findings. In the source, the rules do not see
// fields that a function declares. Runs in a separate process, because with NODE_ENV=test the rules check a sample file
// instead.
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

import { ESLint } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const require = createRequire(import.meta.url);
const { MessagingService } = require('../../dist/nodes/MessagingService/MessagingService.node.js');

/** Returns a property, sorted if it is Resource or Operation, in which people find first what they use most. */
function sorted(property) {
	if (!['resource', 'operation'].includes(property.name)) return property;
	const options = property.options.toSorted((a, b) => a.name.localeCompare(b.name));
	return { ...property, options };
}

/** Returns a description without routing and newer properties, because n8n's rules do not know them. */
function known(value) {
	if (Array.isArray(value)) return value.map(known);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(
		([key, inner]) => inner !== undefined && key !== 'routing',
	);
	return Object.fromEntries(entries.map(([key, inner]) => [key, known(inner)]));
}

const everything = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
const description = new MessagingService().description.properties.map(sorted);
const properties = inspect(known(description), everything);
const eslint = new ESLint({
	overrideConfigFile: true,
	overrideConfig: {
		files: ['**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// Fields stand in the order in which people need them (docs/development/conventions.md).
			'n8n-nodes-base/node-param-collection-type-unsorted-items': 'off',
			'n8n-nodes-base/node-param-fixed-collection-type-unsorted-items': 'off',
			// This rule is about the source, not the description.
			'n8n-nodes-base/node-param-description-unneeded-backticks': 'off',
			'n8n-nodes-base/node-param-required-false': 'off',
		},
	},
});
const [{ messages }] = await eslint.lintText(
	`import type { INodeProperties } from 'n8n-workflow';\nexport const all: INodeProperties[] = ${properties};\n`,
	{ filePath: 'nodes/MessagingService/description.ts' },
);
const lines = properties.split('\n');
console.log(
	JSON.stringify(
		messages.map(({ line, ruleId, message }) => [ruleId, message, lines[line - 2]?.trim()]),
	),
);
