import { isObject } from '../emulator/server/guards.mts';
import type { ListName, Switches } from '../emulator/switches.mts';
import type { Created } from './created.mts';
import { idOf, rowsIn, rowsOf, type Row } from './responses.mts';
import type { Call, Exchange, Service } from './service.mts';

/** What a check found out: a value and how it was seen, or why nothing was seen. `isNew`: no value of a switch means this. */
export type Answer = { value?: unknown; how: string; isNew?: boolean } | { notSeen: string };

/** What a check may do. `never`: only sending something to people would show it. */
export type Needs = 'reads' | 'oauth' | 'writes' | 'recipient' | 'channels' | 'never';

/** A question to the service, and the switch of the emulator that it decides. */
export type Check = {
	asks: string;
	decides?: keyof Switches;
	needs: Needs;
	look: (probe: Probe) => Promise<Answer> | Answer;
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

export const seen = (value: unknown, how: string): Answer => ({ value, how });
export const shown = (how: string): Answer => ({ how });
export const isNew = (how: string): Answer => ({ how, isNew: true });
export const notSeen = (because: string): Answer => ({ notSeen: because });

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
		const known = this.done.get(key) as Promise<Result> | undefined;
		const doing = known ?? work();
		this.done.set(key, doing);
		return await doing;
	}

	/** Reads once. Several checks look at the same response. */
	async read(operationId: string, call: Call = {}): Promise<Exchange> {
		const key = JSON.stringify([operationId, call]);
		return await this.once(key, async () => this.service.call(operationId, call));
	}

	async rows(operationId: string, call: Call = {}): Promise<Row[]> {
		return rowsOf(await this.read(operationId, call));
	}

	/** Reads the first records of a list. */
	async first(list: 'campaign' | 'broadcast' | 'recipientGroup' | 'channel'): Promise<Row[]> {
		return await this.rows(`${list}.getAll`, list === 'channel' ? {} : { query: { limit: 100 } });
	}

	/** Reads the survey data of campaigns until a few are surveys. */
	async surveys(): Promise<Survey[]> {
		const found: Survey[] = [];
		for (const campaign of (await this.first('campaign')).slice(0, 15)) {
			const id = idOf(campaign);
			const { ok, data } = await this.read('survey.getResponses', { ids: [id] });
			if (ok && isObject(data)) found.push({ id, data, rows: rowsIn(data.result) });
			if (found.length === 4) break;
		}
		return found;
	}
}

/** A list of the service: its operation, and the ID in its path. */
export type ListRead = { name: ListName; operationId: string; ids: string[] };

/** Returns the lists with pages. Those of channels are those of the first channel that has records. */
export async function listReads(probe: Probe): Promise<ListRead[]> {
	const lists: ListRead[] = [];
	for (const name of ['campaign', 'broadcast', 'recipientGroup'] as const) {
		lists.push({ name, operationId: `${name}.getAll`, ids: [] });
	}
	const channels = (await probe.first('channel')).slice(0, 3).map(idOf);
	for (const name of ['channelManager', 'channelManagerGroup', 'channelRecipient'] as const) {
		for (const id of channels) {
			const list = { name, operationId: `${name}.getAll`, ids: [id] };
			const rows = await probe.rows(list.operationId, { ids: [id], query: { limit: 1000 } });
			if (rows.length > 0 || id === channels.at(-1)) {
				lists.push(list);
				break;
			}
		}
	}
	return lists;
}
