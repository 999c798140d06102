import { isObject } from '../emulator/server/guards.mts';
import type { Exchange, Row, Service } from './service.mts';

/** A record that the checks asked the service to create. `id` is undefined until the service has returned it. */
export type CreatedRecord = {
	kind: 'recipientGroup' | 'channel' | 'campaign';
	name: string;
	id?: string | undefined;
};

/** What is left in the service, and why. */
export type Leftover = CreatedRecord & { why: string };

export const idOf = (row: Row | undefined): string => (typeof row?._id === 'string' ? row._id : '');

/** Asks the service to create a record, and keeps its ID. Before the request, the record is added to `created`. */
export async function create(
	created: CreatedRecord[],
	record: CreatedRecord,
	request: () => Promise<Exchange>,
): Promise<Exchange> {
	created.push(record);
	const exchange = await request();
	const { name = record.name } = exchange.record;
	// A service could return a record that existed before.
	if (exchange.ok && name === record.name) record.id = idOf(exchange.record) || undefined;
	if (isRefused(exchange)) created.splice(created.indexOf(record), 1);
	return exchange;
}

/** Whether a response says that nothing was created. A page of a proxy or a lost response does not. */
const isRefused = ({ ok, status = 500, body }: Exchange): boolean =>
	!ok && ((isObject(body) && body.success === false) || (status >= 400 && status < 500));

/** Removes what the checks created. Returns what stays, with the reason. */
export async function cleanUp(service: Service, created: CreatedRecord[]): Promise<Leftover[]> {
	if (created.length > 0) service.beginCleanUp();
	const left: Leftover[] = [];
	for (const record of created) {
		const why = await remove(service, record).catch((error: unknown) => String(error));
		if (why !== undefined) left.push({ ...record, why });
	}
	return left;
}

/** Removes a record. Returns why it stays, or undefined if it is gone. */
async function remove(service: Service, record: CreatedRecord): Promise<string | undefined> {
	const { kind } = record;
	record.id ??= await idByName(service, record);
	if (record.id === undefined) return 'perhaps not created: no response said so, no list shows it';
	if (kind === 'campaign') return 'the API deletes no campaigns; it is a draft without recipients';
	const operation = kind === 'channel' ? 'archive' : 'delete';
	const { ok, said } = await service.call(`${kind}.${operation}`, { ids: [record.id] });
	if (!ok) return `to ${operation} it was refused: ${said}`;
	return kind === 'channel' ? 'the API deletes no channels; it is archived' : undefined;
}

/** Finds a record whose creation got no response. Its name is unique. */
async function idByName(service: Service, { kind, name }: CreatedRecord) {
	const call = kind === 'channel' ? {} : { query: { limit: 100 } };
	const { ok, rows, said } = await service.call(`${kind}.getAll`, call);
	if (!ok) throw new Error(`its list was refused: ${said}`);
	return idOf(rows.find((row) => row.name === name)) || undefined;
}
