import type { INodePropertyOptions } from 'n8n-workflow';

import { choices } from '../shared/fieldTypes';
import type { SurveyRow } from '../shared/surveyData';

/**
 * The events of a row. A set of events is a number with one bit per event: 1, 2 and 4, in this order. Sets are saved, so
 * the order must not change.
 */
export const EVENTS = ['surveySubmitted', 'campaignResponded', 'campaignRead'] as const;

/** The position of `surveySubmitted` in EVENTS. */
export const SURVEY_SUBMITTED = 0;

export type EventName = (typeof EVENTS)[number];

/** The event of a closed survey. It belongs to no row. */
export const SURVEY_CLOSED = 'surveyClosed';

/** The options of the parameter Events. All are events of surveys, although the stored values say "campaign". */
export const eventOptions: INodePropertyOptions[] = choices({
	campaignResponded: [
		'Survey Answered',
		'A recipient sent an answer (responseSubmitted), perhaps without submitting the survey',
	],
	[SURVEY_CLOSED]:
		'The survey was closed. One item with the response rate follows the last responses.',
	campaignRead: ['Survey Opened', 'A recipient opened the survey (read)'],
	surveySubmitted: 'A recipient finished the survey and submitted it (submitted)',
});

/** Returns events as a set. */
export function eventSet(names: readonly string[]): number {
	return EVENTS.reduce((set, name, event) => (names.includes(name) ? set | (1 << event) : set), 0);
}

/** Returns the names of the events in a set. */
export function eventNames(set: number): EventName[] {
	return positionsIn(set).map((event) => EVENTS[event]);
}

/** The position of an event in EVENTS. */
export type EventNumber = 0 | 1 | 2;

/** For each set, the positions of its events. */
const POSITIONS: EventNumber[][] = [[], [0], [1], [0, 1], [2], [0, 2], [1, 2], [0, 1, 2]];

/** Returns the positions in EVENTS of the events in a set. */
export function positionsIn(set: number): readonly EventNumber[] {
	return POSITIONS[set] ?? [];
}

/** Returns the events of a row, as a set (docs/development/conventions.md, Trigger). */
export function eventSetOf({ submitted, responseSubmitted, read }: SurveyRow): number {
	return (
		(submitted === true ? 1 : 0) | (responseSubmitted === true ? 2 : 0) | (read === true ? 4 : 0)
	);
}
