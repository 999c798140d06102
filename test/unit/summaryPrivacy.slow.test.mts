import { summarize } from '../../nodes/MessagingService/resources/survey/summary.ts';
import { loadChanged } from '../kit/changedModule.mts';
import { runs } from '../kit/property.mts';
import { randomSurvey } from './randomSurvey.mts';
import { whatIsTold, type Summarize } from './summaryAdversary.mts';

const FOLDER = 'nodes/MessagingService/resources/survey';
const SURVEYS = runs(1000);
const firstSeed = Number(process.env.PROPERTY_SEED ?? 0);

/** Tries random surveys one after the other until one reveals something. Returns what it reveals, or `undefined`. */
function firstTold(summarizeSurvey: Summarize, surveys: number): string | undefined {
	for (let n = 0; n < surveys; n++) {
		const told = whatIsTold(randomSurvey(firstSeed + n), summarizeSurvey);
		if (told !== undefined) return `survey ${firstSeed + n}: ${told}`;
	}
	return undefined;
}

const by =
	(own: typeof summarize): Summarize =>
	({ data, settings }, breakDownBy) =>
		own(
			data,
			'c1',
			{ ...settings, ...(breakDownBy !== undefined && { breakDownBy }) },
			24,
			(message) => new Error(message),
		);

test('no subtraction reveals a hidden answer of a few people', () => {
	expect(firstTold(by(summarize), SURVEYS)).toBeUndefined();
});

describe('if any one of these rules is missing, a subtraction reveals an answer', () => {
	test.each<[rule: string, file: string, from: string, to: string]>([
		[
			'a suppressed result has no count',
			'summary.ts',
			'responses: null,',
			'responses: [...answers.values()].reduce((sum, times) => sum + times, 0),',
		],
		[
			'a small segment is hidden',
			'suppression.ts',
			'size >= minimum && (together === 0 || together >= minimum)',
			'together === 0 || together >= minimum',
		],
		[
			'all hidden segments together are not small',
			'suppression.ts',
			'size >= minimum && (together === 0 || together >= minimum)',
			'size >= minimum',
		],
		[
			'people without a segment are counted with the hidden segments',
			'suppression.ts',
			'for (const index of hidden) together += sizes[index] ?? 0;',
			'',
		],
		[
			'a segment that is hidden for a fork is hidden for its branches',
			'suppression.ts',
			'if (!layer.canFork) continue;',
			'continue;',
		],
		[
			'a question with too few answers has no segments',
			'segments.ts',
			'? people.choices < minimumResponses',
			'? false',
		],
		[
			'a hidden text is no segment',
			'segments.ts',
			'isSmall || (!showsTexts && hasText(answer, scale))',
			'isSmall',
		],
		[
			'a combination of answers that only a few people gave is no segment',
			'segments.ts',
			'scale.options.has(name) && !Array.isArray(answer)',
			'scale.options.has(name)',
		],
		[
			'a text of a few people is no segment',
			'segments.ts',
			'isSmall || (!showsTexts && hasText(answer, scale))',
			'!showsTexts && hasText(answer, scale)',
		],
		[
			'Minimum Comments counts only texts',
			'questionResults.ts',
			'sizes: people.map((count) => count[kind])',
			'sizes: people.map((count) => count.choices + count.texts)',
		],
		[
			'texts have their own minimum',
			'questionResults.ts',
			'Math.max(minimumResponses, minimumComments)',
			'minimumResponses',
		],
		[
			'a small number of other answers is hidden',
			'questionResults.ts',
			"textCount: layer('texts', minimumResponses)",
			"textCount: layer('texts', 1)",
		],
		[
			'a small number of other answers is not in the number of responses',
			'questionResults.ts',
			'countAll(countsTexts ? answers : shown)',
			'countAll(answers)',
		],
		[
			'a hidden row of a matrix is not in the number of responses',
			'questionResults.ts',
			'!suppressed.has(row)',
			'true',
		],
		[
			'the segments of a question are hidden before those of its branches',
			'suppression.ts',
			'order.sort((a, b) => b.total - a.total);',
			'',
		],
		[
			'each row of a matrix is counted separately',
			'questionResults.ts',
			"choices: layer('choices', minimumResponses)",
			"choices: layer('choices', 1)",
		],
	])('%s', (_rule, file, from, to) => {
		const changed = loadChanged<{ summarize: typeof summarize }>(`${FOLDER}/summary.ts`, {
			file: `${FOLDER}/${file}`,
			from,
			to,
		});
		// Some of the rules matter in only a few of a thousand surveys, so this test tries more
		// surveys.
		expect(firstTold(by(changed.summarize), 10 * SURVEYS)).toMatch(/^survey \d+: /);
	});
});
