import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import { settle } from '../concurrency';
import type { Fail } from '../failure';
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

/**
 * Reads the records of a list, at most `wanted`.
 *
 * @param wanted maximum number of records, or `Infinity` for all
 * @param fail creates the error for a list with `skip` that does not end
 * @param warn reports an incomplete list to the user
 */
export type ReadPages = (
	fetchPage: FetchPage,
	wanted: number,
	fail: Fail,
	warn?: (message: string) => void,
) => Promise<IDataObject[]>;

/** The largest page that the service allows (campaign.getAll, recipientGroup.getAll in emulator/openapi.yaml). */
const LARGEST_PAGE = 1000;

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
 * only at a page without new records, because the service may return fewer records than requested. If this page is full,
 * the service may ignore `previousLastId`, so the list may be incomplete.
 */
export const byPreviousLastId: ReadPages = async (fetchPage, asked, _fail, warn) => {
	const wanted = Math.min(asked, MOST_RECORDS);
	const records: IDataObject[] = [];
	const ids = new Set<unknown>([undefined]);
	let previousLastId: IDataObject[string];
	let fullPage = 1;
	/** 1 if the previous page began with a repeated record, otherwise 0. */
	let repeated = 0;
	while (records.length < wanted) {
		const limit = Math.min(LARGEST_PAGE, wanted - records.length + repeated);
		const { records: page } = await fetchPage({ limit, previousLastId });
		repeated = previousLastId !== undefined && page[0]?._id === previousLastId ? 1 : 0;
		// The page had room only for the repeated record.
		if (repeated === 1 && page.length === 1 && limit === 1) continue;
		const known = ids.size;
		for (const record of page) {
			if (record._id !== undefined && ids.has(record._id)) continue;
			ids.add(record._id);
			records.push(record);
		}
		previousLastId = page.at(-1)?._id;
		const isStuck = ids.size === known || previousLastId === undefined;
		// The repeated record alone is the end of the list.
		if (isStuck && page.length > repeated && page.length >= Math.min(fullPage, limit))
			warn?.(NO_PROGRESS);
		if (isStuck) break;
		fullPage = Math.max(fullPage, page.length);
	}
	if (asked > MOST_RECORDS && records.length >= MOST_RECORDS) warn?.(CUT_SHORT);
	return records.slice(0, wanted);
};

/**
 * Reads recipient groups and the people of channels with `skip` and `limit`. If the total changes during the reads, or
 * exceeds the number of records found, repeats the read until a pass finds no new records. So a record that moves to
 * another page is neither lost nor returned twice. The API does not document what `total` counts
 * (recipientGroup.getAll in emulator/openapi.yaml). A total that does not exceed the records of its page is ignored,
 * because it may count only the page. If the total changes or is missing, reading ends at an empty page.
 */
export const bySkip: ReadPages = async (fetchPage, asked, fail, warn) => {
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
			if (reported > records.length) totals.add((total = reported));
			if (records.length === 0) break;
			for (const record of records) found.set(record._id ?? record, record);
			const ids = records.map(({ _id }) => _id);
			if (isSamePage(ids, idsBefore)) {
				throw endless(fail, `Skipping ${skip} records returns the same page again.`);
			}
			idsBefore = ids;
			skip += ids.length;
			if (totals.size === 1 && reported === total && skip >= total) break;
		}
		const isStable = totals.size <= 1;
		if (isStable && (!isMissing() || (pass > 1 && found.size === before))) break;
	}
	if (isMissing()) {
		warn?.(
			`The list is incomplete: the service reports ${total} records but returned only ${found.size}, even when the list was read again.`,
		);
	}
	if (asked > MOST_RECORDS && found.size >= MOST_RECORDS) warn?.(CUT_SHORT);
	return [...found.values()].slice(0, wanted);
};

/**
 * Reads a whole list with `skip` in large pages. After a refused page, or a page with few records, the pages are small.
 */
export const bySkipInLargePages: ReadPages = async (fetchPage, ...others) => {
	let limit = LARGEST_PAGE;
	const fetchLargePage: FetchPage = async ({ skip }) => {
		const outcome = await settle(async () => await fetchPage({ limit, skip }));
		if ('error' in outcome) {
			if (limit === SAFE_PAGE || !isRefused(outcome.error)) throw outcome.error;
			limit = SAFE_PAGE;
			return await fetchPage({ limit, skip });
		}
		if (outcome.result.records.length < SAFE_PAGE) limit = SAFE_PAGE;
		return outcome.result;
	};
	return await bySkip(fetchLargePage, ...others);
};

/** Whether the service refused the request because of its content. */
function isRefused(error: unknown): boolean {
	if (isAccessRefusal(error)) return false;
	return error instanceof NodeApiError && ['200', '400', '422'].includes(error.httpCode ?? '');
}

/**
 * Reads templates, channels and files, which the service returns in one response. The API documents no way to request
 * further pages. If the total is larger than the list, the user gets the list with a warning.
 */
export const inOneResponse: ReadPages = async (fetchPage, wanted, _fail, warn) => {
	const { records, total = 0 } = await fetchPage({});
	if (records.length < Math.min(wanted, total)) {
		warn?.(
			`The list is incomplete: the service returned ${records.length} of ${total} records and offers no way to request the others.`,
		);
	}
	return records.slice(0, wanted);
};

/**
 * Whether two pages are the same. One common record does not prove this, because a record may have moved to the next
 * page.
 */
function isSamePage(ids: unknown[], before: unknown[]): boolean {
	return ids.length === before.length && ids.every((id, n) => id !== undefined && id === before[n]);
}

function endless(fail: Fail, how: string): Error {
	return fail(
		'Reading the list does not end',
		`${how} Contact the support of the service. Get Many can still return a part: switch off Return All and set a Limit.`,
	);
}
