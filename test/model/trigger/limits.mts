import { refusedFor, watchedTimes, WEEK, type Hole } from './judge.mts';
import type { History } from './run.mts';
import type { PollRecord, Read } from './service.mts';
import { DAY, MINUTE, type Act, type Campaign, type Row } from './world.mts';

/** What may happen during a poll whose result n8n keeps. */
const KEPT = ['arrive', 'close', 'overlap'];

/** A hole, and what its history knows about the campaign and the person. */
class Case {
	/** The node, and since when it owes events. */
	private readonly node: number;
	private readonly started: number;
	/** Since when the node watches the event of the campaign (again): each time up to now. */
	readonly froms: number[];
	readonly from: number;
	/** The same, as if every account could read the campaign. */
	readonly chosen: number[];
	/** When the survey counted as added again: it was reopened, turned anonymous or back, or had not been watched. */
	readonly again: number[];
	/** All readable survey data of the campaign, in order, and that of undisturbed polls. */
	readonly reads: Read[];
	readonly kept: Read[];
	/** The latest date that the service showed for the row. */
	readonly date?: number;

	constructor(
		readonly hole: Hole,
		readonly history: History,
		readonly act = hole.act,
	) {
		const { polls, published } = history;
		const { poll } = hole;
		this.node = poll?.setting.node ?? published.at(-1)?.setting.node ?? 1;
		const spansOf = (campaign: Campaign) => watchedTimes(history, campaign, act.event, this.node);
		const spans = spansOf(act.campaign);
		this.started = history.start.emitExisting ? -Infinity : (spans[0]?.from ?? Infinity);
		const isBefore = ({ from }: { from: number }) => from <= (poll ?? act).at;
		this.froms = spans.filter(isBefore).map(({ from }) => from);
		this.chosen = spansOf({ ...act.campaign, account: undefined })
			.filter(isBefore)
			.map(({ from }) => from);
		this.from = this.froms.at(-1) ?? Infinity;
		const isOwn = ({ campaign }: Read) => campaign === act.campaign;
		this.reads = polls.flatMap(({ reads }) => reads.filter(isOwn));
		this.kept = polls.flatMap(({ during = 'close', reads }) =>
			KEPT.includes(during) ? reads.filter(isOwn) : [],
		);
		const isLate = (at: number) =>
			this.times('surveyClosed', Math.max(at - 5 * MINUTE, this.from), at).length === 0 ||
			this.reads.every((read) => read.at > at);
		const days = this.times('days');
		this.again = [
			...this.times('reopen').filter(isLate),
			// A survey that Live Within Days left out is watched again after any of these.
			...['days', 'select', 'watchAll'].flatMap((change) =>
				this.times(change, Math.min(days[0] ?? Infinity, (act.campaign.liveAt ?? 0) + 90 * DAY)),
			),
			...this.kept.flatMap((read, place) => {
				const before = this.kept[place - 1] ?? read;
				const since = polls.filter(({ at }) => at > before.at && at < read.at);
				const isUnwatched = read.at - before.at > 7 * DAY && since.length > 1;
				const isTurned = before.isAnonymous !== read.isAnonymous;
				return isTurned || isUnwatched ? (since.at(-1)?.at ?? read.at) : [];
			}),
		].filter((at) => at <= (poll?.ended ?? Infinity));
		this.date = act.date ?? this.reads.flatMap((read) => this.rowIn(read)?.date ?? []).at(-1);
	}

	get isLost(): boolean {
		return this.hole.kind === 'lost';
	}

	/** The first undisturbed read at this time or later. */
	readAt(from: number): Read | undefined {
		return this.kept.find(({ at }) => at >= from);
	}

	/** The first poll at this time or later that does not fail. */
	successAt(from: number): PollRecord | undefined {
		return this.history.polls.find(({ at, error }) => at >= from && error === undefined);
	}

	/** The first poll at this time or later, and whether it failed to read the survey. */
	pollAt(from: number) {
		const poll = this.history.polls.find(({ at }) => at >= from);
		return { poll, isFailed: !poll?.reads.some((read) => this.kept.includes(read)) };
	}

	rowIn(read?: Read, row = this.act.row) {
		return read?.rows.get(row?.id ?? -1);
	}

	/** When something happened to the campaign (or to anything, if it does not concern a campaign). */
	times(what: string, from = -Infinity, to = Infinity): number[] {
		const { acts, facts } = this.history.world;
		const all = [...facts, ...acts.map(({ event, ...act }) => ({ what: event, ...act }))];
		const isMeant = ({ campaign = this.act.campaign }) => campaign === this.act.campaign;
		return all
			.filter((each) => each.what === what && isMeant(each))
			.map(({ at }) => at)
			.filter((at) => at >= from && at <= to);
	}

	/** Whether an undisturbed poll read the campaign in a time. */
	isRead(from: number, to: number): boolean {
		return this.kept.some(({ at }) => at > from && at < to);
	}

	/** Whether the service ever shows a person without a user ID. */
	isUnnamed(row = this.act.row): boolean {
		return this.reads.some((read) => this.rowIn(read, row)?.isNamed === false);
	}

	/** Whether a read lacks a row without a user ID that an earlier one shows. */
	hasVanished(): boolean {
		const known = new Set<number>();
		return this.reads.some(({ rows }) => {
			const isGone = [...known].some((id) => !rows.has(id));
			for (const [id, { isNamed }] of rows) if (!isNamed) known.add(id);
			return isGone;
		});
	}

	/** Whether several people without a user ID did something between two reads. */
	haveChanged(): boolean {
		const to = this.readAt((this.hole.poll ?? this.act).at)?.at ?? Infinity;
		const from = this.kept.findLast(({ at }) => at < to)?.at ?? -Infinity;
		const { acts, facts } = this.history.world;
		const changed = [...acts, ...facts.filter(({ what }) => what === 'edit')].filter(
			({ campaign, row, at }) =>
				campaign === this.act.campaign && this.isUnnamed(row) && at > from && at <= to,
		);
		return new Set(changed.map(({ row }) => row)).size > 1;
	}

	/** Whether the node had not emitted more events of this kind, of people without a user ID, than happened. */
	isExchanged(): boolean {
		const { act, history, hole, started } = this;
		const until = hole.poll?.ended ?? Infinity;
		const isUnnamed = (id: number) =>
			this.reads.some(({ rows }) => rows.get(id)?.isNamed === false);
		const told = history.polls
			.filter(({ setting, ended = 0 }) => setting.node === this.node && ended <= until)
			.flatMap(({ items }) => items)
			.filter(({ event, campaignId }) => event === act.event && campaignId === act.campaign.id)
			.filter((item) => isUnnamed(Math.floor(Number(item.responseDuration) / 100)));
		const happened = history.world.acts.filter(
			({ event, campaign, row, at }) =>
				event === act.event &&
				campaign === act.campaign &&
				isUnnamed(row?.id ?? -1) &&
				at >= started &&
				at <= until,
		);
		return told.length <= happened.length;
	}

	/** The same event of people whose row, in some read, could not be told from this person's. */
	twins(): Act[] {
		const { campaign, event, row } = this.act;
		const isAlike = (read: Read, other?: Row) => {
			const [mine, theirs] = [this.rowIn(read), this.rowIn(read, other)];
			const isGroup = !this.isLost && event !== 'surveySubmitted';
			if (!mine || !theirs || mine.isNamed || theirs.isNamed) return false;
			return isGroup || mine.look === theirs.look;
		};
		return this.history.world.acts.filter(
			(act) =>
				act.campaign === campaign &&
				act.event === event &&
				act.row !== row &&
				this.reads.some((read) => isAlike(read, act.row)),
		);
	}

	/** When the survey went live, by the true clock; 0 if that was before everything. */
	get liveAt(): number {
		return Math.max(0, ...['launch', 'goLive', 'share'].flatMap((what) => this.times(what)));
	}
}

/** Returns a function that finds the limit that excuses a hole of a person, or of somebody whose row looks the same. */
export function limitsOf(history: History): (hole: Hole) => string | undefined {
	// What happened to many people at once is judged once.
	const known = new Map<string, string | undefined>();
	const nameOf = (cases: Case[]) =>
		Object.entries(LIMITS).find(([, excuses]) => cases.some(excuses))?.[0];
	return (hole) => {
		const { kind, act, poll } = hole;
		const { idKind, dateKind } = act.row ?? {};
		const key = [kind, act.campaign.id, act.event, act.at, poll?.at, idKind, dateKind].join();
		if (!known.has(key)) {
			const about = new Case(hole, history);
			const twins = () => about.twins().map((twin) => new Case(hole, history, twin));
			known.set(key, nameOf([about]) ?? nameOf(twins()));
		}
		return known.get(key);
	};
}

/**
 * The limits by the names that they have in docs/development/trigger.md, and when they excuse a hole. The first one that
 * excuses it counts.
 */
export const LIMITS: Record<string, (about: Case) => boolean> = {
	answersAgain: (c) => {
		const { at, row, event } = c.act;
		const own = c.history.world.acts.filter((act) => act.row === row && act.event === event);
		const next = own.find((act) => act.at > at)?.at;
		const isFirst = own.every((act) => act.at >= at);
		return (
			c.isLost && row !== undefined && (!isFirst || (next !== undefined && !c.isRead(at, next)))
		);
	},
	addedAgain: (c) =>
		c.isLost &&
		c.again.some((at) => {
			const before = c.kept.findLast((read) => read.at < at)?.at ?? -Infinity;
			return c.act.at > before && c.act.at <= (c.readAt(at)?.at ?? Infinity);
		}),
	whilePublishing: (c) =>
		c.isLost && c.act.at >= c.from && c.act.at <= (c.successAt(c.from)?.ended ?? 0),
	datedBefore: (c) =>
		c.isLost && [...c.froms, ...c.again].some((at) => c.act.at >= at && Number(c.date) < at),
	firstRead: (c) => {
		const first = c.readAt(c.from);
		const isUndated = c.act.at <= (first?.at ?? Infinity) && !c.rowIn(first)?.date;
		if (c.isLost) return c.liveAt < c.from && c.pollAt(c.from).isFailed && isUndated;
		return [...c.froms, ...c.chosen, ...c.again].some((from) => {
			const { isFailed } = c.pollAt(from);
			const since = from - 5 * MINUTE;
			const firsts = [c.reads, c.kept].map((reads) => reads.find(({ at }) => at >= from));
			const isLacking = firsts.some((read) => read && read.at >= c.act.at && !c.rowIn(read));
			return (c.date ?? Infinity) >= since && ((isFailed && !!c.date) || isLacking);
		});
	},
	noLaunch: (c) => {
		const first = c.reads[0]?.at ?? Infinity;
		const listed = c.history.polls.findLast(({ at }) => at < c.liveAt)?.at;
		const isOther = c.liveAt > 0 && c.times('credential', listed, first).length > 0;
		const isUnknown = c.history.start.service.days || c.act.campaign.liveAt === undefined;
		return c.isLost && c.act.at <= first && (isUnknown || isOther);
	},
	exchanged: (c) =>
		c.isUnnamed() && (c.hasVanished() || c.haveChanged()) && (c.isLost || c.isExchanged()),
	listEmpty: (c) => {
		const { polls } = c.history;
		const first = polls.findIndex(({ listed }) => listed?.has(c.act.campaign.id));
		const before = polls.slice(0, first).findLast(({ listed }) => listed);
		return before?.listed?.size === 0 && c.hole.kind === 'old';
	},
	sleeping: (c) => {
		const { act, history } = c;
		const all = history.published.filter(({ setting }) => setting.isAll);
		const days = Math.min(...all.map(({ setting }) => setting.days));
		// The reads that show something new, and when this event could be seen at last.
		const acts = history.world.acts.filter(({ campaign }) => campaign === act.campaign);
		const isNews = (read: Read, place: number) =>
			read.at < act.at &&
			acts.some(({ at }) => at <= read.at && at > (c.reads[place - 1]?.at ?? -Infinity));
		const news = c.reads.filter(isNews).map(({ at }) => at);
		const isShown = (read: Read) => read.at >= act.at && (!act.row || c.rowIn(read));
		const seen = c.kept.find(isShown)?.at ?? Infinity;
		const times = [act.campaign.liveAt ?? -Infinity, ...news, seen];
		return c.isLost && times.some((at, place) => (times[place + 1] ?? at) - at > days * DAY);
	},
	renamed: (c) => c.history.start.scheduling !== 'durableCursors' && c.times('rename').length > 0,
	forgets: (c) => {
		const changes = ['launch', 'share', 'reopen', 'turn', 'goLive', 'hide', 'show'];
		const isForgotten = (restarted: number) => {
			const isSaved = ({ items, how, at }: PollRecord) =>
				at < restarted && (items.length > 0 || how !== 'poll');
			const saved = c.history.polls.findLast(isSaved)?.at ?? 0;
			const isNew = (c.reads[0]?.at ?? 0) > saved;
			return isNew || changes.some((each) => c.times(each, saved, restarted).length > 0);
		};
		const isDurable = c.history.start.scheduling === 'durableCursors';
		return !isDurable && c.times('restart').some(isForgotten);
	},
	reopenedUnseen: (c) => {
		const { act, history, kept } = c;
		const { id } = act.campaign;
		const reopened = c.times('reopen', act.at)[0] ?? Infinity;
		const earlier = c.times('reopen', undefined, act.at).at(-1) ?? -Infinity;
		const isClosed = history.polls.some(
			({ at, listed, reads }) =>
				at > act.at &&
				at < reopened &&
				listed?.get(id) === '3' &&
				reads.some((read) => kept.includes(read) && read.rows.size > 0),
		);
		const isOpen = history.polls.some(
			({ at, ended = at, during = 'close', listed, requests }) =>
				KEPT.includes(during) &&
				at > earlier &&
				ended < act.at &&
				(listed?.get(id) === '1' || requests.includes(`status ${id}`)),
		);
		const isUnknown = history.polls.some(({ at, listed }) => at < act.at && listed?.get(id) === '');
		const isUnseen =
			(reopened < Infinity && !isClosed) || ((earlier > -Infinity || isUnknown) && !isOpen);
		return c.isLost && act.event === 'surveyClosed' && isUnseen;
	},
	notListed: (c) => {
		const { polls, published } = c.history;
		const earlier = published.filter(({ at }) => at <= c.act.at);
		const isChoice = ({ setting }: (typeof earlier)[number], place: number) => {
			const before = earlier[place - 1]?.setting;
			const choice = (each = setting) => [each.isAll, each.category, each.node].join();
			return !before || choice(before) !== choice();
		};
		const { at: chosenAt = 0, setting } = earlier.findLast(isChoice) ?? {};
		// A campaign that went live up to five minutes before a list still counts as launched.
		const { liveAt = c.liveAt } = c.act.campaign;
		const missedAt = liveAt < chosenAt ? c.liveAt : liveAt + 5 * MINUTE;
		const lists = polls.filter(({ at, listed }) => at >= chosenAt && listed);
		const listedAt = lists.find(({ listed }) => listed?.has(c.act.campaign.id))?.at ?? Infinity;
		const isMissed = lists.some(({ at }) => at > missedAt && at < listedAt);
		return c.isLost && setting?.isAll === true && isMissed && c.act.at <= listedAt;
	},
	clockWithoutDate: (c) =>
		c.history.polls.some(
			({ hasDate, clock, requests }) =>
				requests.length > 0 && !hasDate && Math.abs(clock) > 2 * MINUTE,
		),
	addedAtLaunch: (c) => {
		const { kind, poll } = c.hole;
		const isOwn = ({ setting }: History['published'][number]) =>
			setting.node === poll?.setting.node;
		const first = c.history.published.find(isOwn)?.at ?? Infinity;
		const until = c.from > first ? c.from : (c.successAt(first)?.ended ?? 0);
		const isKnown = c.history.polls.some(
			({ at, listed, setting, during = 'close' }) =>
				KEPT.includes(during) &&
				setting.isAll &&
				at >= first &&
				at < until &&
				listed?.has(c.act.campaign.id),
		);
		// A live date without a time means the end of the day.
		const { days } = c.history.start.service;
		const since = days ? Math.floor(first / DAY) * DAY : first - 5 * MINUTE;
		return kind === 'old' && !isKnown && c.liveAt >= since && c.act.at >= since;
	},
	givenUp: (c) => {
		const { act, history, isLost, reads } = c;
		const isLacking = (closed: number) =>
			reads.some((read) => read.at > closed && read.rows.size > 0 && !c.rowIn(read));
		const isRefused = (closed: number) =>
			refusedFor(history, act.campaign, closed) >= WEEK - MINUTE;
		const isLast = (closed: number) => isLacking(closed) || isRefused(closed);
		return isLost && !!act.row && c.times('surveyClosed', act.at).some(isLast);
	},
	newNodeExisting: (c) => {
		const { kind, poll } = c.hole;
		const isDurable = c.history.start.scheduling === 'durableCursors';
		const { node = 1, emitExisting } = poll?.setting ?? {};
		return kind === 'old' && isDurable && node > 1 && emitExisting === true;
	},
};
