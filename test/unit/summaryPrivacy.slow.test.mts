import { summarize } from '../../nodes/MessagingService/resources/survey/summary/summary.ts';
import { runs } from '../kit/property.mts';
import { randomSurvey } from '../kit/survey/randomSurvey.mts';
import { whatIsTold, type Summarize } from '../kit/survey/summaryAdversary.mts';

const firstSeed = Number(process.env.PROPERTY_SEED ?? 0);

const summaryBy: Summarize = ({ data, settings }, breakDownBy) =>
	summarize(
		data,
		'c1',
		{ ...settings, includeEverybody: true, ...(breakDownBy !== undefined && { breakDownBy }) },
		24,
		(message) => new Error(message),
	).items;

test('no subtraction reveals a hidden answer of a few people', () => {
	for (let seed = firstSeed; seed < firstSeed + runs(500); seed++) {
		const told = whatIsTold(randomSurvey(seed), summaryBy);
		expect([seed, told]).toEqual([seed, undefined]);
	}
});
