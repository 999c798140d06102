/**
 * jest's configuration for `npm run mutation`: the unit tests, and some of the engine tests (`testMatch`). Stryker runs
 * them in copies of the project.
 */
const { globalSetup, projects } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

// With this variable, test/kit/engine.mts loads the sources instead of the build, and test/kit/property.mts does not
// shrink.
process.env.MUTATION = '1';
// For each mutant, property tests have half as many runs as in `npm test`.
process.env.PROPERTY_TIMES ??= '0.5';

module.exports = {
	...unit,
	globalSetup,
	// A mutant may leave a test waiting for ever. The models set their own limits.
	testTimeout: 15_000,
	// Stryker extends this environment.
	testEnvironment: require.resolve('./sharedEnvironment.cjs'),
	// For each mutant, the other slow tests would take minutes.
	testMatch: [
		'<rootDir>/test/unit/**/!(*.slow).test.mts',
		'<rootDir>/test/unit/summaryPrivacy.slow.test.mts',
		'<rootDir>/test/engine/{afterFailure,allItemsFirst,lists,oneStep,requests,runner,survey}.test.mts',
		'<rootDir>/test/engine/{trigger,sync,syncGroups,syncMirror,syncNights,syncRetry,syncRules}.test.mts',
		'<rootDir>/test/engine/{channelAliases,channelSync,syncCalls.slow,syncFaults.slow}.test.mts',
		'<rootDir>/test/model/{trigger,sync}/{trigger,sync}Model.slow.test.mts',
	],
	runner: require.resolve('./mutationRunner.cjs'),
};
