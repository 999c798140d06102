import type { INodePropertyOptions } from 'n8n-workflow';

import type { SurveyRow } from '../shared/surveyData';

/**
 * What may happen to a row of survey data, in the order of the bits that stand for it in a set of events: 1, 2, 4. Sets
 * are saved, so the order never changes.
 */
export const EVENTS = ['surveySubmitted', 'campaignResponded', 'campaignRead'] as const;

/** The numbers of two of them that have rules of their own. */
export const SURVEY_SUBMITTED = EVENTS.indexOf('surveySubmitted');
export const CAMPAIGN_READ = EVENTS.indexOf('campaignRead');

export type EventName = (typeof EVENTS)[number];

/** The event of a survey as a whole, which no row has: the campaign was closed. */
export const SURVEY_CLOSED = 'surveyClosed';

/** What the parameter Events takes. */
export const EVENT_CHOICES = [...EVENTS, SURVEY_CLOSED] as const;

/** The number of events there are, and of places for counts by event. */
const EVENT_COUNT = EVENTS.length;

/** The list of the parameter Events. */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Campaign Read',
		value: 'campaignRead',
		description: 'A recipient opened the campaign',
	},
	{
		name: 'Campaign Responded',
		value: 'campaignResponded',
		description: 'A recipient sent a response to the campaign',
	},
	{
		name: 'Survey Closed',
		value: SURVEY_CLOSED,
		description: 'The survey was closed: one item with its response rate, after its last responses',
	},
	{
		name: 'Survey Submitted',
		value: 'surveySubmitted',
		description: 'A recipient submitted the survey',
	},
];

/** A set of events. */
export function eventSet(names: EventName[]): number {
	return names.reduce((set, name) => set | (1 << EVENTS.indexOf(name)), 0);
}

/** The names of the events in a set. */
export function eventNames(set: number): EventName[] {
	return EVENTS.filter((_, event) => (set & (1 << event)) !== 0);
}

const NUMBERS = Array.from({ length: 1 << EVENT_COUNT }, (_, set) =>
	EVENTS.map((_name, event) => event).filter((event) => (set & (1 << event)) !== 0),
);

/** The numbers of the events in a set. */
export function eventNumbers(set: number): number[] {
	return NUMBERS[set] ?? [];
}

/** The set of events that have happened to a row (docs/conventions.md, Trigger). */
export function eventsOf(row: SurveyRow): number {
	return (
		(row.submitted === true ? 1 : 0) |
		(row.responseSubmitted === true ? 2 : 0) |
		(row.read === true ? 4 : 0)
	);
}
