import { createRequire } from 'node:module';
import type { IDataObject } from 'n8n-workflow';

import { TriggerHost, type Scheduling } from './poll.mts';
import { Numbering, wrongItem, type Output } from './triggerModelAnswers.mts';
import { Judge } from './triggerModelJudge.mts';
import {
	CALM,
	count,
	Exchange,
	Service,
	type Conditions,
	type Poll,
	type ReadFault,
	type Wanted,
} from './triggerModelService.mts';
import {
	DAY,
	MINUTE,
	World,
	type Campaign,
	type Change,
	type EventName,
} from './triggerModelWorld.mts';

export type Setting = {
	watch: 'selected' | 'all';
	scheduling: Scheduling;
	events: Array<EventName | 'surveyClosed'>;
	/** For each campaign that exists at the start, whether it is anonymous. */
	anonymous: boolean[];
	maxReadGapMinutes: number;
	output: Output;
	/** The number in the answer key `q.<n>` of the first question. */
	countsFrom: 0 | 1;
	firstRequired: boolean;
	sendsDate: boolean;
	emitExisting: boolean;
	/** Whether expressions give the events, the campaigns and the filter. */
	isExpression: boolean;
	/** A campaign whose reads fail until the end, and how many reads the service allows in each of the last polls. */
	broken?: { campaign: number; fault: ReadFault };
	lastLimit?: number;
};

export type Action =
	| Change
	| { do: 'poll'; conditions: Conditions }
	| { do: 'kill' | 'republish' | 'sample' | 'emitExisting' }
	| { do: 'select'; campaigns: number[]; hasPlain?: boolean }
	| { do: 'events'; events: Setting['events'] }
	| { do: 'category'; category?: 'a' | 'b' };

const MOST_ITEMS = 10_000;
const load: (name: string) => object = createRequire(import.meta.url);
const n8n = load('n8n-workflow');
let histories = 0;

/** Plays one history with the built trigger, over simulated time, and returns what the trigger did wrong. */
export async function play(
	setting: Setting,
	before: Action[],
	first: Conditions,
	after: Action[],
): Promise<string[]> {
	return await new Run(setting).play(before, first, after);
}

class Run {
	private readonly world: World;
	private readonly service: Service;
	private readonly judge: Judge;
	private readonly host: TriggerHost;
	private readonly numbering: Numbering;
	private readonly wanted: Wanted;
	private isOn = false;

	constructor(private readonly setting: Setting) {
		this.world = new World(setting.anonymous);
		this.service = new Service(this.world, setting);
		this.judge = new Judge(setting.watch === 'all');
		this.numbering = new Numbering(setting.countsFrom, setting.firstRequired);
		this.wanted = { events: setting.events, emitExisting: setting.emitExisting };
		if (setting.watch === 'selected')
			this.wanted.selected = ['c0', 'c1', 'c2'].slice(0, setting.anonymous.length);
		this.host = new TriggerHost({
			credential: { authentication: 'accessKey' },
			parameters: {},
			scheduling: setting.scheduling,
			workflowId: `history ${++histories}`,
		});
	}

	async play(before: Action[], first: Conditions, after: Action[]): Promise<string[]> {
		const real = { now: Date.now, sleep: Object.getOwnPropertyDescriptor(n8n, 'sleep') ?? {} };
		Date.now = () => this.world.now + this.world.ownOffset;
		const sleep = async (ms: number) => void (this.world.now += Math.ceil(ms / 1000) * 1000);
		Object.defineProperty(n8n, 'sleep', { value: sleep, configurable: true });
		try {
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
			return this.judge.violations(true);
		} finally {
			Date.now = real.now;
			Object.defineProperty(n8n, 'sleep', real.sleep);
		}
	}

	private async act(action: Action): Promise<void> {
		this.world.now += 1000;
		switch (action.do) {
			case 'poll':
				return void (await this.poll('poll', action.conditions));
			case 'kill':
				return await this.restart('init');
			case 'republish':
				return await this.restart('update');
			case 'sample':
				return await this.sample();
			case 'emitExisting':
				// It counts only at the first publication.
				if (this.isOn) this.wanted.emitExisting = !this.wanted.emitExisting;
				return;
			case 'select':
				if (!this.wanted.selected) return;
				this.wanted.selected = action.campaigns
					.filter((number) => number < this.setting.anonymous.length)
					.map((number) => `c${number}`);
				if (action.hasPlain || this.wanted.selected.length === 0)
					this.wanted.selected.push('plain');
				return;
			case 'events':
				if (action.events.length > 0) this.wanted.events = action.events;
				return;
			case 'category':
				if (!this.wanted.selected) this.wanted.category = action.category;
				return;
			default:
				if (['turn', 'clock', 'serviceClock'].includes(action.do)) count(action.do);
				// Where the first question is required, nobody skips it.
				if (action.do === 'arrive' && this.setting.firstRequired)
					this.world.change({ ...action, answers: (action.answers ?? 0) | 1 });
				else this.world.change(action);
		}
	}

	private parameters(): IDataObject {
		const { output, maxReadGapMinutes, isExpression, watch } = this.setting;
		const { events, selected, category, emitExisting } = this.wanted;
		const given = (value: unknown) => (isExpression ? `={{ ${JSON.stringify(value)} }}` : value);
		return {
			output,
			watch,
			events: given(events),
			...(selected && { campaignIds: given(selected) }),
			...(category && { filters: { category: given(category) } }),
			options: { maxReadGapMinutes, emitExisting: given(emitExisting) },
		} as IDataObject;
	}

	/** Restarts n8n, or publishes the workflow again, until it works. */
	private async restart(how: 'init' | 'update'): Promise<void> {
		count(how === 'init' ? 'n8n killed' : 'republished');
		this.host.kill(how === 'init');
		if (how === 'init') this.killed();
		for (let tries = 0; ; tries++) {
			if (await this.poll(how, CALM)) return;
			if (this.wanted.selected?.includes('plain') && how === 'update')
				this.wanted.selected = [...this.wanted.selected.filter((id) => id !== 'plain'), 'c0'];
			else if (tries === 1) this.world.showAll();
			else if (tries > 2)
				throw new Error(this.judge.wrong.join() || `The workflow cannot be published`);
		}
	}

	private killed(): void {
		this.judge.kill();
		this.numbering.kill();
	}

	/** @returns whether the poll succeeded */
	private async poll(how: Poll['how'], conditions: Conditions): Promise<boolean> {
		const { world, host } = this;
		world.now += 1000;
		const exchange = new Exchange();
		host.options.parameters = this.parameters() as TriggerHost['options']['parameters'];
		const poll = {
			how,
			now: world.now,
			serviceNow: world.serviceNow,
			ownNow: Date.now(),
			wanted: { ...this.wanted },
			exchange,
		};
		const { during } = conditions;
		let wakeUp = () => {};
		let reached = () => {};
		const isHanging = new Promise<void>((resolve) => (reached = resolve));
		let isDiscarded = false;
		host.options.respond = async (request) => {
			if (during && (this.isOn || during.what === 'hang') && exchange.requests === during.request) {
				count(`during a poll: ${during.what}`);
				exchange.requests++;
				if (during.what === 'hang') {
					reached();
					await new Promise<void>((resolve) => (wakeUp = resolve));
				} else {
					isDiscarded = during.what !== 'overlap';
					await this.interrupt(during.what);
				}
			}
			return this.service.respond(request, conditions, exchange);
		};
		const database = JSON.stringify(host.database);
		const executed = host.executions.length;
		let thrown: unknown;
		const polling = (how === 'poll' ? host.poll() : host.activate(how)).catch((error: unknown) => {
			thrown = error ?? 'nothing';
		});
		await Promise.race([polling, isHanging]);
		if (during?.what === 'hang' && exchange.requests > during.request) {
			await this.waitForHanging(() => wakeUp(), polling);
			return false;
		}
		await polling;
		if (isDiscarded) {
			this.judge.discarded(exchange, poll.now);
			if (host.executions.length > executed)
				this.judge.wrong.push('A poll beside another one emits items');
			if (during?.what === 'kill') await this.restart('init');
			return true;
		}
		const isReadable = world.campaigns.every((campaign) => !campaign.isHidden);
		if (thrown && conditions === CALM && isReadable && !this.wanted.selected?.includes('plain'))
			this.judge.wrong.push(`A poll without faults fails: ${String(thrown)}`);
		if (
			!thrown &&
			how === 'update' &&
			this.wanted.selected?.includes('plain') &&
			conditions === CALM
		)
			this.judge.wrong.push('Publishing accepts a campaign that is not a survey');
		const items = host.executions.slice(executed).flat();
		this.report({ ...poll, isThrown: thrown !== undefined, items }, database);
		return thrown === undefined;
	}

	private report(poll: Poll, database: string): void {
		const { judge, host, world } = this;
		if (poll.items.length > MOST_ITEMS) judge.wrong.push(`A poll emits ${poll.items.length} items`);
		if (poll.items.length === MOST_ITEMS) count('a full poll');
		if (!poll.isThrown) this.numbering.note(poll.exchange);
		judge.poll(poll, world.campaigns);
		for (const item of poll.items) {
			const wrong = wrongItem(item, this.setting.output, poll.exchange, this.numbering);
			if (wrong) judge.wrong.push(wrong);
		}
		const isPublished = poll.how === 'activate' && !poll.isThrown;
		if (isPublished) this.isOn = true;
		// The first publication is remembered although no item was emitted and n8n may not save the state.
		if (JSON.stringify(host.database) === database && !isPublished) return;
		judge.save();
		this.numbering.save();
	}

	/** What happens while a poll waits for a response. */
	private async interrupt(what: 'overlap' | 'republish' | 'kill'): Promise<void> {
		const { host } = this;
		if (what === 'kill') {
			host.kill();
			this.killed();
			return;
		}
		const { respond } = host.options;
		const beside = new Exchange();
		host.options.respond = (request) => this.service.respond(request, CALM, beside);
		const executed = host.executions.length;
		if (what === 'republish') host.kill(false);
		let isDone = false;
		const polling = what === 'overlap' ? host.poll() : host.activate('update');
		void polling.then(() => (isDone = true));
		for (let turn = 0; !isDone && turn < 50; turn++)
			await new Promise((resolve) => setImmediate(resolve));
		if (!isDone) throw new Error('A poll waits for another one');
		if (host.executions.length > executed)
			this.judge.wrong.push('A poll emits items beside another poll');
		host.options.respond = respond;
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
		world.ownOffset = 0;
		world.offset = 0;
		world.showAll();
		const started = world.now;
		const reads: ReadFault[] = [];
		if (broken) reads[broken.campaign] = broken.fault;
		const conditions = broken || limit !== undefined ? { ...CALM, reads, limit } : CALM;
		const polls = limit === undefined ? 3 : 24;
		for (let number = 0; number < polls; number++) {
			world.now += 7 * MINUTE;
			await this.poll('poll', conditions);
		}
		for (const [number, campaign] of world.campaigns.entries()) {
			const isExcepted =
				!campaign.isSurvey || number === broken?.campaign || judge.denied.has(campaign);
			if (!isExcepted && this.isWatched(campaign) && !judge.isReadSince(campaign, started))
				judge.wrong.push(`${campaign.id} is not read in the end`);
		}
		if (broken) world.now += DAY;
		for (let number = 0; number < 2; number++) {
			world.now += 7 * MINUTE;
			await this.poll('poll', conditions);
		}
	}

	private isWatched({ id, category, liveAt = Infinity }: Campaign): boolean {
		if (liveAt < this.world.now - 96.9 * DAY) return false;
		const { selected, category: wanted, events } = this.wanted;
		if (events.every((event) => event === 'surveyClosed')) return false;
		return selected ? selected.includes(id) : wanted === undefined || wanted === category;
	}

	/** Runs Fetch Test Event, which must change no state and show at least one item with all names. */
	private async sample(): Promise<void> {
		this.host.options.parameters = this.parameters() as TriggerHost['options']['parameters'];
		this.host.options.respond = (request) => this.service.respond(request, CALM, new Exchange());
		const before = JSON.stringify(this.host.database);
		await this.host.sample().catch(() => []);
		if (JSON.stringify(this.host.database) !== before)
			this.judge.wrong.push('Fetch Test Event changes the state');
	}
}
