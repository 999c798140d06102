import type { INodePropertyOptions } from 'n8n-workflow';

import { choices } from '../shared/fieldTypes';
import type { SurveyRow } from '../shared/surveyData';

/** The events of a row. The saved state refers to their positions, so the order must not change. */
export const EVENTS = ['surveySubmitted', 'campaignResponded', 'campaignRead'] as const;

/** The position of an event in EVENTS. */
export type EventNumber = 0 | 1 | 2;

export const SURVEY_SUBMITTED: EventNumber = 0;

/** A set of events: the sum of 1 for `surveySubmitted`, 2 for `campaignResponded` and 4 for `campaignRead`. */
export type EventSet = number;

/** The event of a closed survey. It belongs to no row. */
export const SURVEY_CLOSED = 'surveyClosed';

/** The options of the parameter Events. All are events of surveys, although the stored values say "campaign". */
export const eventOptions: INodePropertyOptions[] = choices({
	campaignResponded: [
		'Survey Answered',
		'A recipient sent an answer, but perhaps has not submitted the survey yet. Further answers of this recipient usually give no event.',
	],
	[SURVEY_CLOSED]:
		'The survey was closed. The item of this event has the response rate. It usually comes last, after the items of all responses.',
	campaignRead: ['Survey Opened', 'A recipient opened the survey'],
	surveySubmitted: 'A recipient finished and submitted the survey',
});

/** Returns the set of the named events. Ignores other names, such as `surveyClosed`. */
export function eventSetOf(names: readonly string[]): EventSet {
	let set: EventSet = 0;
	for (const [event, name] of EVENTS.entries()) if (names.includes(name)) set |= 1 << event;
	return set;
}

/** For each set, the numbers of its events, from the highest: a person opens a survey (2), answers it (1) and submits it (0). */
const EVENT_NUMBERS: EventNumber[][] = [[], [0], [1], [1, 0], [2], [2, 0], [2, 1], [2, 1, 0]];

/** Returns the numbers of the events in a set, in the order in which a person goes through them. */
export function eventNumbersIn(set: EventSet): readonly EventNumber[] {
	return EVENT_NUMBERS[set] ?? [];
}

/** Returns the set of the events that happened to a row (docs/trigger.md). */
export function eventsOfRow({ submitted, responseSubmitted, read }: SurveyRow): EventSet {
	return (
		(submitted === true ? 1 : 0) | (responseSubmitted === true ? 2 : 0) | (read === true ? 4 : 0)
	);
}
