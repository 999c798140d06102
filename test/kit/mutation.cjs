/** jest for `npm run mutation`: the unit tests alone. Stryker runs it in copies of the project. */
const { globalSetup, projects } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
	...unit,
	globalSetup,
	// Stryker's own environment takes its place, and knows this one by name.
	testEnvironment: 'node',
	// Large numbers would take minutes for each change.
	testMatch: ['<rootDir>/test/unit/**/!(*.slow).test.mts'],
};
