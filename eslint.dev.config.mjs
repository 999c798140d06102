import tseslint from 'typescript-eslint';

/** Rules for what is not shipped: tests, emulator, sandbox, scripts. The package itself is linted by eslint.config.mjs. */
export default tseslint.config(
	{ ignores: ['dist/**', '**/node_modules/**', '.sandbox/**'] },
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
			],
			'no-undef': 'off',
		},
	},
);
