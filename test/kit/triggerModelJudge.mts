import type { IDataObject } from 'n8n-workflow';

import {
	count,
	has,
	type Exchange,
	type Read,
	type Shown,
	type Wanted,
} from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, NAMES, type Campaign, type EventName } from './triggerModelWorld.mts';

/** One poll whose result n8n kept, or a quiet one that only the trigger remembers. */
export type Poll = {
	how: 'poll' | 'activate' | 'update' | 'init';
	isThrown: boolean;
	/** The time, and what the service's clock and n8n's clock show. */
	now: number;
	serviceNow: number;
	ownNow: number;
	wanted: Wanted;
	exchange: Exchange;
	items: IDataObject[];
};

/** How often an event may be emitted. */
type Verdict = 'once' | 'maybe' | 'never';

/** One event of one campaign, watched since `began`. */
type Watch = {
	began: number;
	/** A row dated before `low` is old, and one dated `high` or later is new: the clocks differ. */
	low: number;
	high: number;
	/** Whether the campaign went live while it was watched, or Emit Existing is on. */
	isWhole: boolean;
	isRead: boolean;
	/** A poll that failed, or a list, may or may not have begun to watch at this time. */
	doubtFrom: number;
	/** The rows that were shown with the event, and their dates. */
	known: Map<number, number | undefined>;
};

/** What the trigger was told about a campaign. */
type Known = {
	isSeen: boolean;
	watches: Partial<Record<EventName, Watch>>;
	status?: string;
	anonymous?: boolean;
	/** The last read said the opposite of `anonymous`. */
	isTurning: boolean;
	latest: number;
	readAt?: number;
	hasRows: boolean;
	/** A closing to come gives an item, and the name of the one that came. */
	open: Verdict;
	pending?: string;
	closings: number;
	/** When it was first told to be closed, and first read after that. */
	closedAt?: number;
	closedReadAt?: number;
	/** It is not read any more. */
	isDone: boolean;
	isDenied: boolean;
	/** It is not chosen any more, since then by the service's clock. */
	isLeft: boolean;
	leftAt?: number;
	/** A poll that failed may have begun to watch it. */
	tried?: { at: number; low: number };
	/** What the trigger knows depends on a result that was lost, so the campaign is not judged any more. */
	isUnsure: boolean;
};

const LAG = 5 * MINUTE;
const KEPT = 7 * DAY;
const MOST_ITEMS = 10_000;

type Case = { watch: Watch; at: number; date?: number; isFirstRead: boolean; isFirstPoll: boolean };

/** Whether an event that a read shows for the first time is news: the first line that fits decides. */
const NEWS: Array<[fits: (given: Case) => boolean, verdict: Verdict]> = [
	[
		({ watch, at, date = -Infinity, isFirstRead }) =>
			isFirstRead && watch.doubtFrom < Infinity && (at >= watch.doubtFrom || date >= watch.low),
		'maybe',
	],
	// Emit Existing, a launch, or seen as draft or scheduled before.
	[({ watch }) => watch.isWhole, 'once'],
	// First read, in the poll that begins to watch: all is seen.
	[({ isFirstRead, isFirstPoll }) => isFirstRead && isFirstPoll, 'never'],
	// What a read lacked is never news if it is dated before the campaign was watched.
	[({ watch, date = Infinity }) => date < watch.low, 'never'],
	[({ watch, at, date = -Infinity }) => date >= watch.high && at >= watch.began, 'once'],
	[({ date }) => date !== undefined, 'maybe'],
	// Without a date: the first read that works sees all, later ones bring news.
	[({ watch, at, isFirstRead }) => isFirstRead && at < watch.began, 'never'],
	[({ watch, at, isFirstRead }) => !isFirstRead && at >= watch.began, 'once'],
	[() => true, 'maybe'],
];

/** Judges what the trigger emits by what happened and by what docs/trigger.md promises. */
export class Judge {
	/** What the trigger did wrong. */
	readonly wrong: string[] = [];
	private memory = {
		isPublished: false,
		campaigns: new Map<string, Known>(),
		/** When the last good list was sent, at the earliest and at the latest. */
		list: { low: -Infinity, high: -Infinity },
		category: undefined as string | undefined,
		/** Whether it was shown that answer keys count from 0 or 1. */
		isProved: 'never' as Verdict,
		/** The verdicts by tally: the events of one row, or of rows that nobody can tell apart. */
		verdicts: new Map<string, Map<string, Verdict>>(),
	};
	private saved = structuredClone(this.memory);
	private hasFailed = false;
	/** Whether a poll had more to emit than it may. */
	hasHeld = false;
	/** How many events were emitted, by tally. */
	private readonly given = new Map<string, number>();

	constructor(
		private readonly setting: {
			output: 'simplified' | 'table' | 'raw';
			countsFrom: number;
			firstRequired: boolean;
		},
	) {}

	/** Notes that n8n saved the state. */
	save(): void {
		this.saved = structuredClone(this.memory);
	}

	/** Notes that n8n was killed: the trigger knows only what was saved. */
	kill(): void {
		this.memory = structuredClone(this.saved);
	}

	/** Judges a poll. @param campaigns all campaigns of the service */
	poll(poll: Poll, campaigns: Campaign[]): void {
		const { memory } = this;
		const { exchange, isThrown, items, wanted } = poll;
		this.hasFailed = isThrown;
		if (isThrown && items.length > 0) this.wrong.push('A poll that fails emits items');
		if (isThrown && !memory.isPublished) return;
		for (const campaign of campaigns.filter(({ isSurvey }) => isSurvey)) {
			const isWatched = this.watches(campaign, poll);
			const state = this.state(campaign, isWatched);
			if (!state) continue;
			if (isThrown) this.failed(campaign, state, poll);
			else if (!isWatched) this.leave(campaign, state, poll);
			else this.follow(campaign, state, poll);
		}
		this.noteList(poll);
		const proved = [...exchange.reads.values()].some((read) => this.proves(read));
		if (proved && !isThrown) memory.isProved = 'once';
		else if (proved && memory.isProved === 'never') memory.isProved = 'maybe';
		if (isThrown) return;
		memory.isPublished = true;
		memory.category = wanted.category;
		this.count(poll, campaigns);
	}

	/** Whether the trigger watches a campaign in this poll. */
	private watches(campaign: Campaign, { wanted, exchange }: Poll): boolean {
		if (wanted.selected) return wanted.selected.includes(campaign.id);
		const { listed } = exchange;
		if (listed?.has(campaign)) return true;
		const known = this.memory.campaigns.get(campaign.id);
		// Missing from the list, same filters: read on.
		const isSame = !listed || wanted.category === this.memory.category;
		return known?.isSeen === true && !known.isLeft && isSame;
	}

	/** What a poll that fails was told, the trigger may remember or not. */
	private failed(campaign: Campaign, state: Known, poll: Poll): void {
		const status = poll.exchange.listedStatus.get(campaign);
		if (status === '3') state.closedAt = Math.min(state.closedAt ?? Infinity, clock(poll));
		if (status && status !== '3' && state.closedAt !== undefined) unsure(state);
		if (state.isSeen && !this.watches(campaign, poll)) unsure(state);
		const read = poll.exchange.reads.get(campaign);
		if (read && (status === '3' || read.isAnonymous !== state.anonymous)) unsure(state);
		state.tried ??= { at: poll.now, low: earlier(poll) };
	}

	/** Deselected, or filters changed: no longer read. The state is kept for seven days. */
	private leave(campaign: Campaign, state: Known, poll: Poll): void {
		// When it was left is known by the service's clock alone.
		if (state.tried || poll.exchange.hasDate !== poll.exchange.listHasDate) unsure(state);
		if (poll.exchange.reads.has(campaign) && !state.isUnsure)
			this.wrong.push(`${campaign.id} is read although it is not chosen`);
		this.dropClosing(campaign, state);
		if (state.open === 'once') state.open = 'maybe';
		state.isLeft = true;
		if (poll.exchange.listHasDate) state.leftAt ??= poll.serviceNow;
		if (isForgotten(state, poll)) this.memory.campaigns.delete(campaign.id);
	}

	private follow(campaign: Campaign, known: Known, poll: Poll): void {
		const { exchange, wanted, now } = poll;
		let state = known;
		if (state.isLeft && isForgotten(state, poll)) {
			this.memory.campaigns.delete(campaign.id);
			state = this.state(campaign, true) ?? known;
		}
		Object.assign(state, { isLeft: false, leftAt: undefined });
		const status = exchange.listedStatus.get(campaign);
		const launch = state.isSeen ? 'never' : this.launch(campaign, poll);
		const isExisting = !this.memory.isPublished && wanted.emitExisting;
		if (launch !== 'never') state.open = launch;
		if (status === '3' && !state.isSeen && launch !== 'once' && !isExisting)
			state.isDone = launch === 'never';
		state.isSeen = true;
		this.noteStatus(campaign, state, status, poll);
		const isPrepared = state.status === '0' || state.status === '4';
		for (const event of EVENTS) {
			if (!wanted.events.includes(event)) delete state.watches[event];
			else if (!state.isDone || state.readAt === undefined)
				state.watches[event] ??= {
					began: now,
					low: Math.min(
						launch === 'maybe' ? -Infinity : earlier(poll),
						state.tried?.low ?? Infinity,
					),
					high: later(poll),
					isWhole: launch === 'once' || isExisting || isPrepared,
					isRead: false,
					doubtFrom: launch === 'maybe' ? -Infinity : (state.tried?.at ?? Infinity),
					known: new Map(),
				};
		}
		delete state.tried;
		const read = exchange.reads.get(campaign);
		const isAsked = read || exchange.denied.has(campaign);
		if (isAsked && (isPrepared || state.isDone) && !state.isUnsure)
			this.wrong.push(`${campaign.id} is read with status ${state.status}`);
		if (exchange.denied.has(campaign) && state.readAt === undefined) state.isDenied = true;
		if (read) this.read(campaign, state, read, poll);
		else if (!state.isDone && !state.pending && clock(poll) - (state.closedAt ?? Infinity) >= DAY)
			unsure(state);
		this.noteStatus(campaign, state, exchange.askedStatus.get(campaign), poll);
	}

	/** Whether a campaign that is seen for the first time is a launch. */
	private launch({ liveAt }: Campaign, { wanted }: Poll): Verdict {
		const { list, isPublished, category } = this.memory;
		if (!isPublished || wanted.selected || liveAt === undefined) return 'never';
		if (wanted.category !== category) return 'maybe';
		if (liveAt < list.low - LAG) return 'never';
		return liveAt > list.high - LAG ? 'once' : 'maybe';
	}

	private noteStatus(
		campaign: Campaign,
		state: Known,
		status: string | undefined,
		poll: Poll,
	): void {
		const isChosen = poll.wanted.events.includes('surveyClosed');
		if (!isChosen || (status && status !== '3')) this.dropClosing(campaign, state);
		if (status) state.status = status;
		if (status && status !== '3') {
			Object.assign(state, {
				open: 'once',
				closedAt: undefined,
				closedReadAt: undefined,
				isDone: false,
			});
		}
		if (!isChosen) state.open = 'never';
		if (status !== '3') return;
		state.closedAt = Math.min(state.closedAt ?? Infinity, clock(poll));
		if (state.open === 'never') return;
		state.pending = `closing ${++state.closings}`;
		this.decide(campaign, 'surveyClosed', state.pending, state.open);
		state.open = 'never';
	}

	/** Reopened, deselected or switched off before the item could be emitted: it may still come, or not. */
	private dropClosing(campaign: Campaign, state: Known): void {
		if (state.pending) this.verdictsOf(`${campaign.id} surveyClosed`).set(state.pending, 'maybe');
		delete state.pending;
	}

	private read(campaign: Campaign, state: Known, read: Read, poll: Poll): void {
		const hasTurned = state.anonymous !== undefined && state.anonymous !== read.isAnonymous;
		const isPutAside = hasTurned && !state.isTurning;
		state.isTurning = isPutAside;
		if (isPutAside) return;
		state.anonymous = read.isAnonymous;
		for (const event of EVENTS) {
			const watch = state.watches[event];
			if (!watch) continue;
			if (hasTurned) {
				beginAfter(watch, state.latest, poll);
				Object.assign(watch, { began: state.readAt, isRead: false, known: new Map() });
			}
			// Of people without an ID, as many events are missing as people vanish.
			const ids = new Set(read.rows.map(({ id }) => id));
			const isLacking = [...watch.known.keys()].some((id) => !ids.has(id));
			for (const shown of read.rows) {
				const isSure = shown.hasId || !isLacking;
				if (has(shown, event)) this.judge(campaign, state, watch, event, shown, poll, isSure);
			}
			watch.isRead = true;
		}
		state.readAt = poll.now;
		state.hasRows ||= read.rows.length > 0;
		for (const { date = -Infinity } of read.rows) state.latest = Math.max(state.latest, date);
		const isLost = state.hasRows && read.rows.length === 0;
		const isOpen = state.closedAt === undefined || poll.exchange.askedStatus.get(campaign) === '1';
		if (isOpen || isLost || poll.items.length > MOST_ITEMS - 2) return;
		if (state.pending && !poll.items.some((item) => isClosing(item, campaign)))
			this.wrong.push(`${campaign.id}: Survey Closed waits`);
		state.closedReadAt = Math.min(state.closedReadAt ?? Infinity, clock(poll));
		if (clock(poll) - state.closedReadAt < LAG) return;
		state.isDone = true;
		for (const watch of Object.values(state.watches)) {
			for (const { id, date } of read.rows) if (date !== undefined) watch.known.delete(id);
			beginAfter(watch, state.latest);
		}
		// Campaign Read begins anew when the survey is reopened.
		delete state.watches.campaignRead;
	}

	private judge(
		campaign: Campaign,
		state: Known,
		watch: Watch,
		event: EventName,
		shown: Shown,
		{ now }: Poll,
		isSure: boolean,
	): void {
		const { id, date, hasId } = shown;
		const at = shown.at[EVENTS.indexOf(event)] ?? -Infinity;
		const known = watch.known.get(id);
		let verdict: Verdict = 'maybe';
		if (watch.known.has(id)) {
			watch.known.set(id, date ?? known);
			// Whoever answers again is new only after the survey was closed and reopened.
			if (date === known || known === undefined || date === undefined || !state.closings) return;
		} else {
			const given = {
				watch,
				at,
				date,
				isFirstRead: !watch.isRead,
				isFirstPoll: watch.began === now,
			};
			verdict = NEWS.find(([fits]) => fits(given))?.[1] ?? 'maybe';
			if (verdict === 'once' && !isSure) verdict = 'maybe';
			if (verdict !== 'never' || date === undefined || !watch.isRead) watch.known.set(id, date);
		}
		this.decide(campaign, tally(event, id, date, hasId), `${id} ${date} ${watch.began}`, verdict);
	}

	private decide({ id }: Campaign, what: string, row: string, verdict: Verdict): void {
		count(`verdict: ${this.memory.campaigns.get(id)?.isUnsure ? 'not judged' : verdict}`);
		const verdicts = this.verdictsOf(`${id} ${what}`);
		if (verdict === 'once' || !verdicts.has(row)) verdicts.set(row, verdict);
		else if (verdict === 'maybe' && verdicts.get(row) === 'never') verdicts.set(row, verdict);
	}

	private noteList({ exchange, isThrown, serviceNow, ownNow, wanted }: Poll): void {
		const { listed, listHasDate } = exchange;
		const { list, campaigns, category } = this.memory;
		// An empty list although campaigns are known is no good list.
		if (!listed || (listed.size === 0 && campaigns.size > 0)) return;
		const asked = listHasDate ? serviceNow : ownNow;
		list.high = Math.max(list.high, asked);
		if (wanted.category !== category) list.low = asked;
		else if (!isThrown) list.low = Math.max(list.low, asked);
	}

	/** Whether the rows of a read show if answer keys count from 0 or 1. */
	private proves({ rows, questions }: Read): boolean {
		const { countsFrom, firstRequired } = this.setting;
		if (countsFrom === 0) return rows.some(({ answers }) => answers[0] !== undefined);
		const submitted = rows.filter(
			(row) => has(row, 'surveySubmitted') && row.answers.some(isGiven),
		);
		const isWhole = submitted.some(({ answers }) => answers.filter(isGiven).length === questions);
		return isWhole || submitted.length >= (firstRequired ? 2 : 20);
	}

	/** Counts and checks the items of a poll. */
	private count(poll: Poll, campaigns: Campaign[]): void {
		if (poll.items.length > MOST_ITEMS) this.wrong.push(`A poll emits ${poll.items.length} items`);
		if (poll.items.length === MOST_ITEMS) count('a full poll');
		this.hasHeld ||= poll.items.length === MOST_ITEMS;
		const closed = new Set<unknown>();
		for (const item of poll.items) {
			const { event, campaignId } = item;
			const campaign = campaigns.find(({ id }) => id === campaignId);
			const state = campaign && this.memory.campaigns.get(campaign.id);
			if (!campaign || !state || state.isUnsure) continue;
			const read = poll.exchange.reads.get(campaign);
			const shown = read?.rows.find(({ id }) => id === item.responseDuration);
			const wrong = (what: string) =>
				this.wrong.push(`${campaign.id}: ${what}: ${JSON.stringify(item)}`);
			if (closed.has(campaignId)) wrong('an item after Survey Closed');
			let what = 'surveyClosed';
			if (event === 'surveyClosed') {
				closed.add(campaignId);
				this.closing(campaign, state, item, poll, wrong);
			} else if (!read || !shown) {
				wrong('an item for a row that was not shown');
				continue;
			} else {
				what = tally(event, shown.id, shown.date, shown.hasId);
				this.item(item, read, shown, wrong);
			}
			const key = `${campaign.id} ${what}`;
			this.given.set(key, (this.given.get(key) ?? 0) + 1);
		}
	}

	private closing(
		campaign: Campaign,
		state: Known,
		{ recipients, submitted, responseRate }: IDataObject,
		poll: Poll,
		wrong: (what: string) => void,
	): void {
		delete state.pending;
		const rows = poll.exchange.reads.get(campaign)?.rows;
		const report = poll.exchange.reports.get(campaign);
		let right: unknown[] = [null, null, null];
		if (submitted === null) {
			// Survey data that fails, or has no rows, for a day: no more reads.
			state.isDone = true;
			for (const watch of Object.values(state.watches)) beginAfter(watch, state.latest);
			if (clock(poll) - (state.closedAt ?? Infinity) < DAY)
				wrong('no numbers before a day has passed');
		} else if (rows) {
			const sum = rows.filter((row) => has(row, 'surveySubmitted')).length;
			const all = report === undefined ? null : Math.max(report, rows.length);
			right = [all, sum, all === null ? null : Math.round((sum / all) * 1e4) / 1e4];
		}
		if (JSON.stringify([recipients, submitted, responseRate]) !== JSON.stringify(right))
			wrong(`not ${JSON.stringify(right)}`);
	}

	/** Checks the answers of an item, and what it tells about the person. */
	private item(item: IDataObject, read: Read, shown: Shown, wrong: (what: string) => void): void {
		const { output, countsFrom } = this.setting;
		const people = [item.userId, item.userDisplayName, item.userEmail];
		if (read.isAnonymous && output !== 'raw' && people.some((each) => each !== null))
			wrong('a person is named');
		const fields = { ...item, ...(item.answers as IDataObject | undefined) };
		const isRight = (nameOf: (place: number) => string) =>
			shown.answers.every((answer, place) => (fields[nameOf(place)] ?? undefined) === answer);
		const { isProved } = this.memory;
		const isRaw = isRight((place) => `q.${place + countsFrom}`);
		const isNamed = isRight((place) => NAMES[place] ?? '');
		if (output === 'raw' || isProved === 'never' ? !isRaw : isProved === 'once' ? !isNamed : false)
			wrong(`answers ${JSON.stringify(shown.answers)}, ${isProved} proved`);
	}

	/** Of campaigns that were not read, those that should have been. */
	unread(campaigns: Campaign[], serviceNow: number): Campaign[] {
		if (this.hasFailed) return [];
		return campaigns.filter((campaign) => {
			const state = this.memory.campaigns.get(campaign.id);
			if (!state?.isSeen || state.isLeft || state.isDenied || state.isUnsure) return false;
			const isOpen = state.status !== '0' && state.status !== '4' && !state.isDone;
			const isYoung = (campaign.liveAt ?? Infinity) > serviceNow - 92 * DAY;
			return isOpen && isYoung && Object.keys(state.watches).length > 0;
		});
	}

	/** Compares what was emitted with what must and may be. @returns what is wrong */
	violations(isOver: boolean): string[] {
		const wrong = [...this.wrong];
		for (const key of new Set([...this.memory.verdicts.keys(), ...this.given.keys()])) {
			const state = this.memory.campaigns.get(key.split(' ')[0] ?? '');
			if (!state || state.isUnsure) continue;
			const given = this.given.get(key) ?? 0;
			const verdicts = [...this.verdictsOf(key).values()];
			const most = verdicts.filter((verdict) => verdict !== 'never').length;
			const least = verdicts.filter((verdict) => verdict === 'once').length;
			if (given > most || (isOver && given < least && !state.isDenied))
				wrong.push(`${key}: owed ${least} to ${most}, emitted ${given}`);
		}
		return wrong;
	}

	private verdictsOf(key: string): Map<string, Verdict> {
		const verdicts = this.memory.verdicts.get(key) ?? new Map<string, Verdict>();
		this.memory.verdicts.set(key, verdicts);
		return verdicts;
	}

	private state({ id }: Campaign, isWatched: boolean): Known | undefined {
		const known = this.memory.campaigns.get(id);
		if (known || !isWatched) return known;
		const state: Known = {
			...{ isSeen: false, watches: {}, isTurning: false, latest: -Infinity, hasRows: false },
			...{
				open: 'never',
				closings: 0,
				isDone: false,
				isDenied: false,
				isLeft: false,
				isUnsure: false,
			},
		};
		this.memory.campaigns.set(id, state);
		return state;
	}
}

const isClosing = ({ event, campaignId }: IDataObject, { id }: Campaign): boolean =>
	event === 'surveyClosed' && campaignId === id;
const isGiven = (answer: unknown): boolean => answer !== undefined;

function unsure(state: Known): void {
	state.isUnsure = true;
}

/** The time that the trigger goes by: the service's, if it is known. */
function clock({ exchange, serviceNow, ownNow }: Poll): number {
	return exchange.hasDate ? serviceNow : ownNow;
}

/** Since when a campaign is watched: the earlier of both clocks, less five minutes, but at the latest now. */
function earlier({ serviceNow, ownNow }: Poll): number {
	return Math.min(serviceNow, ownNow) - LAG;
}

function later({ exchange, serviceNow, ownNow }: Poll): number {
	return exchange.hasDate ? serviceNow : Math.max(serviceNow, ownNow - LAG);
}

/** What comes is dated after the latest date seen. @param poll if nothing was seen, watching begins with it */
function beginAfter(watch: Watch, latest: number, poll?: Poll): void {
	if (latest > -Infinity) {
		const low = watch.isWhole ? -Infinity : watch.low;
		const high = watch.isWhole ? -Infinity : watch.high;
		Object.assign(watch, { low: Math.max(low, latest + 1), high: Math.max(high, latest + 1) });
	} else if (poll && watch.isWhole) Object.assign(watch, { low: earlier(poll), high: later(poll) });
	watch.isWhole &&= latest === -Infinity && !poll;
}

/** Seven days after a campaign was left, by the service's clock alone, it is as if it was added. */
function isForgotten({ leftAt = Infinity }: Known, { exchange, serviceNow }: Poll): boolean {
	return exchange.listHasDate && serviceNow - leftAt > KEPT;
}

/** Rows without a user ID are events of their date; without a date, and in the other events, they can only be counted. */
function tally(event: unknown, id: number, date: number | undefined, hasId: boolean): string {
	const counted = event === 'surveySubmitted' ? `dated ${date}` : 'without ID';
	return `${String(event)} ${hasId ? `row ${id}` : counted}`;
}
