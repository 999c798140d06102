import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { apiRequest, CREDENTIAL } from '../transport/apiRequest';
import { normalizeBaseUrl } from '../transport/address';
import {
	byPreviousLastId,
	inOneResponse,
	toPage,
	type Page,
	type ReadPages,
} from '../transport/paging';
import { SharedPause, withRetries } from '../transport/retry';
import {
	campaignEntry,
	disambiguate,
	templateEntry,
	type DropDownEntry,
	type ToEntry,
} from './dropDownEntry';

/** A list of the service: its path, how to read it, and how to show its records. */
export type List = {
	path: string;
	read: ReadPages;
	toEntry: ToEntry;
	/** The order in the editor. `newest` is the order of the service. */
	order: 'byName' | 'newest';
};

export const campaigns = listAt('/int/v1/campaign', byPreviousLastId, campaignEntry, 'newest');

export const templates = listAt('/int/v1/template', inOneResponse, templateEntry);

/** Declares a list of the service. `path` contains only encoded IDs. */
export function listAt(
	path: string,
	read: ReadPages,
	toEntry: ToEntry,
	order: List['order'] = 'byName',
): List {
	return { path, read, toEntry, order };
}

/** Maximum entries of one list. Other records can be selected by ID. */
const MOST_ENTRIES = 20_000;

/** Maximum campaigns in a drop-down list without a search, because the editor renders all options at once. */
export const MOST_OPTIONS = 2000;

/** After this time, a failed request of a list is not repeated. */
const LONGEST_RETRY_MS = 15_000;

/** Total time limit for reading a list. */
const LONGEST_READ_MS = 60_000;

const byName = new Intl.Collator();

/** How long the entries of a list are kept. */
const CACHED_MS = 60_000;

/** The lists of all editors that this process serves. While a user types into a search, no list is read again. */
const cache = new Map<string, { entries: Promise<DropDownEntry[]>; readAt: number }>();

/** Empties the cache, so that the lists of the editor show a record that a node has just created. */
export function clearListCache(): void {
	cache.clear();
}

/**
 * Returns the entries of a list for the editor, at most 20,000. If the list is incomplete, returns those that the service
 * returned. They are cached for a minute per account, and per time zone, because labels contain dates.
 *
 * @throws NodeApiError if the service does not return the list, or UserError for an invalid Base URL
 */
export async function dropDownEntries(
	context: ILoadOptionsFunctions,
	list: List,
): Promise<DropDownEntry[]> {
	const timezone = context.getTimezone();
	const key = JSON.stringify([await accountKey(context), list.path, timezone]);
	const now = Date.now();
	for (const [old, { readAt }] of cache) if (Math.abs(now - readAt) >= CACHED_MS) cache.delete(old);
	// Concurrent callers share one read.
	const cached = cache.get(key) ?? { readAt: now, entries: readEntries(context, list, timezone) };
	cache.set(key, cached);
	// A failed read is not kept.
	cached.entries.catch(() => {
		if (cache.get(key) === cached) cache.delete(key);
	});
	return await cached.entries;
}

/** Converts entries to the options of a drop-down, in the same order. */
export function toDropDownOptions(entries: DropDownEntry[]): INodePropertyOptions[] {
	return entries.map(({ label, id, note }) => ({ name: label, value: id, description: note }));
}

/**
 * Returns a text that identifies the account of the credential, with a hash instead of its secrets. With a changed
 * secret, it is another account.
 *
 * @throws UserError for an invalid Base URL
 */
async function accountKey(context: ILoadOptionsFunctions): Promise<string> {
	const credentials = await context.getCredentials(CREDENTIAL);
	const { authentication, accessKey, clientId, clientSecret } = credentials;
	const secrets = JSON.stringify([authentication, accessKey, clientId, clientSecret]);
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secrets));
	return `${normalizeBaseUrl(credentials.baseUrl)} ${Buffer.from(hash).toString('hex')}`;
}

async function readEntries(
	context: ILoadOptionsFunctions,
	{ path, read, toEntry, order }: List,
	timezone: string,
): Promise<DropDownEntry[]> {
	// A slowly arriving response must not block all callers that wait for the list.
	const endsAt = Date.now() + LONGEST_READ_MS;
	const retries = { pause: new SharedPause(), deadline: Date.now() + LONGEST_RETRY_MS };
	const fetchPage = async (qs: IDataObject): Promise<Page> => {
		const envelope = await withRetries(async () => {
			const timeout = Math.max(endsAt - Date.now(), 1);
			return await apiRequest.call(context, { url: path, qs, timeout });
		}, retries);
		return toPage(context.getNode(), envelope);
	};
	// An incomplete list is better than none.
	const { records } = await read(fetchPage, MOST_ENTRIES);
	const entries = records.flatMap((record) => toEntry(record, timezone) ?? []);
	if (order === 'byName') entries.sort((a, b) => byName.compare(a.name, b.name));
	return disambiguate(entries);
}
