import { config } from '@n8n/node-cli/eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import redos from 'eslint-plugin-redos';
import tseslint from 'typescript-eslint';

/** Limits the steps of the check, not its time, so that a busy machine gives the same result. */
const patternCheck = {
	timeout: 100_000,
	randomSeed: 1,
	seedingTimeout: null,
	incubationTimeout: null,
	attackTimeout: null,
	recallTimeout: null,
};

/** Returns the rules of version 2 of eslint-plugin-n8n-nodes-base, under the name that this file gives to the plugin. */
const version2 = (rules) =>
	Object.fromEntries(
		Object.entries(rules).map(([name, level]) => [
			name.replace('n8n-nodes-base/', 'n8n-nodes-base-2/'),
			level,
		]),
	);

/**
 * Lints the package: with n8n's own configuration (eslint.config.mjs), which has version 1 of eslint-plugin-n8n-nodes-base,
 * with version 2 of that plugin, and with a check of patterns. oxlint lints all other code (.oxlintrc.json).
 */
export default tseslint.config(
	...config,
	{
		files: ['{nodes,credentials}/**/*.ts'],
		plugins: { 'n8n-nodes-base-2': n8nNodesBase, redos },
		rules: {
			// Every pattern takes linear time, so that a long text cannot block n8n.
			'redos/no-vulnerable': ['error', { ignoreErrors: false, ...patternCheck }],
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...version2(n8nNodesBase.configs.credentials.rules),
			// n8n's own lint requires a full URL.
			'n8n-nodes-base-2/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...version2(n8nNodesBase.configs.nodes.rules),
			// n8n's own lint requires NodeConnectionTypes.
			'n8n-nodes-base-2/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base-2/node-class-description-outputs-wrong': 'off',
		},
	},
);
