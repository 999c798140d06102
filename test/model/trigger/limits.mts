import { watchedTimes, type Hole } from './judge.mts';
import type { History } from './run.mts';
import type { PollRecord, Read } from './service.mts';
import { DAY, MINUTE, type Act, type Row } from './world.mts';

/** What the trigger does not promise: a sentence of docs/development/trigger.md, and when it excuses a hole. */
export type Limit = { name: string; sentence: string; excuses: (about: Case) => boolean };

/** A hole, and what its history knows about the campaign and the person. */
class Case {
	readonly act: Act;
	readonly kind: Hole['kind'];
	readonly poll?: PollRecord;
	readonly row?: Row;
	/** The node, and since when it owes events. */
	readonly node: number;
	readonly started: number;
	/** Since when the node watches the event of the campaign, and the first poll after that. */
	readonly from: number;
	readonly firstPoll?: PollRecord;
	/** All readable survey data of the campaign, in order, and the first since `from`. */
	readonly reads: Read[];
	readonly first?: Read;
	/** The first read of each time in which the event is watched. */
	readonly firstReads: Read[];
	/** The latest date that the service showed for the row. */
	readonly date?: number;

	constructor(
		{ act, kind, poll }: Hole,
		readonly history: History,
	) {
		const { campaign, event, row } = act;
		const { polls, published } = history;
		this.act = act;
		this.kind = kind;
		this.poll = poll;
		this.row = row;
		const node = poll?.setting.node ?? published.at(-1)?.setting.node ?? 1;
		const spans = watchedTimes(history, campaign, event, node);
		this.node = node;
		this.started = history.start.emitExisting ? -Infinity : (spans[0]?.from ?? Infinity);
		const span = spans.findLast(({ from }) => from <= (poll ?? act).at);
		this.from = span?.from ?? Infinity;
		this.firstPoll = polls.find(({ at }) => at >= this.from);
		this.reads = polls.flatMap(({ reads }) => reads.filter((read) => read.campaign === campaign));
		this.first = this.reads.find(({ at }) => at >= this.from);
		this.firstReads = spans.flatMap(({ from }) => this.reads.find(({ at }) => at >= from) ?? []);
		const dates = this.reads.flatMap(({ rows }) => rows.get(row?.id ?? -1)?.date ?? []);
		this.date = act.date ?? dates.at(-1);
	}

	/** When something happened to the campaign (or to anything, if it does not concern a campaign). */
	times(what: string, from = -Infinity, to = Infinity): number[] {
		const { campaign } = this.act;
		return this.history.world.facts
			.filter((fact) => fact.what === what && (fact.campaign ?? campaign) === campaign)
			.map(({ at }) => at)
			.filter((at) => at >= from && at <= to);
	}

	/** When the survey was closed. */
	closings(from = -Infinity, to = Infinity): number[] {
		return this.history.world.acts
			.filter(({ event, campaign }) => event === 'surveyClosed' && campaign === this.act.campaign)
			.map(({ at }) => at)
			.filter((at) => at >= from && at <= to);
	}

	/** Whether the campaign was read in a time. */
	isRead(from: number, to: number): boolean {
		return this.reads.some(({ at }) => at > from && at < to);
	}

	/** The acts of the same kind by the same person. */
	get own(): Act[] {
		const { act } = this;
		return this.history.world.acts.filter(
			({ row, event }) => row !== undefined && row === act.row && event === act.event,
		);
	}

	/** Whether the service ever shows a person without a user ID. */
	isUnnamed(row = this.act.row): boolean {
		return this.reads.some(({ rows }) => rows.get(row?.id ?? -1)?.isNamed === false);
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

	/** Whether the node had not emitted more events of this kind than happened. */
	isExchanged(): boolean {
		const { act, history, poll } = this;
		const until = poll?.ended ?? Infinity;
		const told = history.polls
			.filter(({ setting, ended = 0 }) => setting.node === this.node && ended <= until)
			.flatMap(({ items }) => items)
			.filter(({ event, campaignId }) => event === act.event && campaignId === act.campaign.id);
		const happened = history.world.acts.filter(
			({ event, campaign, at }) =>
				event === act.event && campaign === act.campaign && at >= this.started && at <= until,
		);
		return told.length <= happened.length;
	}

	/** When a poll of a time first read the survey and found it closed on the list. */
	seenClosed(from: number, to: number): number | undefined {
		const { campaign } = this.act;
		return this.history.polls.find(
			({ at, listed, reads }) =>
				at > from &&
				at < to &&
				listed?.get(campaign.id) === '3' &&
				reads.some((read) => read.campaign === campaign),
		)?.at;
	}

	/** When the survey went live, by the true clock; undefined if that was before everything. */
	get liveAt(): number | undefined {
		return [...this.times('launch'), ...this.times('goLive'), ...this.times('share')].at(-1);
	}

	/** Whether the first read failed. */
	get isFirstFailed(): boolean {
		return !this.firstPoll?.reads.some(({ campaign }) => campaign === this.act.campaign);
	}
}

/** Returns the limit that excuses a hole. */
export function limitOf(hole: Hole, history: History): Limit | undefined {
	const about = new Case(hole, history);
	return LIMITS.find(({ excuses }) => excuses(about));
}

/** The limits. The first that excuses a hole counts. */
export const LIMITS: Limit[] = [
	{
		name: 'answersAgain',
		sentence:
			'A person, or several people on one account, answer again: no second event, unless the survey was closed and reopened in between.',
		excuses: (c) => {
			const before = c.own.findLast(({ at }) => at < c.act.at);
			return c.kind === 'lost' && !!before && c.times('reopen', before.at, c.act.at).length === 0;
		},
	},
	{
		name: 'answersTwiceAtOnce',
		sentence: 'A person answers twice between two reads: one event.',
		excuses: (c) => {
			const next = c.own.find(({ at }) => at > c.act.at);
			return c.kind === 'lost' && !!next && !c.isRead(c.act.at, next.at);
		},
	},
	{
		name: 'openedAfterReopening',
		sentence:
			'A survey is reopened, and people open it before the next read: no Survey Opened for them.',
		excuses: (c) => {
			const reopened = c.times('reopen', -Infinity, c.act.at).at(-1);
			const isOpening = c.kind === 'lost' && c.act.event === 'campaignRead';
			return isOpening && reopened !== undefined && !c.isRead(reopened, c.act.at);
		},
	},
	{
		name: 'whilePublishing',
		sentence:
			'Something happens while the workflow is being published: it may count as there before.',
		excuses: (c) =>
			c.kind === 'lost' && c.act.at >= c.from && c.act.at <= (c.firstPoll?.ended ?? 0),
	},
	{
		name: 'datedBefore',
		sentence:
			'A row is dated before the publication although it came later, because somebody answered offline or a clock was wrong: no event.',
		excuses: (c) => c.kind === 'lost' && c.act.at >= c.from && (c.date ?? Infinity) < c.from,
	},
	{
		name: 'undatedBeforeFirstRead',
		sentence:
			'The first read of a survey fails, and people open it or answer without submitting before the next: no event.',
		excuses: (c) =>
			c.kind === 'lost' &&
			(c.liveAt ?? 0) < c.from &&
			c.isFirstFailed &&
			c.act.at <= (c.first?.at ?? Infinity) &&
			!c.date,
	},
	{
		name: 'missedByFirstRead',
		sentence:
			'The first read since a survey or an event is watched (again) fails or lacks rows, and these have no date, or one at most five minutes before: events for them.',
		excuses: (c) =>
			(c.kind === 'old' || c.kind === 'twice') &&
			(c.date ?? Infinity) >= c.from - 5 * MINUTE &&
			((c.isFirstFailed && !!c.date) ||
				c.firstReads.some(({ rows }) => !rows.has(c.row?.id ?? -1))),
	},
	{
		name: 'openedBeforeReopening',
		sentence:
			'A survey is reopened, and the first read after that lacks people who opened it: Survey Opened comes again for them.',
		excuses: (c) => {
			const reopened = c.times('reopen', c.act.at, c.poll?.at).at(-1) ?? Infinity;
			const read = c.reads.find(({ at }) => at > reopened);
			const isOpening = c.kind !== 'lost' && c.act.event === 'campaignRead';
			return isOpening && read?.rows.has(c.act.row?.id ?? -1) === false;
		},
	},
	{
		name: 'noLiveDate',
		sentence:
			'The list shows a new survey without a live date, or with a day only: what it has when the trigger first reads it counts as there before.',
		excuses: (c) =>
			c.kind === 'lost' &&
			(c.act.campaign.liveAt === undefined || c.history.start.service.days) &&
			c.act.at <= (c.reads[0]?.at ?? Infinity),
	},
	{
		name: 'turns',
		sentence:
			'A survey becomes anonymous, or is no longer anonymous: until two reads in a row have shown it, people who open it or answer without submitting give no event.',
		excuses: (c) => {
			const isTurn = ({ isAnonymous }: Read, place: number) => {
				const [before, second] = [c.reads[place - 1], c.reads[place + 1]];
				const isSeen = before && before.isAnonymous !== isAnonymous;
				const isReal = second?.isAnonymous === isAnonymous;
				return isSeen && isReal && c.act.at > before.at && c.act.at <= second.at;
			};
			const isUndated = c.act.event !== 'surveySubmitted' || !c.date;
			return c.kind === 'lost' && isUndated && c.reads.some(isTurn);
		},
	},
	{
		name: 'vanished',
		sentence:
			'People without a user ID vanish from the rows, even for one read: as many events of others are missing or come later, with the rows of others.',
		excuses: (c) => c.isUnnamed() && c.hasVanished() && c.isExchanged(),
	},
	{
		name: 'editedMeanwhile',
		sentence:
			'Between two reads, a person without a user ID edits or goes on, and another one comes: as many events as people, perhaps with the row of the other.',
		excuses: (c) => {
			const to = c.reads.find(({ at }) => at >= (c.poll ?? c.act).at)?.at ?? Infinity;
			const from = c.reads.findLast(({ at }) => at < to)?.at ?? -Infinity;
			const { acts, facts } = c.history.world;
			const changed = [...acts, ...facts.filter(({ what }) => what === 'edit')].filter(
				({ campaign, row, at }) =>
					campaign === c.act.campaign && c.isUnnamed(row) && at > from && at <= to,
			);
			return c.isUnnamed() && c.isExchanged() && new Set(changed.map(({ row }) => row)).size > 1;
		},
	},
	{
		name: 'datedBeforeSeen',
		sentence:
			'A row has a date in the future, then the survey is closed and reopened, or turns anonymous or back: rows dated earlier are skipped.',
		excuses: (c) => {
			const ends = [...c.closings(), ...c.times('turn')].filter((at) => at <= c.act.at);
			const seen = c.reads
				.filter(({ at }) => at < c.act.at)
				.flatMap(({ rows }) => [...rows.values()].flatMap(({ date }) => date ?? []));
			return c.kind === 'lost' && ends.length > 0 && (c.date ?? Infinity) <= Math.max(...seen);
		},
	},
	{
		name: 'submitsWhileTurning',
		sentence:
			'A survey becomes anonymous or is no longer, and people submit before two reads have shown it: their earlier events come again.',
		excuses: (c) =>
			c.kind !== 'lost' &&
			c.times('turn', -Infinity, c.poll?.at).some((turned) => {
				const second = c.reads.filter(({ at }) => at > turned)[1]?.at ?? Infinity;
				return (c.poll?.at ?? 0) <= second && c.row?.date !== undefined && c.row.date >= turned;
			}),
	},
	{
		name: 'listEmpty',
		sentence:
			'With All Campaigns, the list is empty for some time, then an older survey is shared: events for its old rows, and Survey Closed if it is closed.',
		excuses: (c) => {
			const first = c.history.polls.findIndex(({ listed }) => listed?.has(c.act.campaign.id));
			const before = c.history.polls.slice(0, first).findLast(({ listed }) => listed);
			return c.kind === 'old' && before?.listed?.size === 0;
		},
	},
	{
		name: 'sleeping',
		sentence:
			'With All Campaigns, a survey is older than Live Within Days when the workflow is published, or has had no event for so long: it is not watched.',
		excuses: (c) => {
			const { act, history } = c;
			const all = history.published.filter(({ setting }) => setting.isAll);
			const days = Math.min(...all.map(({ setting }) => setting.days));
			const events = history.world.acts.filter(
				({ campaign, at }) => campaign === act.campaign && at <= act.at && at >= c.from,
			);
			const times = [act.campaign.liveAt ?? -Infinity, ...events.map(({ at }) => at)];
			const isOld = times.some((at, place) => (times[place + 1] ?? act.at) - at > days * DAY);
			return c.kind === 'lost' && isOld;
		},
	},
	{
		name: 'renamed',
		sentence:
			'The node is renamed: without durable poll cursors, it begins as at a first publication.',
		excuses: (c) => {
			const isDurable = c.history.start.scheduling === 'durableCursors';
			return !isDurable && c.times('rename').length > 0;
		},
	},
	{
		name: 'forgets',
		sentence:
			'Without durable poll cursors, polls find no event, then n8n restarts: the trigger forgets what they saw, such as a new or shared survey, a draft or a reopening.',
		excuses: (c) => {
			const { world, polls, start } = c.history;
			return world.facts.some(({ what, at }) => {
				const isSaved = ({ items, how, at: saved }: PollRecord) =>
					saved < at && (items.length > 0 || how !== 'poll');
				const saved = polls.findLast(isSaved)?.at ?? 0;
				const isSince = c.reads.length > 0 && (c.reads[0]?.at ?? 0) > saved;
				const changes = ['launch', 'share', 'reopen', 'turn', 'goLive', 'hide', 'show'];
				const isChanged = isSince || changes.some((each) => c.times(each, saved, at).length > 0);
				return what === 'restart' && isChanged && start.scheduling !== 'durableCursors';
			});
		},
	},
	{
		name: 'reopenedUnseen',
		sentence:
			'A survey is closed and reopened before a poll lists and reads it in between: no Survey Closed.',
		excuses: (c) => {
			const reopened = c.times('reopen', c.act.at)[0] ?? -Infinity;
			const isClosing = c.kind === 'lost' && c.act.event === 'surveyClosed';
			return isClosing && c.seenClosed(c.act.at, reopened) === undefined;
		},
	},
	{
		name: 'turnsWhileFull',
		sentence:
			'A survey becomes anonymous while more than 10,000 events of one date are emitted: the events of that date come twice.',
		excuses: (c) =>
			c.kind === 'twice' &&
			c.times('turn').length > 0 &&
			c.history.polls.some(({ items }) => items.length > 9_900),
	},
	{
		name: 'notListed',
		sentence:
			'With All Campaigns, a survey is missing from the list since this or the filters were chosen: it is not known.',
		excuses: (c) => {
			const { polls, published } = c.history;
			const isEarlier = published.filter(({ at }) => at <= c.act.at);
			const { at: chosenAt = 0, setting } =
				isEarlier.findLast(({ setting: { isAll, category } }, place) => {
					const before = isEarlier[place - 1]?.setting;
					return before?.isAll !== isAll || before?.category !== category;
				}) ?? {};
			const isListed = ({ at, listed }: PollRecord) =>
				at >= chosenAt && at <= c.act.at && listed?.has(c.act.campaign.id) === true;
			const isOlder = (c.liveAt ?? 0) < chosenAt;
			return c.kind === 'lost' && setting?.isAll === true && isOlder && !polls.some(isListed);
		},
	},
	{
		name: 'clockWithoutDate',
		sentence:
			"n8n's clock is far off, and the service sends no Date header: rows are skipped, or events for old rows.",
		excuses: (c) =>
			c.history.polls.some(
				({ hasDate, offset, requests }) =>
					requests.length > 0 && !hasDate && Math.abs(offset) > 2 * MINUTE,
			),
	},
	{
		name: 'addedAtLaunch',
		sentence:
			'A survey is launched since the last poll, and an event is chosen only then: what happened since the launch comes, too.',
		excuses: (c) => {
			const { polls, published } = c.history;
			const isKnown = polls.some(
				({ at, listed }) => at < (c.poll?.at ?? 0) && listed?.has(c.act.campaign.id),
			);
			return (
				c.kind === 'old' &&
				!isKnown &&
				c.act.at >= (published[0]?.at ?? Infinity) &&
				c.poll?.how !== 'poll'
			);
		},
	},
	{
		name: 'givenUp',
		sentence:
			'A survey is closed, and for a day its survey data cannot be read or lacks rows: its last rows are missing, and Survey Closed may have no numbers.',
		excuses: (c) => {
			const isShown = (from: number, to: number) =>
				c.reads.some(({ at, rows }) => at > from && at < to && rows.has(c.row?.id ?? -1));
			const isLast = (closed: number) => !isShown(c.act.at, closed + DAY);
			return c.kind === 'lost' && !!c.row && c.closings(c.act.at).some(isLast);
		},
	},
	{
		name: 'newNodeExisting',
		sentence:
			'With durable poll cursors, a node is replaced by a new one while Emit Existing is on: for n8n, this is a first publication.',
		excuses: (c) =>
			c.kind === 'old' &&
			c.history.start.scheduling === 'durableCursors' &&
			(c.poll?.setting.node ?? 1) > 1 &&
			c.poll?.setting.emitExisting === true,
	},
	{
		name: 'launchedBefore',
		sentence:
			'With All Campaigns, a survey goes live within five minutes before the publication, and the first list lacks it: what happened since comes, too.',
		excuses: (c) =>
			c.kind === 'old' &&
			c.firstPoll?.listed?.has(c.act.campaign.id) === false &&
			(c.act.campaign.liveAt ?? -Infinity) >= c.from - 5 * MINUTE,
	},
];
