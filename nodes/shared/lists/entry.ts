import type { IDataObject } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';

import { statusName } from '../campaignStatus';
import { channelStatusName } from '../channelStatus';
import { isDataObject, trimmed } from '../values';
import type { Entry } from '../transport/ttlCache';

/** Creates the entry of a record; returns `undefined` if it has no ID. */
export type ToEntry = (record: IDataObject, timezone: string) => Entry | undefined;

/** Shows a campaign by its name. */
export const campaignEntry: ToEntry = (record) => {
	const name = textOf(record.name) ?? textOf(record.title);
	return withCategories(messageEntry(record, name, record.campaignUrl), record);
};

/**
 * Shows a broadcast by its title, or by date, sender and number of recipients if the list lacks titles (broadcast.getAll in
 * emulator/openapi.yaml).
 */
export const broadcastEntry: ToEntry = (record, timezone) =>
	messageEntry(
		record,
		textOf(record.title) ?? textOf(record.name) ?? describedBroadcast(record, timezone),
		record.broadcastUrl,
	);

/** Shows a channel by its name. */
export const channelEntry: ToEntry = (record) =>
	entryOf(record, textOf(record.name) ?? textOf(record.title), channelStatusName(record.status));

/** Shows any record with a name: recipient groups, groups of console users, files. */
export const namedEntry: ToEntry = (record) => entryOf(record, textOf(record.name));

/** Shows a template by its name; survey templates are marked. */
export const templateEntry: ToEntry = (record) => {
	const entry = withCategories(entryOf(record, textOf(record.name)), record);
	if (entry && record.isSurvey === true) entry.note = 'Survey template';
	return entry;
};

/** Shows a person by name and email. */
export const personEntry: ToEntry = (record) => {
	const email = textOf(record.email);
	const name = personName(record);
	return entryOf(record, name && email && name !== email ? `${name} (${email})` : (name ?? email));
};

/** Appends the ID to names that several entries in the same state share. */
export function disambiguate(entries: Entry[]): Entry[] {
	const looks = new Map<string, number>();
	const lookOf = ({ name, state }: Entry): string => `${name} (${state ?? ''})`;
	for (const entry of entries) looks.set(lookOf(entry), (looks.get(lookOf(entry)) ?? 0) + 1);
	return entries.map((entry) =>
		(looks.get(lookOf(entry)) ?? 0) > 1
			? { ...entry, shown: `${entry.name} · ${entry.id}` }
			: entry,
	);
}

/** Returns the label of an entry in a search: its name and state. */
export function labelOfEntry({ shown, state }: Entry): string {
	return state === undefined ? shown : `${shown} (${state})`;
}

function messageEntry(record: IDataObject, name: string | undefined, url: unknown) {
	const entry = entryOf(record, name, statusName(record.status));
	if (entry && typeof url === 'string') entry.url = url;
	return entry;
}

function entryOf(record: IDataObject, name: string | undefined, state?: string): Entry | undefined {
	const { _id: id, status } = record;
	if (typeof id !== 'string' || id === '') return undefined;
	const shown = name ?? id;
	const entry: Entry = { id, name: shown, shown };
	if (state !== undefined) entry.state = state;
	if (typeof status === 'string') entry.status = status;
	return entry;
}

/** Describes a broadcast by the fields that the record has: `21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients`. */
function describedBroadcast(
	{ liveDate, sender, recipientAmount }: IDataObject,
	timezone: string,
): string | undefined {
	const parts = [
		textOf(liveDate) && shownDate(String(liveDate), timezone),
		isDataObject(sender) ? (personName(sender) ?? textOf(sender.email)) : undefined,
		typeof recipientAmount === 'number'
			? `${recipientAmount} ${recipientAmount === 1 ? 'recipient' : 'recipients'}`
			: undefined,
	].filter((part) => part !== undefined);
	return parts.length > 0 ? parts.join(' · ') : undefined;
}

function shownDate(date: string, timezone: string): string {
	try {
		return tryToParseDateTime(date, timezone).setZone(timezone).toFormat('d LLL yyyy, HH:mm');
	} catch {
		return date;
	}
}

function personName({ displayName, firstName, lastName }: IDataObject): string | undefined {
	return (
		textOf(displayName) ?? textOf([firstName, lastName].map((part) => textOf(part) ?? '').join(' '))
	);
}

function withCategories(entry: Entry | undefined, { categories }: IDataObject) {
	if (entry && Array.isArray(categories)) {
		const texts: unknown[] = categories;
		entry.categories = texts.filter((category) => typeof category === 'string');
	}
	return entry;
}

/** Returns a trimmed text; `undefined` if it is empty or not a text. */
function textOf(value: unknown): string | undefined {
	return trimmed(value) || undefined;
}
