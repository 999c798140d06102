/**
 * jest's configuration for `npm run mutation`: the unit tests, and the tests of the trigger and of Sync in n8n's engine.
 * Stryker runs them in copies of the project.
 */
const { globalSetup, projects, testTimeout } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

// test/kit/engine.mts takes the sources in place of the build, and test/kit/property.mts does not shrink.
process.env.MUTATION = '1';
// Every mutant meets fewer random histories than a change meets in `npm test`.
process.env.PROPERTY_TIMES ??= '0.5';

module.exports = {
	...unit,
	...{ globalSetup, testTimeout },
	// Stryker extends it.
	testEnvironment: require.resolve('./environment.cjs'),
	// Other slow tests would take minutes for each mutant.
	testMatch: [
		'<rootDir>/test/unit/**/!(*.slow).test.mts',
		'<rootDir>/test/engine/{afterFailure,allItemsFirst,lists,oneStep,requests,runner,survey}.test.mts',
		'<rootDir>/test/engine/{trigger,sync,syncGroups,syncMirror,syncRetry}.test.mts',
		'<rootDir>/test/engine/{trigger,sync}Model.slow.test.mts',
	],
	testSequencer: require.resolve('./mutationSequencer.cjs'),
};
