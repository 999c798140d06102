// `npm run mutation`, nightly: breaks the modules that decide without talking to anybody, one small change at a time, and
// counts how many of the changes the unit tests notice. Further modules are given by name: `npm run mutation -- -m <file>`.
export default {
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'test/kit/mutation.cjs' },
	mutate: [
		'nodes/MessagingService/resources/recipientGroup/sync/errorLog.ts',
		'nodes/MessagingService/resources/survey/checkQuestions.ts',
		'nodes/MessagingService/resources/survey/questionsText/*.ts',
		'nodes/MessagingServiceTrigger/seen/*.ts',
		'nodes/MessagingServiceTrigger/takeAnswer.ts',
		'nodes/MessagingServiceTrigger/watchedCampaigns.ts',
		'nodes/shared/service/paging.ts',
		'nodes/shared/service/path.ts',
		'nodes/shared/service/retry.ts',
		'nodes/shared/surveyData.ts',
		'nodes/shared/values.ts',
	],
	coverageAnalysis: 'perTest',
	// Texts of errors and of the screen are not decisions.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignoreStatic: true,
	ignorePatterns: ['/dist', '/examples', '/sandbox', '/.sandbox', '/.cache', '/reports'],
	thresholds: { high: 95, low: 85, break: 85 },
	reporters: ['clear-text', 'progress-append-only', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: 'reports/mutation.html' },
	tempDirName: '.cache/stryker',
	concurrency: 2,
};
