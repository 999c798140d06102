// In a zone other than UTC, a date that is read in the zone of the machine turns a test red.
process.env.TZ = 'America/New_York';

/**
 * swc compiles the tests (`.mts`) to CommonJS, the module system of n8n-core. A test with many records or longer than three
 * seconds is called `*.slow.test.mts`. `npm run test:quick` skips it, like n8n 1 and the tests of the emulator.
 */
const shared = {
	testEnvironment: '<rootDir>/test/kit/sharedEnvironment.cjs',
	runtime: '<rootDir>/test/kit/sharedRuntime.cjs',
	setupFiles: ['<rootDir>/test/kit/setup.cjs'],
	rootDir: __dirname,
	// Excludes the two n8n in local-n8n, which have hundreds of thousands of files.
	roots: ['check-service', 'credentials', 'emulator', 'nodes', 'scripts', 'test'].map(
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
	},
	// Coverage of the package and the emulator, not of the tests.
	coveragePathIgnorePatterns: ['/node_modules/', '<rootDir>/test/'],
	modulePathIgnorePatterns: ['<rootDir>/local-n8n', '<rootDir>/.local-n8n', '<rootDir>/.cache'],
};

/** Tests in n8n's engine, on both n8n lines. */
const onBuild = {
	...shared,
	globalSetup: '<rootDir>/test/kit/freshBuild.cjs',
	testMatch: ['engine', 'faults', 'model'].map((room) => `<rootDir>/test/${room}/**/*.test.mts`),
};

/** Suites about what differs between n8n's lines: HTTP, files, expressions, tools, retries, links, polls. */
const ABOUT_N8N =
	'{afterFailure,asTool,credential,files,hrList,network,' +
	'retryOnFail,runner,sendAndWait,sending,sync,trigger,unknownOperation,uploadMemory}';

/** Replaces n8n-core and n8n-workflow of 2.x with those of the last n8n 1.x. */
const onVersion1 = {
	'^n8n-core$': '<rootDir>/node_modules/n8n-core-v1',
	'^n8n-core/(.*)$': '<rootDir>/node_modules/n8n-core-v1/$1',
	'^n8n-workflow$': '<rootDir>/node_modules/n8n-workflow-v1',
};

module.exports = {
	// A run has several engines and emulators. More workers would only wait for each other.
	maxWorkers: 4,
	// Tests limit processor time. On a busy machine, a test may take several times as long by the
	// clock.
	testTimeout: 120_000,
	// Freeing the memory of a worker took up to 0.4 s on two cores.
	workerGracefulExitTimeout: 3_000,
	testSequencer: '<rootDir>/test/kit/sequencer.cjs',
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
			testMatch: ['<rootDir>/test/{emulator,check-service}/**/*.test.mts'],
		},
		{
			...onBuild,
			displayName: 'n8n 2',
		},
		{
			...onBuild,
			displayName: 'n8n 1',
			moduleNameMapper: onVersion1,
			// The other suites run here only at night, because n8n 2 shows the same mistakes
			// (docs/development/testing.md).
			...(!process.env.NIGHTLY &&
				!process.env.FAULTS && {
					testMatch: [`<rootDir>/test/engine/${ABOUT_N8N}{,.slow}.test.mts`],
				}),
		},
	],
};
