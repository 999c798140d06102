import type { IDataObject } from 'n8n-workflow';

import {
	entryOf,
	namedEntry,
	nonEmptyText,
	formatDate,
	stateWithDate,
	type ToEntry,
} from '../../shared/lists/dropDownEntry';
import { campaigns, listAt, type List } from '../../shared/lists/list';
import { channelStatusName, statusName } from '../../shared/statusCodes';
import { byPreviousLastId, bySkipInLargePages, inOneResponse } from '../../shared/transport/paging';
import { isDataObject } from '../../shared/values';

/**
 * Shows a broadcast by its title, its state and the date it went live. If the list has no titles, shows the broadcast
 * by its time, sender and number of recipients (broadcast.getAll in emulator/openapi.yaml).
 */
export const broadcastEntry: ToEntry = (record, timezone) => {
	const title = nonEmptyText(record.title) ?? nonEmptyText(record.name);
	return title === undefined
		? entryOf(record, describeBroadcast(record, timezone), statusName(record.status))
		: entryOf(record, title, stateWithDate(record, timezone));
};

/** Shows a channel by its name. */
export const channelEntry: ToEntry = (record) =>
	entryOf(
		record,
		nonEmptyText(record.name) ?? nonEmptyText(record.title),
		channelStatusName(record.status),
	);

/** Shows a person by name and email. */
export const personEntry: ToEntry = (record) => {
	const email = nonEmptyText(record.email);
	const name = personName(record);
	return entryOf(record, name && email && name !== email ? `${name} (${email})` : (name ?? email));
};

export const broadcasts = listAt('/int/v1/broadcast', byPreviousLastId, broadcastEntry, 'newest');

export const channels = listAt('/int/v1/channel', inOneResponse, channelEntry, 'newest');

export const recipientGroups = listAt('/int/v1/recipientGroup', bySkipInLargePages, namedEntry);

/** The lists of records that can be selected by name. The key is the parameter that takes a record's ID. */
export const LISTS: Record<string, List> = {
	campaignId: campaigns,
	channelId: channels,
	recipientGroupId: recipientGroups,
};

/** Returns the list of the users who manage a channel. `path` contains the channel's encoded ID. */
export const managersAt = (path: string): List => listAt(path, bySkipInLargePages, personEntry);

/** Returns the list of the console user groups that manage a channel. */
export const managerGroupsAt = (path: string): List => listAt(path, bySkipInLargePages, namedEntry);

/** Returns the list of the files of a campaign or broadcast. */
export const filesAt = (path: string): List => listAt(path, inOneResponse, namedEntry);

/** Describes a broadcast by the fields that the record has: `21 Nov 2026, 14:05 · Ada Lovelace · 120 recipients`. */
function describeBroadcast(
	{ liveDate, sender, recipientAmount }: IDataObject,
	timezone: string,
): string | undefined {
	const parts = [
		formatDate(liveDate, timezone, 'd LLL yyyy, HH:mm') ?? nonEmptyText(liveDate),
		isDataObject(sender) ? (personName(sender) ?? nonEmptyText(sender.email)) : undefined,
		typeof recipientAmount === 'number'
			? `${recipientAmount} ${recipientAmount === 1 ? 'recipient' : 'recipients'}`
			: undefined,
	].filter((part) => part !== undefined);
	return parts.length > 0 ? parts.join(' · ') : undefined;
}

/** Returns the name of a person, or `undefined` if the record has none. */
function personName({ displayName, firstName, lastName }: IDataObject): string | undefined {
	const fullName = [firstName, lastName].map((part) => nonEmptyText(part) ?? '').join(' ');
	return nonEmptyText(displayName) ?? nonEmptyText(fullName);
}
