import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import redos from 'eslint-plugin-redos';
import tseslint from 'typescript-eslint';

// Counted in steps, a pattern that is tried at random gives the same in each run, also on a busy machine.
import patternCheck from './test/kit/patternCheck.json' with { type: 'json' };

const noUnused = {
	'@typescript-eslint/no-unused-vars': [
		'error',
		{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
	],
};

/**
 * Rules for what is not shipped: tests, emulator, sandbox, scripts, configurations. eslint.config.mjs lints the package
 * itself, with version 1 of eslint-plugin-n8n-nodes-base; version 2 runs here.
 */
export default tseslint.config(
	{ ignores: ['dist/**', '**/node_modules/**', '.sandbox/**', '.cache/**', 'reports/**'] },
	{
		files: ['{nodes,credentials}/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { 'n8n-nodes-base': n8nNodesBase, redos },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: {
			// A long text of somebody else's must not hold n8n up: every pattern takes linear time.
			'redos/no-vulnerable': ['error', { ignoreErrors: false, ...patternCheck }],
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// n8n's own lint wants a full address.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// n8n's own lint wants NodeConnectionTypes.
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
			// Much is `async` because the interface that it fills says so: n8n's, jest's, the emulator's routes.
			'@typescript-eslint/require-await': 'off',
			// Records are n8n's loose JSON: what is no text fails the test that compares it.
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
