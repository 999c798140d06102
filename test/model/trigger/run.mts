import { createRequire } from 'node:module';
import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import { schedulings, TriggerHost } from '../../kit/poll.mts';
import {
	CALM,
	duringOutage,
	Exchange,
	outageNames,
	POLLS,
	type Conditions,
	type Outage,
	type PollRecord,
	type Service,
} from './service.mts';
import { DAY, EVENTS, MINUTE, pick, World, type EventName, type Setting } from './world.mts';

/** A change of the world, or an action of n8n or the user. The numbers select its target and its kind. */
export type Action = { do: string; a: number; b: number };

export const EVENT_NAMES: EventName[] = [...EVENTS, 'surveyClosed'];

/** What stays the same in a history. */
export type Start = {
	isAll: boolean;
	scheduling: (typeof schedulings)[number];
	events: EventName[];
	/** For each survey that exists at the start, whether it is anonymous. */
	anonymous: boolean[];
	maxReadGapMinutes: number;
	emitExisting: boolean;
	service: Service;
	/** At the end, a campaign whose reads fail, and how many reads the service allows in each poll. */
	broken?: { campaign: number; fault: string };
	limit?: number;
};

/** A history as it happened, for the judge. */
export type History = {
	start: Start;
	world: World;
	polls: PollRecord[];
	/** What was published, and when. */
	published: Array<{ at: number; setting: Setting }>;
	/** What no history excuses. */
	wrong: string[];
};

const load: (name: string) => object = createRequire(import.meta.url);
const n8n = load('n8n-workflow');
let histories = 0;

/** Plays one history with the built trigger, over simulated time. */
export async function play(start: Start, before: Action[], after: Action[]): Promise<History> {
	const run = new Run(start);
	const { world } = run.history;
	const real = { now: Date.now, sleep: Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {} };
	Date.now = () => world.now + world.ownOffset;
	// Whole seconds, because some forms of a date show no more.
	const sleep = async (ms: number) => void (world.now += Math.ceil(ms / 1000) * 1000);
	Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
	try {
		await run.play(before, after);
		return run.history;
	} finally {
		Date.now = real.now;
		Object.defineProperty(n8n, 'sleep', real.sleep);
	}
}

class Run {
	readonly history: History;
	private readonly world: World;
	private readonly host: TriggerHost;
	private readonly setting: Setting;
	/** The surveys that exist at the start. */
	private readonly all: string[];
	private isOn = false;
	private outage: Outage | undefined;
	/** What is wrong with the next publication. */
	private next: Conditions | undefined;
	private readonly claimed = new Set<IDataObject[]>();

	constructor(private readonly start: Start) {
		const { anonymous, events, emitExisting, scheduling, isAll } = start;
		this.world = new World(anonymous);
		this.all = anonymous.map((_, number) => `c${number}`);
		this.setting = {
			...{ isAll, selected: this.all, days: 90, events, emitExisting, account: 'first', node: 1 },
		};
		this.history = { start, world: this.world, polls: [], published: [], wrong: [] };
		this.host = new TriggerHost({
			credential: { authentication: 'accessKey' },
			parameters: {},
			scheduling,
			workflowId: `history ${++histories}`,
			// Between n8n's attempts, the clock of the history would stand still.
			attempts: 1,
		});
	}

	async play(before: Action[], after: Action[]): Promise<void> {
		for (const action of before) await this.act(action);
		const first = after[0]?.do === 'first' ? after[0] : undefined;
		this.next = first && POLLS.poll?.(first.a, first.b);
		await this.publish('activate');
		for (const action of after) if (action.do !== 'first') await this.act(action);
		await this.end();
	}

	private async act({ do: what, a, b }: Action): Promise<void> {
		const { world, setting } = this;
		const subset = <Each,>(list: readonly Each[]) => list.filter((_, place) => a & (1 << place));
		world.now += 1000;
		const conditions = POLLS[what]?.(a, b);
		const change: Record<string, () => Partial<Setting>> = {
			save: () => ({}),
			events: () => ({ events: a % 16 ? subset(EVENT_NAMES) : EVENT_NAMES }),
			// It counts only at the first publication.
			emitExisting: () => ({ emitExisting: this.isOn !== setting.emitExisting }),
			select: () => ({
				isAll: false,
				selected: subset(this.all).length > 0 ? subset(this.all) : this.all,
			}),
			watchAll: () => ({ isAll: true }),
			category: () => ({ category: pick(['a', 'b', undefined] as const, a) }),
			days: () => ({ days: pick([7, 90], a) }),
			newNode: () => ({ node: setting.node + 1 }),
			credential: () => ({ account: setting.account === 'first' ? 'second' : 'first' }),
			rename: () => ({}),
		};
		if (what === 'outage')
			this.outage = {
				...{ kind: pick(outageNames, a), campaign: Math.floor(a / 8) % 2 },
				until: world.now + (b % 14_401) * MINUTE,
			};
		else if (what === 'next') this.next = conditions;
		else if (conditions) await (this.isOn && this.poll('poll', conditions));
		else if (what === 'kill') await this.restart(b % 2 === 0);
		else if (what === 'off' || what === 'on') await this.switch(what === 'on');
		else if (change[what]) {
			Object.assign(setting, change[what]());
			world.note(what);
			if (what === 'newNode') delete this.host.database.cursor;
			if (what === 'rename') this.host.options.node = { name: `Renamed ${world.now}` };
			if (this.isOn) await this.publish('update');
		} else world.change(what, a, b);
	}

	/** Applies the user's settings to the node. */
	private apply(respond: TriggerHost['options']['respond']): void {
		const { isAll, selected, category = '', days, events, ...setting } = this.setting;
		const { emitExisting, account, node } = setting;
		const parameters = {
			...{ watch: isAll ? 'all' : 'selected', events, campaignIds: selected },
			filters: { category, liveWithinDays: days },
			options: { maxReadGapMinutes: this.start.maxReadGapMinutes, emitExisting },
		};
		const credentials = { messagingServiceApi: { id: account, name: account } };
		Object.assign(this.host.options, { parameters, respond });
		this.host.options.node = { ...this.host.options.node, id: `node-${node}`, credentials };
	}

	/** Publishes the workflow, or saves it. If necessary, all faults end. */
	private async publish(how: WorkflowActivateMode): Promise<void> {
		const { world, host, history, next = CALM } = this;
		this.next = undefined;
		host.kill(false);
		this.isOn = true;
		const setting = { ...this.setting };
		const at = world.now + 1000;
		for (let tries = 0; ; tries++) {
			world.now += 1000;
			const poll = await this.poll(how, tries < 2 ? next : CALM);
			if (poll.error === undefined) {
				history.published.push({ at, setting });
				return;
			}
			if (tries === 1) {
				world.showAll();
				this.outage = undefined;
			}
			if (tries > 4) throw new Error(`It cannot be published: ${String(poll.error)}`);
		}
	}

	private async switch(isOn: boolean): Promise<void> {
		if (isOn === this.isOn) return;
		this.host.kill(false);
		this.isOn = isOn;
		this.world.note(isOn ? 'on' : 'off');
		if (isOn) await this.publish('activate');
	}

	/** Restarts n8n, which loses its memory unless only its leader changes. */
	private async restart(losesMemory: boolean): Promise<void> {
		if (!this.isOn) return;
		this.world.note('restart');
		this.host.kill(losesMemory);
		await this.publish(losesMemory ? 'init' : 'leadershipChange');
	}

	private async poll(how: 'poll' | WorkflowActivateMode, wanted: Conditions): Promise<PollRecord> {
		const { world, host, history, isOn, outage } = this;
		world.now += 1000;
		const isOut = outage && world.now < outage.until;
		const conditions = isOut ? { ...wanted, ...duringOutage(outage) } : wanted;
		const { during } = conditions;
		const record: PollRecord = {
			...{ at: world.now, how, setting: { ...this.setting }, requests: [], reads: [] },
			...{ failed: new Set(), recipients: new Map(), items: [], hasDate: false },
			clock: world.ownOffset,
		};
		history.polls.push(record);
		const exchange = new Exchange(world, this.start.service, record, conditions);
		this.apply(async (request) => {
			const isNow = during && !record.during && record.requests.length === during.request;
			const canBe =
				isOn && (how === 'poll' || ['hang', 'arrive', 'close'].includes(during?.what ?? ''));
			if (!isNow || !canBe) return await exchange.respond(request);
			record.during = during.what;
			world.note(`${during.what} during a poll`);
			// The response may be older than what happens meanwhile.
			const isOlder = world.now % 7000 > 3000;
			const older = isOlder ? await exchange.respond(request) : undefined;
			await this.interrupt(during.what, record);
			return older ?? (await exchange.respond(request));
		});
		const done = how === 'poll' ? host.poll() : host.activate(how);
		await done.catch((error: unknown) => (record.error = error ?? 'failed'));
		record.ended = world.now;
		const own = host.executions.filter((each) => !this.claimed.has(each));
		for (const each of own) this.claimed.add(each);
		record.items = own.flat();
		this.checkPoll(record, conditions);
		return record;
	}

	/** What happens while a poll waits for a response. */
	private async interrupt(what: string, record: PollRecord): Promise<void> {
		const { world } = this;
		world.now += 1000;
		if (what === 'save') await this.publish('update');
		else if (what === 'off') await this.switch(false);
		else if (what === 'kill' || what === 'takeOver') await this.restart(what === 'kill');
		else if (what === 'arrive' || what === 'close')
			world.change(what, world.now / 1000, Math.floor(world.now / 7000));
		else if (what === 'overlap') await this.poll('poll', CALM);
		if (what !== 'hang') return;
		// n8n stands still for longer than a poll may take. Meanwhile, its clock may be set back.
		world.now += 11 * MINUTE;
		if ((world.now / 1000) % 2 === 0) world.change('clock', 1, 0);
		if (record.how === 'poll') await this.poll('poll', CALM);
	}

	/** Checks what is wrong whatever happened before. */
	private checkPoll(record: PollRecord, conditions: Conditions): void {
		const { world, history } = this;
		const { at, how, error, items, reads, requests } = record;
		const { scheduling } = this.start;
		const wrong = (text: string) => history.wrong.push(`${text} (${new Date(at).toISOString()})`);
		const isReadable = world.campaigns.every(({ isHidden }) => !isHidden);
		if (error !== undefined && conditions === CALM && isReadable)
			wrong(`A calm poll fails: ${String(error)}`);
		// Publishing, or what looks like it, names campaigns that were never read.
		const isNamed = / (not exist|show (its|their) responses)/.test(String(error));
		const isRestart = how === 'init' || how === 'leadershipChange';
		const mayFail = isNamed && !isRestart && (how !== 'poll' || scheduling !== 'inProcess');
		if (error !== undefined && reads.length > 0 && !mayFail)
			wrong(`A poll that reads something fails: ${String(error)}`);
		if (isNamed && isRestart) wrong(`A restart fails: ${String(error)}`);
		if (items.length > 10_000) wrong(`A poll emits ${items.length} items`);
		if (requests.length > 60) wrong('The list is read without end');
		for (const { id, category, status } of world.campaigns) {
			const isRead = requests.includes(`surveyData ${id}`);
			const isKnown = isRead && record.listed?.get(id) === status;
			const { isAll, selected, category: wanted = category } = record.setting;
			if (isRead && !(isAll ? category === wanted : selected.includes(id)))
				wrong(`${id} is read although it is not chosen`);
			if (isKnown && '04'.includes(status)) wrong(`${id} is read although it is not live`);
		}
	}

	/** Ends all faults but one, then polls until nothing can be outstanding. */
	private async end(): Promise<void> {
		const { world, host, history } = this;
		const { broken, limit } = this.start;
		world.ownOffset = 0;
		world.showAll();
		this.outage = undefined;
		await this.switch(true);
		const reads = world.campaigns.map((_, place) =>
			place === broken?.campaign ? broken.fault : '',
		);
		const conditions = broken || limit !== undefined ? { reads, limit } : CALM;
		const poll = async (minutes: number) => {
			world.now += minutes * MINUTE;
			await this.poll('poll', conditions);
		};
		for (let polls = limit === undefined ? 3 : 24; polls > 0; polls--) await poll(7);
		// A survey whose last read has failed for a day is tried once an hour.
		await poll(broken ? DAY / MINUTE : 61);
		await poll(7);
		const before = JSON.stringify(host.database);
		await poll(7);
		if (conditions === CALM && JSON.stringify(host.database) !== before)
			history.wrong.push('A quiet poll changes the database');
	}
}
