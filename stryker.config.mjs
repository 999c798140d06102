import { tmpdir } from 'node:os';
import { join } from 'node:path';

// `npm run mutation`, nightly: mutates the modules that decide without I/O, and counts the mutants that the unit tests
// detect. `npm run mutation -- -m <file>` selects a module.
export default {
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'test/kit/mutation.cjs' },
	mutate: [
		'nodes/MessagingService/fields/simplify.ts',
		'nodes/MessagingService/methods/eligibleStatuses.ts',
		'nodes/MessagingService/engine/{declaration,describeProgress,names,properties,requestOptions}.ts',
		'nodes/MessagingService/resources/channelRecipient/conditions.ts',
		'nodes/MessagingService/resources/survey/{checkQuestions,questionResults,questionTypes,responses,segments,summary,suppression}.ts',
		'nodes/MessagingService/resources/survey/questionsText/*.ts',
		'nodes/MessagingServiceTrigger/{campaigns,events,items,news,rows,schedule,seen,settings,state,survey}.ts',
		'nodes/shared/lists/entry.ts',
		'nodes/shared/transport/{accessToken,address,paging,retry,secrets}.ts',
		'nodes/shared/transport/errors/*.ts',
		'nodes/shared/{answers,field,filters,status,surveyData,truncate,values}.ts',
	],
	coverageAnalysis: 'perTest',
	// Texts are not decisions.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignoreStatic: true,
	// On a busy machine, a slow test is not an endless loop.
	timeoutFactor: 3,
	ignorePatterns: ['/dist', '/examples', '/sandbox', '/.sandbox', '/.cache', '/reports'],
	thresholds: { high: 95, low: 85, break: 85 },
	reporters: ['clear-text', 'progress-append-only', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: 'reports/mutation.html' },
	// Outside the project: `npm run lint` reads everything in it.
	tempDirName: join(tmpdir(), 'n8n-nodes-messaging-service-mutation'),
	concurrency: 2,
};
