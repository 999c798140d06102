import type { Switches } from '../../emulator/emulator.mts';
import type { RunResult } from './engine.mts';
import type { Service } from './service.mts';
import type { GroupTruth, Removal, Surroundings } from './syncTruth.mts';

/** The recipient in an input item: a known person, an unknown one, or invalid text. */
export type Named =
	| { person: number; upperCase: boolean }
	| { unknownPerson: number }
	| { text: string };

/** An input item: its recipient, and the number of an existing group or the name of a missing one. */
export type Row = Named & { group: number | string };

/** A fault, the requests that it affects (`group` is the number of a group), and how often it occurs. */
export type Trouble = {
	where: 'target' | 'members' | 'reads' | 'anything';
	group: number;
	skip: number;
	times: number;
	what: (typeof TROUBLES)[number];
};

export const TROUBLES = [
	'busy',
	'busyAfter',
	'refused',
	'unknown',
	'page',
	'pageAfter',
	'teapot',
	'missing',
] as const;

/** A sync, the groups before it, and everything that happens during it. */
export type Scenario = {
	mode: 'add' | 'remove' | 'mirror';
	identifyBy: 'email' | 'id';
	groupBy: 'name' | 'id' | 'both';
	/** The members of the existing groups. */
	groups: number[][];
	input: Row[];
	chunkSize: number;
	concurrency: number;
	maxRemovalPercent: number;
	removeDespiteInvalid: boolean;
	createMissingGroups: boolean;
	maxNewGroups: number;
	switches: Partial<Switches>;
	/** People whom no call can add or remove, and the message for each. */
	locked: Array<{ person: number; says: string }>;
	/** The person whom the service adds to each new group. */
	creator: number | null;
	troubles: Trouble[];
} & Surroundings;

/** A run of a scenario: the node's result and the actual history. */
export type Played = {
	result: RunResult;
	/** The history of each group by group ID; excludes staging groups. */
	truths: Map<string, GroupTruth>;
	removals: Removal[];
	fixture: Fixture;
};

/** The groups, recipients and requests of a scenario that was played. */
export type Fixture = {
	requests: Service['emulator']['requests'];
	/** The names of all groups at the end; excludes staging groups. */
	groupNames: string[];
	/** Returns the ID of the group that an input item names; undefined if there is no such group. */
	groupId: (row: Pick<Row, 'group'>) => string | undefined;
	/** Returns the ID of the recipient in an input item; undefined if unknown to the service. */
	id: (entry: Named) => string | undefined;
	/** Returns the value of Recipient for an input item, in lower case. */
	text: (entry: Named) => string;
};

/** Whether a scenario creates missing groups that items name. */
export function createsGroups(scenario: Scenario): boolean {
	const { mode, groupBy, createMissingGroups, maxNewGroups, input } = scenario;
	const missing = new Set(input.flatMap(({ group }) => (typeof group === 'string' ? group : [])));
	missing.delete('');
	return (
		createMissingGroups && groupBy !== 'id' && mode !== 'remove' && missing.size <= maxNewGroups
	);
}

/** Whether the recipient in an input item is invalid text; blank text does not count. */
export function isUnreadable(entry: Named): boolean {
	return 'text' in entry && entry.text.trim() !== '';
}
