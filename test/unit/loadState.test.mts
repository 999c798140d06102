import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { loadState } from '../../nodes/MessagingServiceTrigger/state/loadState.ts';
import type { ProcessState } from '../../nodes/MessagingServiceTrigger/state/processState.ts';
import type { Contents } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only, parseAs } from '../kit/typed.mts';

const contents = (since: number, changes: Partial<Contents> = {}): Contents => ({
	listedUntil: since,
	selection: `all ${since}`,
	campaigns: { a: { events: 1, rows: { 1: '###' } } },
	notSurveys: [],
	...changes,
});

const jsonOf = (data: IDataObject) => parseAs<IDataObject>(JSON.stringify(data));

/** n8n as far as the memory sees it: its database, from which each poll gets what was saved. */
class Database {
	node: IDataObject = {};

	global: IDataObject = {};

	readonly notes: ProcessState = {
		readings: new Map(),
		foundClosed: new Set<string>(),
		clockOffsetMs: 0,
	};

	constructor(private readonly kind: 'plain' | 'durable') {}

	/** A poll on a copy of what was saved. What the poll changes is saved when `isSaved` says so. */
	poll(
		act: (memory: ReturnType<typeof loadState>) => void,
		{ isSaved = true, notes = this.notes, name = 'Trigger' } = {},
	): number | undefined {
		const node = jsonOf(this.node);
		// Plain static data watches its changes through this property.
		if (this.kind === 'plain') Object.defineProperty(node, '__dataChanged', { value: false });
		const context = only<IPollFunctions>({
			getNode: () => ({ ...anyNode, name }),
			getWorkflowStaticData: () => this.global,
		});
		const memory = loadState(context, node, notes);
		act(memory);
		if (isSaved) this.node = jsonOf(node);
		return memory.state?.listedUntil;
	}

	/** What the next poll would begin with. */
	known(options: { notes?: ProcessState; name?: string } = {}): number | undefined {
		return this.poll(() => undefined, { isSaved: false, ...options });
	}
}

const afterRestart = (): { notes: ProcessState } => ({
	notes: { readings: new Map(), foundClosed: new Set<string>(), clockOffsetMs: 0 },
});

describe.each(['plain', 'durable'] as const)('with %s static data', (kind) => {
	let database: Database;
	beforeEach(() => {
		database = new Database(kind);
	});

	test('nothing is known at first, and then what was saved', () => {
		expect(database.known()).toBeUndefined();
		database.poll((memory) => memory.save(contents(1), 100, true));
		expect(database.known()).toBe(1);
		expect(database.known(afterRestart())).toBe(1);
		expect(database.node).toMatchObject({ at: 100, listedUntil: 1 });
	});

	test('what says the same is not saved anew', () => {
		const same = contents(1);
		database.poll((memory) => memory.save(same, 100, true));
		const { revision } = database.node;
		database.poll(({ save, state }) =>
			save({ ...same, campaigns: state?.campaigns ?? {} }, 200, true),
		);
		expect(database.node).toMatchObject({ at: 100, revision });
		database.poll(({ save }) => save(contents(2), 200, true));
		expect(database.node.revision).not.toBe(revision);
	});

	test('what polls without news learn holds although n8n does not save it', () => {
		database.poll((memory) => memory.save(contents(1), 100, true));
		for (const since of [2, 3, 4]) {
			database.poll((memory) => memory.save(contents(since), 100, false), { isSaved: false });
			expect(database.known()).toBe(since);
		}
	});

	test('and so does what a poll learns that fails', () => {
		database.poll((memory) => memory.save(contents(1), 100, true));
		const { revision } = database.node;
		for (const since of [2, 3]) {
			database.poll((memory) => memory.buffer(contents(since), 100));
			expect(database.known()).toBe(since);
		}
		expect(database.node.revision).toBe(revision);
		expect(database.known(afterRestart())).toBe(1);
	});

	test('but no longer once something else was saved', () => {
		database.poll((memory) => memory.save(contents(1), 100, true));
		const first = jsonOf(database.node);
		database.poll((memory) => memory.buffer(contents(2), 100));
		// Another process polled.
		database.poll((memory) => memory.save(contents(5), 100, true), afterRestart());
		expect(database.known()).toBe(5);
		database.poll((memory) => memory.buffer(contents(6), 100));
		expect(database.known()).toBe(6);
		// What is older than that says nothing of it.
		database.node = first;
		expect(database.known()).toBe(1);
	});

	test('what was learnt holds on whichever of the states before it n8n comes back to', () => {
		database.poll((memory) => memory.save(contents(1), 100, true));
		const first = jsonOf(database.node);
		database.poll((memory) => memory.save(contents(2), 100, false));
		const second = jsonOf(database.node);
		database.poll((memory) => memory.save(contents(3), 100, false), { isSaved: false });
		for (const node of [first, second]) {
			database.node = node;
			expect(database.known()).toBe(3);
		}
	});

	test('a poll that fails before anything was saved leaves nothing', () => {
		database.poll((memory) => memory.buffer(contents(1), 100));
		expect(database.known()).toBeUndefined();
	});

	test('what cannot be read stops the poll', () => {
		database.node = { version: 1 };
		expect(() => database.known()).toThrow('cannot be read');
	});
});

describe('plain static data', () => {
	test('is written by polls without news, too, and nothing else is', () => {
		const database = new Database('plain');
		database.poll((memory) => memory.save(contents(1), 100, false));
		expect(database.known(afterRestart())).toBe(1);
		expect(database.global).toEqual({});
	});

	test('gets objects of its own', () => {
		const node: IDataObject = Object.defineProperty({}, '__dataChanged', { value: false });
		const context = only<IPollFunctions>({ getNode: () => anyNode });
		const given = contents(1);
		loadState(context, node, {
			readings: new Map(),
			foundClosed: new Set<string>(),
			clockOffsetMs: 0,
		}).save(given, 100, true);
		const before = structuredClone(node);
		given.notSurveys.push('x');
		Object.assign(given.campaigns.a ?? {}, { events: 7 });
		expect(node).toEqual(before);
	});
});

describe('a durable cursor', () => {
	const restarted = afterRestart;
	let database: Database;
	beforeEach(() => {
		database = new Database('durable');
		// n8n drops what the first poll of an activation changes in the cursor when it emits nothing.
		database.poll((memory) => memory.save(contents(1), 100, false), { isSaved: false });
	});

	test('of which n8n drops the baseline finds it in the static data of the workflow', () => {
		expect(database.node).toEqual({});
		expect(database.known(restarted())).toBe(1);
		expect(database.known({ ...restarted(), name: 'Renamed' })).toBeUndefined();
	});

	test('does not, once there is a cursor that follows another one', () => {
		database.node = jsonOf({
			version: 1,
			revision: 'r',
			at: 1,
			listedUntil: 9,
			selection: 'all',
			campaigns: {},
			notSurveys: [],
		});
		expect(database.known(restarted())).toBe(9);
	});

	test('takes it over with the first news, and leaves nothing behind', () => {
		database.poll((memory) => memory.save(contents(2), 100, true), restarted());
		expect(database.global).toEqual({});
		expect(database.known(restarted())).toBe(2);
	});

	test('keeps what is left there as it is while nothing changes', () => {
		const before = jsonOf(database.global);
		database.poll(
			({ save, state }) => save({ ...contents(1), campaigns: state?.campaigns ?? {} }, 200, false),
			{ ...restarted(), isSaved: false },
		);
		expect(database.global).toEqual(before);
		database.poll(({ save }) => save(contents(3), 200, false), { ...restarted(), isSaved: false });
		expect(database.known(restarted())).toBe(3);
	});

	test('does not mind what else is found there', () => {
		for (const left of ['text', { follows: '' }, { follows: '', state: 'text' }]) {
			database.global = Object.fromEntries(
				Object.keys(database.global).map((place) => [place, left]),
			);
			expect(database.known(restarted())).toBeUndefined();
		}
	});
});
