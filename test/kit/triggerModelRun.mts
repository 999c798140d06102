import { createRequire } from 'node:module';
import type { INodeParameters } from 'n8n-workflow';

import { TriggerHost, type Scheduling } from './poll.mts';
import { Judge, type Poll } from './triggerModelJudge.mts';
import {
	CALM,
	count,
	Exchange,
	failures,
	mislistings,
	misreadings,
	Service,
	type Conditions,
	type Wanted,
} from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, pick, World, type Campaign } from './triggerModelWorld.mts';

export type Setting = {
	isAll: boolean;
	scheduling: Scheduling;
	events: Wanted['events'];
	/** For each survey that exists at the start, whether it is anonymous. */
	anonymous: boolean[];
	maxReadGapMinutes: number;
	output: 'simplified' | 'table' | 'raw';
	/** The number in the answer key `q.<n>` of the first question. */
	countsFrom: number;
	firstRequired: boolean;
	sendsDate: boolean;
	emitExisting: boolean;
	/** Whether expressions give the events, the campaigns and the filter. */
	isExpression: boolean;
	/** A campaign whose reads fail until the end, and how many reads the service allows in each of the last polls. */
	broken?: { campaign: number; fault: string };
	lastLimit?: number;
};

/** What happens: a change of the world, or something that n8n or the user does. The numbers say to what, and how. */
export type Action = { do: string; a: number; b: number };

export const EVENT_NAMES: Wanted['events'] = [...EVENTS, 'surveyClosed'];
const READS = [...failures, ...misreadings, ...Array<string>(32).fill('')];
const LISTS = [...failures, ...mislistings, ...Array<string>(32).fill('')];

/** Returns what the service does in a poll. */
export function conditionsOf(a: number, b: number): Conditions {
	if (a % 2 === 0) return CALM;
	const request = Math.floor(a / 16) % 4;
	if (a % 16 < 4)
		return { during: { what: pick(['overlap', 'hang', 'republish', 'kill'], a / 64), request } };
	return {
		list: pick(LISTS, a / 16),
		reads: Array.from({ length: 8 }, (_, number) => pick(READS, b / 7 ** number)),
		limit: a % 5 === 0 ? request : undefined,
		lacksDate: a % 7 === 0,
	};
}

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
	private readonly service: Service;
	private readonly judge: Judge;
	private readonly host: TriggerHost;
	private readonly wanted: Wanted;
	private isOn = false;
	private polledAt = -Infinity;
	private unread: Campaign[] = [];

	constructor(private readonly setting: Setting) {
		const { anonymous, firstRequired, events, emitExisting, scheduling, isAll } = setting;
		this.world = new World(anonymous, firstRequired);
		this.service = new Service(this.world, setting);
		this.judge = new Judge(setting);
		this.wanted = { events, emitExisting };
		if (!isAll) this.wanted.selected = anonymous.map((_, number) => `c${number}`);
		this.host = new TriggerHost({
			credential: { authentication: 'accessKey' },
			parameters: {},
			scheduling,
			workflowId: `history ${++histories}`,
		});
	}

	async play(before: Action[], first: Conditions, after: Action[]): Promise<string[]> {
		for (const action of before) await this.act(action);
		for (let tries = 0; !this.isOn; tries++) {
			if (tries === 2) this.world.showAll();
			await this.poll('activate', tries < 2 ? first : CALM);
			if (tries > 4) throw new Error('The workflow cannot be published');
		}
		for (const action of after) {
			await this.act(action);
			const wrong = this.judge.violations(false);
			if (wrong.length > 0) return wrong;
		}
		await this.end();
		// What did not fit into a poll comes with the next read, which may fail until the end.
		return this.judge.violations(!(this.setting.broken && this.judge.hasHeld));
	}

	private async act({ do: what, a, b }: Action): Promise<void> {
		const { world, wanted } = this;
		world.now += 1000;
		count(what);
		const subset = <Each,>(list: readonly Each[]) => list.filter((_, place) => a & (1 << place));
		switch (what) {
			case 'poll':
				return void (await this.poll('poll', conditionsOf(a, b)));
			case 'calm':
				return void (await this.poll('poll', CALM));
			case 'kill':
				return await this.restart('init');
			case 'republish':
				return await this.restart('update');
			case 'sample':
				return await this.sample();
			case 'emitExisting':
				// It counts only at the first publication.
				wanted.emitExisting = this.isOn !== wanted.emitExisting;
				return;
			case 'select':
				if (!wanted.selected) return;
				wanted.selected = subset(this.setting.anonymous.map((_, number) => `c${number}`));
				if (wanted.selected.length === 0 || b % 5 === 0) wanted.selected.push('plain');
				return;
			case 'events':
				wanted.events = a % 16 ? subset(EVENT_NAMES) : EVENT_NAMES;
				return;
			case 'category':
				if (!wanted.selected) wanted.category = pick(['a', 'b', undefined], a);
				return;
			default:
				world.change(what, a, b);
		}
	}

	private parameters(): INodeParameters {
		const { output, maxReadGapMinutes, isExpression, isAll } = this.setting;
		const { events, selected, category, emitExisting } = this.wanted;
		const given = (value: unknown) => (isExpression ? `={{ ${JSON.stringify(value)} }}` : value);
		return {
			...{ output, watch: isAll ? 'all' : 'selected', events: given(events) },
			...(selected && { campaignIds: given(selected) }),
			...(category && { filters: { category: given(category) } }),
			options: { maxReadGapMinutes, emitExisting: given(emitExisting) },
		} as INodeParameters;
	}

	/** Restarts n8n, or publishes the workflow again, until it works. */
	private async restart(how: 'init' | 'update'): Promise<void> {
		this.host.kill(how === 'init');
		if (how === 'init') this.judge.kill();
		for (let tries = 0; !(await this.poll(how, CALM)); tries++) {
			if (this.wanted.selected?.includes('plain') && how === 'update')
				this.wanted.selected = [...this.wanted.selected.filter((id) => id !== 'plain'), 'c0'];
			else if (tries === 1) this.world.showAll();
			else if (tries > 2) throw new Error(this.judge.wrong.join() || 'It cannot be published');
		}
	}

	/** @returns whether the poll succeeded */
	private async poll(how: Poll['how'], conditions: Conditions): Promise<boolean> {
		const { world, host, judge, wanted } = this;
		world.now += 1000;
		const exchange = new Exchange();
		host.options.parameters = this.parameters();
		const poll = {
			...{ how, now: world.now, serviceNow: world.serviceNow, ownNow: Date.now() },
			...{ wanted: structuredClone(wanted), exchange },
		};
		const { during } = conditions;
		let wakeUp = () => {};
		let reached = () => {};
		const isHanging = new Promise<void>((resolve) => (reached = resolve));
		let interrupted = '';
		host.options.respond = async (request) => {
			if (
				during &&
				!interrupted &&
				exchange.requests === during.request &&
				(this.isOn || during.what === 'hang')
			) {
				interrupted = during.what;
				count(`during a poll: ${interrupted}`);
				if (interrupted === 'hang') {
					reached();
					await new Promise<void>((resolve) => (wakeUp = resolve));
				} else await this.interrupt(interrupted);
			}
			return this.service.respond(request, conditions, exchange);
		};
		const database = JSON.stringify(host.database);
		const executed = host.executions.length;
		let thrown: unknown;
		host.returned = null;
		const polling = (how === 'poll' ? host.poll() : host.activate(how)).catch((error: unknown) => {
			thrown = error ?? 'nothing';
		});
		await Promise.race([polling, isHanging]);
		if (interrupted === 'hang') {
			await this.waitForHanging(() => wakeUp(), polling);
			return false;
		}
		await polling;
		if (interrupted && host.executions.length > executed && interrupted !== 'overlap')
			judge.wrong.push('A result that n8n discarded is emitted');
		if (interrupted === 'kill') {
			await this.restart('init');
			return true;
		}
		// With items, it is as if the poll had not been.
		if (interrupted === 'republish' && host.returned) return true;
		const isPlain = wanted.selected?.includes('plain');
		const isReadable = world.campaigns.every((campaign) => !campaign.isHidden);
		if (thrown && conditions === CALM && isReadable && !isPlain)
			judge.wrong.push(`A poll without faults fails: ${String(thrown)}`);
		if (!thrown && how === 'update' && isPlain && conditions === CALM)
			judge.wrong.push('Publishing accepts a campaign that is not a survey');
		const items = host.executions.slice(executed).flat();
		judge.poll({ ...poll, isThrown: thrown !== undefined, items }, world.campaigns);
		this.checkReads(poll, thrown === undefined && conditions === CALM);
		const isPublished = how === 'activate' && !thrown;
		if (isPublished) this.isOn = true;
		// The first publication is remembered although no item was emitted and n8n may not save the state.
		if (JSON.stringify(host.database) !== database || isPublished) judge.save();
		return !thrown;
	}

	/** In a poll without faults, every watched survey that is due is read; after a 429, only what was in flight. */
	private checkReads(
		{ exchange, now, serviceNow }: Omit<Poll, 'items' | 'isThrown'>,
		isCalm: boolean,
	) {
		const { world, judge, polledAt, setting } = this;
		const isUnread = (campaign: Campaign) => !exchange.reads.has(campaign);
		this.polledAt = now;
		this.unread = this.unread.filter(isUnread);
		const isDue = now - polledAt > setting.maxReadGapMinutes * MINUTE && !world.ownOffset;
		if (!isCalm || !isDue || world.campaigns.some(({ isHidden }) => isHidden)) return;
		for (const { id } of judge.unread(world.campaigns.filter(isUnread), serviceNow))
			judge.wrong.push(`${id} is not read`);
	}

	/** What happens while a poll waits for a response. */
	private async interrupt(what: string): Promise<void> {
		const { host, judge } = this;
		if (what === 'kill') {
			host.kill();
			judge.kill();
			return;
		}
		const { respond } = host.options;
		host.options.respond = (request) => this.service.respond(request, CALM, new Exchange());
		const executed = host.executions.length;
		if (what === 'republish') host.kill(false);
		let isDone = false;
		const polling = what === 'overlap' ? host.poll() : host.activate('update');
		void polling.then(() => (isDone = true));
		for (let turn = 0; !isDone && turn < 50; turn++)
			await new Promise((resolve) => setImmediate(resolve));
		if (!isDone) throw new Error('A poll waits for another one');
		if (host.executions.length > executed) judge.wrong.push('A poll emits beside another one');
		host.options.respond = respond;
		host.returned = null;
	}

	/** One request gets no response: after ten minutes, the poll blocks no other one, and its result counts no more. */
	private async waitForHanging(wakeUp: () => void, polling: Promise<void>): Promise<void> {
		const { world, host, judge } = this;
		world.now += 2 * MINUTE;
		const blocked = new Exchange();
		host.options.respond = (request) => this.service.respond(request, CALM, blocked);
		if (this.isOn) await host.poll();
		if (blocked.requests > 0) judge.wrong.push('A poll reads beside a poll that waits');
		world.now += 9 * MINUTE;
		await this.poll(this.isOn ? 'poll' : 'activate', CALM);
		const before = JSON.stringify([host.database, host.executions.length]);
		wakeUp();
		await polling;
		if (JSON.stringify([host.database, host.executions.length]) !== before)
			judge.wrong.push('The result of a poll that hung for ten minutes counts');
	}

	/** Ends all faults but one, then polls until nothing can be outstanding. */
	private async end(): Promise<void> {
		const { world, judge, setting } = this;
		const { broken, lastLimit: limit } = setting;
		Object.assign(world, { ownOffset: 0, offset: 0 });
		world.showAll();
		const reads: string[] = [];
		if (broken) reads[broken.campaign] = broken.fault;
		const conditions = broken || limit !== undefined ? { reads, limit } : CALM;
		const isBroken = (_: Campaign, number: number) => number === broken?.campaign;
		this.unread = world.campaigns.filter((campaign, number) => !isBroken(campaign, number));
		for (let polls = limit === undefined ? 5 : 26; polls > 0; polls--) {
			world.now += 7 * MINUTE;
			if (polls === 2 && broken) world.now += DAY;
			if (polls === 2)
				for (const { id } of judge.unread(this.unread, world.serviceNow))
					judge.wrong.push(`${id} is not read in the end`);
			await this.poll('poll', conditions);
		}
	}

	/** Runs Fetch Test Event, which must change no state. */
	private async sample(): Promise<void> {
		const { host, judge } = this;
		host.options.parameters = this.parameters();
		host.options.respond = (request) => this.service.respond(request, CALM, new Exchange());
		const before = JSON.stringify(host.database);
		await host.sample().catch(() => []);
		if (JSON.stringify(host.database) !== before)
			judge.wrong.push('Fetch Test Event changes the state');
	}
}
