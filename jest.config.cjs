/**
 * Tests are `.mts`: swc turns them into CommonJS, so that they share one module system with n8n-core. What takes more than
 * three seconds, or large numbers, is called `*.slow.test.mts`: `npm run test:quick` leaves it out, as it does n8n 1 and
 * the emulator's own tests.
 */
const shared = {
	testEnvironment: '<rootDir>/test/kit/environment.cjs',
	setupFiles: ['<rootDir>/test/kit/setup.cjs'],
	rootDir: __dirname,
	// What is watched and searched for tests: the two n8n in sandbox have hundreds of thousands of files.
	roots: ['credentials', 'emulator', 'nodes', 'scripts', 'test'].map(
		(folder) => `${__dirname}/${folder}`,
	),
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
		// The emulator's router and its validator come as ES modules only.
		'/node_modules/(fastify-openapi-glue|@seriousme)/.*\\.js$': [
			'@swc/jest',
			{ jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	transformIgnorePatterns: ['/node_modules/(?!(fastify-openapi-glue|@seriousme)/)'],
	// The report is of what is shipped, and of the emulator; what tests it says nothing of itself.
	coveragePathIgnorePatterns: ['/node_modules/', '<rootDir>/test/'],
	modulePathIgnorePatterns: ['<rootDir>/sandbox', '<rootDir>/.sandbox', '<rootDir>/.cache'],
};

/** What runs in the real engine: on both lines of n8n. */
const onBuild = {
	...shared,
	globalSetup: '<rootDir>/test/kit/freshBuild.cjs',
	testMatch: ['<rootDir>/test/engine/**/*.test.mts', '<rootDir>/test/faults/**/*.test.mts'],
};

/** On n8n 1, `npm test` runs only those slow suites whose subject is n8n's engine; docs/testing.md says why. */
const NIGHTLY_ON_VERSION_1 =
	'/(?!(asTool|choices|hostile|schemas|twoProcesses)\\.)[^/]+\\.slow\\.test\\.mts$';

/** The same engine tests against the last n8n 1.x: its n8n-core and n8n-workflow take the place of 2.x. */
const onVersion1 = {
	'^n8n-core$': '<rootDir>/node_modules/n8n-core-v1',
	'^n8n-core/(.*)$': '<rootDir>/node_modules/n8n-core-v1/$1',
	'^n8n-workflow$': '<rootDir>/node_modules/n8n-workflow-v1',
};

module.exports = {
	// A run holds several engines and emulators: more workers than this only makes them wait for each other.
	maxWorkers: 4,
	// Tests limit processor time; a busy machine may need several times as long by the clock.
	testTimeout: 120_000,
	// Nothing keeps a worker alive (see environment.cjs), but to free its memory took up to 0.4 s on two cores.
	workerGracefulExitTimeout: 3_000,
	globalSetup: '<rootDir>/test/kit/globalSetup.cjs',
	globalTeardown: '<rootDir>/test/kit/globalTeardown.cjs',
	projects: [
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/unit/**/*.test.mts', '<rootDir>/test/package/**/*.test.mts'],
		},
		{
			...shared,
			displayName: 'emulator',
			testMatch: ['<rootDir>/test/emulator/**/*.test.mts'],
		},
		{ ...onBuild, displayName: 'n8n 2' },
		{
			...onBuild,
			displayName: 'n8n 1',
			moduleNameMapper: onVersion1,
			testPathIgnorePatterns: [
				'/node_modules/',
				...(process.env.NIGHTLY || process.env.FAULTS ? [] : [NIGHTLY_ON_VERSION_1]),
			],
		},
	],
};
