import { writeFileSync, rmSync } from 'node:fs';
import { isObject } from '../emulator/server/guards.mts';
import { dataOf, idOf, refusalOf, rowsIn, type Row } from './responses.mts';
import type { Exchange, Service } from './service.mts';

/** The kinds of records, in the order of their removal: files go before the records that own them. */
export const KINDS = [
	...(['campaignFile', 'broadcastFile', 'recipientGroup', 'broadcast'] as const),
	...(['channel', 'campaign'] as const),
] as const;

export type CreatedKind = (typeof KINDS)[number];

/** A record that the checks asked the service to create. */
export type CreatedRecord = {
	kind: CreatedKind;
	name: string;
	/** The campaign or broadcast of a file. */
	parent?: string;
	/** Undefined until the service has returned it. */
	id?: string;
};

/** What is left in the service, and where to delete it. */
export type Leftover = CreatedRecord & { why: string };

/** The records that the checks created. The list stands in a file before a request is sent, for `--clean`. */
export class Created {
	readonly records: CreatedRecord[];

	/** @param file where the list stands, or undefined to keep it in memory */
	constructor(
		readonly file: string | undefined,
		records: CreatedRecord[] = [],
	) {
		this.records = [...records];
	}

	/** Asks the service to create a record, and keeps its ID. */
	async create(
		record: CreatedRecord,
		request: () => Promise<Exchange>,
	): Promise<{ exchange: Exchange; record: CreatedRecord }> {
		this.records.push(record);
		this.save();
		const exchange = await request();
		const data = dataOf(exchange);
		// A service could return a record that existed before.
		const isOurs = data.name === undefined || data.name === record.name;
		if (exchange.ok && isOurs && idOf(data) !== '') record.id = idOf(data);
		if (isRefused(exchange)) this.forget(record);
		this.save();
		return { exchange, record };
	}

	forget(record: CreatedRecord): void {
		const index = this.records.indexOf(record);
		if (index >= 0) this.records.splice(index, 1);
		this.save();
	}

	private save(): void {
		if (this.file === undefined) return;
		if (this.records.length === 0) rmSync(this.file, { force: true });
		else writeFileSync(this.file, `${JSON.stringify(this.records, null, '\t')}\n`);
	}
}

/** Whether a response says that nothing was created. A page of a proxy or a lost response does not. */
function isRefused({ ok, status = 500, body }: Exchange): boolean {
	if (ok) return false;
	return (isObject(body) && body.success === false) || (status >= 400 && status < 500);
}

/** Removes what the checks created. Returns what stays, with the reason. */
export async function cleanUp(service: Service, created: Created): Promise<Leftover[]> {
	service.beginCleanUp();
	const left: Leftover[] = [];
	for (const kind of KINDS) {
		for (const record of created.records.filter((one) => one.kind === kind)) {
			const why = await remove(service, record).catch(
				(error: unknown) => `it could not be removed: ${String(error)}`,
			);
			if (why === undefined) created.forget(record);
			else left.push({ ...record, why });
			// There is nothing that --clean could do.
			if (why === STAYS || why === ARCHIVED || why === PERHAPS) created.forget(record);
		}
	}
	return left;
}

const STAYS = 'campaigns cannot be deleted by the API; it is a draft without recipients';
const PERHAPS = 'it was perhaps not created: no response said so, and no list shows it';
const ARCHIVED = 'channels cannot be deleted by the API; it is archived and has no recipients';

/** Removes a record. Returns why it stays, or undefined if it is gone. */
async function remove(service: Service, record: CreatedRecord): Promise<string | undefined> {
	const { kind, parent = '' } = record;
	record.id ??= await idByName(service, record);
	const { id } = record;
	if (id === undefined) return PERHAPS;
	if (kind === 'campaign') return STAYS;
	if (kind === 'channel') {
		const archived = await service.call('channel.archive', { ids: [id] });
		return archived.ok ? ARCHIVED : `archiving it was refused: ${refusalOf(archived)}`;
	}
	const ids = kind.endsWith('File') ? [parent, id] : [id];
	const deleted = await service.call(`${kind}.delete`, { ids });
	return deleted.ok ? undefined : `deleting it was refused: ${refusalOf(deleted)}`;
}

/** Finds a record whose creation got no response. Its name is unique. */
async function idByName(service: Service, record: CreatedRecord): Promise<string | undefined> {
	const { kind, name, parent } = record;
	const ids = parent === undefined ? [] : [parent];
	const query: Record<string, number> = ids.length > 0 || kind === 'channel' ? {} : { limit: 100 };
	const list = await service.call(`${kind}.getAll`, { ids, query });
	if (!list.ok) throw new Error(`the list was refused (${refusalOf(list)})`);
	const isIt = (row: Row) => row.name === name || row.title === name;
	return idOf(rowsIn(list.data).find(isIt)) || undefined;
}
