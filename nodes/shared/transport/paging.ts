import type { IDataObject, INode } from 'n8n-workflow';

import { settle } from '../concurrency';
import { failedWith } from '../failure';
import { isDataObject } from '../values';
import type { Envelope } from './apiRequest';
import { apiError, isAccessRefusal, type RequestInfo } from './errors/apiError';
import { explainUnexpected } from './errors/responseErrors';

/** The content of one response of a list endpoint. */
export type Page = { records: IDataObject[]; total?: number };

/**
 * Returns the records and the total of a list response. A response without `data` is treated as an empty list, because
 * the API does not document the form of an empty list. Entries that are not objects are left out.
 *
 * @throws NodeApiError if `data` is not a list
 */
export function toPage(node: INode, { data = [], total }: Envelope): Page {
	if (!Array.isArray(data)) {
		// Only the response is known here, so the error does not name the Base URL.
		const request: RequestInfo = { method: 'GET', url: '', usedCredentials: [] };
		throw apiError(node, request, explainUnexpected(request, data));
	}
	return { records: data.filter(isDataObject), total };
}

/** Requests one page with the given query. */
export type FetchPage = (qs: IDataObject) => Promise<Page>;

/** The records of a list. If some may be missing, `problem` says why. */
export type Listing = { records: IDataObject[]; problem?: string };

/** Reads the records of a list: the first `wanted`, or all. @throws the errors of `fetchPage` */
export type ReadPages = (fetchPage: FetchPage, wanted?: number) => Promise<Listing>;

/** The largest page that the service allows (campaign.getAll, recipientGroup.getAll in emulator/openapi.yaml). */
export const LARGEST_PAGE = 1000;

/** A page size that the service always accepts, for lists with `skip` and `limit`. The API documents no maximum. */
const SAFE_PAGE = 100;

const NO_PROGRESS =
	'The list may be incomplete: when asked for more records, the service returned only records that it had returned before, or records without an ID.';

/** How often `bySkip` reads a list at most. */
const MOST_PASSES = 4;

/**
 * Reads campaigns and broadcasts: each page starts at the last record of the previous page, or just after it. The API
 * does not document which of the two (campaign.getAll, broadcast.getAll in emulator/openapi.yaml).
 *
 * - A record that the service returns again is dropped. The list may have changed, or may not be sorted by ID.
 * - Before there are enough records, reading ends only at a page without new IDs (the service may return fewer records than
 *   requested), or at a page whose last record has no ID.
 * - The list is complete if the page at which reading ends is empty or has only the repeated last record. Otherwise, the
 *   service may ignore `previousLastId`, and `problem` says that records may be missing.
 */
export const byPreviousLastId: ReadPages = async (fetchPage, wanted = Infinity) => {
	const records: IDataObject[] = [];
	const ids = new Set<unknown>();
	let previousLastId: IDataObject[string];
	while (records.length < wanted) {
		const mostRepeated = previousLastId === undefined ? 0 : 1;
		const limit = Math.min(LARGEST_PAGE, wanted - records.length + mostRepeated);
		const { records: page } = await fetchPage({ limit, previousLastId });
		const idsBefore = ids.size;
		for (const record of page) {
			const { _id: id } = record;
			if (id === undefined || !ids.has(id)) records.push(record);
			if (id !== undefined) ids.add(id);
		}
		const hasNewIds = ids.size > idsBefore;
		const isAtEnd = page.length <= mostRepeated && page.every(({ _id }) => _id === previousLastId);
		previousLastId = page.at(-1)?._id;
		const problem = isAtEnd ? undefined : NO_PROGRESS;
		const isLastPage = !hasNewIds || previousLastId === undefined;
		if (isLastPage && records.length < wanted) return { records, problem };
	}
	return { records: records.slice(0, wanted) };
};

/**
 * Reads recipient groups and the people of channels with `skip` and `limit`. If the list changes meanwhile, a record may
 * move to another page and be missed. So the list is read up to four times, until a pass is stable (all its pages have the
 * same total), and no record is missing or a repeated pass found nothing new.
 *
 * If records are still missing after that, or a page was returned twice, `problem` says so.
 */
export const bySkip: ReadPages = async (fetchPage, wanted = Infinity) => {
	const found = new Map<unknown, IDataObject>();
	let total = 0;
	const isIncomplete = (): boolean => found.size < Math.min(wanted, total);
	for (let pass = 1; pass <= MOST_PASSES; pass++) {
		const foundBefore = found.size;
		const totals = await readPass(fetchPage, wanted, found);
		if (totals === 'no progress') return { records: [...found.values()], problem: NO_PROGRESS };
		total = totals.at(-1) ?? total;
		const isStable = totals.every((one) => one === total);
		const foundNothingNew = pass > 1 && found.size === foundBefore;
		if (isStable && (!isIncomplete() || foundNothingNew)) break;
	}
	const problem = `The list is incomplete: the service reports ${total} records but returned only ${found.size}, even when the list was read again.`;
	const records = [...found.values()].slice(0, wanted);
	return { records, problem: isIncomplete() ? problem : undefined };
};

/**
 * Reads a list once with `skip` and `limit`, and adds its records to `found`, until `found` has the wanted number. Before
 * that, reading ends at the total. If the total changes or is missing, reading ends at an empty page.
 *
 * The API does not document what `total` counts (recipientGroup.getAll in emulator/openapi.yaml). A total that does not
 * exceed the records of its page is ignored, because it may count only the page.
 *
 * @returns the totals of the pages, without ignored ones, or 'no progress' if a page was returned twice
 */
async function readPass(
	fetchPage: FetchPage,
	wanted: number,
	found: Map<unknown, IDataObject>,
): Promise<number[] | 'no progress'> {
	const totals: number[] = [];
	let idsBefore: unknown[] = [];
	for (let skip = 0; found.size < wanted;) {
		// `skip` may exceed `wanted`, because a page may repeat records.
		const limit = Math.min(SAFE_PAGE, Math.max(wanted - skip, 1));
		const { records, total = 0 } = await fetchPage({ limit, skip });
		if (total > records.length) totals.push(total);
		if (records.length === 0) break;
		for (const record of records) found.set(record._id ?? record, record);
		const ids = records.map(({ _id }) => _id);
		if (isSamePage(ids, idsBefore)) return 'no progress';
		idsBefore = ids;
		skip += ids.length;
		const isConstant = totals.length > 0 && totals.every((one) => one === total);
		if (isConstant && skip >= total) break;
	}
	return totals;
}

/**
 * Reads a list like `bySkip`, but in pages of 1000. If the service refuses the content of such a request, the page is
 * requested again with 100 records. After a refusal, or after a page with fewer than 100 records (the service may reduce a
 * limit that it finds too large), all further pages have 100.
 */
export const bySkipInLargePages: ReadPages = async (fetchPage, wanted) => {
	let limit = LARGEST_PAGE;
	// Ignoring the `limit` of `bySkip` is safe: only the total or an empty page ends its reading, not a short page.
	const fetchLargePage: FetchPage = async ({ skip }) => {
		const settled = await settle(async () => await fetchPage({ limit, skip }));
		if ('error' in settled) {
			const { error } = settled;
			const isOfContent = failedWith(/^(200|400|422)$/, error) && !isAccessRefusal(error);
			if (limit === SAFE_PAGE || !isOfContent) throw error;
			limit = SAFE_PAGE;
			return await fetchPage({ limit, skip });
		}
		if (settled.result.records.length < SAFE_PAGE) limit = SAFE_PAGE;
		return settled.result;
	};
	return await bySkip(fetchLargePage, wanted);
};

/**
 * Reads templates, channels and files, which the service returns in one response. The API documents no way to request
 * further pages. If the total exceeds the records, `problem` says that the list is incomplete.
 */
export const inOneResponse: ReadPages = async (fetchPage, wanted = Infinity) => {
	const { records, total = 0 } = await fetchPage({});
	if (records.length >= Math.min(wanted, total)) return { records: records.slice(0, wanted) };
	const problem = `The list is incomplete: the service returned ${records.length} of ${total} records and offers no way to request the others.`;
	return { records, problem };
};

/** Whether two pages have the same records. One common record is not enough: it may have moved to the next page. */
function isSamePage(ids: unknown[], before: unknown[]): boolean {
	return ids.length === before.length && ids.every((id, n) => id !== undefined && id === before[n]);
}
