import { createRequire } from 'node:module';
import type { INodeParameters } from 'n8n-workflow';
import fc from 'fast-check';

import { isVersion2, schedulings, TriggerHost } from './poll.mts';
import { Judge, type Wanted } from './triggerModelJudge.mts';
import {
	CALM,
	conditionsOf,
	count,
	Exchange,
	failures,
	POLLS,
	type Conditions,
} from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, pick, World, type Campaign } from './triggerModelWorld.mts';

/** A scheduled poll, or why n8n activates the workflow. */
type How = 'poll' | 'activate' | 'init' | 'update';

/** A change of the world, or an action of n8n or the user. The numbers select its target and its kind. */
export type Action = { do: string; a: number; b: number };

export const EVENT_NAMES: Wanted['events'] = [...EVENTS, 'surveyClosed'];

const rarely = fc.nat(4).map((fifth) => fifth === 0);
const sometimes = <Value,>(arbitrary: fc.Arbitrary<Value>) =>
	fc.option(arbitrary, { freq: 4, nil: undefined });

export const setting = fc.record({
	// This judge expects what All Campaigns did before it watched surveys by their events; the next judge replaces it.
	isAll: fc.constant<boolean>(false),
	scheduling: fc.constantFrom(...schedulings),
	events: fc.subarray(EVENT_NAMES, { minLength: 1 }),
	/** For each survey that exists at the start, whether it is anonymous. */
	anonymous: fc.array(rarely, { minLength: 1, maxLength: 3 }),
	maxReadGapMinutes: fc.constantFrom<number[]>(0, 5),
	sendsDate: fc.nat(3).map((quarter) => quarter > 0),
	emitExisting: rarely,
	/** Whether expressions give the events, the campaigns and the filter. */
	isExpression: rarely,
	/** At the end, a campaign whose reads fail, and how many reads the service allows in each poll. */
	broken: sometimes(fc.record({ campaign: fc.nat(3), fault: fc.constantFrom(...failures) })),
	limit: sometimes(fc.integer({ min: 1, max: 3 })),
});
export type Setting = typeof setting extends fc.Arbitrary<infer Value> ? Value : never;

const load: (name: string) => object = createRequire(import.meta.url);
const n8n = load('n8n-workflow');
let histories = 0;

/** Plays one history with the built trigger, over simulated time, and returns what the trigger did wrong. */
export async function play(setting: Setting, before: Action[], first: Action, after: Action[]) {
	const run = new Run(setting);
	const real = { now: Date.now, sleep: Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {} };
	Date.now = () => run.world.now + run.world.ownOffset;
	const sleep = async (ms: number) => void (run.world.now += Math.ceil(ms / 1000) * 1000);
	Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
	try {
		return await run.play(before, conditionsOf(first.a, first.b), after);
	} finally {
		Date.now = real.now;
		Object.defineProperty(n8n, 'sleep', real.sleep);
	}
}

class Run {
	readonly world: World;
	private readonly judge: Judge;
	private readonly host: TriggerHost;
	private readonly wanted: Wanted;
	/** The surveys that exist at the start. */
	private readonly all: string[];
	private isOn = false;
	private polledAt = -Infinity;
	private afterHang = '';
	private readonly isRead = new Set<string>();

	constructor(private readonly setting: Setting) {
		const { anonymous, events, emitExisting, scheduling, isAll } = setting;
		this.world = new World(anonymous);
		this.all = anonymous.map((_, number) => `c${number}`);
		const selected = isAll ? undefined : this.all;
		this.wanted = { events, emitExisting, days: 90, selected };
		this.judge = new Judge(this.world, this.wanted);
		this.host = new TriggerHost({
			credential: { authentication: 'accessKey' },
			parameters: {},
			scheduling,
			workflowId: `history ${++histories}`,
		});
	}

	async play(before: Action[], first: Conditions, after: Action[]): Promise<string[]> {
		for (const action of before) await this.act(action);
		await this.untilPolled('activate', first);
		for (const action of after) {
			await this.act(action);
			if (this.judge.wrong.length > 0) return this.judge.wrong;
		}
		await this.end();
		return this.judge.wrong;
	}

	private async act({ do: what, a, b }: Action): Promise<void> {
		const { world, wanted } = this;
		const subset = <Each,>(list: readonly Each[]) => list.filter((_, place) => a & (1 << place));
		const some = subset(this.all);
		world.now += 1000;
		count(what);
		const conditions = POLLS[what]?.(a, b);
		if (conditions) await this.poll('poll', conditions);
		else if (what === 'kill') await this.restart('init', b % 2 === 0);
		else if (what === 'republish') await this.restart('update');
		else if (what === 'events') wanted.events = a % 16 ? subset(EVENT_NAMES) : EVENT_NAMES;
		// It counts only at the first publication.
		else if (what === 'emitExisting') wanted.emitExisting = this.isOn !== wanted.emitExisting;
		else if (what === 'select') wanted.selected &&= some.length > 0 ? some : this.all;
		else if (what === 'category') wanted.category = pick(['a', 'b', undefined], a);
		else if (what === 'days') wanted.days = pick([7, 90], a);
		else world.change(what, a, b);
	}

	/** Applies the user's settings to the node, and the settings of the service. */
	private set(respond: TriggerHost['options']['respond']): void {
		const { maxReadGapMinutes, isExpression, isAll } = this.setting;
		const { events, selected, category, days, emitExisting } = this.wanted;
		const given = (value: unknown) => (isExpression ? `={{ ${JSON.stringify(value)} }}` : value);
		const parameters = {
			...{ watch: isAll ? 'all' : 'selected', events: given(events) },
			...(selected && { campaignIds: given(selected) }),
			filters: { category: given(category ?? ''), liveWithinDays: days },
			options: { maxReadGapMinutes, emitExisting: given(emitExisting) },
		};
		Object.assign(this.host.options, { parameters: parameters as INodeParameters, respond });
	}

	private exchange(conditions = CALM): Exchange {
		const { sendsDate, isAll } = this.setting;
		// What a selected campaign that is not a survey does, the test `trigger` shows.
		const reads = conditions.reads?.map((fault) => (isAll || fault !== 'notASurvey' ? fault : ''));
		return new Exchange(this.world, sendsDate, { ...conditions, reads });
	}

	/** Polls until a poll succeeds. If necessary, all faults end. */
	private async untilPolled(how: How, conditions: Conditions): Promise<void> {
		for (let tries = 0; !(await this.poll(how, tries < 2 ? conditions : CALM)); tries++) {
			if (tries === 1) this.world.showAll();
			if (tries > 4) throw new Error(this.judge.wrong.join() || 'It cannot be published');
		}
	}

	/** Restarts n8n, or publishes the workflow again. */
	private async restart(how: 'init' | 'update', losesMemory = how === 'init'): Promise<void> {
		this.host.kill(losesMemory);
		if (how === 'init') this.judge.kill();
		await this.untilPolled(how, CALM);
	}

	/** @returns whether the poll succeeded */
	private async poll(how: How, conditions: Conditions): Promise<boolean> {
		const { world, host, judge, wanted, isOn } = this;
		const { during } = conditions;
		world.now += 1000;
		const exchange = this.exchange(conditions);
		let interruption = '';
		this.set(async (request) => {
			const isNow = during && !interruption && exchange.requests === during.request;
			// This judge expects that n8n 1 discards what only n8n 2 discards; the next judge replaces it.
			const isJudged = isVersion2 || !['republish', 'takeOver'].includes(during?.what ?? '');
			if (isNow && isJudged && (isOn || during.what === 'hang')) {
				interruption = during.what;
				count(`during a poll: ${interruption}`);
				await this.interrupt(interruption, exchange);
			}
			return exchange.respond(request);
		});
		const { database } = host;
		const before = JSON.stringify(database);
		const executed = host.executions.length;
		const started = how === 'poll' ? host.poll() : host.activate(how);
		let error: unknown;
		await started.catch((thrown: unknown) => (error = thrown));
		if (interruption === 'hang') {
			if (this.state() !== this.afterHang)
				judge.wrong.push('The result of a poll that hung counts');
			judge.noteAsked(exchange);
			return false;
		}
		const isThrown = error !== undefined;
		const items = host.executions.slice(executed).flat();
		Object.assign(exchange, { isThrown, items });
		const isDiscarded = ['kill', 'republish', 'takeOver'].includes(interruption);
		if (isDiscarded && items.length > 0) judge.wrong.push('A result that n8n discarded is emitted');
		if (interruption === 'kill') {
			await this.restart('init');
			return true;
		}
		// A discarded poll with items has no effect. A poll without items stays in memory.
		if (interruption === 'takeOver') return true;
		if (isDiscarded && host.returned) {
			judge.noteAsked(exchange);
			this.polledAt = Date.now();
			return true;
		}
		const isHidden = world.campaigns.some((campaign) => campaign.isHidden);
		const isCalm = conditions === CALM && !isHidden;
		// Selected campaigns are read without a list. Of all campaigns, those that are missing from the list need not be readable.
		const isReadable = wanted.selected
			? !isHidden && (isCalm || Object.keys(conditions).join() === 'list')
			: conditions === CALM;
		if (isThrown && isReadable) judge.wrong.push(`A calm poll fails: ${String(error)}`);
		if (exchange.requests > 50) judge.wrong.push('The list is read without end');
		// A restart that fails is tried again, and remembers nothing.
		if (!isThrown || how !== 'init') judge.poll(exchange);
		judge.noteAsked(exchange);
		for (const [id, { read, isDenied }] of exchange.told) if (read || isDenied) this.isRead.add(id);
		if (isCalm && !isThrown) this.checkReads(exchange);
		this.polledAt = Date.now();
		this.isOn ||= !isThrown;
		// The first publication is remembered although no item was emitted and n8n may not save the state.
		if (JSON.stringify(database) !== before || !isOn) judge.save();
		return !isThrown;
	}

	/** In a poll without faults, every watched survey that is due is read. */
	private checkReads({ told, listed }: Exchange): void {
		const { world, judge, setting, wanted } = this;
		const isDue = Date.now() - this.polledAt > setting.maxReadGapMinutes * MINUTE + 1000;
		// The list is asked for by the service's clock, if n8n's is far off.
		const isYoung = ({ liveAt = 0, isUnlisted }: Campaign) =>
			liveAt > world.serviceNow - (wanted.days - 1) * DAY && !isUnlisted;
		if (setting.isAll && setting.sendsDate && !wanted.category)
			for (const { id } of world.campaigns.filter(isYoung))
				if (!listed?.has(id)) judge.wrong.push(`${id} is not listed`);
		const unread = world.campaigns.filter(({ id }) => !told.get(id)?.read);
		judge.checkUnread(unread, isDue && world.ownOffset === 0);
	}

	private state(): string {
		return JSON.stringify([this.host.database, this.host.executions.length]);
	}

	/** What happens while a poll waits for a response. */
	private async interrupt(what: string, exchange: Exchange): Promise<void> {
		const { host, judge, world, isOn } = this;
		if (what === 'kill' || what === 'republish') host.kill(what === 'kill');
		if (what === 'kill' || what === 'takeOver') judge.kill();
		if (what === 'kill') return;
		if (what === 'hang') world.now += 2 * MINUTE;
		const beside = this.exchange();
		this.set((request) => beside.respond(request));
		const mode = { republish: 'update', takeOver: 'leadershipChange' } as const;
		if (what === 'republish' || what === 'takeOver') await host.activate(mode[what]);
		else if (isOn) await host.poll();
		if (beside.requests > 0) judge.wrong.push('A poll reads beside another one');
		if (what !== 'hang') return;
		// After ten minutes, a poll that waits does not block the next one, and its result is ignored.
		world.now += 9 * MINUTE;
		// Meanwhile, n8n's clock may be set back.
		if ((world.now / 1000) % 2 === 0) world.ownOffset -= DAY;
		judge.noteAsked(exchange);
		await this.poll(isOn ? 'poll' : 'activate', CALM);
		this.afterHang = this.state();
	}

	/** Ends all faults but one, then polls until nothing can be outstanding. */
	private async end(): Promise<void> {
		const { world, judge, host, isRead } = this;
		const { broken, limit } = this.setting;
		Object.assign(world, { ownOffset: 0, offset: 0 });
		world.showAll();
		const reads = world.campaigns.map((_, number) =>
			number === broken?.campaign ? broken.fault : '',
		);
		const conditions = broken || limit !== undefined ? { reads, limit } : CALM;
		const poll = async (minutes: number) => {
			world.now += minutes * MINUTE;
			await this.poll('poll', conditions);
		};
		isRead.clear();
		for (let polls = limit === undefined ? 3 : 24; polls > 0; polls--) await poll(7);
		judge.checkUnread(
			world.campaigns.filter(({ id }, number) => !reads[number] && !isRead.has(id)),
			true,
		);
		await poll(broken ? DAY / MINUTE : 7);
		const before = JSON.stringify(host.database);
		await poll(7);
		// With the same revision, n8n has nothing to save.
		if (conditions === CALM && JSON.stringify(host.database) !== before)
			judge.wrong.push('A quiet poll changes the database');
	}
}
