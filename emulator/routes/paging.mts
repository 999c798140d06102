import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { violation } from '../server/requestErrors.mts';
import type { Sendable } from '../state/campaign.mts';
import type { OrderedStore } from '../state/orderedStore.mts';
import type { ListName } from '../switches.mts';
import { okList, type IdParams } from './envelope.mts';
import { liveDate } from './shapes.mts';

/** The query parameters of lists with paging by `previousLastId` (openapi.yaml, campaign.getAll, broadcast.getAll). */
export interface SendableQuery {
	limit?: number;
	previousLastId?: string;
	minLiveDate?: string;
	maxLiveDate?: string;
	all?: string;
	onlyApi?: string;
}

/** The query parameters of lists with `skip` and `limit`. A filter by `conditions` is not documented: it lists everybody. */
export interface SkipQuery {
	limit?: number;
	skip?: number;
}

const defaultLimit = 100;

const isOn = (flag: string | undefined): boolean =>
	flag !== undefined && flag !== '' && flag !== 'false';

/**
 * Returns the record whose ID is in the path of a request.
 *
 * @throws ServiceFailure with `message` if the record does not exist (openapi.yaml, Failures)
 */
export function findRecord<T extends Sendable>(
	store: OrderedStore<T>,
	{ params }: { params: IdParams },
	message: string = messages.notFound,
): T {
	const record = store.get(params.id);
	if (record === undefined) throw new ServiceFailure(message);
	return record;
}

/**
 * Returns a page of campaigns or broadcasts, newest first (openapi.yaml, campaign.getAll, broadcast.getAll).
 *
 * @throws ContractViolation for `all` with `onlyApi`
 */
export function sendablePage<T extends Sendable>(
	context: Context,
	list: 'campaign' | 'broadcast',
	store: OrderedStore<T>,
	request: FastifyRequest<{ Querystring: SendableQuery }>,
	shape: (context: Context, record: T) => object,
	matches: (record: T) => boolean = () => true,
): object {
	const { query } = request;
	if (query.all !== undefined && query.onlyApi !== undefined) {
		throw violation(`${list}.getAll`, 'query has the mutually exclusive all and onlyApi');
	}
	const all = isOn(query.all);
	const wanted = query.limit ?? defaultLimit;
	const limit = Math.min(wanted, context.switches.pageCap[list] ?? wanted);
	const after = query.minLiveDate === undefined ? undefined : Date.parse(query.minLiveDate);
	const before = query.maxLiveDate === undefined ? undefined : Date.parse(query.maxLiveDate);
	const caller = context.state.superUser._id;
	const page: T[] = [];
	const means = context.switches.previousLastIdMeans;
	const previous = means === 'nothing' ? undefined : query.previousLastId;
	const again = means === 'from' && previous !== undefined ? store.get(previous) : undefined;
	if (again !== undefined) page.push(again);
	for (const record of store.newestFirst(previous)) {
		if (page.length >= limit) break;
		if (!all && record.ownerId !== caller && !record.sharedUserIds.includes(caller)) continue;
		if (isOn(query.onlyApi) && !record.viaApi) continue;
		const liveDate = record.liveAt ?? record.scheduledAt;
		if (after !== undefined && (liveDate === undefined || liveDate <= after)) continue;
		if (before !== undefined && (liveDate === undefined || liveDate >= before)) continue;
		if (matches(record)) page.push(record);
	}
	return okList(
		context,
		page.map((record) => ({ ...shape(context, record), ...liveDate(record) })),
	);
}

/** Returns a page by `skip` and `limit`, with `total` (openapi.yaml, Lists). */
export function skipPage<T extends object>(
	context: Context,
	list: ListName,
	records: readonly T[],
	query: SkipQuery,
	shape: (record: T) => object = (record) => record,
): ReturnType<typeof okList<object>> {
	const skip = context.switches.skipMeans === 'nothing' ? 0 : (query.skip ?? 0);
	const wanted = query.limit ?? records.length;
	const limit = Math.min(wanted, context.switches.pageCap[list] ?? wanted);
	const most = context.switches.listedAtMost[list] ?? records.length;
	const data = records
		.slice(0, most)
		.slice(skip, skip + limit)
		.map(shape);
	const { totalMeans } = context.switches;
	if (totalMeans === 'absent') return okList(context, data);
	const totals = { all: records.length, page: data.length, rest: records.slice(skip).length };
	return okList(context, data, { total: totals[totalMeans] });
}
