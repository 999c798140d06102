import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const git = (...args) =>
	execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Returns patterns that leave out the files without a commit since this date, such as `yesterday`. */
function unchangedSince(date) {
	const changed = new Set(git('log', `--since=${date}`, '--name-only', '--pretty=', '--', 'nodes'));
	return git('ls-files', 'nodes')
		.filter((file) => !changed.has(file))
		.map((file) => `!${file}`);
}

// `npm run mutation`: mutates the modules that decide without I/O, and counts the mutants that tests detect.
// A release runs it for all of them, which takes up to four hours; CHANGED_SINCE=<date>, as every night, only for files that
// changed. `npm run mutation -- -m <file>` selects a module. The list of modules may only grow.
export default {
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'test/kit/mutation.cjs' },
	mutate: [
		'nodes/MessagingService/fields/simplify.ts',
		'nodes/MessagingService/methods/eligibleStatuses.ts',
		'nodes/MessagingService/engine/{conversions,declaration,output,describeProgress,properties,requestOptions}.ts',
		'nodes/MessagingService/resources/channelRecipient/{conditions,sync/channelApi}.ts',
		'nodes/MessagingService/resources/survey/getResponses.ts',
		'nodes/MessagingService/resources/survey/questions/{checkQuestions,questionTypes}.ts',
		'nodes/MessagingService/resources/survey/questions/text/*.ts',
		'nodes/MessagingService/resources/survey/summary/{questionResults,segments,summary,suppression}.ts',
		'nodes/MessagingService/resources/recipientGroup/sync/{combinations,identify,lookUp,temporaryGroups}.ts',
		'nodes/MessagingService/sync/{calls,changeById,removals,report,sendInChunks,status}.ts',
		'nodes/MessagingServiceTrigger/{campaigns,events,items,news,rows,schedule,seen,settings,state,survey}.ts',
		'nodes/shared/lists/dropDownEntry.ts',
		'nodes/shared/transport/credential/accessToken.ts',
		'nodes/shared/transport/{address,paging,retry,secrets}.ts',
		'nodes/shared/transport/errors/*.ts',
		'nodes/shared/{answers,field,filters,serviceMessages,statusCodes,surveyData,truncate}.ts',
		'nodes/shared/{date,email,values}.ts',
		...(process.env.CHANGED_SINCE ? unchangedSince(process.env.CHANGED_SINCE) : []),
	],
	coverageAnalysis: 'perTest',
	// Texts are not decisions.
	mutator: { excludedMutations: ['StringLiteral'] },
	ignoreStatic: true,
	// On a busy machine, a slow test is not an endless loop.
	timeoutFactor: 4,
	ignorePatterns: ['/dist', '/examples', '/local-n8n', '/.local-n8n', '/.cache', '/reports'],
	thresholds: { high: 95, low: 90, break: 90 },
	reporters: ['clear-text', 'progress-append-only', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: 'reports/mutation.html' },
	// Outside the project: `npm run lint` reads everything in it.
	tempDirName: join(tmpdir(), 'n8n-nodes-messaging-service-mutation'),
	concurrency: 2,
};
