import { isObject } from '../emulator/server/guards.mts';
import type { ListName, Switches } from '../emulator/switches.mts';
import type { Created } from './created.mts';
import { idOf, refusalOf, rowsIn, type Row } from './responses.mts';
import type { Call, Exchange, Service } from './service.mts';

/** What a check saw: a value, and how it was seen. `isNew`: no value of a switch means this. */
export type Seen = { value?: unknown; how: string; isNew?: boolean };

export const seen = (value: unknown, how: string): Seen => ({ value, how });
export const shown = (how: string): Seen => ({ how });
export const isNew = (how: string): Seen => ({ how, isNew: true });

/** What a check may do. `never`: only sending something to people would show it. */
export type Needs = 'reads' | 'oauth' | 'writes' | 'recipient' | 'channels' | 'never';

/** A question to the service, and the switch of the emulator that it decides. `look` throws why nothing was seen. */
export type Check = {
	asks: string;
	decides?: keyof Switches;
	needs: Needs;
	look: (probe: Probe) => Promise<Seen> | Seen;
};

/** Declares a question that decides a switch. */
export const decide = (
	decides: keyof Switches,
	needs: Needs,
	asks: string,
	look: Check['look'],
): Check => ({ asks, decides, needs, look });

/** Declares a question that no switch depends on. */
export const ask = (needs: Needs, asks: string, look: Check['look']): Check => ({
	...{ asks, needs, look },
});

/** Returns a value. @throws why nothing was seen, if there is no value */
export function need<Value>(value: Value | undefined | false, because: string): Value {
	if (value === undefined || value === false) throw new Error(because);
	return value;
}

/** Returns a successful response. @throws the refusal */
export const accepted = (exchange: Exchange): Exchange =>
	need(exchange.ok && exchange, refusalOf(exchange));

/** Returns a response, or a refusal. @throws if no response arrived */
export const arrived = (exchange: Exchange): Exchange =>
	need(exchange.status !== undefined && exchange, exchange.message);

/** The people who may be put into the group of the checks, and whether a channel may be created. */
export type Allowed = { recipients: string[]; channels: boolean };

export type Survey = { id: string; data: Row; rows: Row[] };

/** What all checks share: the service, and what earlier checks have read or created. */
export class Probe {
	private readonly done = new Map<string, Promise<unknown>>();

	constructor(
		readonly service: Service,
		readonly allowed: Allowed,
		readonly created: Created,
	) {}

	/** Does something once, for all checks that need it. */
	async once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const doing = (this.done.get(key) as Promise<Result> | undefined) ?? work();
		this.done.set(key, doing);
		return await doing;
	}

	/** Reads once. Several checks look at the same response. */
	async read(operationId: string, call: Call = {}): Promise<Exchange> {
		const key = JSON.stringify([operationId, call]);
		return await this.once(key, async () => this.service.call(operationId, call));
	}

	async rows(operationId: string, call: Call = {}): Promise<Row[]> {
		return rowsIn((await this.read(operationId, call)).data);
	}

	/** Reads the first records of a list. */
	async first(list: 'campaign' | 'broadcast' | 'recipientGroup' | 'channel'): Promise<Row[]> {
		return await this.rows(`${list}.getAll`, list === 'channel' ? {} : { query: { limit: 100 } });
	}

	/** Reads the survey data of campaigns until a few are surveys. @throws if none is */
	async surveys(): Promise<Survey[]> {
		const found: Survey[] = [];
		for (const campaign of (await this.first('campaign')).slice(0, 15)) {
			const id = idOf(campaign);
			const { ok, data } = await this.read('survey.getResponses', { ids: [id] });
			if (ok && isObject(data)) found.push({ id, data, rows: rowsIn(data.result) });
			if (found.length === 4) break;
		}
		const none = 'none of the last 15 campaigns is a survey that the key can read';
		return need(found.length > 0 && found, none);
	}
}

/** The largest documented page. */
export const LARGEST = 1000;

/** A list of the service. `page` reads a page of it, by default the largest. */
export type List = { name: ListName; page: (query?: Call['query']) => Promise<Exchange> };

/** Returns the lists with pages. Those of channels are those of the first channel that has records. */
export async function listsOf(probe: Probe): Promise<List[]> {
	const listOf = (name: ListName, ids: string[] = []): List => ({
		name,
		page: async (query = { limit: LARGEST }) => await probe.read(`${name}.getAll`, { ids, query }),
	});
	const lists = (['campaign', 'broadcast', 'recipientGroup'] as const).map((name) => listOf(name));
	const channels = (await probe.first('channel')).slice(0, 3).map(idOf);
	for (const name of ['channelManager', 'channelManagerGroup', 'channelRecipient'] as const) {
		for (const id of channels) {
			const list = listOf(name, [id]);
			const isEmpty = rowsIn((await list.page()).data).length === 0;
			if (isEmpty && id !== channels.at(-1)) continue;
			lists.push(list);
			break;
		}
	}
	return lists;
}
