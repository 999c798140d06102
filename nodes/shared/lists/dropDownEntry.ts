import { tryToParseDateTime, type IDataObject } from 'n8n-workflow';

import { parseServiceDate } from '../serviceDate';
import { CAMPAIGN_STATUS, statusName } from '../statusCodes';
import { listIn, trimmed } from '../values';

/** A record in a list of the editor. It is small, because thousands of records stay in memory for a while. */
export type DropDownEntry = {
	id: string;
	/** Name of the record, or its ID if it has no name. Searches compare it. */
	name: string;
	/** What the list shows: name and state, followed by the ID if another entry would look the same. */
	label: string;
	/** The service's status code. */
	status?: string;
	/** Address of the record in the console. */
	url?: string;
	/** Shown below the name. */
	note?: string;
	categories?: string[];
};

/** Creates the entry of a record, or returns `undefined` if the record has no ID. @param timezone for dates in its label */
export type ToEntry = (record: IDataObject, timezone: string) => DropDownEntry | undefined;

/** Shows a campaign by its name, its state and its live date (`stateWithDate`): `Pulse, live since 3 Mar 2026`. */
export const campaignEntry: ToEntry = (record, timezone) => {
	const name = nonEmptyText(record.name) ?? nonEmptyText(record.title);
	return entryOf(record, name, stateWithDate(record, timezone));
};

/** Shows any record with a name: recipient groups, groups of console users, files. */
export const namedEntry: ToEntry = (record) => entryOf(record, nonEmptyText(record.name));

/** Shows a template by its name, and marks survey templates. */
export const templateEntry: ToEntry = (record) => {
	const entry = entryOf(record, nonEmptyText(record.name));
	if (entry && record.isSurvey === true) entry.note = 'Survey template';
	return entry;
};

/** Appends the ID to the label of entries that would look the same. */
export function disambiguate(entries: DropDownEntry[]): DropDownEntry[] {
	const counts = new Map<string, number>();
	for (const { label } of entries) counts.set(label, (counts.get(label) ?? 0) + 1);
	return entries.map((entry) =>
		counts.get(entry.label) === 1 ? entry : { ...entry, label: `${entry.label} · ${entry.id}` },
	);
}

/**
 * Creates the entry of a record, or returns `undefined` if the record has no ID.
 *
 * @param name `undefined` if the record has no name: the entry then shows its ID
 * @param state in words, shown after the name
 */
export function entryOf(
	record: IDataObject,
	name: string | undefined,
	state?: string,
): DropDownEntry | undefined {
	const { _id: id, status, categories } = record;
	if (typeof id !== 'string' || id === '') return undefined;
	const nameOrId = name ?? id;
	const label = state ? `${nameOrId}, ${state}` : nameOrId;
	const entry: DropDownEntry = { id, name: nameOrId, label };
	// A record has only one of the two URLs.
	const url = record.broadcastUrl ?? record.campaignUrl;
	if (typeof status === 'string') entry.status = status;
	if (typeof url === 'string') entry.url = url;
	if (Array.isArray(categories))
		entry.categories = listIn(categories).filter((category) => typeof category === 'string');
	return entry;
}

/** The words before the live date, by status code. A draft has not gone live. */
const LIVE_DATE: Record<string, string> = {
	[CAMPAIGN_STATUS.live]: 'live since',
	[CAMPAIGN_STATUS.closed]: 'closed, went live',
	[CAMPAIGN_STATUS.scheduled]: 'scheduled for',
};

/**
 * Returns the state of a campaign or broadcast with its live date: `live since 3 Mar 2026`.
 *
 * - a draft, or no date: only the name of the status (for example `draft`), or `undefined` if the status is unknown
 * - an unknown status: only the date, `live date 3 Mar 2026`
 */
export function stateWithDate(record: IDataObject, timezone: string): string | undefined {
	const { status, liveDate } = record;
	const name = statusName(status);
	const date = formatDate(liveDate, timezone, 'd LLL yyyy');
	if (date === undefined || status === CAMPAIGN_STATUS.draft) return name;
	return `${LIVE_DATE[String(status)] ?? 'live date'} ${date}`;
}

/**
 * Formats a date of the service, or returns `undefined` for anything else. A date without a time is midnight in UTC.
 *
 * @param format for Luxon: `d LLL yyyy`
 */
export function formatDate(date: unknown, timezone: string, format: string): string | undefined {
	const time = parseServiceDate(date, 0);
	if (Number.isNaN(time)) return undefined;
	return tryToParseDateTime(new Date(time), timezone).toFormat(format);
}

/** Returns a trimmed text, or `undefined` if it is empty or not a text. */
export function nonEmptyText(value: unknown): string | undefined {
	return trimmed(value) || undefined;
}
