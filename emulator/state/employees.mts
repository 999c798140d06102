import { likelyAnswers } from './surveyAnswers.mts';
import { seededRandom } from './random.mts';
import { submitResponse, surveyOf } from './surveyResponses.mts';
import type { EmulatorState } from './state.mts';

/**
 * Returns up to `limit` recipients of a survey who have no row in its data yet. In an anonymous survey, they are undefined,
 * because nobody knows who has a row.
 */
export function notYetAnswered(
	state: EmulatorState,
	campaignId: string,
	limit: number,
): (string | undefined)[] {
	const survey = surveyOf(state, campaignId);
	const recipients = state.campaigns.get(campaignId)?.recipients ?? new Set();
	if (survey.anonymous) {
		const left = Math.max(0, recipients.size - survey.responseCount);
		return Array<undefined>(Math.min(limit, left)).fill(undefined);
	}
	return [...recipients].filter((id) => !survey.hasRowOf(id)).slice(0, limit);
}

/**
 * Lets up to `count` recipients without a row answer a survey. In an anonymous survey, adds rows without a user ID. Returns
 * the number of rows.
 */
export function letPeopleAnswer(
	state: EmulatorState,
	now: number,
	campaignId: string,
	count: number,
): number {
	const { questions, responseCount } = surveyOf(state, campaignId);
	const random = seededRandom(responseCount + 1);
	const people = notYetAnswered(state, campaignId, count);
	for (const userId of people) {
		const answers = likelyAnswers(questions, random);
		const responseDuration = 5 + (random() % 300);
		submitResponse(state, now, campaignId, { userId, answers, responseDuration });
	}
	return people.length;
}
