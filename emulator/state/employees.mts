import { likelyAnswers } from './surveyAnswers.mts';
import { seededRandom } from './random.mts';
import { submitResponse, surveyOf } from './surveyResponses.mts';
import type { EmulatorState } from './state.mts';

/** Returns up to `limit` recipients of a survey who have no row in its data yet. */
export function notYetAnswered(state: EmulatorState, campaignId: string, limit: number): string[] {
	const survey = surveyOf(state, campaignId);
	const waiting: string[] = [];
	for (const id of state.campaigns.get(campaignId)?.recipients ?? []) {
		if (waiting.length >= limit) break;
		if (!survey.hasRowOf(id)) waiting.push(id);
	}
	return waiting;
}

/**
 * Lets people answer a live survey: first recipients without a row, then other people. Creates people if there are too few.
 * In an anonymous survey, adds rows without a user ID.
 *
 * @returns the row IDs
 * @throws for a survey that is not live
 */
export function letPeopleAnswer(
	state: EmulatorState,
	now: number,
	campaignId: string,
	count: number,
): string[] {
	const survey = surveyOf(state, campaignId);
	if (state.campaigns.get(campaignId)?.status !== '1') {
		throw new Error('Only a live survey can be answered');
	}
	const random = seededRandom(survey.responseCount + 1);
	const people = survey.isAnonymous ? [] : notYetAnswered(state, campaignId, count);
	return Array.from({ length: count }, (_, index) => {
		const userId = people[index];
		return submitResponse(state, now, campaignId, {
			userId,
			answers: likelyAnswers(survey.questions, random),
			responseDuration: 5 + (random() % 300),
		});
	});
}
