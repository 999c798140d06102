import { tryToParseDateTime, type IDataObject } from 'n8n-workflow';

import { serviceTime } from '../serviceTime';
import { CAMPAIGN_STATUS, statusName } from '../statusCodes';
import { trimmed } from '../values';

/** A record in a drop-down list of the editor. It is small, because thousands of records stay in memory for a while. */
export type Entry = {
	id: string;
	/** Name of the record, or its ID if it has no name. */
	name: string;
	/** The label: name and state, followed by the ID if another entry would look the same. */
	shown: string;
	/** The service's status code. */
	status?: string;
	/** Address in the console. */
	url?: string;
	/** Shown below the name. */
	note?: string;
	categories?: string[];
};

/** Creates the entry of a record, or returns `undefined` if the record has no ID. */
export type ToEntry = (record: IDataObject, timezone: string) => Entry | undefined;

/** Shows a campaign by its name, its state and the date it went live: `Pulse, live since 3 Mar 2026`. */
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
export function disambiguate(entries: Entry[]): Entry[] {
	const looks = new Map<string, number>();
	for (const { shown } of entries) looks.set(shown, (looks.get(shown) ?? 0) + 1);
	return entries.map((entry) =>
		(looks.get(entry.shown) ?? 0) > 1 ? { ...entry, shown: `${entry.shown} · ${entry.id}` } : entry,
	);
}

/**
 * Creates the entry of a record, or returns `undefined` if the record has no ID.
 *
 * @param state in words, shown behind the name
 */
export function entryOf(
	record: IDataObject,
	name: string | undefined,
	state?: string,
): Entry | undefined {
	// A record has only one of the two URLs.
	const { _id: id, status, campaignUrl, broadcastUrl: url = campaignUrl, categories } = record;
	if (typeof id !== 'string' || id === '') return undefined;
	const known = name ?? id;
	const entry: Entry = { id, name: known, shown: state ? `${known}, ${state}` : known };
	if (typeof status === 'string') entry.status = status;
	if (typeof url === 'string') entry.url = url;
	if (Array.isArray(categories)) {
		const texts: unknown[] = categories;
		entry.categories = texts.filter((category) => typeof category === 'string');
	}
	return entry;
}

/** The words before the live date, by status code. A draft has not gone live. */
const LIVE_DATE: Record<string, string> = {
	[CAMPAIGN_STATUS.live]: 'live since',
	[CAMPAIGN_STATUS.closed]: 'closed, went live',
	[CAMPAIGN_STATUS.scheduled]: 'scheduled for',
};

/** Returns the state of a campaign or broadcast in words, with its live date if the record has one. */
export function stateWithDate(
	{ status, liveDate }: IDataObject,
	timezone: string,
): string | undefined {
	const words = statusName(status);
	const date = shownDate(liveDate, timezone, 'd LLL yyyy');
	if (date === undefined || status === CAMPAIGN_STATUS.draft) return words;
	return `${LIVE_DATE[String(status)] ?? 'live date'} ${date}`;
}

/** Formats a date of the service, or returns `undefined` if it is none. @param format as Luxon writes it */
export function shownDate(date: unknown, timezone: string, format: string): string | undefined {
	const time = serviceTime(date, 0);
	if (Number.isNaN(time)) return undefined;
	return tryToParseDateTime(new Date(time), timezone).setZone(timezone).toFormat(format);
}

/** Returns a trimmed text, or `undefined` if it is empty or not a text. */
export function nonEmptyText(value: unknown): string | undefined {
	return trimmed(value) || undefined;
}
