import { deserialize, serialize } from 'node:v8';
import type { EmulatorClock } from './clock.mts';
import type { Keys } from './keys.mts';
import { EmulatorState } from './state.mts';
import { Survey } from './survey.mts';

/** The stores of a state, in the order in which they are restored. */
const storeNames = [
	...(['people', 'consoleUsers', 'consoleUserGroups', 'campaigns', 'broadcasts'] as const),
	...(['recipientGroups', 'channels', 'templates', 'files'] as const),
] as const;

type Stores = Pick<EmulatorState, (typeof storeNames)[number]>;

/** The records of a state, as they are saved. Increase the version if older records cannot be read any more. */
interface SavedState {
	version: 1;
	seed: number;
	usedIds: number;
	records: { [Name in keyof Stores]: ReturnType<Stores[Name]['values']> };
}

/** Returns all records, for `restoredState`. Access tokens are left out: clients get a new one. */
export function savedState({ ids, ...state }: EmulatorState): Buffer {
	const records = Object.fromEntries(storeNames.map((name) => [name, state[name].values()]));
	return serialize({ version: 1, seed: ids.seed, usedIds: ids.used, records });
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
	state.people.restore(records.people);
	state.consoleUsers.restore(records.consoleUsers);
	state.consoleUserGroups.restore(records.consoleUserGroups);
	state.campaigns.restore(records.campaigns);
	state.broadcasts.restore(records.broadcasts);
	state.recipientGroups.restore(records.recipientGroups);
	state.channels.restore(records.channels);
	state.templates.restore(records.templates);
	state.files.restore(records.files);
	for (const campaign of state.campaigns.values())
		if (campaign.survey) campaign.survey = Survey.restored(campaign.survey);
	for (const record of [...records.campaigns, ...records.broadcasts]) state.schedule(record);
	return state;
}
