import { Closings } from './triggerModelClosings.mts';
import { has, type Exchange, type Poll, type Read, type Shown } from './triggerModelService.mts';
import { DAY, EVENTS, MINUTE, STAGE, type Campaign, type EventName } from './triggerModelWorld.mts';

type Verdict = 'once' | 'maybe' | 'never';

/** A period whose events the trigger may or may not emit, because n8n lost what the trigger knew of it. */
type Doubt = { from: number; to: number; isDatedSure: boolean };

/** One event of one campaign, watched since `began`. */
type Watch = {
	began: number;
	/** An event is news if its row is dated `high` or later, and not if it is dated before `low`. */
	low: number;
	high: number;
	/** Whether all rows are news: a campaign that went live while it was watched, or Emit Existing. */
	isAllNews: boolean;
	isRead: boolean;
	isPaused?: 'event' | 'campaign';
	pausedAt: number;
	/** The rows that were shown with the event, and whether they had a date. */
	known: Map<number, boolean>;
	/** Rows that count as known or not, as the trigger may or may not have noticed that the survey was closed. */
	loose: Set<number>;
	/** Whether the survey was read to the end after a closing, so that rows without news are not known. */
	wasDrained: boolean;
	/** When the campaign was closed, if this event begins anew with the next read after the reopening. */
	anewSince?: number;
	/** How often the event began anew. */
	round: number;
	doubt?: Doubt;
};

type State = {
	watches: Partial<Record<EventName, Watch>>;
	/** Counts how often the survey turned anonymous, or back. */
	epoch: number;
	isAnonymous?: boolean;
	/** Reads in a row that differ from `isAnonymous`. */
	turns: number;
	/** Whether a poll whose result n8n threw away read otherwise; the trigger may remember it. */
	mayHaveTurned: boolean;
	/** The latest date that was shown, and when the campaign was last read. */
	latest: number;
	readAt: number;
	status?: string;
	/** The first failed poll that should have begun to watch an event. */
	tried: Partial<Record<EventName, number>>;
	isSeen: boolean;
	wasPrepared: boolean;
	/** When the survey was first read after its closing, and the difference of the clocks then. */
	closed?: { at: number; clocks: number; isDrained: boolean; isUnsure: boolean };
	/** n8n lost what the trigger knew of the campaign since then. */
	lostSince: number;
};

type Memory = {
	campaigns: Map<string, State>;
	list: { low: number; high: number };
	/** The verdicts by tally: the events of one row, or of rows that nobody can tell apart. */
	verdicts: Map<string, Map<string, Verdict>>;
	isPublished: boolean;
};

const LAG = 5 * MINUTE;
/** Requests of one poll may take a second. */
const SLACK = 1_000;
const KEPT = 7 * DAY;

/** Judges what the trigger emits by what happened and what docs/trigger.md promises. It knows nothing of how the trigger works. */
export class Judge {
	/** What the trigger did wrong. */
	readonly wrong: string[] = [];
	readonly closings = new Closings(this.wrong);
	/** Campaigns of which the service once said, before their first read, that they are no surveys. */
	readonly denied = new Set<Campaign>();
	private memory: Memory = {
		campaigns: new Map(),
		list: { low: -Infinity, high: -Infinity },
		verdicts: new Map(),
		isPublished: false,
	};
	private saved = structuredClone(this.memory);
	/** How many events were emitted, by tally. */
	private readonly given = new Map<string, number>();
	/** When the first publication was first tried. */
	private triedAt = Infinity;

	/** @param isAll whether all campaigns are watched */
	constructor(private readonly isAll: boolean) {}

	/** Notes that n8n saved the state. */
	save(): void {
		this.saved = structuredClone(this.memory);
		this.closings.save();
	}

	/** Notes that n8n was killed: the trigger knows only what was saved. */
	kill(): void {
		const { memory: before, saved } = this;
		this.memory = structuredClone(saved);
		this.closings.kill();
		for (const [id, old] of before.campaigns) {
			const state = this.state(id);
			const lose = (since: number) => (state.lostSince = Math.min(state.lostSince, since));
			if (this.isAll && (old.isSeen !== state.isSeen || old.wasPrepared !== state.wasPrepared))
				lose(-Infinity);
			if (
				JSON.stringify(old.closed) !== JSON.stringify(state.closed) ||
				old.status !== state.status
			)
				if (state.closed) state.closed.isUnsure = true;
				else if (old.closed) state.closed = { ...old.closed, isDrained: false, isUnsure: true };
			for (const event of EVENTS) {
				const [was, is] = [old.watches[event], state.watches[event]];
				if (!was) continue;
				if (!is) lose(was.began);
				else if (
					was.isPaused !== is.isPaused ||
					was.pausedAt !== is.pausedAt ||
					old.epoch !== state.epoch
				)
					is.doubt = { from: state.readAt, to: Infinity, isDatedSure: false };
				else if (was.isRead && !is.isRead)
					is.doubt = { from: is.began, to: Infinity, isDatedSure: true };
			}
		}
	}

	/** Notes a poll whose result n8n threw away. */
	discarded({ reads, listed = new Set() }: Exchange, now: number): void {
		for (const { id } of [...reads.keys(), ...listed])
			for (const event of EVENTS)
				if (!this.state(id).watches[event]) this.state(id).tried[event] ??= now;
		for (const [{ id }, { isAnonymous }] of reads)
			if (isAnonymous !== this.state(id).isAnonymous) this.state(id).mayHaveTurned = true;
	}

	/** Judges a poll. @param campaigns all campaigns of the service */
	poll(poll: Poll, campaigns: Campaign[]): void {
		const { exchange, isThrown } = poll;
		if (!this.memory.isPublished && isThrown) {
			this.triedAt = Math.min(this.triedAt, Math.min(poll.serviceNow, poll.ownNow) - LAG);
			return;
		}
		for (const campaign of exchange.denied)
			if (this.state(campaign.id).readAt === -Infinity) this.denied.add(campaign);
		for (const campaign of campaigns.filter(({ isSurvey }) => isSurvey)) {
			const isWatched = this.isWatched(campaign, poll);
			if (isWatched !== undefined) this.watch(campaign, poll, isWatched);
		}
		this.noteList(poll);
		if (!isThrown) this.memory.isPublished = true;
		else if (poll.items.length > 0) this.wrong.push('A poll that fails emits items');
		this.count(poll, campaigns);
	}

	/** Whether the trigger watches a campaign in this poll; undefined if it has never heard of it. */
	private isWatched(campaign: Campaign, { wanted, exchange }: Poll): boolean | undefined {
		const isKnown = this.memory.campaigns.get(campaign.id)?.isSeen === true;
		if (wanted.selected)
			return wanted.selected.includes(campaign.id) || (isKnown ? false : undefined);
		if (exchange.listed?.has(campaign)) return true;
		if (!isKnown) return undefined;
		return wanted.category === undefined || wanted.category === campaign.category;
	}

	private watch(campaign: Campaign, poll: Poll, isWatched: boolean): void {
		const { exchange, isThrown, wanted, now } = poll;
		const state = this.state(campaign.id);
		const status = exchange.statuses.get(campaign);
		if (isThrown) {
			// The trigger may remember that it watches an event since a poll that failed, or not.
			for (const event of EVENTS)
				if (isWatched && wanted.events.includes(event) && !state.watches[event])
					state.tried[event] ??= now;
			if (isWatched && !state.isSeen) state.lostSince = Math.min(state.lostSince, now - LAG);
			// The trigger may remember the status, or not.
			if (status === '3')
				state.closed ??= { at: now, clocks: clocks(poll), isDrained: false, isUnsure: true };
			if (status === '1' && state.closed) state.closed.isUnsure = true;
			if (isWatched && status === '3') this.closings.noteFailed(campaign, now);
			return;
		}
		if (isWatched && status) this.noteStatus(state, status, poll);
		if (isWatched && (state.status === '0' || state.status === '4')) {
			state.wasPrepared = true;
			state.isSeen = true;
			return;
		}
		const launch =
			state.isSeen && !state.wasPrepared ? 'never' : this.launch(campaign, state, poll);
		for (const event of EVENTS) {
			const isChosen = wanted.events.includes(event);
			const watch = state.watches[event];
			if (isWatched && isChosen && watch) this.resume(watch, state, now);
			else if (isWatched && isChosen) this.begin(event, state, launch, poll);
			else if (watch && (watch.isPaused === undefined || !isChosen)) {
				if (watch.isPaused === undefined) watch.pausedAt = Math.max(state.readAt, watch.began);
				watch.isPaused = isChosen ? 'campaign' : 'event';
			}
		}
		if (isWatched) state.isSeen = true;
		state.wasPrepared = false;
		const read = exchange.reads.get(campaign);
		const hasChosen = wanted.events.includes('surveyClosed');
		this.closings.note(campaign, poll, { isWatched: isWatched && hasChosen, launch, status, read });
		if (read && isWatched) this.read(campaign, state, read, poll);
	}

	/** Whether all rows of a campaign that is seen for the first time are news. */
	private launch({ liveAt }: Campaign, state: State, { wanted }: Poll): Verdict {
		if (!this.memory.isPublished) return wanted.emitExisting ? 'once' : 'never';
		if (state.wasPrepared) return 'once';
		const { low, high } = this.memory.list;
		if (wanted.selected || liveAt === undefined || liveAt < low - LAG - SLACK)
			return state.lostSince === -Infinity ? 'maybe' : 'never';
		if (liveAt > high - LAG + SLACK && state.lostSince === Infinity) return 'once';
		return 'maybe';
	}

	private begin(
		event: EventName,
		state: State,
		launch: Verdict,
		{ serviceNow, ownNow, now, exchange }: Poll,
	): void {
		const low =
			Math.min(serviceNow, ownNow, this.memory.isPublished ? Infinity : this.triedAt) - LAG - SLACK;
		const { lostSince, tried } = state;
		// What happened since then may be news or not.
		const from = launch === 'maybe' ? -Infinity : Math.min(lostSince, tried[event] ?? Infinity);
		const early = from === -Infinity ? low : from - (now - low);
		state.watches[event] = {
			began: now,
			low: launch === 'once' ? -Infinity : Math.min(low, early),
			high:
				launch === 'once'
					? -Infinity
					: exchange.hasDate
						? serviceNow
						: Math.max(serviceNow, ownNow),
			isAllNews: launch === 'once',
			isRead: false,
			pausedAt: -Infinity,
			known: new Map(),
			loose: new Set(),
			wasDrained: false,
			round: 0,
			...(from < Infinity && { doubt: { from, to: Infinity, isDatedSure: false } }),
		};
	}

	private resume(watch: Watch, state: State, now: number): void {
		if (watch.isPaused === undefined) return;
		// What came while an event was off may be news; what came while a campaign was not chosen is, within seven days.
		if (watch.isPaused === 'event' || now - watch.pausedAt > KEPT - DAY)
			watch.doubt = {
				from: Math.min(state.readAt, watch.pausedAt),
				to: Infinity,
				isDatedSure: false,
			};
		watch.isPaused = undefined;
	}

	private noteStatus(state: State, status: string, poll: Poll): void {
		state.status = status;
		const { closed } = state;
		if (status !== '1' || !closed) return;
		// Reopened. A closed survey is read for five minutes, then the dates of its rows decide.
		const isQuick =
			poll.now - closed.at < LAG && clocks(poll) === closed.clocks && !closed.isUnsure;
		const { campaignRead } = state.watches;
		for (const watch of Object.values(state.watches)) {
			if (closed.isDrained && !closed.isUnsure) continue;
			if (isQuick) continue;
			for (const [row, isDated] of watch.known)
				if (isDated && watch.known.delete(row)) watch.loose.add(row);
			watch.high = Math.max(watch.high, state.latest + 1);
			watch.isAllNews &&= false;
		}
		if (campaignRead) {
			const low = Math.min(campaignRead.low, poll.serviceNow - LAG);
			Object.assign(campaignRead, {
				known: new Map(),
				isRead: false,
				isAllNews: false,
				anewSince: closed.at,
				low,
			});
			campaignRead.round++;
		}
		state.closed = undefined;
	}

	private read(campaign: Campaign, state: State, read: Read, poll: Poll): void {
		state.isAnonymous ??= read.isAnonymous;
		state.turns = state.isAnonymous === read.isAnonymous ? 0 : state.turns + 1;
		// A single read that says otherwise is put aside.
		if (state.turns === 1 && !state.mayHaveTurned) return;
		const hasTurned = state.turns > 0;
		const isSure = !state.mayHaveTurned;
		state.mayHaveTurned = false;
		if (hasTurned) {
			state.epoch++;
			state.isAnonymous = read.isAnonymous;
			state.turns = 0;
		}
		for (const event of EVENTS) {
			const watch = state.watches[event];
			if (!watch || watch.isPaused !== undefined) continue;
			const { known } = watch;
			if (hasTurned) watch.known = new Map();
			for (const shown of read.rows) {
				if (!has(shown, event) || (watch.known.has(shown.row.id) && !hasTurned)) continue;
				const verdict = hasTurned
					? turnedVerdict(watch, state, shown, event, isSure && !known.has(shown.row.id))
					: rowVerdict(watch, shown, event, watch.began === poll.now);
				const isOld = verdict === 'never' && shown.date !== undefined;
				// Whoever submits again after a survey was closed and reopened is new.
				if (isOld && (watch.loose.has(shown.row.id) || watch.wasDrained)) continue;
				watch.known.set(shown.row.id, shown.date !== undefined);
				watch.loose.delete(shown.row.id);
				this.decide(
					tallyOf(campaign, state, event, shown),
					`${shown.row.id} ${String(shown.date)} ${watch.round}`,
					verdict,
				);
			}
			for (const { row, date } of read.rows)
				if (watch.known.has(row.id)) watch.known.set(row.id, date !== undefined);
			if (hasTurned)
				Object.assign(watch, { low: state.latest + 1, high: state.latest + 1, isAllNews: false });
			// What the first read after a reopening lacked may be news later.
			if (watch.anewSince !== undefined) watch.began = poll.now;
			Object.assign(watch, { isRead: true, anewSince: undefined });
			if (watch.doubt?.to === Infinity) watch.doubt.to = poll.now;
		}
		state.readAt = poll.now;
		for (const { date = -Infinity } of read.rows) state.latest = Math.max(state.latest, date);
		if (state.status === '3') this.noteClosedRead(state, poll);
	}

	private noteClosedRead(state: State, poll: Poll): void {
		state.closed ??= { at: poll.now, clocks: clocks(poll), isDrained: false, isUnsure: false };
		if (poll.now - state.closed.at < LAG + SLACK) return;
		if (clocks(poll) !== state.closed.clocks) state.closed.isUnsure = true;
		if (state.closed.isUnsure) return;
		state.closed.isDrained = true;
		for (const watch of Object.values(state.watches)) {
			for (const [row, isDated] of watch.known) if (isDated) watch.known.delete(row);
			const since = state.latest + 1;
			if (since > -Infinity && watch.isRead)
				Object.assign(watch, {
					low: Math.max(since, watch.low),
					high: Math.max(since, watch.high),
					isAllNews: false,
				});
			Object.assign(watch, { wasDrained: true, began: state.closed.at });
		}
	}

	/** Notes a verdict. A row that is judged again, with the same date, keeps the stronger verdict. */
	private decide(tally: string, row: string, verdict: Verdict): void {
		const verdicts = this.memory.verdicts.get(tally) ?? new Map<string, Verdict>();
		this.memory.verdicts.set(tally, verdicts);
		const before = verdicts.get(row) ?? 'never';
		verdicts.set(row, before === 'once' || verdict === 'never' ? before : verdict);
	}

	private noteList({ exchange, isThrown, serviceNow, ownNow }: Poll): void {
		const { listed } = exchange;
		// An empty list although campaigns are known is no good list.
		if (
			!listed ||
			(listed.size === 0 && [...this.memory.campaigns.values()].some(({ isSeen }) => isSeen))
		)
			return;
		const { list } = this.memory;
		list.high = Math.max(list.high, exchange.hasDate ? serviceNow : Math.max(serviceNow, ownNow));
		if (isThrown || !exchange.isListWhole) return;
		list.low = Math.max(list.low, exchange.hasDate ? serviceNow : Math.min(serviceNow, ownNow));
	}

	private count(poll: Poll, campaigns: Campaign[]): void {
		const { items, exchange } = poll;
		for (const item of items) {
			const campaign = campaigns.find(({ id }) => id === item.campaignId);
			const event = EVENTS.find((name) => name === item.event);
			if (campaign && item.event === 'surveyClosed') this.closings.item(item, campaign, poll);
			if (!campaign || !event) continue;
			const shown = exchange.reads
				.get(campaign)
				?.rows.find(({ row }) => row.id === item.responseDuration);
			if (!shown) this.wrong.push(`${campaign.id}: an item for a row that was not shown`);
			else {
				const tally = tallyOf(campaign, this.state(campaign.id), event, shown);
				this.given.set(tally, (this.given.get(tally) ?? 0) + 1);
			}
		}
	}

	/** Whether the last state that the trigger may have names a campaign as read since `time`. */
	isReadSince({ id, status }: Campaign, time: number): boolean {
		const state = this.memory.campaigns.get(id);
		if (!state?.isSeen || status === '0' || status === '4') return true;
		if (status === '3') return state.readAt === -Infinity || state.closed !== undefined;
		return state.readAt >= time;
	}

	/** Compares what was emitted with what must and may be. @returns what is wrong */
	violations(isOver: boolean): string[] {
		const wrong = [...this.wrong, ...this.closings.violations(isOver, this.denied)];
		for (const key of new Set([...this.memory.verdicts.keys(), ...this.given.keys()])) {
			const given = this.given.get(key) ?? 0;
			const verdicts = [...(this.memory.verdicts.get(key)?.values() ?? [])];
			const most = verdicts.filter((verdict) => verdict !== 'never').length;
			const isDenied = [...this.denied].some(({ id }) => key.startsWith(`${id} `));
			const least = isDenied ? 0 : verdicts.filter((verdict) => verdict === 'once').length;
			if (given > most || (isOver && given < least))
				wrong.push(`${key}: owed ${least} to ${most}, emitted ${given}`);
		}
		return wrong;
	}

	private state(id: string): State {
		const known = this.memory.campaigns.get(id);
		if (known) return known;
		const state: State = {
			watches: {},
			tried: {},
			epoch: 0,
			turns: 0,
			mayHaveTurned: false,
			latest: -Infinity,
			readAt: -Infinity,
			isSeen: false,
			wasPrepared: false,
			lostSince: Infinity,
		};
		this.memory.campaigns.set(id, state);
		return state;
	}
}

/** Rows without a user ID are events of their date; without a date, and in the other events, they can only be counted. */
function tallyOf(
	{ id }: Campaign,
	{ epoch }: State,
	event: EventName,
	{ row, date, hasId }: Shown,
): string {
	const counted = event === 'surveySubmitted' ? `dated ${String(date)}` : 'without ID';
	return `${id} ${event} ${hasId ? `row ${row.id}` : counted} epoch ${epoch}`;
}

function clocks({ serviceNow, ownNow, now }: Poll): number {
	return serviceNow - now + (ownNow - now) * 3;
}

/** Whether an event that a read shows for the first time is news. */
function rowVerdict(
	watch: Watch,
	{ row, date }: Shown,
	event: EventName,
	isFirstPoll: boolean,
): Verdict {
	const at = row.at[STAGE[event]] ?? -Infinity;
	if (watch.anewSince !== undefined) return at < watch.anewSince ? 'never' : 'maybe';
	if (watch.loose.has(row.id)) return date !== undefined && date >= watch.high ? 'maybe' : 'never';
	const { doubt } = watch;
	if (doubt && at >= doubt.from && at <= doubt.to && !(doubt.isDatedSure && date !== undefined))
		return 'maybe';
	if (watch.isAllNews) return 'once';
	const isFirstRead = !watch.isRead;
	if (isFirstRead && isFirstPoll)
		return doubt && date !== undefined && date >= watch.low ? 'maybe' : 'never';
	if (date !== undefined) {
		if (date < watch.low) return 'never';
		return date >= watch.high && at >= watch.began ? 'once' : 'maybe';
	}
	if (isFirstRead) return at < watch.began ? 'never' : 'maybe';
	return at < watch.began ? 'maybe' : 'once';
}

/** The same for the read with which a survey has turned anonymous, or back. */
function turnedVerdict(
	watch: Watch,
	state: State,
	{ row, date }: Shown,
	event: EventName,
	isNew: boolean,
): Verdict {
	const at = row.at[STAGE[event]] ?? -Infinity;
	if (date !== undefined && date > state.latest && watch.isRead)
		return isNew && event === 'surveySubmitted' && !watch.doubt ? 'once' : 'maybe';
	if (date !== undefined && (watch.isRead || date < watch.low)) return 'never';
	return at > state.readAt || !watch.isRead ? 'maybe' : 'never';
}
