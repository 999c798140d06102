import { createRequire } from 'node:module';
import type { INodeParameters } from 'n8n-workflow';

import { TriggerHost, type Scheduling } from './poll.mts';
import { Judge, type Wanted } from './triggerModelJudge.mts';
import {
	CALM,
	conditionsOf,
	count,
	Exchange,
	FAULTS,
	type Conditions,
} from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, pick, World, type Campaign } from './triggerModelWorld.mts';

export type Setting = {
	isAll: boolean;
	scheduling: Scheduling;
	events: Wanted['events'];
	emitExisting: boolean;
	/** For each survey that exists at the start, whether it is anonymous. */
	anonymous: boolean[];
	maxReadGapMinutes: number;
	sendsDate: boolean;
	/** Whether expressions give the events, the campaigns and the filter. */
	isExpression: boolean;
	/** At the end, a campaign whose reads fail, and how many reads the service allows in each poll. */
	broken?: { campaign: number; fault: string };
	limit?: number;
};

/** A scheduled poll, or why n8n activates the workflow. */
type How = 'poll' | 'activate' | 'init' | 'update';

/** A change of the world, or an action of n8n or the user. The numbers select its target and its kind. */
export type Action = { do: string; a: number; b: number };

/** A poll in which only the first campaign can be read, but not the list. */
const ONLY_FIRST: Conditions = { list: 'error', reads: ['', ...Array<string>(8).fill('error')] };

export const EVENT_NAMES: Wanted['events'] = [...EVENTS, 'surveyClosed'];

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
	private readonly judge = new Judge();
	private readonly host: TriggerHost;
	private readonly wanted: Wanted;
	private isOn = false;
	private polledAt = -Infinity;
	private unread = new Set<string>();

	constructor(private readonly setting: Setting) {
		const { anonymous, events, emitExisting, scheduling, isAll } = setting;
		this.world = new World(anonymous);
		const selected = anonymous.map((_, number) => `c${number}`);
		this.wanted = { events, emitExisting, ...(!isAll && { selected }) };
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
		const { world, wanted, setting } = this;
		const subset = <Each,>(list: readonly Each[]) => list.filter((_, place) => a & (1 << place));
		world.now += 1000;
		count(what);
		if (what === 'poll') await this.poll('poll', conditionsOf(a, b));
		else if (what === 'calm') await this.poll('poll', CALM);
		else if (what === 'list') await this.poll('poll', { list: FAULTS[a] });
		else if (what === 'reads')
			await this.poll('poll', { reads: Array<string>(9).fill(FAULTS[a] ?? '') });
		else if (what === 'onlyFirst') await this.poll('poll', ONLY_FIRST);
		else if (what === 'noDate') await this.poll('poll', { lacksDate: true });
		else if (what === 'kill') await this.restart('init', b % 2 === 0);
		else if (what === 'republish') await this.restart('update');
		else if (what === 'events') wanted.events = a % 16 ? subset(EVENT_NAMES) : EVENT_NAMES;
		// It counts only at the first publication.
		else if (what === 'emitExisting') wanted.emitExisting = this.isOn !== wanted.emitExisting;
		else if (what === 'select' && wanted.selected) {
			wanted.selected = subset(setting.anonymous.map((_, number) => `c${number}`));
			if (wanted.selected.length === 0 || b % 5 === 0) wanted.selected.push('plain');
		} else if (what === 'category' && !wanted.selected)
			wanted.category = pick(['a', 'b', undefined], a);
		else if (what !== 'select' && what !== 'category') world.change(what, a, b);
	}

	/** Applies the user's settings to the node, and the settings of the service. */
	private set(respond: TriggerHost['options']['respond']): void {
		const { maxReadGapMinutes, isExpression, isAll } = this.setting;
		const { events, selected, category, emitExisting } = this.wanted;
		const given = (value: unknown) => (isExpression ? `={{ ${JSON.stringify(value)} }}` : value);
		const parameters = {
			...{ watch: isAll ? 'all' : 'selected', events: given(events) },
			...(selected && { campaignIds: given(selected) }),
			...(category && { filters: { category: given(category) } }),
			options: { maxReadGapMinutes, emitExisting: given(emitExisting) },
		};
		Object.assign(this.host.options, { parameters: parameters as INodeParameters, respond });
	}

	private exchange(conditions = CALM): Exchange {
		return new Exchange(this.world, this.setting.sendsDate, conditions);
	}

	/** Polls until a poll succeeds. If necessary, the user changes something first. */
	private async untilPolled(how: How, conditions: Conditions): Promise<void> {
		const { wanted, world, judge } = this;
		for (let tries = 0; !(await this.poll(how, tries < 2 ? conditions : CALM)); tries++) {
			if (wanted.selected?.includes('plain') && how === 'update')
				wanted.selected = [...wanted.selected.filter((id) => id !== 'plain'), 'c0'];
			else if (tries === 1) world.showAll();
			else if (tries > 4) throw new Error(judge.wrong.join() || 'It cannot be published');
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
		const { world, host, judge, wanted, isOn, setting } = this;
		const exchange = this.exchange(conditions);
		world.now += 1000;
		const times = { serviceNow: world.serviceNow, ownNow: Date.now() };
		const { during } = conditions;
		let wakeUp = () => {};
		let hangs = () => {};
		const hanging = new Promise<void>((resolve) => (hangs = resolve));
		let interruption = '';
		this.set(async (request) => {
			const isNow = during && !interruption && exchange.requests === during.request;
			if (isNow && (isOn || during.what === 'hang')) {
				interruption = during.what;
				count(`during a poll: ${interruption}`);
				if (interruption === 'hang') await new Promise<void>((end) => ((wakeUp = end), hangs()));
				else await this.interrupt(interruption);
			}
			return exchange.respond(request);
		});
		const database = JSON.stringify(host.database);
		const executed = host.executions.length;
		const errors: unknown[] = [];
		const started = how === 'poll' ? host.poll() : host.activate(how);
		const polling = started.catch((error: unknown) => void errors.push(error));
		await Promise.race([polling, hanging]);
		if (interruption === 'hang') {
			await this.waitForHanging(wakeUp, polling);
			return false;
		}
		await polling;
		const isThrown = errors.length > 0;
		const items = host.executions.slice(executed).flat();
		const isDiscarded = interruption === 'kill' || interruption === 'republish';
		if (isDiscarded && items.length > 0) judge.wrong.push('A result that n8n discarded is emitted');
		if (interruption === 'kill') await this.restart('init');
		// A discarded poll with items has no effect. A poll without items stays in memory.
		if (interruption === 'kill' || (isDiscarded && host.returned)) {
			this.polledAt = world.now;
			if (interruption !== 'kill') judge.noteAsked(exchange, times.ownNow);
			return true;
		}
		const isHidden = world.campaigns.some((campaign) => campaign.isHidden);
		const isCalm = conditions === CALM && !isHidden;
		const isPlain = wanted.selected?.includes('plain');
		// Selected campaigns are read without a list.
		const isReadable = isCalm || (Object.keys(conditions).join() === 'list' && wanted.selected);
		if (isThrown && isReadable && !isPlain && !isHidden)
			judge.wrong.push(`A calm poll fails: ${String(errors[0])}`);
		if (exchange.requests > 50) judge.wrong.push('The list is read without end');
		// If there are items, publishing may in fact be a scheduled poll, which must not stop the other
		// campaigns.
		if (!isThrown && how === 'update' && isPlain && isCalm && items.length === 0)
			judge.wrong.push('Publishing accepts a campaign that is not a survey');
		// If n8n loads the workflow for each poll, each one may be a publication.
		const mayPublish = how !== 'init' && (how !== 'poll' || setting.scheduling !== 'inProcess');
		const given = { ...times, isThrown, mayPublish, wanted: structuredClone(wanted) };
		judge.poll({ ...given, exchange, items }, world.campaigns);
		judge.noteAsked(exchange, times.ownNow);
		this.checkReads(exchange, isCalm && !isThrown);
		this.isOn ||= !isThrown;
		// The first publication is remembered although no item was emitted and n8n may not save the state.
		if (JSON.stringify(host.database) !== database || !isOn) judge.save();
		return !isThrown;
	}

	/** In a poll without faults, every watched survey that is due is read. */
	private checkReads({ reads, denied, listed }: Exchange, isCalm: boolean): void {
		const { world, judge, setting } = this;
		const { campaigns, serviceNow, ownOffset } = world;
		for (const { id } of [...reads.keys(), ...denied]) this.unread.delete(id);
		const isDue = world.now - this.polledAt > setting.maxReadGapMinutes * MINUTE + 1000;
		this.polledAt = world.now;
		if (!isCalm) return;
		// The list is asked for by the service's clock, if n8n's is far off.
		const isYoung = ({ liveAt = 0, isUnlisted }: Campaign) =>
			liveAt > serviceNow - 89 * DAY && !isUnlisted;
		if (setting.isAll && setting.sendsDate && !this.wanted.category)
			for (const campaign of campaigns)
				if (isYoung(campaign) && !listed?.has(campaign))
					judge.wrong.push(`${campaign.id} is not listed`);
		const unread = campaigns.filter((campaign) => !reads.has(campaign));
		for (const id of judge.unread(unread, isDue && ownOffset === 0))
			judge.wrong.push(`${id} is not read`);
	}

	/** What happens while a poll waits for a response. */
	private async interrupt(what: string): Promise<void> {
		const { host, judge } = this;
		const { respond } = host.options;
		const executed = host.executions.length;
		if (what !== 'overlap') host.kill(what === 'kill');
		if (what === 'kill') return judge.kill();
		let isDone = false;
		const beside = this.exchange();
		this.set((request) => beside.respond(request));
		const polling = what === 'overlap' ? host.poll() : host.activate('update');
		void polling.then(() => (isDone = true));
		for (let turn = 0; !isDone && turn < 50; turn++) await new Promise(setImmediate);
		if (!isDone) throw new Error('A poll waits for another one');
		if (host.executions.length > executed) judge.wrong.push('A poll emits beside another one');
		host.options.respond = respond;
	}

	/** One request gets no response. After ten minutes, the poll does not block the next one, and its result is ignored. */
	private async waitForHanging(wakeUp: () => void, polling: Promise<unknown>): Promise<void> {
		const { world, host, judge, isOn } = this;
		const blocked = this.exchange();
		const state = () => JSON.stringify([host.database, host.executions.length]);
		world.now += 2 * MINUTE;
		this.set((request) => blocked.respond(request));
		if (isOn) await host.poll();
		if (blocked.requests > 0) judge.wrong.push('A poll reads beside a poll that waits');
		world.now += 9 * MINUTE;
		await this.poll(isOn ? 'poll' : 'activate', CALM);
		const before = state();
		wakeUp();
		await polling;
		if (state() !== before) judge.wrong.push('The result of a poll that hung counts');
	}

	/** Ends all faults but one, then polls until nothing can be outstanding. */
	private async end(): Promise<void> {
		const { world, judge } = this;
		const { broken, limit } = this.setting;
		Object.assign(world, { ownOffset: 0, offset: 0 });
		world.showAll();
		const reads = world.campaigns.map((_, number) =>
			number === broken?.campaign ? broken.fault : '',
		);
		this.unread = new Set(world.campaigns.flatMap(({ id }, number) => (reads[number] ? [] : [id])));
		for (let polls = limit === undefined ? 5 : 26; polls > 0; polls--) {
			world.now += 7 * MINUTE + (polls === 2 && broken ? DAY : 0);
			if (polls === 2)
				for (const id of judge.unread(
					world.campaigns.filter(({ id }) => this.unread.has(id)),
					true,
				))
					judge.wrong.push(`${id} is not read in the end`);
			const before = JSON.stringify(this.host.database);
			await this.poll('poll', broken || limit !== undefined ? { reads, limit } : CALM);
			// With the same revision, n8n has nothing to save.
			if (
				polls === 1 &&
				!broken &&
				limit === undefined &&
				JSON.stringify(this.host.database) !== before
			)
				judge.wrong.push('A quiet poll changes the database');
		}
	}
}
