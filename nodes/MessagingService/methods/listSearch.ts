import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { buildPath } from '../../shared/service/path';
import { recordsOf } from '../../shared/service/envelope';
import { statusName } from '../../shared/campaignStatus';
import { apiRequest } from '../../shared/service/transport';

/** How many records one request of a list asks for. */
const PAGE = 100;

/** A search reads larger pages, because most of what it reads does not match. */
const SEARCH_PAGE = 1000;

/** A search goes on until it has this many matches; the editor asks for more when a builder scrolls. */
const ENOUGH_MATCHES = 50;

type Entry = { name: string; value: string; url?: string };

type ListPage = { records: IDataObject[]; next?: string };

/** Campaigns by name, newest first. */
export async function searchCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(
		byPreviousLastId(this, '/int/v1/campaign'),
		toMessage('name', 'campaignUrl'),
		filter,
		paginationToken,
	);
}

/** Broadcasts by title, newest first. */
export async function searchBroadcasts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(
		byPreviousLastId(this, '/int/v1/broadcast'),
		toMessage('title', 'broadcastUrl'),
		filter,
		paginationToken,
	);
}

/** Channels by name, newest first. */
export async function searchChannels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await search(inOneAnswer(this, '/int/v1/channel'), toChannel, filter);
}

/**
 * Groups that manage the chosen channel already, by name: the service has no list of all console user groups.
 *
 * @throws NodeOperationError when no channel is chosen yet
 */
export async function searchManagerGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const url = buildPath(
		'/int/v1/channel/:channelId/managerGroup',
		(name) => this.getCurrentNodeParameter(name, { extractValue: true }),
		() =>
			new NodeOperationError(
				this.getNode(),
				'Choose the channel first: this list shows the groups that manage it',
			),
	);
	return await search(bySkip(this, url), toNamed, filter, paginationToken);
}

/** Recipient groups by name. */
export async function searchRecipientGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(bySkip(this, '/int/v1/recipientGroup'), toNamed, filter, paginationToken);
}

/** Files of the campaign or broadcast chosen above, by name. */
export async function searchFiles(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const parent =
		this.getCurrentNodeParameter('resource') === 'broadcastFile' ? 'broadcast' : 'campaign';
	const url = buildPath(
		`/int/v1/${parent}/:${parent}Id/file`,
		(parameter) => this.getCurrentNodeParameter(parameter, { extractValue: true }),
		() =>
			new NodeOperationError(
				this.getNode(),
				`Choose the ${parent} first: this list shows its files`,
			),
	);
	return await search(inOneAnswer(this, url), toNamed, filter);
}

/**
 * Reads a list page by page until there are matches to show. Without a filter that is one page; with one, every page
 * there is, because the service offers no search by name.
 */
async function search(
	fetchPage: (token: string | undefined, limit: number) => Promise<ListPage>,
	toEntry: (record: IDataObject) => Entry | undefined,
	filter = '',
	token?: string,
): Promise<INodeListSearchResult> {
	const wanted = filter.trim().toLowerCase();
	const results: Entry[] = [];
	const pagesRead = new Set<unknown>();
	let next = token;
	do {
		const page = await fetchPage(next, wanted === '' ? PAGE : SEARCH_PAGE);
		// A service that gives the same page again has no more to give.
		const firstId = page.records[0]?._id;
		if (pagesRead.has(firstId)) return { results };
		pagesRead.add(firstId);
		for (const record of page.records) {
			const entry = toEntry(record);
			const text = `${entry?.name} ${entry?.value}`.toLowerCase();
			if (entry && text.includes(wanted)) results.push(entry);
		}
		next = page.next;
	} while (next !== undefined && wanted !== '' && results.length < ENOUGH_MATCHES);
	return { results, paginationToken: next };
}

function byPreviousLastId(context: ILoadOptionsFunctions, url: string) {
	return async (previousLastId: string | undefined, limit: number): Promise<ListPage> => {
		const qs: IDataObject = previousLastId === undefined ? { limit } : { limit, previousLastId };
		const records = recordsOf(context.getNode(), await apiRequest.call(context, { url, qs }));
		const last = records.at(-1)?._id;
		return { records, next: typeof last === 'string' ? last : undefined };
	};
}

function bySkip(context: ILoadOptionsFunctions, url: string) {
	return async (token: string | undefined): Promise<ListPage> => {
		const skip = Number(token ?? 0);
		const envelope = await apiRequest.call(context, { url, qs: { limit: PAGE, skip } });
		const records = recordsOf(context.getNode(), envelope);
		const read = skip + records.length;
		// A total that is no more than the page holds may count the page alone: then an empty page is the end.
		const { total = 0 } = envelope;
		const ended = records.length === 0 || (total > records.length && read >= total);
		return { records, next: ended ? undefined : String(read) };
	};
}

function inOneAnswer(context: ILoadOptionsFunctions, url: string) {
	return async (): Promise<ListPage> => ({
		records: recordsOf(context.getNode(), await apiRequest.call(context, { url })),
	});
}

function toMessage(nameField: string, urlField: string) {
	return (record: IDataObject): Entry | undefined => {
		const entry = named(record, record[nameField] ?? record.name ?? record.title);
		if (!entry) return undefined;
		const status = statusName(record.status);
		if (status) entry.name = `${entry.name} (${status})`;
		const url = record[urlField];
		if (typeof url === 'string') entry.url = url;
		return entry;
	};
}

function toChannel(record: IDataObject): Entry | undefined {
	const entry = named(record, record.name ?? record.title);
	// The status that archiving leads to (channel.archive in emulator/openapi.yaml).
	if (entry && record.status === '3') entry.name = `${entry.name} (archived)`;
	return entry;
}

function toNamed(record: IDataObject): Entry | undefined {
	return named(record, record.name);
}

function named({ _id }: IDataObject, name: unknown): Entry | undefined {
	if (typeof _id !== 'string') return undefined;
	return { name: typeof name === 'string' && name !== '' ? name : _id, value: _id };
}
