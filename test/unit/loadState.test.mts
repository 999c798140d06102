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

/** Returns the process state right after n8n started. */
const newProcess = (): { notes: ProcessState } => ({
	notes: { readings: new Map(), foundClosed: new Set<string>(), clockOffsetMs: 0 },
});

/** A stand-in for the n8n database. Each poll gets a copy of the saved data. */
class Database {
	node: IDataObject = {};

	global: IDataObject = {};

	readonly notes = newProcess().notes;

	constructor(private readonly kind: 'plain' | 'durable') {}

	/** Polls with a copy of the saved data. `isSaved` tells whether n8n saves the changes. */
	poll(
		act: (loaded: ReturnType<typeof loadState>) => void,
		{ isSaved = true, notes = this.notes, name = 'Trigger' } = {},
	): number | undefined {
		const node = jsonOf(this.node);
		// Plain static data tracks its changes with this property.
		if (this.kind === 'plain') Object.defineProperty(node, '__dataChanged', { value: false });
		const context = only<IPollFunctions>({
			getNode: () => ({ ...anyNode, name }),
			getWorkflowStaticData: () => this.global,
		});
		const loaded = loadState(context, node, notes);
		act(loaded);
		if (isSaved) this.node = jsonOf(node);
		return loaded.state?.listedUntil;
	}

	/** Returns the `listedUntil` that the next poll would start with. */
	known(options: { notes?: ProcessState; name?: string } = {}): number | undefined {
		return this.poll(() => undefined, { isSaved: false, ...options });
	}
}

describe.each(['plain', 'durable'] as const)('with %s static data', (kind) => {
	let database: Database;
	beforeEach(() => {
		database = new Database(kind);
	});

	test('knows nothing before the first save', () => {
		expect(database.known()).toBeUndefined();
		database.poll(({ save }) => save(contents(1), 100, true));
		expect(database.known()).toBe(1);
		expect(database.known(newProcess())).toBe(1);
		expect(database.node).toMatchObject({ at: 100, listedUntil: 1 });
	});

	test('does not save an equal state again', () => {
		const same = contents(1);
		database.poll(({ save }) => save(same, 100, true));
		const { revision } = database.node;
		database.poll(({ save, state }) =>
			save({ ...same, campaigns: state?.campaigns ?? {} }, 200, true),
		);
		expect(database.node).toMatchObject({ at: 100, revision });
		database.poll(({ save }) => save(contents(2), 200, true));
		expect(database.node.revision).not.toBe(revision);
	});

	test('keeps the state of polls without events although n8n does not save it', () => {
		database.poll(({ save }) => save(contents(1), 100, true));
		for (const since of [2, 3, 4]) {
			database.poll(({ save }) => save(contents(since), 100, false), { isSaved: false });
			expect(database.known()).toBe(since);
		}
	});

	test('keeps the state of failed polls', () => {
		database.poll(({ save }) => save(contents(1), 100, true));
		const { revision } = database.node;
		for (const since of [2, 3]) {
			database.poll(({ buffer }) => buffer(contents(since), 100));
			expect(database.known()).toBe(since);
		}
		expect(database.node.revision).toBe(revision);
		expect(database.known(newProcess())).toBe(1);
	});

	test('drops the buffered state once another state is saved', () => {
		database.poll(({ save }) => save(contents(1), 100, true));
		const first = jsonOf(database.node);
		database.poll(({ buffer }) => buffer(contents(2), 100));
		// Another process polls.
		database.poll(({ save }) => save(contents(5), 100, true), newProcess());
		expect(database.known()).toBe(5);
		database.poll(({ buffer }) => buffer(contents(6), 100));
		expect(database.known()).toBe(6);
		// The saved state is older again. The buffered state is not used, because it is based on another state.
		database.node = first;
		expect(database.known()).toBe(1);
		database.node = {};
		expect(database.known()).toBeUndefined();
	});

	test('drops the state of a poll with events if n8n does not save it, so that the events are found again', () => {
		database.poll(({ save }) => save(contents(1), 100, true));
		database.poll(({ save }) => save(contents(2), 100, true), { isSaved: false });
		expect(database.known()).toBe(1);
	});

	test('remembers only a limited number of the states before the buffered state', () => {
		database.poll(({ save }) => save(contents(0), 100, true));
		for (let poll = 1; poll <= 1_010; poll++)
			database.poll(({ save }) => save(contents(poll), 100, false));
		expect(database.notes.buffered?.follows).toHaveLength(1_000);
	});

	test('uses the buffered state when n8n loads any state saved before it', () => {
		database.poll(({ save }) => save(contents(1), 100, true));
		const first = jsonOf(database.node);
		database.poll(({ save }) => save(contents(2), 100, false));
		const second = jsonOf(database.node);
		database.poll(({ save }) => save(contents(3), 100, false), { isSaved: false });
		for (const node of [first, second]) {
			database.node = node;
			expect(database.known()).toBe(3);
		}
	});

	test('keeps nothing of a poll that fails before the first save', () => {
		database.poll(({ buffer }) => buffer(contents(1), 100));
		expect(database.known()).toBeUndefined();
	});

	test('stops the poll if the state is unreadable', () => {
		database.node = { version: 1 };
		expect(() => database.known()).toThrow('cannot be read');
	});
});

describe('plain static data', () => {
	test('is not copied to the static data of the workflow', () => {
		const database = new Database('plain');
		database.poll(({ save }) => save(contents(1), 100, false));
		expect(database.known(newProcess())).toBe(1);
		expect(database.global).toEqual({});
	});

	const context = only<IPollFunctions>({ getNode: () => anyNode });
	const load = (node: IDataObject) => loadState(context, node, newProcess().notes);

	test('is not written again for equal contents', () => {
		const node: IDataObject = Object.defineProperty({}, '__dataChanged', { value: false });
		load(node).save(contents(1), 100, true);
		const { campaigns } = node;
		const { state, save } = load(node);
		if (state) save(state, 200, true);
		expect(node.campaigns).toBe(campaigns);
	});

	test('receives a copy of the state', () => {
		const node: IDataObject = Object.defineProperty({}, '__dataChanged', { value: false });
		const given = contents(1);
		load(node).save(given, 100, true);
		const before = structuredClone(node);
		given.notSurveys.push('x');
		Object.assign(given.campaigns.a ?? {}, { events: 7 });
		expect(node).toEqual(before);
	});
});

describe('a durable cursor', () => {
	let database: Database;
	beforeEach(() => {
		database = new Database('durable');
		// If the first poll of an activation emits nothing, n8n discards its changes to the cursor.
		database.poll(({ save }) => save(contents(1), 100, false), { isSaved: false });
	});

	test('restores a discarded state from the static data of the workflow', () => {
		expect(database.node).toEqual({});
		expect(database.known(newProcess())).toBe(1);
		expect(database.known({ ...newProcess(), name: 'Renamed' })).toBeUndefined();
	});

	test('ignores the copy in the static data of the workflow if the cursor has another state', () => {
		database.node = jsonOf({
			version: 1,
			revision: 'r',
			at: 1,
			listedUntil: 9,
			selection: 'all',
			campaigns: {},
			notSurveys: [],
		});
		expect(database.known(newProcess())).toBe(9);
	});

	test('receives the state at the first emission; the copy in the static data of the workflow is deleted', () => {
		database.poll(({ save }) => save(contents(2), 100, true), newProcess());
		expect(database.global).toEqual({});
		expect(database.known(newProcess())).toBe(2);
	});

	test('writes the copy in the static data of the workflow again only if the contents change', () => {
		const [before] = Object.values(database.global);
		database.poll(
			({ save, state }) => save({ ...contents(1), campaigns: state?.campaigns ?? {} }, 200, false),
			{ ...newProcess(), isSaved: false },
		);
		const [after] = Object.values(database.global);
		expect(after).toBe(before);
		database.poll(({ save }) => save(contents(3), 200, false), { ...newProcess(), isSaved: false });
		expect(database.known(newProcess())).toBe(3);
	});

	test('ignores invalid data in the static data of the workflow', () => {
		for (const left of ['text', { follows: '' }, { follows: '', state: 'text' }]) {
			database.global = Object.fromEntries(
				Object.keys(database.global).map((place) => [place, left]),
			);
			expect(database.known(newProcess())).toBeUndefined();
		}
	});
});
