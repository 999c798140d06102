import type { Switches } from '../../emulator/emulator.mts';
import type { RunResult } from './engine.mts';
import type { Service } from './service.mts';
import type { GroupTruth, Meanwhile } from './syncTruth.mts';

/** Somebody whom an input item names: one of the people, somebody unknown, or nobody at all. */
export type Named =
	| { person: number; upperCase: boolean }
	| { stranger: number }
	| { text: string };

/** What goes wrong, where and how often. */
export type Trouble = {
	where: 'target' | 'members' | 'reads' | 'anything';
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

/** Reads of groups that leave members out: all, or a few from one on. */
export type Shown = { leads: number; from: number; reads: number };

/** A sync, and the fixture that it runs in. */
export type Scenario = {
	mode: 'add' | 'remove' | 'mirror';
	identifyBy: 'email' | 'id';
	group: number[];
	input: Named[];
	chunkSize: number;
	concurrency: number;
	maxRemovalPercent: number;
	switches: Partial<Switches>;
	shown: Shown | null;
	meanwhile: Meanwhile[];
	troubles: Trouble[];
};

/** A run of a scenario: what the node said, and what was so. */
export type Played = { result: RunResult; truth: GroupTruth; version: number; fixture: Fixture };

/** Who is who in a scenario that was played. */
export type Fixture = {
	requests: Service['emulator']['requests'];
	targetId: string;
	idOf: (person: number) => string;
	/** Whom an input item means; none when the service knows nobody like that. */
	id: (entry: Named) => string | undefined;
	/** What an input item says, in lower case. */
	text: (entry: Named) => string;
};
