import type { Json } from './json.mts';
import type { EmulatorState } from './state.mts';
import { displayName } from './people.mts';
import type { ResponseRow, Survey } from './survey.mts';

/**
 * A new row of survey data. `answers` is a list or an object. A list has the order of the questions (undefined for no
 * answer). An object has question titles or literal `q.<n>` as its keys.
 */
export interface NewResponse {
	/**
	 * The ID of a known person, or any text. With `null`, the row has no user ID. By default, the row belongs to the next
	 * person without a row. In an anonymous survey, the default is no user ID.
	 */
	userId?: string | null;
	userEmail?: string;
	userDisplayName?: string;
	answers?: (Json | undefined)[] | Record<string, Json>;
	/** The default is true. */
	read?: boolean;
	/** The default is true if there are answers. */
	submitted?: boolean;
	/**
	 * The time in milliseconds or as ISO 8601, or `null` for no time. By default, a submitted response has the current
	 * time.
	 */
	submittedDate?: number | string | null;
	responseDuration?: number;
}

const literalKey = /^q\.\d+$/;

/** Returns the survey of a campaign. @throws if the campaign has no survey */
export function surveyOf(state: EmulatorState, campaignId: string): Survey {
	const survey = state.campaigns.get(campaignId)?.survey;
	if (survey === undefined) throw new Error(`No survey campaign ${campaignId}`);
	return survey;
}

function putAnswers(survey: Survey, row: ResponseRow, answers: NewResponse['answers']): void {
	if (answers === undefined) return;
	row.answers.clear();
	row.rawAnswers.clear();
	if (Array.isArray(answers)) {
		for (const [position, answer] of answers.entries()) {
			if (answer !== undefined) row.answers.set(position, answer);
		}
		return;
	}
	for (const [key, answer] of Object.entries(answers)) {
		if (literalKey.test(key)) {
			row.rawAnswers.set(key, answer);
			continue;
		}
		const position = survey.questions.findIndex((question) => question.title === key);
		if (position < 0) throw new Error(`No question "${key}" in this survey`);
		row.answers.set(position, answer);
	}
}

/** Adds a person who can respond although everybody else has a row in the survey. Returns the person's ID. */
function newPerson(state: EmulatorState): string {
	const number = state.people.size + 1;
	return state.people.add({
		email: `respondent${number}@people.example`,
		lastName: `Respondent ${number}`,
	})._id;
}

/** Adds a row to a survey and returns the row's ID. @throws for an unknown survey or question */
export function submitResponse(
	state: EmulatorState,
	now: number,
	campaignId: string,
	given: NewResponse = {},
): string {
	const survey = surveyOf(state, campaignId);
	const submitted = given.submitted ?? given.answers !== undefined;
	const next = () => state.people.values().find(({ _id }) => !survey.hasRowOf(_id));
	const userId =
		given.userId === undefined && !survey.anonymous
			? (next()?._id ?? newPerson(state))
			: (given.userId ?? undefined);
	const person = userId === undefined ? undefined : state.people.get(userId);
	const dateByDefault = submitted ? now : undefined;
	const row: ResponseRow = {
		rowId: state.ids.next(),
		userId,
		userEmail: given.userEmail ?? person?.email,
		userDisplayName: given.userDisplayName ?? (person && displayName(person)),
		read: given.read ?? true,
		submitted,
		responseSubmitted: submitted,
		submittedDate:
			given.submittedDate === null ? undefined : (given.submittedDate ?? dateByDefault),
		responseDuration: given.responseDuration,
		answers: new Map(),
		rawAnswers: new Map(),
	};
	putAnswers(survey, row, given.answers);
	survey.put(row);
	return row.rowId;
}
