/** jest's configuration for `npm run mutation`: only the unit tests. Stryker runs them in copies of the project. */
const { globalSetup, projects } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
	...unit,
	globalSetup,
	// Stryker replaces this environment with its own, which it finds by this name.
	testEnvironment: 'node',
	// Slow tests would take minutes for each mutant.
	testMatch: ['<rootDir>/test/unit/**/!(*.slow).test.mts'],
};
