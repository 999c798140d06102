import { count, type Exchange, type Read, type Shown } from './triggerModelService.mts';
import {
	DAY,
	EVENTS,
	MINUTE,
	type Campaign,
	type EventName,
	type World,
} from './triggerModelWorld.mts';

/** What the trigger is told to do: the campaigns are selected by ID, or all are watched that pass the filters. */
export type Wanted = {
	events: Array<EventName | 'surveyClosed'>;
	selected?: string[];
	category?: string;
	/** *Live Within Days*. */
	days: number;
	emitExisting: boolean;
};

/** One event of one campaign. */
type Watch = {
	/** Rows dated earlier are never news. With -Infinity, all rows are news. */
	from: number;
	/** Whether the current poll started to watch the event, and whether a read has shown the rows. */
	isNew: boolean;
	isRead: boolean;
	/** By group, the rows of the read that had the most. */
	known: Map<string, Set<string>>;
};

/** One campaign. */
type State = {
	id: string;
	watches: Partial<Record<EventName, Watch>>;
	anonymous?: boolean;
	/** The last read said the opposite of `anonymous`. */
	isTurning?: boolean;
	/** News did not fit into the last poll. */
	isHeld?: boolean;
	/** The latest date of its rows, and the most rows of a read; undefined before the first read. */
	latest: number;
	rows?: number;
	isDraft?: boolean;
	/** Whether the next closing gives an item. */
	isOpen: boolean;
	/** When it was first told to be closed, and first read after that, by n8n's clock. */
	closedAt: number;
	closedReadAt: number;
	/** It is closed and no longer read. */
	isDone: boolean;
	/** When it went live or was first seen live, and when it was deselected (0: unknown), by the service's clock. */
	live?: number;
	leftAt?: number;
};

const LAG = 5 * MINUTE;
const KEPT = 7 * DAY;
const MOST_ITEMS = 10_000;
/** If a poll emits more items than this, it may have held some back, because it keeps room for closing items. */
const FULL = MOST_ITEMS - 9;

/**
 * Judges what the trigger emits by what the service showed, and by what docs/trigger.md promises. It counts rows by
 * group: all rows of one person, or all rows without a user ID, which cannot be told apart.
 */
export class Judge {
	/** What the trigger did wrong. */
	readonly wrong: string[] = [];
	private memory = {
		isPublished: false,
		campaigns: new Map<string, State>(),
		/** The campaigns that are not surveys. */
		denied: new Set<string>(),
		/** When the last usable list was sent (0: never), and its filters. */
		listedAt: 0,
		filters: '',
	};
	private saved = structuredClone(this.memory);
	private current!: Exchange;
	/** When the status of a campaign was last asked, by n8n's clock. */
	private readonly asked = new Map<string, number>();

	/** Nothing more can be judged. */
	private isOver = false;

	constructor(
		private readonly world: World,
		private readonly wanted: Wanted,
	) {}

	/** Notes that n8n saved the state. */
	save(): void {
		this.saved = structuredClone(this.memory);
	}

	/** Notes that n8n was killed: the trigger knows only what was saved. */
	kill(): void {
		this.memory = structuredClone(this.saved);
		this.asked.clear();
	}

	/** Notes which statuses a poll asked for, also if its result is lost. */
	noteAsked({ told, ownNow }: Exchange): void {
		for (const [id, { isAsked }] of told) if (isAsked) this.asked.set(id, ownNow);
	}

	/** Judges a poll whose result counts. */
	poll(exchange: Exchange): void {
		const { memory, wanted } = this;
		const { isThrown, items } = exchange;
		this.current = exchange;
		if (this.isOver) return;
		if (isThrown && items.length > 0) this.wrong.push('A poll that fails emits items');
		if (isThrown && [...exchange.told.values()].some(({ read }) => read))
			this.wrong.push('A poll that reads something fails');
		// A poll that fails is remembered, but not the first one, and not without a list of all campaigns.
		if (isThrown && !(memory.isPublished && (wanted.selected ?? exchange.listed))) return;
		if (items.length > FULL) count('a full poll');
		if (items.length > MOST_ITEMS) this.wrong.push(`A poll emits ${items.length} items`);
		const filters = `${wanted.category} ${wanted.days}`;
		const isSame = filters === memory.filters;
		if (!isSame) memory.listedAt = 0;
		// If campaigns are known, an empty list is not usable.
		const isUsable = exchange.listed?.size !== 0 || memory.campaigns.size === 0;
		for (const { id } of this.world.campaigns) this.judge(id, isSame);
		// The time of the last usable list never goes back.
		if (isUsable && !wanted.selected) memory.listedAt = Math.max(memory.listedAt, this.now);
		Object.assign(memory, { isPublished: true, filters });
	}

	/** The time of the service's clock or, if the list does not tell it, of n8n's. */
	private get now(): number {
		const { listHasDate, serviceNow, ownNow } = this.current;
		return listHasDate ? serviceNow : ownNow;
	}

	private judge(id: string, isSame: boolean): void {
		const { campaigns, denied } = this.memory;
		const { current: exchange, wanted } = this;
		if (this.isForgotten(campaigns.get(id), isSame)) campaigns.delete(id);
		const state = campaigns.get(id);
		const isChosen = wanted.selected?.includes(id) ?? exchange.listed?.has(id);
		if (!isChosen) denied.delete(id);
		// If the filters are the same, a campaign that is missing from the list is still read.
		const isMissing = !wanted.selected && isSame && state && state.leftAt === undefined;
		if (isChosen ? !denied.has(id) : isMissing) return this.read(this.watch(id));
		const isTried = exchange.about(id).tried.has('surveyData');
		if (isTried || exchange.items.some(({ campaignId }) => campaignId === id))
			this.wrong.push(`${id}: read although it is not chosen`);
		// A campaign that was deselected, or whose filters changed, is no longer read.
		if (state && !isChosen) state.leftAt ||= exchange.listHasDate ? exchange.serviceNow : 0;
	}

	/** The state is kept for seven days by the service's clock. After that, a campaign counts as newly added. */
	private isForgotten({ leftAt, live = Infinity }: Partial<State> = {}, isSame: boolean): boolean {
		const { listHasDate, serviceNow } = this.current;
		const { selected, days } = this.wanted;
		if (!listHasDate) return false;
		if (leftAt !== undefined) return leftAt > 0 && serviceNow - leftAt > KEPT;
		return isSame && !selected && serviceNow - live > days * DAY + KEPT;
	}

	/** Returns what is known of a campaign, with its status and since when each event is watched. */
	private watch(id: string): State {
		const { wanted } = this;
		const { listed, hasDate, ownNow, serviceNow } = this.current;
		const { campaigns, isPublished, listedAt } = this.memory;
		const { status, liveAt } = listed?.get(id) ?? {};
		const isFirst = !campaigns.has(id);
		const isLaunch = !wanted.selected && listedAt > 0 && (liveAt ?? 0) > listedAt - LAG;
		const isWhole = isFirst && (isLaunch || (!isPublished && wanted.emitExisting));
		const state: State = campaigns.get(id) ?? {
			// A campaign that is closed when first seen is not read and has no closing item.
			...{ id, watches: {}, latest: 0, isOpen: isLaunch, isDone: status === '3' && !isWhole },
			...{ closedAt: Infinity, closedReadAt: Infinity },
		};
		campaigns.set(id, state);
		delete state.leftAt;
		const { isDraft } = state;
		this.noteStatus(state, status);
		const known = isDraft && !state.isDraft ? undefined : state.live;
		if (!wanted.selected) state.live = liveAt ?? known ?? this.now;
		// Five minutes before the earlier of both clocks.
		const from = Math.min(ownNow, hasDate ? serviceNow : ownNow) - LAG;
		for (const event of EVENTS) {
			const watch = state.watches[event];
			if (watch) watch.isNew = false;
			if (!wanted.events.includes(event)) delete state.watches[event];
			else if (!watch && !(state.isDone && state.rows !== undefined))
				state.watches[event] = {
					...{ from: isWhole || state.isDraft ? -Infinity : from, isNew: true, isRead: false },
					known: new Map(),
				};
		}
		return state;
	}

	/** An unknown or missing status changes nothing. */
	private noteStatus(state: State, status: string | undefined): void {
		const { ownNow } = this.current;
		if (status === '3') state.closedAt = Math.min(state.closedAt, ownNow);
		else if (status !== undefined)
			Object.assign(state, {
				...{ isOpen: true, isDone: false, closedAt: Infinity, closedReadAt: Infinity },
			});
		if (status !== undefined) state.isDraft = status === '0' || status === '4';
		state.isOpen &&= this.wanted.events.includes('surveyClosed');
	}

	/** Judges what was read of a watched campaign. */
	private read(state: State): void {
		const { listed, ownNow } = this.current;
		const { id } = state;
		const { tried, read, isDenied, status } = this.current.about(id);
		const isTried = tried.has('surveyData');
		const isClosing = this.wanted.events.includes('surveyClosed') && !state.isDone;
		const wasClosed = state.closedAt < Infinity;
		const isLongClosed = ownNow - state.closedAt >= DAY;
		// With Survey Closed alone, only the first read of a live campaign finds anything out.
		const hasWork = Object.keys(state.watches).length > 0 || state.rows === undefined;
		const isIdle = listed?.get(id)?.status === '1' && !hasWork;
		if (isTried && (state.isDraft || state.isDone || isIdle))
			this.wrong.push(`${id}: is read for nothing`);
		// The survey data has failed for a day.
		if (isTried && !read && isLongClosed) return this.check(state, true);
		// "Not a survey" is remembered for a campaign that was never read.
		if (isDenied && state.rows === undefined) {
			this.memory.denied.add(id);
			this.memory.campaigns.delete(id);
		}
		// Off the list, the status is asked: with Survey Closed at every read, otherwise once a day.
		const isAsked = tried.has('status');
		const mayAsk = !listed?.has(id) && (this.isAskDue(id) || state.isDraft || isClosing);
		if (isAsked ? !mayAsk : mayAsk && read)
			this.wrong.push(`${id}: its status is ${isAsked ? '' : 'not '}asked`);
		this.noteStatus(state, status);
		if (!read || this.turns(state, read)) return this.check(state, false);
		const isClosed = wasClosed && state.closedAt < Infinity;
		const isLost = isClosed && read.rows.length === 0 && (state.rows ?? 0) > 0;
		// If rows were known, but the survey data has had none for a day, the campaign is given up.
		if (isLost && isLongClosed) this.check(state, true);
		else this.check(state, isClosed && !isLost, read.rows);
	}

	/** Whether a read is ignored: only two reads in a row make a survey anonymous, or no longer anonymous. */
	private turns(state: State, read: Read): boolean {
		const { anonymous, isHeld } = state;
		// While rows are held back, an anonymous survey stays anonymous.
		state.anonymous = read.isAnonymous || (isHeld === true && anonymous === true);
		const isOther = anonymous !== undefined && anonymous !== state.anonymous;
		state.isTurning = isOther && !state.isTurning;
		if (state.isTurning) state.anonymous = anonymous;
		else if (isOther)
			for (const watch of this.beginAfter(state))
				Object.assign(watch, { isRead: false, known: new Map() });
		return state.isTurning;
	}

	/** From now on, rows are news if they are dated after the latest date seen. */
	private beginAfter({ watches, latest }: State): Watch[] {
		const all = Object.values(watches);
		for (const watch of all) watch.from = Math.max(watch.from, latest + 1);
		return all;
	}

	/**
	 * Checks the items of a campaign.
	 *
	 * @param isClosed whether the closing follows; without `rows`, the campaign is given up
	 */
	private check(state: State, isClosed: boolean, rows?: Shown[]): void {
		const { id } = state;
		const { tried, recipients = null } = this.current.about(id);
		const own = this.current.items.filter(({ campaignId }) => campaignId === id);
		const events = own.filter(({ event }) => event !== 'surveyClosed');
		const given = new Set(
			events.map(({ event, responseDuration }) => `${String(event)} ${String(responseDuration)}`),
		);
		if (given.size < events.length) this.wrong.push(`${id}: an event is emitted twice`);
		if (rows) {
			state.isHeld = false;
			for (const { date = 0 } of rows) state.latest = Math.max(state.latest, date);
			for (const event of EVENTS) this.takeNews(state, event, rows, given);
			state.rows = Math.max(state.rows ?? 0, rows.length);
		}
		if (given.size > 0) this.wrong.push(`${id}: ${[...given].join()} are emitted`);
		const isLast = isClosed && !(rows && state.isHeld);
		// The closing has one item, the last one of the campaign. If the campaign is given up, it has no numbers.
		const submitted = rows?.filter(({ stage }) => stage === 2).length ?? null;
		const expected = isLast && state.isOpen ? [[rows ? recipients : null, submitted, 1]] : [];
		const closings = own.flatMap((item, place) =>
			item.event === 'surveyClosed' ? [[item.recipients, item.submitted, own.length - place]] : [],
		);
		const [is, should] = [JSON.stringify(closings), JSON.stringify(expected)];
		if (is !== should) this.wrong.push(`${id}: closings ${is}, not ${should}`);
		if (tried.has('report') && !(state.isOpen && state.closedAt < Infinity))
			this.wrong.push(`${id}: its report is read for nothing`);
		if (isLast) this.close(state, rows);
	}

	/** Takes the news of an event out of the emitted events, and notes what is known from now on. */
	private takeNews(state: State, event: EventName, rows: Shown[], given: Set<string>): void {
		const watch = state.watches[event];
		if (!watch) return;
		const { from, isNew, isRead, known } = watch;
		const stage = EVENTS.indexOf(event);
		const isNews = ({ date }: Shown) =>
			from === -Infinity || (!isNew && (date === undefined ? isRead : date >= from));
		// Answers tell which of several rows without a user ID are new, if no two of them look alike.
		const some = rows.filter((row) => row.stage >= Math.min(stage, 1) && !this.hasId(state, row));
		const looks = new Set(some.map(({ date, answer }) => `${date} ${answer}`));
		const groups: Record<string, Shown[]> = {};
		for (const row of rows) {
			// A person who answered before `from` may answer again later.
			const isPast = this.hasId(state, row) && isRead && (row.date ?? Infinity) < from;
			if (row.stage >= stage && !isPast) (groups[this.group(state, event, row)] ??= []).push(row);
		}
		watch.isRead = true;
		for (const [group, shown] of Object.entries(groups)) {
			const before = known.get(group) ?? new Set();
			const now = new Set(shown.map((row) => this.look(state, row)));
			const growth = now.size - before.size;
			// There are fewer rows than ever before. Which of them are new is known only when the missing
			// rows are back.
			if (growth < 0) continue;
			known.set(group, now);
			const may = shown.filter(isNews);
			const fresh = may.filter((row) => !before.has(this.look(state, row)));
			// How many are news is sure if no row without a user ID vanished or was edited.
			const isSteady = this.hasId(state, shown[0]) || [...before].every((each) => now.has(each));
			const least = isSteady ? fresh.length : Math.max(growth + may.length - shown.length, 0);
			const most = isSteady ? fresh.length : Math.min(growth, may.length);
			const isSure = this.hasId(state, shown[0]) || (isSteady && looks.size === some.length);
			const isOut = ({ id }: Shown) => given.delete(`${event} ${id}`);
			const out = new Set((isSure ? fresh : may).filter(isOut));
			if (out.size > most || (out.size < least && this.current.items.length <= FULL))
				this.wrong.push(`${state.id}: ${out.size} ${event} of ${JSON.stringify(fresh)}`);
			const others = fresh.filter((row) => !out.has(row));
			const [times, later] = [[...out], others].map((list) => list.map(({ date = 0 }) => date));
			// What does not fit into a poll counts as not seen.
			const held = others.slice(0, Math.max(least - out.size, 0));
			const isFull = this.current.items.length > FULL;
			const isLatest = Math.max(...(later ?? [])) <= Math.min(...(times ?? []));
			if (held.length === 0 && !isLatest && (isSteady || !isFull))
				this.wrong.push(`${state.id}: ${event} is not the latest`);
			for (const row of held) now.delete(this.look(state, row));
			for (const { date = Infinity } of held) state.latest = Math.min(state.latest, date - 1);
			if (held.length > 0) state.isHeld = true;
			// It cannot be known how many are held back.
			this.isOver ||= least < most && isFull;
		}
	}

	/** The campaign is read for five minutes after the first read that shows it closed. */
	private close(state: State, rows?: Shown[]): void {
		const { ownNow } = this.current;
		state.isOpen = false;
		state.closedReadAt = Math.min(state.closedReadAt, ownNow);
		state.isDone = !rows || ownNow - state.closedReadAt >= LAG;
		if (!rows || !state.isDone) return;
		for (const { known } of this.beginAfter(state))
			for (const row of rows)
				if (row.date !== undefined && this.hasId(state, row)) known.delete(`row ${row.id}`);
		// The number of responses stays.
		for (const looks of state.watches.surveySubmitted?.known.values() ?? [])
			for (const look of looks) if (/^\d/.test(look)) looks.delete(look);
		// If the survey is reopened, Campaign Read starts again.
		delete state.watches.campaignRead;
	}

	/** A row of an anonymous survey counts as one without a user ID. */
	private hasId({ anonymous }: State, row?: Shown): boolean {
		return row?.hasId === true && anonymous !== true;
	}

	/** Tells the rows of a group apart. */
	private look(state: State, row: Shown): string {
		return this.hasId(state, row) ? 'a person' : `${row.date} ${row.answer} ${row.id}`;
	}

	/** Groups the submissions of rows without a user ID by date. Other events of such rows can only be counted. */
	private group(state: State, event: string, row: Shown): string {
		if (this.hasId(state, row)) return `row ${row.id}`;
		return event === 'surveySubmitted' ? `dated ${row.date}` : 'without ID';
	}

	/** Whether the status of a campaign off the list was not asked for a day. */
	private isAskDue(id: string): boolean {
		const { ownNow } = this.current;
		const askedAt = this.asked.get(id) ?? -Infinity;
		return ownNow - askedAt >= DAY || askedAt > ownNow;
	}

	/**
	 * Of campaigns that were not read, notes those that should have been.
	 *
	 * @param isDue whether all are due; otherwise only those with something to find out
	 */
	checkUnread(campaigns: Campaign[], isDue: boolean): void {
		const { current: exchange } = this;
		for (const { id } of this.isOver ? [] : campaigns) {
			const state = this.memory.campaigns.get(id);
			// Its status shows first.
			if (!state || state.leftAt !== undefined || exchange.about(id).tried.has('status')) continue;
			const { isDone, isDraft, rows, closedAt, closedReadAt } = state;
			const watches = Object.values(state.watches);
			const isReadOn = closedReadAt === Infinity || exchange.ownNow - closedReadAt >= LAG;
			const isUrgent = rows === undefined || watches.some(({ isRead }) => !isRead);
			const mustAsk = !exchange.listed?.has(id) && (isDone ? this.isAskDue(id) : isDue);
			const mustRead =
				isUrgent || (closedAt < Infinity && isReadOn) || (isDue && watches.length > 0);
			if (isDone || isDraft ? mustAsk : mustRead) this.wrong.push(`${id}: is not read`);
		}
	}
}
