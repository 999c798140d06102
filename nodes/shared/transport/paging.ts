import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import { settle } from '../concurrency';
import { isDataObject } from '../values';
import type { Envelope } from './apiRequest';
import { apiError, isAccessRefusal, type ErrorContext } from './errors/apiError';
import { explainUnexpected } from './errors/responseErrors';

/** The content of one response of a list endpoint. */
export type Page = { records: IDataObject[]; total?: number };

/**
 * Returns the records and the total of a list response. A response without `data` is treated as an empty list, because
 * the API does not document the form of an empty list.
 *
 * @throws NodeApiError if `data` is not a list
 */
export function toPage(node: INode, { data = [], total }: Envelope): Page {
	if (!Array.isArray(data)) {
		const about: ErrorContext = { node, request: { method: 'GET', url: '' }, sent: [] };
		throw apiError(about, explainUnexpected(about, data));
	}
	return { records: data.filter(isDataObject), total };
}

/** Requests one page with the given query. */
export type FetchPage = (qs: IDataObject) => Promise<Page>;

/** The records of a list. `problem` says why some may be missing. */
export type Listing = { records: IDataObject[]; problem?: string };

/** Reads the records of a list, at most `wanted`, or all of them. @throws the errors of `fetchPage` */
export type ReadPages = (fetchPage: FetchPage, wanted?: number) => Promise<Listing>;

/** The largest page that the service allows (campaign.getAll, recipientGroup.getAll in emulator/openapi.yaml). */
export const LARGEST_PAGE = 1000;

/** A page size that the service always accepts, for lists with `skip` and `limit`. The API documents no maximum. */
const SAFE_PAGE = 100;

/** Maximum number of records of one list, so that a service that returns new IDs forever cannot fill the memory. */
const MOST_RECORDS = 500_000;

const CUT_SHORT = `The list is incomplete: reading stopped after ${MOST_RECORDS} records, because the service keeps returning more. Use filters to get fewer records.`;

const NO_PROGRESS =
	'The list may be incomplete: when asked for more records, the service returned only records that it had returned before, or records without an ID.';

/** If a list changes while it is read, `bySkip` reads it at most this many times. */
const MOST_PASSES = 4;

/**
 * Reads campaigns and broadcasts. Each page starts at the last record of the previous page, or just after that record.
 * The API does not document which of the two (campaign.getAll, broadcast.getAll in emulator/openapi.yaml). A record can
 * also be repeated because the list changed, or because it is not sorted by ID. Repeated records are dropped. Reading ends
 * only at a page without new records, because the service may return fewer records than requested. If this page repeats
 * more than the last record, the service may ignore `previousLastId`.
 */
export const byPreviousLastId: ReadPages = async (fetchPage, asked = Infinity) => {
	const wanted = Math.min(asked, MOST_RECORDS);
	const records: IDataObject[] = [];
	const ids = new Set<unknown>([undefined]);
	let previousLastId: IDataObject[string];
	while (records.length < wanted) {
		const repeated = previousLastId === undefined ? 0 : 1;
		const limit = Math.min(LARGEST_PAGE, wanted - records.length + repeated);
		const { records: page } = await fetchPage({ limit, previousLastId });
		const known = ids.size;
		for (const record of page) {
			if (record._id === undefined || !ids.has(record._id)) records.push(record);
			ids.add(record._id);
		}
		const isEnd = page.length === 0 || (page.length === 1 && page[0]?._id === previousLastId);
		previousLastId = page.at(-1)?._id;
		if (ids.size > known && previousLastId !== undefined) continue;
		return listing(records, asked, isEnd ? undefined : NO_PROGRESS);
	}
	return listing(records, asked);
};

/**
 * Reads recipient groups and the people of channels with `skip` and `limit`. If the total changes during the reads, or
 * exceeds the number of records found, repeats the read until a pass finds no new records. So a record that moves to
 * another page is neither lost nor returned twice. The API does not document what `total` counts
 * (recipientGroup.getAll in emulator/openapi.yaml). A total that does not exceed the records of its page is ignored,
 * because it may count only the page. If the total changes or is missing, reading ends at an empty page.
 */
export const bySkip: ReadPages = async (fetchPage, asked = Infinity) => {
	const wanted = Math.min(asked, MOST_RECORDS);
	const found = new Map<unknown, IDataObject>();
	let total = 0;
	const isMissing = () => found.size < Math.min(wanted, total);
	for (let pass = 1; pass <= MOST_PASSES; pass++) {
		const before = found.size;
		const totals = new Set<number>();
		let idsBefore: unknown[] = [];
		for (let skip = 0; found.size < wanted; ) {
			const limit = Math.min(SAFE_PAGE, Math.max(wanted - skip, 1));
			const { records, total: reported = 0 } = await fetchPage({ limit, skip });
			if (reported > records.length) {
				total = reported;
				totals.add(total);
			}
			if (records.length === 0) break;
			for (const record of records) found.set(record._id ?? record, record);
			const ids = records.map(({ _id }) => _id);
			if (isSamePage(ids, idsBefore)) return listing([...found.values()], asked, NO_PROGRESS);
			idsBefore = ids;
			skip += ids.length;
			if (totals.size === 1 && reported === total && skip >= total) break;
		}
		const isStable = totals.size <= 1;
		if (isStable && (!isMissing() || (pass > 1 && found.size === before))) break;
	}
	const missing = `The list is incomplete: the service reports ${total} records but returned only ${found.size}, even when the list was read again.`;
	return listing([...found.values()], asked, isMissing() ? missing : undefined);
};

function listing(records: IDataObject[], asked: number, problem?: string): Listing {
	if (asked > MOST_RECORDS && records.length >= MOST_RECORDS) {
		return { records: records.slice(0, MOST_RECORDS), problem: CUT_SHORT };
	}
	return { records: records.slice(0, asked), problem };
}

/**
 * Reads a whole list with `skip` in large pages. After a refused page, or a page with few records, the pages are small.
 */
export const bySkipInLargePages: ReadPages = async (fetchPage, wanted) => {
	let limit = LARGEST_PAGE;
	const fetchLargePage: FetchPage = async ({ skip }) => {
		const outcome = await settle(async () => await fetchPage({ limit, skip }));
		if ('error' in outcome) {
			if (limit === SAFE_PAGE || !isContentRefusal(outcome.error)) throw outcome.error;
			limit = SAFE_PAGE;
			return await fetchPage({ limit, skip });
		}
		if (outcome.result.records.length < SAFE_PAGE) limit = SAFE_PAGE;
		return outcome.result;
	};
	return await bySkip(fetchLargePage, wanted);
};

/** Whether the service refused the request because of its content. */
function isContentRefusal(error: unknown): boolean {
	if (isAccessRefusal(error)) return false;
	return error instanceof NodeApiError && ['200', '400', '422'].includes(error.httpCode ?? '');
}

/**
 * Reads templates, channels and files, which the service returns in one response. The API documents no way to request
 * further pages.
 */
export const inOneResponse: ReadPages = async (fetchPage, wanted = Infinity) => {
	const { records, total = 0 } = await fetchPage({});
	const missing = `The list is incomplete: the service returned ${records.length} of ${total} records and offers no way to request the others.`;
	const isMissing = records.length < Math.min(wanted, total);
	return { records: records.slice(0, wanted), problem: isMissing ? missing : undefined };
};

/**
 * Whether two pages are the same. One common record does not prove this, because a record may have moved to the next
 * page.
 */
function isSamePage(ids: unknown[], before: unknown[]): boolean {
	return ids.length === before.length && ids.every((id, n) => id !== undefined && id === before[n]);
}
