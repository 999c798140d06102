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

const noUnused = {
	'@typescript-eslint/no-unused-vars': [
		'error',
		{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
	],
};

/**
 * Rules for development code: tests, emulator, local-n8n, scripts, configurations. eslint.config.mjs lints the package with
 * version 1 of eslint-plugin-n8n-nodes-base. This file adds version 2.
 */
export default tseslint.config(
	{ ignores: ['dist/**', '**/node_modules/**', '.local-n8n/**', '.cache/**', 'reports/**'] },
	{
		files: ['{nodes,credentials}/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { 'n8n-nodes-base': n8nNodesBase, redos },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			// Every pattern takes linear time, so that a long text cannot block n8n.
			'redos/no-vulnerable': ['error', { ignoreErrors: false, ...patternCheck }],
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// n8n's own lint requires a full URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// n8n's own lint requires NodeConnectionTypes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['**/*.{mjs,cjs,js}'],
		extends: [tseslint.configs.recommended],
		rules: noUnused,
	},
	{
		files: ['**/*.{cjs,js}'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.dev.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			...noUnused,
			'no-undef': 'off',
			'no-restricted-globals': ['error', { name: 'it', message: 'A test is called `test`.' }],
			'@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
			// Many functions are `async` because of an interface: n8n's, jest's, the emulator's routes.
			'@typescript-eslint/require-await': 'off',
			// Records are n8n's loose JSON. A wrong type fails the comparison in the test.
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/no-floating-promises': [
				'error',
				{
					allowForKnownSafeCalls: [
						{ from: 'package', package: 'node:test', name: ['test', 'describe', 'suite', 'it'] },
					],
				},
			],
		},
	},
);
