import type { IDataObject } from 'n8n-workflow';

import { count, has, type Exchange, type Read, type Shown } from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, NAMES, type Campaign, type EventName } from './triggerModelWorld.mts';

/** What the trigger is told to do: the campaigns are selected by ID, or all are watched, perhaps of one category. */
export type Wanted = {
	events: Array<EventName | 'surveyClosed'>;
	selected?: string[];
	category?: string;
	emitExisting: boolean;
};

/** One poll whose result counts, with the time, and what the service's clock and n8n's clock show. */
export type Poll = {
	isThrown: boolean;
	now: number;
	serviceNow: number;
	ownNow: number;
	wanted: Wanted;
	exchange: Exchange;
	items: IDataObject[];
};

/** How often an event is to be emitted. */
type Verdict = 'once' | 'maybe' | 'never';

/** One event of one campaign, watched since `began`. */
type Watch = {
	began: number;
	/** A row dated before `low` is old, and one dated `high` or later is new: the clocks differ. */
	low: number;
	high: number;
	/** All rows are news: a launch, seen as draft or scheduled before, or Emit Existing. */
	isWhole: boolean;
	isRead: boolean;
	/** A poll that failed may have begun to watch at this time. */
	triedAt: number;
	/** The rows that were shown with the event, with their dates. */
	known: Map<number, number | undefined>;
};

/** What the trigger was told about a campaign: nothing yet. */
const unknown = () => ({
	isSeen: false,
	watches: {} as Partial<Record<EventName, Watch>>,
	status: '',
	anonymous: undefined as boolean | undefined,
	/** The last read said the opposite of `anonymous`; some events of the last poll did not fit into it. */
	isTurning: false,
	isHeld: false,
	wasHeld: false,
	latest: -Infinity,
	readAt: -Infinity,
	hasRows: false,
	/** Whether the next closing gives an item, the closing whose item is due, and how many there were. */
	open: 'never' as Verdict,
	pending: '',
	closings: 0,
	/** When it was first told to be closed, and first read after that. */
	closedAt: Infinity,
	closedReadAt: Infinity,
	/** It is closed and not read any more. */
	isDone: false,
	/** The service said that it is not a survey. */
	isDenied: false,
	isLeft: false,
	leftAt: Infinity,
	/** When a poll that failed was told of it, and since when that poll may have watched it. */
	tried: { at: Infinity, low: Infinity },
	/** What the trigger knows depends on a result that was lost: the campaign is not judged any more. */
	isUnsure: false,
});

const LAG = 5 * MINUTE;
const KEPT = 7 * DAY;
const MOST_ITEMS = 10_000;
/** A poll with more items may have held some back: it keeps room for closing items. */
const FULL = MOST_ITEMS - 9;

type Case = Watch & { at: number; date?: number; isFirstPoll: boolean };

/** Whether an event that a read shows for the first time is news: the first line that fits decides. */
const NEWS: Array<[verdict: Verdict, fits: (given: Case) => boolean]> = [
	// What the first poll that failed began, later ones may go on with.
	['maybe', ({ isRead, triedAt, at }) => !isRead && at >= triedAt],
	['maybe', ({ isRead, triedAt, date = 0, low }) => !isRead && triedAt < Infinity && date >= low],
	['once', ({ isWhole }) => isWhole],
	// The first read, in the poll that begins to watch: all is seen.
	['never', ({ isRead, isFirstPoll }) => !isRead && isFirstPoll],
	// Whatever a read lacked, or whenever it failed: the date decides.
	['never', ({ date = Infinity, low }) => date < low],
	['once', ({ date = -1, high, at, began }) => date >= high && at >= began],
	['maybe', ({ date }) => date !== undefined],
	// Without a date: the first read that works sees all, later ones bring news.
	['never', ({ isRead, at, began }) => !isRead && at < began],
	['once', ({ isRead, at, began }) => isRead && at >= began],
	['maybe', () => true],
];

/** Judges what the trigger emits by what happened and by what docs/trigger.md promises. */
export class Judge {
	/** What the trigger did wrong. */
	readonly wrong: string[] = [];
	/** Whether a poll had more to emit than it may. */
	hasHeld = false;
	private memory = {
		isPublished: false,
		campaigns: new Map<string, ReturnType<typeof unknown>>(),
		/** When the last good list was sent, at the earliest and at the latest, and of which category. */
		list: { low: -Infinity, high: -Infinity },
		category: undefined as string | undefined,
		/** Whether rows showed that answer keys count from 0 or 1. */
		isProved: 'never' as Verdict,
		/** The verdicts by tally: the events of one row, or of rows that nobody can tell apart. */
		verdicts: new Map<string, Map<string, Verdict>>(),
	};
	private saved = structuredClone(this.memory);
	/** How many events were emitted, by tally. */
	private readonly given = new Map<string, number>();
	/** The poll, and the campaign in it, that is judged. */
	private current!: Poll;
	private campaign!: Campaign;
	private state = unknown();

	constructor(
		private readonly setting: { output: string; countsFrom: number; isFirstRequired: boolean },
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
		this.current = poll;
		if (isThrown && items.length > 0) this.wrong.push('A poll that fails emits items');
		if (isThrown && !memory.isPublished) return;
		for (this.campaign of campaigns.filter(({ isSurvey }) => isSurvey)) {
			const { id } = this.campaign;
			const isWatched = this.isWatched(memory.campaigns.get(id));
			if (!memory.campaigns.has(id) && !isWatched) continue;
			this.state = memory.campaigns.get(id) ?? unknown();
			memory.campaigns.set(id, this.state);
			if (isThrown) this.fail(isWatched);
			else if (isWatched) this.follow();
			else this.leave();
			const isDenied = exchange.denied.has(this.campaign);
			this.state.isDenied ||= isDenied && this.state.readAt === -Infinity;
		}
		this.noteList();
		const isProved = [...exchange.reads.values()].some((read) => this.proves(read));
		if (isProved && memory.isProved !== 'once') memory.isProved = isThrown ? 'maybe' : 'once';
		if (isThrown) return;
		memory.isPublished = true;
		memory.category = wanted.category;
		this.hasHeld ||= items.length > FULL;
		if (items.length > FULL) count('a full poll');
		if (items.length > MOST_ITEMS) this.wrong.push(`A poll emits ${items.length} items`);
		const closed = new Set<unknown>();
		for (const item of items) {
			const campaign = campaigns.find(({ id }) => id === item.campaignId);
			if (!campaign) continue;
			this.campaign = campaign;
			this.state = memory.campaigns.get(campaign.id) ?? unknown();
			if (closed.has(campaign)) this.isWrong('an item after Survey Closed');
			if (item.event === 'surveyClosed') closed.add(campaign);
			this.item(item);
		}
		const owed = items.length <= FULL ? [] : this.violations(true);
		for (const [id, state] of memory.campaigns)
			state.isHeld = owed.some((each) => each.startsWith(`${id} `));
	}

	private isWrong(what: string): void {
		if (!this.state.isUnsure) this.wrong.push(`${this.campaign.id}: ${what}`);
	}

	private isWatched(known?: { isSeen: boolean; isLeft: boolean }): boolean {
		const { wanted, exchange } = this.current;
		if (wanted.selected) return wanted.selected.includes(this.campaign.id);
		if (exchange.listed?.has(this.campaign)) return true;
		// Missing from the list, same filters: read on.
		const isSame = !exchange.listed || wanted.category === this.memory.category;
		return known !== undefined && known.isSeen && !known.isLeft && isSame;
	}

	/** What a poll that fails was told, the trigger may remember or not. */
	private fail(isWatched: boolean): void {
		const { state, campaign, current } = this;
		const status = current.exchange.listedStatus.get(campaign);
		const read = current.exchange.reads.get(campaign);
		if (status === '3') state.closedAt = Math.min(state.closedAt, current.ownNow);
		const mayReopen = status !== undefined && status !== '3' && state.closedAt < Infinity;
		const mayTurn = read !== undefined && read.isAnonymous !== state.anonymous;
		state.isUnsure ||=
			mayReopen || mayTurn || (read && status === '3') || (state.isSeen && !isWatched);
		if (state.tried.at === Infinity) state.tried = { at: current.now, low: earliest(current) };
	}

	/** Deselected, or filters changed: no longer read. The state is kept for seven days, by the service's clock. */
	private leave(): void {
		const { state, campaign, current } = this;
		const { exchange, serviceNow } = current;
		state.isUnsure ||= state.tried.at < Infinity || exchange.hasDate !== exchange.listHasDate;
		if (exchange.reads.has(campaign)) this.isWrong('read although it is not chosen');
		this.dropClosing();
		if (state.open === 'once') state.open = 'maybe';
		state.isLeft = true;
		if (exchange.listHasDate) state.leftAt = Math.min(state.leftAt, serviceNow);
		this.forget();
	}

	/** Later than seven days, it is as if added. */
	private forget(): void {
		const { exchange, serviceNow } = this.current;
		if (!exchange.listHasDate || serviceNow - this.state.leftAt <= KEPT) return;
		// What was held back until then is lost.
		const isUnsure = this.state.isUnsure || this.state.isHeld;
		this.state = { ...unknown(), isUnsure };
		this.memory.campaigns.set(this.campaign.id, this.state);
	}

	private follow(): void {
		const { campaign, current } = this;
		const { exchange, wanted, now } = current;
		this.forget();
		const { state } = this;
		this.memory.campaigns.set(campaign.id, state);
		const status = exchange.listedStatus.get(campaign);
		const launch = state.isSeen ? 'never' : this.launch();
		const isExisting = !this.memory.isPublished && wanted.emitExisting;
		state.isUnsure ||= launch === 'maybe';
		if (launch === 'once') state.open = 'once';
		// Closed when first seen: not read, no closing item.
		state.isDone ||= status === '3' && !state.isSeen && launch === 'never' && !isExisting;
		Object.assign(state, { isSeen: true, isLeft: false, leftAt: Infinity });
		this.noteStatus(status);
		const isPrepared = state.status === '0' || state.status === '4';
		for (const event of EVENTS)
			if (!wanted.events.includes(event)) delete state.watches[event];
			else if (!state.isDone || state.readAt === -Infinity)
				state.watches[event] ??= {
					began: now,
					low: Math.min(earliest(current), state.tried.low),
					high: latest(current),
					isWhole: launch === 'once' || isExisting || isPrepared,
					isRead: false,
					triedAt: state.tried.at,
					known: new Map(),
				};
		state.tried = unknown().tried;
		const read = exchange.reads.get(campaign);
		if ((read || exchange.denied.has(campaign)) && (isPrepared || state.isDone))
			this.isWrong('read though not live');
		if (read) this.read(read);
		// Given up after a day, the trigger may read it no more.
		else
			state.isUnsure ||= !state.isDone && !state.pending && current.ownNow - state.closedAt >= DAY;
		this.noteStatus(exchange.askedStatus.get(campaign));
	}

	/** Whether a campaign that is seen for the first time is a launch. */
	private launch(): Verdict {
		const { list, isPublished, category } = this.memory;
		const { liveAt } = this.campaign;
		const { wanted } = this.current;
		if (!isPublished || wanted.selected || liveAt === undefined) return 'never';
		if (liveAt < list.low - LAG) return 'never';
		return liveAt > list.high - LAG && wanted.category === category ? 'once' : 'maybe';
	}

	/** An unknown or missing status changes nothing. */
	private noteStatus(status: string | undefined): void {
		const { state, current } = this;
		const isChosen = current.wanted.events.includes('surveyClosed');
		const isOpen = status !== undefined && status !== '3';
		if (isOpen || !isChosen) this.dropClosing();
		if (isOpen) Object.assign(state, { open: 'once', closedAt: Infinity, closedReadAt: Infinity });
		state.isDone &&= !isOpen;
		state.status = status ?? state.status;
		if (!isChosen) state.open = 'never';
		if (status === '3') state.closedAt = Math.min(state.closedAt, current.ownNow);
		if (status !== '3' || state.open === 'never') return;
		state.pending = `closing ${++state.closings}`;
		this.decide('surveyClosed', state.pending, state.open);
		state.open = 'never';
	}

	/** Reopened, deselected or switched off before the item could be emitted: it may still come, or not. */
	private dropClosing(): void {
		const { state, campaign } = this;
		if (state.pending) this.verdictsOf(`${campaign.id} surveyClosed`).set(state.pending, 'maybe');
		state.pending = '';
	}

	private read(read: Read): void {
		const { state, current, campaign } = this;
		const isOther = state.anonymous !== undefined && state.anonymous !== read.isAnonymous;
		const hasTurned = isOther && !state.isHeld;
		state.isTurning = hasTurned && !state.isTurning;
		// A single read that says otherwise is put aside; it does not turn while rows are held back.
		if (state.isTurning) return;
		state.isUnsure ||= hasTurned && state.wasHeld;
		state.wasHeld ||= isOther && state.isHeld;
		if (!state.isHeld) state.anonymous = read.isAnonymous;
		const ids = new Set(read.rows.map(({ id }) => id));
		for (const event of EVENTS) {
			const watch = state.watches[event];
			if (!watch) continue;
			if (hasTurned && watch.began < current.now) {
				this.beginAfter(watch);
				Object.assign(watch, { began: state.readAt, isRead: false, known: new Map() });
			}
			// Of people without an ID, as many events are missing as people vanish.
			const isLacking = [...watch.known.keys()].some((id) => !ids.has(id));
			for (const row of read.rows) if (has(row, event)) this.judge(watch, event, row, isLacking);
			watch.isRead = true;
		}
		state.readAt = current.now;
		state.hasRows ||= read.rows.length > 0;
		state.latest = read.rows.reduce((max, { date = max }) => Math.max(max, date), state.latest);
		const isOpen =
			state.closedAt === Infinity || current.exchange.askedStatus.get(campaign) === '1';
		const isLost = state.hasRows && read.rows.length === 0;
		if (isOpen || isLost || current.items.length > FULL) return;
		const isItem = ({ event, campaignId }: IDataObject) =>
			event === 'surveyClosed' && campaignId === campaign.id;
		if (state.pending && !current.items.some(isItem)) this.isWrong('Survey Closed waits');
		// Read on for five minutes after the first closed read.
		state.closedReadAt = Math.min(state.closedReadAt, current.ownNow);
		if (current.ownNow - state.closedReadAt < LAG) return;
		state.isDone = true;
		for (const watch of Object.values(state.watches)) {
			for (const { id, date } of read.rows) if (date !== undefined) watch.known.delete(id);
			this.beginAfter(watch);
		}
		// Reopened, Campaign Read begins anew.
		delete state.watches.campaignRead;
	}

	/** What comes is news if it is dated after the latest date seen. */
	private beginAfter(watch: Watch): void {
		const after = this.state.latest + 1;
		watch.low = Math.max(after, watch.isWhole ? 0 : watch.low);
		watch.high = Math.max(after, watch.isWhole ? 0 : watch.high);
		watch.isWhole = false;
	}

	private judge(watch: Watch, event: EventName, shown: Shown, isLacking: boolean): void {
		const { id, date } = shown;
		const { known, began } = watch;
		const before = known.get(id);
		let verdict: Verdict = 'maybe';
		if (known.has(id)) {
			known.set(id, date ?? before);
			// Whoever answers again may be new after the survey was closed and reopened.
			const isOther = date !== undefined && before !== undefined && date !== before;
			if (!isOther || this.state.closings === 0) return;
		} else {
			const at = shown.at[EVENTS.indexOf(event)] ?? -Infinity;
			const given = { ...watch, at, date, isFirstPoll: began === this.current.now };
			[verdict] = NEWS.find(([, fits]) => fits(given)) ?? [verdict];
			// Rows without an ID are counted: which of them is new can be mistaken after an edit.
			const isCounted = !this.hasId(shown) && (isLacking || event !== 'surveySubmitted');
			if (isCounted && (verdict === 'once' ? isLacking : watch.isRead)) verdict = 'maybe';
			if (verdict !== 'never' || date === undefined || !watch.isRead) known.set(id, date);
		}
		this.decide(this.tally(event, shown), `${id} ${date} ${began}`, verdict);
	}

	private decide(what: string, row: string, verdict: Verdict): void {
		count(`verdict: ${this.state.isUnsure ? 'not judged' : verdict}`);
		const verdicts = this.verdictsOf(`${this.campaign.id} ${what}`);
		const isStronger = verdict === 'once' || verdicts.get(row) !== 'once';
		if (!verdicts.has(row) || (isStronger && verdict !== 'never')) verdicts.set(row, verdict);
	}

	private noteList(): void {
		const { exchange, isThrown, serviceNow, ownNow, wanted } = this.current;
		const { list, campaigns, category } = this.memory;
		// With other filters, there was no list before.
		const isNew = !isThrown && wanted.category !== category;
		if (isNew) Object.assign(list, { low: -Infinity, high: Infinity });
		// An empty list although campaigns are known is no good list.
		if (!exchange.listed || (exchange.listed.size === 0 && campaigns.size > 0)) return;
		const asked = exchange.listHasDate ? serviceNow : ownNow;
		list.high = list.high === Infinity ? asked : Math.max(list.high, asked);
		if (!isThrown) list.low = Math.max(list.low, asked);
	}

	/** Whether the rows of a read show if answer keys count from 0 or 1. */
	private proves({ rows, questions }: Read): boolean {
		const { countsFrom, isFirstRequired } = this.setting;
		if (countsFrom === 0) return rows.some(({ answers }) => answers[0] !== undefined);
		const counts = rows
			.filter((row) => has(row, 'surveySubmitted'))
			.map(({ answers }) => answers.filter((answer) => answer !== undefined).length);
		const most = isFirstRequired ? 2 : 20;
		return counts.includes(questions) || counts.filter((given) => given > 0).length >= most;
	}

	/** Counts and checks an item. */
	private item(item: IDataObject): void {
		const { exchange } = this.current;
		const read = exchange.reads.get(this.campaign);
		const shown = read?.rows.find(({ id }) => id === item.responseDuration);
		let what = 'surveyClosed';
		if (item.event === 'surveyClosed') this.checkClosing(item, read?.rows);
		else if (!read || !shown) return this.isWrong('an item for a row that was not shown');
		else {
			what = this.tally(item.event, shown);
			this.checkAnswers(item, read, shown);
		}
		const key = `${this.campaign.id} ${what}`;
		this.given.set(key, (this.given.get(key) ?? 0) + 1);
	}

	private checkClosing({ recipients, submitted, responseRate }: IDataObject, rows?: Shown[]): void {
		const { state, current } = this;
		const report = current.exchange.reports.get(this.campaign);
		state.pending = '';
		let right: unknown[] = [null, null, null];
		if (submitted === null) {
			// Survey data that fails, or has no rows, for a day: no more reads.
			state.isDone = true;
			for (const watch of Object.values(state.watches)) this.beginAfter(watch);
			if (current.ownNow - state.closedAt < DAY) this.isWrong('no numbers before a day has passed');
		} else if (rows) {
			const sum = rows.filter((row) => has(row, 'surveySubmitted')).length;
			const all = report === undefined ? null : Math.max(report, rows.length);
			right = [all, sum, all && Math.round((sum / all) * 1e4) / 1e4];
		}
		const numbers = JSON.stringify([recipients, submitted, responseRate]);
		if (numbers !== JSON.stringify(right)) this.isWrong(`${numbers}, not ${JSON.stringify(right)}`);
	}

	/** Checks the answers of an item, and what it tells about the person. */
	private checkAnswers(item: IDataObject, { isAnonymous }: Read, { answers }: Shown): void {
		const { output, countsFrom } = this.setting;
		const people = [item.userId, item.userDisplayName, item.userEmail];
		if (isAnonymous && output !== 'raw' && people.some((each) => each !== null))
			this.isWrong('a person is named');
		const fields = { ...item, ...(item.answers as IDataObject | undefined) };
		const isRight = (nameOf: (place: number) => string) =>
			answers.every((answer, place) => (fields[nameOf(place)] ?? undefined) === answer);
		const isProved = output === 'raw' ? 'never' : this.memory.isProved;
		const isNamed = isProved !== 'never' && isRight((place) => NAMES[place] ?? '');
		const isRaw = isProved !== 'once' && isRight((place) => `q.${place + countsFrom}`);
		if (!isNamed && !isRaw) this.isWrong(`answers ${JSON.stringify(item)}, ${isProved} proved`);
	}

	/** A row of an anonymous survey counts as one without a user ID. */
	private hasId({ hasId }: Shown): boolean {
		return hasId && this.state.anonymous !== true;
	}

	/** Rows without a user ID are events of their date; without a date, and in other events, they can only be counted. */
	private tally(event: unknown, shown: Shown): string {
		const counted = event === 'surveySubmitted' ? `dated ${shown.date}` : 'without ID';
		return `${String(event)} ${this.hasId(shown) ? `row ${shown.id}` : counted}`;
	}

	/** Of campaigns that were not read, those that should have been. */
	unread(campaigns: Campaign[]): string[] {
		const { isThrown, serviceNow } = this.current;
		const ids = campaigns.flatMap(({ id, liveAt = Infinity }) => {
			const state = this.memory.campaigns.get(id);
			const isYoung = liveAt > serviceNow - 92 * DAY;
			if (!state?.isSeen || state.isLeft || state.isDone || state.isUnsure || !isYoung) return [];
			const isRest = state.isDenied || state.status === '0' || state.status === '4';
			return !isRest && Object.keys(state.watches).length > 0 ? [id] : [];
		});
		return isThrown ? [] : ids;
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
}

/** Since when a campaign is watched: the earlier of both clocks, less five minutes. */
function earliest({ serviceNow, ownNow }: Poll): number {
	return Math.min(serviceNow, ownNow) - LAG;
}

/** From when on dates are later than that for sure. */
function latest({ exchange, serviceNow, ownNow }: Poll): number {
	return exchange.hasDate ? serviceNow : Math.max(serviceNow, ownNow - LAG);
}
