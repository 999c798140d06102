import { deserialize, serialize } from 'node:v8';
import type { EmulatorClock } from './clock.mts';
import type { Keys } from './keys.mts';
import { OrderedStore, type Identified } from './orderedStore.mts';
import { EmulatorState } from './state.mts';
import { Survey } from './survey.mts';

/** The records of a state, as they are saved. Increase the version if older records cannot be read any more. */
interface SavedState {
	version: 1;
	seed: number;
	usedIds: number;
	/** The records of each store, by the name of the store. */
	records: Record<string, readonly Identified[]>;
}

/** Returns the stores of a state, each with its name. */
function storesOf(state: object): [name: string, store: OrderedStore<Identified>][] {
	return Object.entries<unknown>({ ...state }).flatMap(([name, store]) =>
		store instanceof OrderedStore ? [[name, store]] : [],
	);
}

/** Returns all records, for `restoredState`. Access tokens are left out: clients get a new one. */
export function savedState({ ids, ...state }: EmulatorState): Buffer {
	const records = storesOf(state).map(([name, store]) => [name, store.values()] as const);
	const all: SavedState['records'] = Object.fromEntries(records);
	return serialize({ version: 1, seed: ids.seed, usedIds: ids.used, records: all });
}

function isSavedState(value: unknown): value is SavedState {
	return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

/** Returns a state with the records of `savedState`. New records get new IDs. @throws if the bytes are something else */
export function restoredState(bytes: Buffer, clock: EmulatorClock, keys: Keys): EmulatorState {
	const saved: unknown = deserialize(bytes);
	if (!isSavedState(saved)) throw new Error('The records were saved by another version');
	const { seed, usedIds, records } = saved;
	const state = new EmulatorState(seed, clock, keys);
	state.ids.continueAfter(usedIds);
	for (const [name, store] of storesOf(state)) store.restore(records[name] ?? []);
	for (const campaign of state.campaigns.values())
		if (campaign.survey) campaign.survey = Survey.restored(campaign.survey);
	for (const record of [...state.campaigns.values(), ...state.broadcasts.values()])
		state.schedule(record);
	return state;
}
