import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { campaigns, dropDownEntries, type List } from '../../shared/lists/list';
import {
	broadcasts,
	channels,
	filesAt,
	managerGroupsAt,
	recipientGroups,
} from '../lists/locatorLists';
import { eligibleFirst } from './eligibleStatuses';
import { dependentPath } from './dependentLists';

/** Entries per page. The editor requests more when the user scrolls. */
const PAGE = 100;

/** A search that n8n's editor requests. `paginationToken` is the number of entries that the editor already has. */
type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Searches campaigns by name. */
export const searchCampaigns = searchIn(() => campaigns);

/** Searches broadcasts by title. */
export const searchBroadcasts = searchIn(() => broadcasts);

/** Searches channels by name. */
export const searchChannels = searchIn(() => channels);

/** Searches recipient groups by name. */
export const searchRecipientGroups = searchIn(() => recipientGroups);

/**
 * Searches only the groups that already manage the selected channel, because the service has no list of all console user
 * groups.
 */
export const searchManagerGroups = searchIn((context) =>
	managerGroupsAt(
		dependentPath(context, '/int/v1/channel/:channelId/managerGroup', 'the groups that manage it'),
	),
);

/** Searches the files of the selected campaign or broadcast by name. */
export const searchFiles = searchIn((context) => {
	const isBroadcast = context.getCurrentNodeParameter('resource') === 'broadcastFile';
	const path = isBroadcast
		? '/int/v1/broadcast/:broadcastId/file'
		: '/int/v1/campaign/:campaignId/file';
	return filesAt(dependentPath(context, path, 'its files'));
});

/** Creates a search in a list. The service has no search by name, so the whole list is read and cached for a minute. */
function searchIn(listFor: (context: ILoadOptionsFunctions) => List): Search {
	return async function (filter = '', paginationToken = '0') {
		const resource = this.getCurrentNodeParameter('resource');
		const operation = this.getCurrentNodeParameter('operation');
		const entries = await dropDownEntries(this, listFor(this));
		const found = eligibleFirst(entries, filter, `${String(resource)}.${String(operation)}`);
		const begin = Number(paginationToken);
		const end = begin + PAGE;
		return {
			results: found.slice(begin, end).map((entry) => ({
				name: entry.label,
				value: entry.id,
				url: entry.url,
			})),
			paginationToken: end < found.length ? String(end) : undefined,
		};
	};
}
