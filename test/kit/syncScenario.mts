import type { Switches } from '../../emulator/emulator.mts';
import type { RunResult } from './engine.mts';
import type { Service } from './service.mts';
import type { GroupTruth, Removal, Surroundings } from './syncTruth.mts';

/** Somebody whom an input item names: one of the people, somebody unknown, or nobody at all. */
export type Named =
	| { person: number; upperCase: boolean }
	| { stranger: number }
	| { text: string };

/** An input item: the group that it names, one of those that exist by number, or a name that none has, and whom. */
export type Row = Named & { group: number | string };

/** What goes wrong, where (`group` by number) and how often. */
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

/** A sync, and the fixture that it runs in. */
export type Scenario = {
	mode: 'add' | 'remove' | 'mirror';
	identifyBy: 'email' | 'id';
	groupBy: 'name' | 'id' | 'both';
	/** The members of the groups that exist. */
	groups: number[][];
	input: Row[];
	chunkSize: number;
	concurrency: number;
	maxRemovalPercent: number;
	removeDespiteInvalid: boolean;
	createMissingGroups: boolean;
	maxNewGroups: number;
	switches: Partial<Switches>;
	/** People whom no call adds or removes, and the words for it. */
	locked: Array<{ person: number; says: string }>;
	/** Whom the service puts into each new group. */
	creator: number | null;
	troubles: Trouble[];
} & Surroundings;

/** A run of a scenario: what the node said, and what was so. */
export type Played = {
	result: RunResult;
	/** By group ID, without staging groups. */
	truths: Map<string, GroupTruth>;
	removals: Removal[];
	fixture: Fixture;
};

/** Who is who in a scenario that was played. */
export type Fixture = {
	requests: Service['emulator']['requests'];
	/** The names of all groups in the end, without staging groups. */
	groupNames: string[];
	/** The group that an input item names; none when there is none. */
	groupId: (row: Pick<Row, 'group'>) => string | undefined;
	/** Whom an input item means; none when the service knows nobody like that. */
	id: (entry: Named) => string | undefined;
	/** What an input item says, in lower case. */
	text: (entry: Named) => string;
};

/** Whether a scenario creates the groups that items name and that do not exist. */
export function createsGroups(scenario: Scenario): boolean {
	const { mode, groupBy, createMissingGroups, maxNewGroups, input } = scenario;
	const missing = new Set(input.flatMap(({ group }) => (typeof group === 'string' ? group : [])));
	missing.delete('');
	return (
		createMissingGroups && groupBy !== 'id' && mode !== 'remove' && missing.size <= maxNewGroups
	);
}

/** Whether an input item names somebody in an invalid form. */
export function isUnreadable(entry: Named): boolean {
	return 'text' in entry && entry.text.trim() !== '';
}
