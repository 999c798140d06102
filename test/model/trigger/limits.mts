import { watchedTimes, type Hole } from './judge.mts';
import type { History } from './run.mts';
import type { PollRecord, Read } from './service.mts';
import { DAY, MINUTE, type Act, type Row } from './world.mts';

/** What the trigger does not promise: a sentence of docs/development/trigger.md, and when it excuses a hole. */
export type Limit = { sentence: string; excuses: (about: Case) => boolean };

/** What may happen during a poll whose result n8n keeps. */
const KEPT = ['arrive', 'close', 'overlap'];

/** A hole, and what its history knows about the campaign and the person. */
class Case {
	/** The node, and since when it owes events. */
	private readonly node: number;
	private readonly started: number;
	/** Since when the node watches the event of the campaign: each time up to now, and the last one. */
	readonly froms: number[];
	readonly from: number;
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
		const spans = watchedTimes(history, act.campaign, act.event, this.node);
		this.started = history.start.emitExisting ? -Infinity : (spans[0]?.from ?? Infinity);
		this.froms = spans.map(({ from }) => from).filter((from) => from <= (poll ?? act).at);
		this.from = this.froms.at(-1) ?? Infinity;
		const isOwn = ({ campaign }: Read) => campaign === act.campaign;
		this.reads = polls.flatMap(({ reads }) => reads.filter(isOwn));
		this.kept = polls.flatMap(({ during = 'close', reads }) =>
			KEPT.includes(during) ? reads.filter(isOwn) : [],
		);
		this.date = act.date ?? this.reads.flatMap((read) => this.rowIn(read)?.date ?? []).at(-1);
	}

	get isLost(): boolean {
		return this.hole.kind === 'lost';
	}

	/** The first undisturbed read at this time or later. */
	readAt(from: number): Read | undefined {
		return this.kept.find(({ at }) => at >= from);
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

	/** Whether the person answered or submitted after this time. */
	hasGoneOn(from: number): boolean {
		return this.history.world.acts.some(
			({ event, row, at }) => event !== 'campaignRead' && row === this.act.row && at > from,
		);
	}

	/** Whether some reads show the survey as anonymous and others do not. */
	isTurning(): boolean {
		return new Set(this.reads.map(({ isAnonymous }) => isAnonymous)).size > 1;
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

	/** Whether the node had not emitted more events of this kind than happened. */
	isExchanged(): boolean {
		const { act, history, hole, started } = this;
		const until = hole.poll?.ended ?? Infinity;
		const told = history.polls
			.filter(({ setting, ended = 0 }) => setting.node === this.node && ended <= until)
			.flatMap(({ items }) => items)
			.filter(({ event, campaignId }) => event === act.event && campaignId === act.campaign.id);
		return told.length <= this.times(act.event, started, until).length;
	}

	/** The same event of people whose row, in some read, could not be told from this person's. */
	twins(): Act[] {
		const { campaign, event, row } = this.act;
		const isAlike = (read: Read, other?: Row) => {
			const [mine, theirs] = [this.rowIn(read), this.rowIn(read, other)];
			return mine?.isNamed === false && !theirs?.isNamed && mine.look === theirs?.look;
		};
		return this.history.world.acts.filter(
			(act) =>
				act.campaign === campaign &&
				act.event === event &&
				act.row !== row &&
				this.reads.some((read) => isAlike(read, act.row)),
		);
	}

	/** When polls of a time read the survey and found it closed on the list. */
	readsClosed(from: number, to: number): number[] {
		const isClosed = ({ at, listed, reads }: PollRecord) =>
			at > from &&
			at < to &&
			listed?.get(this.act.campaign.id) === '3' &&
			reads.some((read) => this.kept.includes(read));
		return this.history.polls.filter(isClosed).map(({ at }) => at);
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
		Object.entries(LIMITS).find(([, { excuses }]) => cases.some(excuses))?.[0];
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

/** The limits by name. The first that excuses a hole counts. */
export const LIMITS: Record<string, Limit> = {
	answersAgain: {
		sentence:
			'A person, or several people on one account, answer again, or twice between two reads: no second event, unless the service dates responses and the survey was closed for at least five minutes in between.',
		excuses: (c) => {
			const { at, row, event } = c.act;
			const own = c.history.world.acts.filter((act) => act.row === row && act.event === event);
			const before = own.findLast((act) => act.at < at)?.at;
			const next = own.find((act) => act.at > at)?.at;
			const isForgotten = c.times('reopen', before, at).some((reopened) => {
				const closed = c.readsClosed(before ?? 0, reopened);
				return (closed.at(-1) ?? 0) - (closed[0] ?? 0) >= 5 * MINUTE;
			});
			const isSecond = before !== undefined && !(isForgotten && c.date);
			const isFirst = next !== undefined && !c.isRead(at, next);
			return c.isLost && row !== undefined && (isSecond || isFirst);
		},
	},
	openedAndReopened: {
		sentence:
			'A survey is reopened: no Survey Opened for people who open it before the next read, and another one for people whom this read lacks or who have answered again.',
		excuses: (c) => {
			const reopened = c.times('reopen', undefined, (c.hole.poll ?? c.act).at).at(-1) ?? Infinity;
			const isUnseen = c.isLost && reopened <= c.act.at && !c.isRead(reopened, c.act.at);
			const read = c.readAt(reopened);
			const isTwice = !c.isLost && reopened < Infinity && (!c.rowIn(read) || c.hasGoneOn(reopened));
			return c.act.event === 'campaignRead' && (isUnseen || isTwice);
		},
	},
	whilePublishing: {
		sentence:
			'Something happens while the workflow is being published: it may count as there before.',
		excuses: (c) =>
			c.isLost && c.act.at >= c.from && c.act.at <= (c.pollAt(c.from).poll?.ended ?? 0),
	},
	datedBefore: {
		sentence:
			'Somebody answered offline, or a clock was wrong, so that a row is dated before the publication, or before the latest date when the survey was closed, turned anonymous or turned back: no event.',
		excuses: (c) => {
			const { act, date = Infinity } = c;
			const ends = [...c.times('surveyClosed'), ...c.times('turn')].filter((at) => at <= act.at);
			const seen = c.reads
				.filter(({ at }) => at < act.at && ends.length > 0)
				.flatMap(({ rows }) => [...rows.values()].flatMap((row) => row.date ?? []));
			const isBefore = act.at >= c.from && date < c.from;
			return c.isLost && (isBefore || date <= Math.max(...seen));
		},
	},
	firstRead: {
		sentence:
			'The first read since a survey or an event is watched (again) fails or lacks rows. Of these, rows without a date give no event after a failed read and one after a read that lacks them; dated rows give one if their date is at most five minutes before.',
		excuses: (c) => {
			const first = c.readAt(c.from);
			const isUndated = c.act.at <= (first?.at ?? Infinity) && !c.rowIn(first)?.date;
			if (c.isLost) return c.liveAt < c.from && c.pollAt(c.from).isFailed && isUndated;
			return c.froms.some((from) => {
				const { poll, isFailed } = c.pollAt(from);
				const since = from - 5 * MINUTE + Math.min(...(poll?.clocks ?? []));
				// Of two reads, the first may only show that the survey turned.
				const firsts = [c.reads, c.kept].flatMap((reads) =>
					reads.filter(({ at }) => at >= from).slice(0, 2),
				);
				const isLacking = firsts.some((read) => read.at >= c.act.at && !c.rowIn(read));
				return (c.date ?? Infinity) >= since && ((isFailed && !!c.date) || isLacking);
			});
		},
	},
	noLiveDate: {
		sentence:
			"The list shows a new survey without a live date, with a day only or, because the service's clock was set back, with a time before the last list: what it has when the trigger first reads it counts as there before.",
		excuses: (c) => {
			const { liveAt = 0 } = c.act.campaign;
			const isLater = ({ at, clocks: [, service] }: PollRecord) =>
				at < c.liveAt && at + service >= liveAt;
			const isUnknown = c.history.start.service.days || c.history.polls.some(isLater);
			const isFirst = c.act.at <= (c.reads[0]?.at ?? Infinity);
			return c.isLost && isFirst && (isUnknown || c.act.campaign.liveAt === undefined);
		},
	},
	turns: {
		sentence:
			'A survey becomes anonymous, or is no longer anonymous. Until two reads in a row have shown it, people who open it or answer without submitting give no event, and earlier events of people who answer or submit come again. If more than 10,000 events are emitted meanwhile, those of one date come again, too.',
		excuses: (c) => {
			const { at: toldAt = 0 } = c.hole.poll ?? {};
			const isTurn = ({ isAnonymous }: Read, place: number) => {
				const [before, second] = [c.kept[place - 1], c.kept[place + 1]];
				const isSeen = before && before.isAnonymous !== isAnonymous && c.act.at > before.at;
				const isReal = second?.isAnonymous === isAnonymous && c.act.at <= second.at;
				return isSeen && (isReal || !second);
			};
			const isUndated = c.act.event !== 'surveySubmitted' || !c.date;
			if (c.isLost) return isUndated && c.kept.some(isTurn);
			const isFull = c.history.polls.some(({ items }) => items.length > 9_900);
			return c.times('turn', undefined, toldAt).some((turned) => {
				const second = c.kept.filter(({ at }) => at > turned)[1]?.at ?? Infinity;
				return isFull || (toldAt <= second && c.hasGoneOn(turned));
			});
		},
	},
	exchanged: {
		sentence:
			'People without a user ID vanish from the rows, even for one read, or edit or go on while others come: as many events as people or fewer, perhaps later, with the rows of others. Who vanishes while the survey turns anonymous or back counts as new afterwards.',
		excuses: (c) =>
			c.isUnnamed() &&
			(c.hasVanished() || c.haveChanged()) &&
			(c.isLost || c.isExchanged() || (c.hasVanished() && c.isTurning())),
	},
	listEmpty: {
		sentence:
			'With All Campaigns, the list is empty for some time, then an older survey is shared: events for its old rows, and Survey Closed if it is closed.',
		excuses: (c) => {
			const { polls } = c.history;
			const first = polls.findIndex(({ listed }) => listed?.has(c.act.campaign.id));
			const before = polls.slice(0, first).findLast(({ listed }) => listed);
			return c.hole.kind === 'old' && before?.listed?.size === 0;
		},
	},
	sleeping: {
		sentence:
			"With All Campaigns, a survey is older than Live Within Days when the workflow is published, or has had no event for so long (by the service's clock), or cannot be read meanwhile: it is not watched.",
		excuses: (c) => {
			const { act, history } = c;
			const all = history.published.filter(({ setting }) => setting.isAll);
			const days = Math.min(...all.map(({ setting }) => setting.days));
			// The reads that show something new, and when this event could be seen at last.
			const acts = history.world.acts.filter(({ campaign }) => campaign === act.campaign);
			const isNews = (read: Read, place: number) =>
				read.at < act.at &&
				acts.some(({ at }) => at <= read.at && at > (c.reads[place - 1]?.at ?? -Infinity));
			const news = c.reads.filter(isNews).map(({ at }) => at);
			const seen = c.readAt(act.at)?.at ?? Infinity;
			const times = [act.campaign.liveAt ?? -Infinity, ...news, seen];
			// The service's clock may be set meanwhile.
			const ms = days * DAY - (c.times('serviceClock').length > 0 ? 7 * DAY : 0);
			return c.isLost && times.some((at, place) => (times[place + 1] ?? at) - at > ms);
		},
	},
	renamed: {
		sentence:
			'The node is renamed: without durable poll cursors, it begins as at a first publication.',
		excuses: (c) => c.history.start.scheduling !== 'durableCursors' && c.times('rename').length > 0,
	},
	forgets: {
		sentence:
			'Without durable poll cursors, polls find no event, then n8n restarts: the trigger forgets what they saw, such as a new or shared survey, a draft or a reopening.',
		excuses: (c) => {
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
	},
	reopenedUnseen: {
		sentence:
			'A survey is closed and reopened before a poll lists and reads it in between: no Survey Closed.',
		excuses: (c) => {
			const reopened = c.times('reopen', c.act.at)[0] ?? -Infinity;
			const isClosing = c.isLost && c.act.event === 'surveyClosed';
			return isClosing && c.readsClosed(c.act.at, reopened).length === 0;
		},
	},
	notListed: {
		sentence:
			'With All Campaigns, a survey is missing from the list since this or the filters were chosen: it is not known.',
		excuses: (c) => {
			const { polls, published } = c.history;
			const earlier = published.filter(({ at }) => at <= c.act.at);
			const isChoice = ({ setting }: (typeof earlier)[number], place: number) => {
				const before = earlier[place - 1]?.setting;
				return before?.isAll !== setting.isAll || before?.category !== setting.category;
			};
			const { at: chosenAt = 0, setting } = earlier.findLast(isChoice) ?? {};
			const isListed = ({ at, listed }: PollRecord) =>
				at >= chosenAt && at <= c.act.at && listed?.has(c.act.campaign.id) === true;
			const isOlder = c.liveAt < chosenAt;
			return c.isLost && setting?.isAll === true && isOlder && !polls.some(isListed);
		},
	},
	clockWithoutDate: {
		sentence:
			"n8n's clock is far off, and no usable response has a Date header: rows are skipped, or events for old rows.",
		excuses: (c) =>
			c.history.polls.some(({ hasDate, clocks: [own, service], requests }) => {
				const isOff = Math.abs(own - service) > 2 * MINUTE;
				return requests.length > 0 && !hasDate && isOff;
			}),
	},
	addedAtLaunch: {
		sentence:
			'A survey is launched since the last poll, and an event is chosen only then; or it is launched within five minutes before the publication, and the first list lacks it: what happened since the launch comes, too.',
		excuses: (c) => {
			const { poll, kind } = c.hole;
			const first = c.history.published[0]?.at ?? Infinity;
			const until = c.from > first ? c.from : (poll?.at ?? 0);
			const isKnown = c.history.polls.some(
				({ at, listed, during = 'close' }) =>
					KEPT.includes(during) && at < until && listed?.has(c.act.campaign.id),
			);
			const since = first - 5 * MINUTE;
			return kind === 'old' && !isKnown && c.liveAt >= since && c.act.at >= since;
		},
	},
	givenUp: {
		sentence:
			'A survey is closed, and for a day its survey data cannot be read or lacks rows: its last rows are missing, and Survey Closed may have no numbers.',
		excuses: (c) => {
			const isShown = (from: number, to: number) =>
				c.reads.some((read) => read.at > from && read.at < to && c.rowIn(read));
			const isLast = (closed: number) => !isShown(c.act.at, closed + DAY);
			return c.isLost && !!c.act.row && c.times('surveyClosed', c.act.at).some(isLast);
		},
	},
	newNodeExisting: {
		sentence:
			'With durable poll cursors, a node is replaced by a new one while Emit Existing is on: for n8n, this is a first publication.',
		excuses: (c) => {
			const { kind, poll } = c.hole;
			const isDurable = c.history.start.scheduling === 'durableCursors';
			const { node = 1, emitExisting } = poll?.setting ?? {};
			return kind === 'old' && isDurable && node > 1 && emitExisting === true;
		},
	},
};
