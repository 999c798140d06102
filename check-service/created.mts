import { rmSync, writeFileSync } from 'node:fs';
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

/** The records that the checks asked for. They stand in a file before a request is sent, for `--clean`. */
export class Created {
	/** @param file where they stand, or undefined to keep them in memory only */
	constructor(
		readonly file?: string,
		readonly records: CreatedRecord[] = [],
	) {}

	/** Writes the file, or deletes it if nothing is left. */
	save(): void {
		if (this.file === undefined) return;
		if (this.records.length === 0) rmSync(this.file, { force: true });
		else writeFileSync(this.file, JSON.stringify(this.records, null, '\t'));
	}
}

/** Asks the service to create a record, and keeps its ID. */
export async function create(
	created: Created,
	record: CreatedRecord,
	request: () => Promise<Exchange>,
): Promise<Exchange> {
	const { records } = created;
	records.push(record);
	created.save();
	const exchange = await request();
	const { name = record.name } = exchange.record;
	// A service could return a record that existed before.
	if (exchange.ok && name === record.name) record.id = idOf(exchange.record) || undefined;
	if (isRefused(exchange)) records.splice(records.indexOf(record), 1);
	created.save();
	return exchange;
}

/** Whether a response says that nothing was created. A page of a proxy or a lost response does not. */
const isRefused = ({ ok, status = 500, body }: Exchange): boolean =>
	!ok && ((isObject(body) && body.success === false) || (status >= 400 && status < 500));

/** Removes what the checks created. Returns what stays, with the reason. */
export async function cleanUp(service: Service, created: Created): Promise<Leftover[]> {
	if (created.records.length > 0) service.beginCleanUp();
	const left: Leftover[] = [];
	for (const record of created.records.splice(0)) {
		const refused = (error: unknown) => {
			// --clean tries again.
			created.records.push(record);
			return error instanceof Error ? error.message : String(error);
		};
		const why = await remove(service, record).catch(refused);
		if (why !== undefined) left.push({ ...record, why });
	}
	created.save();
	return left;
}

/** Removes a record. Returns why it stays for good, or undefined if it is gone. @throws Error why it is not removed */
async function remove(service: Service, record: CreatedRecord): Promise<string | undefined> {
	const { kind } = record;
	record.id ??= await idByName(service, record);
	if (record.id === undefined) return 'perhaps not created: no response said so, no list shows it';
	if (kind === 'campaign') return 'the API deletes no campaigns; it is a draft without recipients';
	const operation = kind === 'channel' ? 'archive' : 'delete';
	const { ok, said } = await service.call(`${kind}.${operation}`, { ids: [record.id] });
	if (!ok) throw new Error(`to ${operation} it was refused: ${said}`);
	return kind === 'channel' ? 'the API deletes no channels; it is archived' : undefined;
}

/** Finds a record whose creation got no response. Its name is unique. */
async function idByName(service: Service, { kind, name }: CreatedRecord) {
	const call = kind === 'channel' ? {} : { query: { limit: 100 } };
	const { ok, rows, said } = await service.call(`${kind}.getAll`, call);
	if (!ok) throw new Error(`its list was refused: ${said}`);
	return idOf(rows.find((row) => row.name === name)) || undefined;
}
