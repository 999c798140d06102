import { isObject } from '../emulator/server/guards.mts';
import type { ListName, Switches } from '../emulator/switches.mts';
import type { Created } from './created.mts';
import { idOf, rowsIn, rowsOf, type Row } from './responses.mts';
import type { Call, Exchange, Service } from './service.mts';

/** What a check found out. */
export type Answer =
	| {
			/** What the service does, as a sentence. */
			seen: string;
			/** The value of the switch, if one of its values means this. */
			value?: unknown;
			/** Whether no value of a switch means this. */
			isNew?: boolean;
	  }
	| {
			/** Why it cannot be seen. */
			notSeen: string;
	  };

/** What a check may do. `never`: only sending something to people, or waiting, would show it. */
export type Needs = 'reads' | 'oauth' | 'writes' | 'recipient' | 'channels' | 'never';

/** A question to the service. */
export type Check = {
	asks: string;
	/** The switch of the emulator that it decides. */
	decides?: keyof Switches;
	needs: Needs;
	look: (probe: Probe) => Promise<Answer> | Answer;
};

/** The addresses and IDs that a person gave for the checks. */
export type Allowed = {
	/** At most two people who know that a group will contain them. */
	recipients: string[];
	channels: boolean;
};

/** What all checks share: the service, and what earlier checks have read. */
export class Probe {
	private readonly reads = new Map<string, Promise<Exchange>>();

	constructor(
		readonly service: Service,
		readonly allowed: Allowed,
		/** What the checks created. */
		readonly created: Created,
	) {}

	/** Reads once. Several checks look at the same response. */
	async read(operationId: string, call: Call = {}): Promise<Exchange> {
		const key = JSON.stringify([operationId, call]);
		const reading = this.reads.get(key) ?? this.service.call(operationId, call);
		this.reads.set(key, reading);
		return await reading;
	}

	/** Reads the records of a list. */
	async rows(operationId: string, call: Call = {}): Promise<Row[]> {
		return rowsOf(await this.read(operationId, call));
	}

	async campaigns(): Promise<Row[]> {
		return await this.rows('campaign.getAll', { query: { limit: 100 } });
	}

	async broadcasts(): Promise<Row[]> {
		return await this.rows('broadcast.getAll', { query: { limit: 100 } });
	}

	async groups(): Promise<Row[]> {
		return await this.rows('recipientGroup.getAll', { query: { limit: 100 } });
	}

	async channels(): Promise<Row[]> {
		return await this.rows('channel.getAll');
	}

	/** Reads the survey data of campaigns until a few are surveys. */
	async surveys(): Promise<Survey[]> {
		const found: Survey[] = [];
		for (const campaign of (await this.campaigns()).slice(0, 15)) {
			if (found.length === 4) break;
			const { ok, data } = await this.read('survey.getResponses', { ids: [idOf(campaign)] });
			if (!ok || !isObject(data)) continue;
			found.push({ id: idOf(campaign), data, rows: rowsIn(data.result) });
		}
		return found;
	}
}

export type Survey = { id: string; data: Row; rows: Row[] };

/** The operation that reads a list, and the ID in its path. */
export type ListRead = { name: ListName; operationId: string; ids: string[] };

const PARENTED: ListName[] = ['channelManager', 'channelManagerGroup', 'channelRecipient'];

/** Returns the lists that can be read. Those of channels are those of the first channel that has records. */
export async function listReads(probe: Probe): Promise<ListRead[]> {
	const channels = (await probe.channels()).slice(0, 3).map(idOf);
	const inChannel: ListRead[] = [];
	for (const name of PARENTED) {
		for (const id of channels) {
			const read = { name, operationId: `${name}.getAll`, ids: [id] };
			const rows = await probe.rows(read.operationId, { ids: [id], query: { limit: 1000 } });
			if (rows.length === 0 && id !== channels.at(-1)) continue;
			inChannel.push(read);
			break;
		}
	}
	const own = (name: ListName) => ({ name, operationId: `${name}.getAll`, ids: [] });
	return [own('campaign'), own('broadcast'), own('recipientGroup'), ...inChannel];
}

export const seen = (sentence: string, value?: unknown): Answer => ({ seen: sentence, value });

/** An answer for which no switch has a value. */
export const isNew = (sentence: string): Answer => ({ seen: sentence, isNew: true });

export const notSeen = (because: string): Answer => ({ notSeen: because });
