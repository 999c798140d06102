import { isObject } from '../emulator/server/guards.mts';
import type { ListName } from '../emulator/switches.mts';
import { Created, idOf } from './created.mts';
import { endpoints } from './contract.mts';
import type { Call, Exchange, Row, Service } from './service.mts';

/** What a question found: a value of its switch, and how it was seen. `isNew`: no value of a switch means this. */
export type Seen = { value?: unknown; how: string; isNew?: boolean };

export const seen = (value: unknown, how: string): Seen => ({ value, how });
export const isNew = (how: string): Seen => ({ how, isNew: true });

/** What a question may do. */
export type Needs = 'reads' | 'writes' | 'recipient' | 'channels';

/** A question to the service. `look` throws why nothing was seen. */
export type Check = { asks: string; needs: Needs; look: (probe: Probe) => Promise<Seen> | Seen };

/** Returns a function that declares a question. */
export const asking =
	(needs: Needs) =>
	(asks: string, look: Check['look']): Check => ({ asks, needs, look });

/** Returns a value. @throws why nothing was seen, if there is no value */
export function need<Value>(value: Value | undefined | false, because: string): Value {
	if (value === undefined || value === false) throw new Error(because);
	return value;
}

/** The people who may be put into the group of the checks, and whether a channel may be created. */
export type Allowed = { recipients: string[]; channels: boolean };

export type Survey = { id: string; data: Row; rows: Row[] };

/** The largest documented page. */
export const LARGEST = 1000;

/** A list of the service. `page` reads a page of it, by default the largest. */
export type List = { name: ListName; page: (query?: Call['query']) => Promise<Exchange> };

/** What all questions share: the service, and what earlier questions have read or created. */
export class Probe {
	private readonly done = new Map<string, Promise<unknown>>();

	constructor(
		readonly service: Service,
		readonly allowed: Allowed,
		readonly created = new Created(),
	) {}

	/** Does something once, for all questions that need it. */
	async once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const doing = (this.done.get(key) as Promise<Result> | undefined) ?? work();
		this.done.set(key, doing);
		return await doing;
	}

	/** Reads once. Several questions look at the same response. */
	async read(operationId: string, call: Call = {}): Promise<Exchange> {
		const key = JSON.stringify([operationId, call]);
		return await this.once(key, async () => this.service.call(operationId, call));
	}

	/** Reads the first records of a list. */
	async first(list: string, ids: string[] = []): Promise<Row[]> {
		const hasLimit = /^(campaign|broadcast|recipientGroup)$/.test(list);
		const query: Call['query'] = hasLimit ? { limit: 100 } : {};
		return (await this.read(`${list}.getAll`, { ids, query })).rows;
	}

	/** Reads the survey data of campaigns until a few are surveys. @throws if none is */
	async surveys(): Promise<Survey[]> {
		const found: Survey[] = [];
		for (const id of (await this.first('campaign')).slice(0, 15).map(idOf)) {
			const { ok, data } = await this.read('survey.getResponses', { ids: [id] });
			if (!ok || !isObject(data)) continue;
			found.push({ id, data, rows: [data.result ?? []].flat().filter(isObject) });
			if (found.length === 4) break;
		}
		need(found.length > 0, 'none of the last 15 campaigns is a survey that the key can read');
		return found;
	}

	/** Returns the lists with pages. Those of channels are those of the first three. */
	async lists(): Promise<List[]> {
		const listOf = (name: ListName, ids: string[] = []): List => ({
			name,
			page: async (query = { limit: LARGEST }) => this.read(`${name}.getAll`, { ids, query }),
		});
		const channels = (await this.first('channel')).slice(0, 3).map((row) => [idOf(row)]);
		return [
			...(['campaign', 'broadcast', 'recipientGroup'] as const).map((name) => listOf(name)),
			...(['channelManager', 'channelManagerGroup', 'channelRecipient'] as const).flatMap((name) =>
				channels.map((ids) => listOf(name, ids)),
			),
		];
	}

	/** Reads every documented GET once, for the first records. Returns the number of those that it could read. */
	async everything(): Promise<number> {
		let read = 0;
		for (const { operationId, method, path } of endpoints) {
			const [, , , owner = ''] = path.split('/');
			if (method !== 'get') continue;
			const ids: string[] = [];
			if (path.includes('{id}')) ids.push(...(await this.first(owner)).slice(0, 1).map(idOf));
			if (path.includes('{fileId}') && ids.length > 0)
				ids.push(...(await this.first(`${owner}File`, [...ids])).slice(0, 1).map(idOf));
			const isComplete = ids.length === path.split('{').length - 1;
			if (isComplete && (await this.read(operationId, { ids })).ok) read++;
		}
		return read;
	}
}
