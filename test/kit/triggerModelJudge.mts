import type { IDataObject } from 'n8n-workflow';

import { count, type Exchange, type Read, type Shown } from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, type Campaign, type EventName } from './triggerModelWorld.mts';

/** What the trigger is told to do: the campaigns are selected by ID, or all are watched, perhaps of one category. */
export type Wanted = {
	events: Array<EventName | 'surveyClosed'>;
	selected?: string[];
	category?: string;
	emitExisting: boolean;
};

/** One poll whose result counts, with what the service's clock and n8n's clock show. */
export type Poll = {
	isThrown: boolean;
	/** Whether it may be a publication, which asks again which campaigns are surveys. */
	mayPublish: boolean;
	serviceNow: number;
	ownNow: number;
	wanted: Wanted;
	exchange: Exchange;
	items: IDataObject[];
};

/** One event of one campaign. */
type Watch = {
	/** Rows dated earlier are never news. With -Infinity, all rows are news. */
	from: number;
	/** Whether the current poll started to watch the event, and whether a read has shown the rows. */
	isNew: boolean;
	isRead: boolean;
	/** By group: the most rows of a read, and what they looked like then. */
	most: Map<string, number>;
	known: Map<string, Set<string>>;
};

/** What the trigger knows about a campaign at first: nothing. */
const unknown = () => ({
	watches: {} as Partial<Record<EventName, Watch>>,
	anonymous: undefined as boolean | undefined,
	/** The last read said the opposite of `anonymous`. */
	isTurning: false,
	/** The news that did not fit into a poll, as `event row`. */
	held: [] as string[],
	latest: 0,
	isRead: false,
	hasRows: false,
	isDraft: false,
	/** Whether the next closing gives an item. */
	isOpen: false,
	/** When it was first told to be closed, and first read after that, by n8n's clock. */
	closedAt: Infinity,
	closedReadAt: Infinity,
	/** It is closed and no longer read. */
	isDone: false,
	/** When it went live or was first seen live, and when it was deselected (0: unknown), by the service's clock. */
	live: undefined as number | undefined,
	leftAt: undefined as number | undefined,
	/** From now on, a known limit of the trigger applies to it. */
	isUnsure: false,
});

type State = ReturnType<typeof unknown>;

/** A read of a campaign with its news, or without rows the end of the attempts to read it. */
type Reading = {
	campaign: Campaign;
	state: State;
	news: string[];
	rows?: Shown[];
	isClosed: boolean;
};

const LAG = 5 * MINUTE;
const KEPT = 7 * DAY;
const LIVE = 90 * DAY;
const MOST_ITEMS = 10_000;
/** If a poll emits more items than this, it may have held some back, because it keeps room for closing items. */
const FULL = MOST_ITEMS - 9;

/**
 * Judges what the trigger emits by what the service showed, and by what docs/trigger.md promises. It counts rows by
 * group: all rows of one person, or all rows without a user ID, which cannot be told apart. After each read, the items must
 * be exactly the news.
 */
export class Judge {
	/** What the trigger did wrong. */
	readonly wrong: string[] = [];
	private memory = {
		isPublished: false,
		campaigns: new Map<string, State>(),
		/** The campaigns that are not surveys. */
		denied: new Set<string>(),
		/** When the last usable list was sent, and its category. */
		listedAt: Infinity,
		category: undefined as string | undefined,
	};
	private saved = structuredClone(this.memory);
	private current!: Poll;
	/** When the status of a campaign was last asked, by n8n's clock. */
	private readonly asked = new Map<string, number>();
	/** The last poll failed although it had items. */
	private isSilenced = false;

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
	noteAsked({ askedStatus, denied }: Exchange, ownNow: number): void {
		for (const campaign of askedStatus.keys())
			if (!denied.has(campaign)) this.asked.set(campaign.id, ownNow);
	}

	/** Judges a poll. @param campaigns all campaigns of the service */
	poll(poll: Poll, campaigns: Campaign[]): void {
		const { memory } = this;
		const { exchange, isThrown, items, wanted } = poll;
		this.current = poll;
		if (isThrown && items.length > 0) this.wrong.push('A poll that fails emits items');
		// A poll that fails is remembered, but not the first one, and not without a list of all campaigns.
		if (isThrown && !(memory.isPublished && (wanted.selected ?? exchange.listed))) return;
		const before = isThrown ? structuredClone(memory) : memory;
		const readings = this.readings(campaigns);
		memory.isPublished = true;
		if (items.length > FULL) count('a full poll');
		if (items.length > MOST_ITEMS) this.wrong.push(`A poll emits ${items.length} items`);
		const read = new Set<unknown>(readings.map(({ campaign }) => campaign.id));
		if (!items.every(({ campaignId }) => read.has(campaignId)))
			this.wrong.push('An item of a campaign that was not read');
		const hadItems = readings.map((reading) => this.check(reading)).includes(true);
		// A failed poll that had items has no effect.
		const isSilenced = isThrown && hadItems;
		if (isSilenced) this.memory = before;
		// A campaign that is not a survey may keep back the events of others for one poll, but not for two in a row.
		if (isSilenced && this.isSilenced)
			this.wrong.push('A campaign that is not a survey silences others');
		this.isSilenced = isSilenced;
		if (isThrown && readings.length > 0 && exchange.denied.size === 0)
			this.wrong.push('A poll that reads something fails');
	}

	private isWrong({ id }: Campaign, what: string): void {
		if (!this.memory.campaigns.get(id)?.isUnsure) this.wrong.push(`${id}: ${what}`);
	}

	/** Decides which campaigns are watched, and returns those that were read. */
	private readings(campaigns: Campaign[]): Reading[] {
		const { memory } = this;
		const { exchange, wanted, mayPublish, serviceNow, ownNow } = this.current;
		const { listed, listHasDate } = exchange;
		const now = listHasDate ? serviceNow : ownNow;
		const isSame = wanted.category === memory.category;
		memory.category = wanted.category;
		if (!isSame) memory.listedAt = Infinity;
		if (wanted.selected && mayPublish) memory.denied.clear();
		// If campaigns are known, an empty list is not usable.
		const isGoodList = !wanted.selected && (listed?.size !== 0 || memory.campaigns.size === 0);
		const readings = campaigns.flatMap((campaign) => {
			const { id } = campaign;
			this.forget(id, isSame);
			const state = memory.campaigns.get(id);
			const isChosen = wanted.selected?.includes(id) ?? listed?.has(campaign);
			if (!isChosen) memory.denied.delete(id);
			// If the filters are the same, a campaign that is missing from the list is still read.
			const isMissing = !wanted.selected && isSame && state && state.leftAt === undefined;
			if (isChosen ? !memory.denied.has(id) : isMissing)
				return this.follow(campaign, state ?? unknown(), now);
			if (exchange.tried.surveyData?.has(campaign))
				this.wrong.push(`${id}: read although it is not chosen`);
			// A campaign that was deselected, or whose filters changed, is no longer read.
			if (state && !isChosen) state.leftAt ||= listHasDate ? serviceNow : 0;
			return [];
		});
		// The time of the last usable list never goes back.
		const { listedAt } = memory;
		if (isGoodList) memory.listedAt = listedAt === Infinity ? now : Math.max(listedAt, now);
		return readings;
	}

	/** The state is kept for seven days by the service's clock. After that, a campaign counts as newly added. */
	private forget(id: string, isSame: boolean): void {
		const { exchange, serviceNow, wanted } = this.current;
		const { leftAt, live = Infinity } = this.memory.campaigns.get(id) ?? {};
		const isLongGone = serviceNow - (leftAt || Infinity) > KEPT;
		const isWatched = isSame && !wanted.selected && leftAt === undefined;
		const isOld = isWatched && serviceNow - live > LIVE + KEPT;
		if (exchange.listHasDate && (isLongGone || isOld)) this.memory.campaigns.delete(id);
	}

	private follow(campaign: Campaign, state: State, now: number): Reading[] {
		const { exchange, wanted, ownNow, serviceNow } = this.current;
		const { id } = campaign;
		const { campaigns, isPublished, listedAt } = this.memory;
		const status = exchange.listedStatus.get(campaign);
		const liveAt = exchange.listed?.has(campaign) ? campaign.liveAt : undefined;
		let isWhole = false;
		if (!campaigns.has(id)) {
			const isLaunch = !wanted.selected && liveAt !== undefined && liveAt > listedAt - LAG;
			isWhole = isLaunch || (!isPublished && wanted.emitExisting);
			// A campaign that is closed when first seen is not read and has no closing item.
			Object.assign(state, { isOpen: isLaunch, isDone: status === '3' && !isWhole });
		}
		campaigns.set(id, state);
		state.leftAt = undefined;
		const wasDraft = state.isDraft;
		this.noteStatus(state, status);
		const isNowLive = wasDraft && !state.isDraft;
		if (!wanted.selected) state.live = liveAt ?? (isNowLive ? now : (state.live ?? now));
		// Five minutes before the earlier of both clocks.
		const from = Math.min(ownNow, exchange.hasDate ? serviceNow : ownNow) - LAG;
		isWhole ||= state.isDraft;
		for (const event of EVENTS) {
			const watch = state.watches[event];
			if (watch) watch.isNew = false;
			if (!wanted.events.includes(event)) {
				delete state.watches[event];
				state.held = state.held.filter((each) => !each.startsWith(event));
			} else if (!watch && !(state.isDone && state.isRead))
				state.watches[event] = {
					...{ from: isWhole ? -Infinity : from, isNew: true, isRead: false },
					...{ most: new Map(), known: new Map() },
				};
		}
		return this.read(campaign, state);
	}

	/** An unknown or missing status changes nothing. */
	private noteStatus(state: State, status: string | undefined): void {
		const { ownNow, wanted } = this.current;
		if (status === '3') state.closedAt = Math.min(state.closedAt, ownNow);
		else if (status !== undefined)
			Object.assign(state, {
				...{ isOpen: true, isDone: false, closedAt: Infinity, closedReadAt: Infinity },
			});
		if (status !== undefined) state.isDraft = status === '0' || status === '4';
		state.isOpen &&= wanted.events.includes('surveyClosed');
	}

	private read(campaign: Campaign, state: State): Reading[] {
		const { exchange, ownNow, wanted } = this.current;
		const isClosing = wanted.events.includes('surveyClosed') && !state.isDone;
		const read = exchange.reads.get(campaign);
		const isTried = exchange.tried.surveyData?.has(campaign);
		const wasClosed = state.closedAt < Infinity;
		const isLongClosed = ownNow - state.closedAt >= DAY;
		if (isTried && (state.isDraft || state.isDone)) this.isWrong(campaign, 'read though not live');
		const isOpen = exchange.listedStatus.get(campaign) === '1';
		if (isTried && isOpen && !this.hasWork(state)) this.isWrong(campaign, 'read for nothing');
		// The survey data has failed for a day.
		if (isTried && !read && isLongClosed) return [{ campaign, state, news: [], isClosed: true }];
		// "Not a survey" is remembered for a campaign that was never read.
		if (exchange.denied.has(campaign) && !state.isRead) {
			this.memory.denied.add(campaign.id);
			this.memory.campaigns.delete(campaign.id);
			return [];
		}
		// Off the list, the status is asked: with Survey Closed at every read, otherwise once a day.
		const isAsked = exchange.tried.status?.has(campaign);
		const mayAsk =
			!exchange.listed?.has(campaign) && (this.isAskDue(campaign) || state.isDraft || isClosing);
		if (isAsked ? !mayAsk : mayAsk && read)
			this.isWrong(campaign, `its status is ${isAsked ? '' : 'not '}asked`);
		this.noteStatus(state, exchange.askedStatus.get(campaign));
		if (!read || this.turns(state, read)) return [];
		const { rows } = read;
		const isClosed = wasClosed && state.closedAt < Infinity;
		const isLost = isClosed && rows.length === 0 && state.hasRows;
		// Rows were known, but the survey data has had none for a day.
		if (isLost && isLongClosed) return [{ campaign, state, news: [], isClosed }];
		const looks = this.looks(state, rows);
		const shown = new Set(rows.map(({ id }) => String(id)));
		const held = state.held.filter((each) => shown.has(each.split(' ')[1] ?? ''));
		const news = [...held, ...EVENTS.flatMap((event) => this.news(state, event, rows, looks))];
		Object.assign(state, { isRead: true, hasRows: state.hasRows || rows.length > 0 });
		for (const { date = 0 } of rows) state.latest = Math.max(state.latest, date);
		return [{ campaign, state, news, rows, isClosed: isClosed && !isLost }];
	}

	/** Whether a read is ignored: only two reads in a row make a survey anonymous, or no longer anonymous. */
	private turns(state: State, read: Read): boolean {
		const { anonymous, held } = state;
		const isHeld = held.length > 0;
		// While rows are held back, an anonymous survey stays anonymous.
		state.anonymous = read.isAnonymous || (isHeld && anonymous === true);
		const isOther = anonymous !== undefined && anonymous !== state.anonymous;
		state.isTurning = isOther && !state.isTurning;
		if (state.isTurning) state.anonymous = anonymous;
		else if (isOther) {
			state.isUnsure ||= isHeld;
			for (const watch of Object.values(state.watches)) {
				this.beginAfter(watch, state);
				watch.isRead = false;
				watch.most.clear();
				watch.known.clear();
			}
		}
		return state.isTurning;
	}

	/** From now on, rows are news if they are dated after the latest date seen. */
	private beginAfter(watch: Watch, { latest }: State): void {
		watch.from = Math.max(watch.from, latest + 1);
	}

	/** Returns the news of an event. */
	private news(
		state: State,
		event: EventName,
		rows: Shown[],
		looks: Map<number, string>,
	): string[] {
		const watch = state.watches[event];
		if (!watch) return [];
		const { from, isNew, isRead, most, known } = watch;
		const isNews = ({ date }: Shown) =>
			from === -Infinity || (!isNew && (date === undefined ? isRead : date >= from));
		const groups = new Map<string, Shown[]>();
		for (const row of rows) {
			if (row.stage < EVENTS.indexOf(event)) continue;
			// A person who answered before `from` may answer again later.
			if (this.hasId(state, row) && isRead && (row.date ?? Infinity) < from) continue;
			const group = this.group(state, event, row);
			const others = groups.get(group);
			if (others) others.push(row);
			else groups.set(group, [row]);
		}
		watch.isRead = true;
		return [...groups].flatMap(([group, shown]) => {
			const growth = shown.length - (most.get(group) ?? 0);
			// There are fewer rows than ever before. Which of them are new is known only when the missing
			// rows are back.
			if (growth < 0) return [];
			const lookOf = ({ id }: Shown) => looks.get(id) ?? '';
			const added = shown.filter((row) => !known.get(group)?.has(lookOf(row)));
			most.set(group, shown.length);
			known.set(group, new Set(shown.map(lookOf)));
			const latestFirst = added.filter(isNews).reverse();
			latestFirst.sort((a, b) => (b.date ?? 0) - (a.date ?? 0));
			return latestFirst.slice(0, growth).map(({ id }) => `${event} ${id}`);
		});
	}

	/** Checks the items of a campaign that was read, or given up. @returns whether it has any */
	private check({ campaign, state, news, rows, isClosed }: Reading): boolean {
		const { items, exchange, ownNow, isThrown } = this.current;
		const own = items.filter(({ campaignId }) => campaignId === campaign.id);
		const given = new Set(
			own.map(({ event, responseDuration }) => `${String(event)} ${String(responseDuration)}`),
		);
		const missing = news.filter((each) => !given.has(each));
		const isComplete = missing.length === 0 || items.length > FULL || isThrown;
		const events = own.filter(({ event }) => event !== 'surveyClosed');
		if (!isComplete || events.length + missing.length !== news.length)
			this.isWrong(campaign, `${[...given].join()} are emitted, not ${news.join()}`);
		const isNamed = ({ userId, userDisplayName, userEmail }: IDataObject) =>
			userId !== null || userDisplayName !== null || userEmail !== null;
		if (exchange.reads.get(campaign)?.isAnonymous && events.some(isNamed))
			this.isWrong(campaign, 'a person is named');
		state.held = [...new Set([...state.held, ...news])].filter((each) => !given.has(each));
		const isLast = isClosed && !(rows && state.held.length > 0);
		let right: unknown[] = [null, null, null];
		if (rows) {
			const report = exchange.reports.get(campaign);
			const submitted = rows.filter(({ stage }) => stage === 2).length;
			const all = report === undefined ? null : Math.max(report, rows.length);
			right = [all, submitted, all && Math.round((submitted / all) * 1e4) / 1e4];
		}
		const closings = own.flatMap(({ event, recipients, submitted, responseRate }, place) =>
			event === 'surveyClosed' ? [[recipients, submitted, responseRate, own.length - place]] : [],
		);
		// The closing has one item, the last one of the campaign.
		const expected = isLast && state.isOpen ? [[...right, 1]] : [];
		const [is, should] = [JSON.stringify(closings), JSON.stringify(expected)];
		if (is !== should && !isThrown) this.isWrong(campaign, `closings ${is}, not ${should}`);
		if (exchange.tried.report?.has(campaign) && !(state.isOpen && state.closedAt < Infinity))
			this.isWrong(campaign, 'its report is read for nothing');
		const hasItems = news.length + expected.length > 0;
		if (!isLast) return hasItems;
		state.isOpen = false;
		// The campaign is read for five minutes after the first read that shows it closed.
		state.closedReadAt = Math.min(state.closedReadAt, ownNow);
		if (rows && ownNow - state.closedReadAt < LAG) return hasItems;
		state.isDone = true;
		for (const [event, watch] of Object.entries(state.watches)) {
			this.beginAfter(watch, state);
			for (const row of rows ?? [])
				if (row.date !== undefined && this.hasId(state, row))
					watch.most.delete(this.group(state, event, row));
			for (const looks of watch.known.values())
				for (const look of looks) if (!look.startsWith('undefined')) looks.delete(look);
		}
		// If the survey is reopened, Campaign Read starts again.
		if (rows) delete state.watches.campaignRead;
		return hasItems;
	}

	/** A row of an anonymous survey counts as one without a user ID. */
	private hasId({ anonymous }: State, { hasId }: Shown): boolean {
		return hasId && anonymous !== true;
	}

	/** Numbers the rows without a user ID that look alike. Which of them are new shows by their dates and answers. */
	private looks(state: State, rows: Shown[]): Map<number, string> {
		const counts = new Map<string, number>();
		const first = EVENTS.findIndex((event) => state.watches[event]);
		const others = rows.filter((row) => row.stage >= first && !this.hasId(state, row));
		return new Map(
			others.map(({ id, date, answer }) => {
				const look = `${date} ${answer}`;
				const number = (counts.get(look) ?? 0) + 1;
				counts.set(look, number);
				return [id, `${look} ${number}`];
			}),
		);
	}

	/** Groups the submissions of rows without a user ID by date. Other events of such rows can only be counted. */
	private group(state: State, event: string, row: Shown): string {
		if (this.hasId(state, row)) return `row ${row.id}`;
		return event === 'surveySubmitted' ? `dated ${row.date}` : 'without ID';
	}

	/** Whether the status of a campaign off the list was not asked for a day. */
	private isAskDue({ id }: Campaign): boolean {
		const { ownNow } = this.current;
		const askedAt = this.asked.get(id) ?? -Infinity;
		return ownNow - askedAt >= DAY || askedAt > ownNow;
	}

	/** Whether something must be read from a live campaign. With Survey Closed alone, only the first read must be. */
	private hasWork({ watches, isRead }: State): boolean {
		return Object.keys(watches).length > 0 || !isRead;
	}

	/**
	 * Of campaigns that were not read, those that should have been.
	 *
	 * @param isDue whether all are due; otherwise only those with something to find out
	 */
	unread(campaigns: Campaign[], isDue: boolean): string[] {
		const { tried, listed } = this.current.exchange;
		return campaigns.flatMap((campaign) => {
			const { id } = campaign;
			// Its status shows first.
			if (tried.status?.has(campaign)) return [];
			const state = this.memory.campaigns.get(id);
			if (!state || state.leftAt !== undefined) return [];
			if (state.isDone || state.isDraft) {
				const isAskDue = state.isDone ? this.isAskDue(campaign) : isDue;
				return isAskDue && !listed?.has(campaign) ? [id] : [];
			}
			const watches = Object.values(state.watches);
			const { closedAt, closedReadAt, isRead } = state;
			const isReadOn = closedReadAt === Infinity || this.current.ownNow - closedReadAt >= LAG;
			const isUrgent =
				!isRead || watches.some((watch) => !watch.isRead) || (closedAt < Infinity && isReadOn);
			return isUrgent || (isDue && watches.length > 0) ? [id] : [];
		});
	}
}
