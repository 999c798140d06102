import { isObject } from '../../kit/typed.mts';
import type { History } from './run.mts';
import type { PollRecord } from './service.mts';
import {
	DAY,
	MINUTE,
	QUESTIONS,
	type Act,
	type Campaign,
	type EventName,
	type Setting,
} from './world.mts';

/** After this time, a survey that cannot be read is given up. */
export const WEEK = 7 * DAY;

/** A broken promise. */
export type Hole = {
	/**
	 * `lost`: an event of the time while the workflow was published has no item. `old`: an item tells what was there
	 * before. `twice`: an event has another item. `wrong`: it says what is not so.
	 */
	kind: 'lost' | 'old' | 'twice' | 'wrong';
	act: Act;
	/** The poll that emitted the item. */
	poll?: PollRecord;
	text: string;
};

/** Whether the settings choose a campaign and an event. */
function isChosen(setting: Setting, { id, category, account }: Campaign, event: EventName) {
	const { isAll, selected, events } = setting;
	const isWatched = isAll ? category === (setting.category ?? category) : selected.includes(id);
	return isWatched && events.includes(event) && setting.account === (account ?? setting.account);
}

/** Returns the times in which a node was told to watch an event of a campaign that its account may read. */
export function watchedTimes(history: History, campaign: Campaign, event: EventName, node: number) {
	const times: Array<{ from: number; to: number }> = [];
	for (const [place, { at, setting }] of history.published.entries()) {
		const from = Math.max(at, campaign.sharedAt);
		const to = history.published[place + 1]?.at ?? Infinity;
		if (setting.node !== node || !isChosen(setting, campaign, event) || from >= to) continue;
		const last = times.at(-1);
		if (last?.to === from) last.to = to;
		else times.push({ from, to });
	}
	return times;
}

/**
 * Returns for how long a closed survey could not be read, or had no rows, although something else could be read: at most a
 * day for each poll that tried, up to a poll.
 */
export function refusedFor({ polls }: History, campaign: Campaign, from: number, to = Infinity) {
	let [longest, sum] = [0, 0];
	let before: number | undefined;
	for (const { at, clock, listed, reads, requests, failed, limited } of polls) {
		if (at <= from || at > to || !requests.includes(`surveyData ${campaign.id}`)) continue;
		const read = reads.findLast((each) => each.campaign === campaign);
		const isRead = read && read.rows.size > 0 && !failed.has(campaign.id);
		const isElse = listed || reads.some((each) => each.campaign !== campaign);
		const gap = Math.min(Math.max(at + clock - (before ?? at + clock), 0), DAY);
		before = isRead ? undefined : at + clock;
		if (isRead) sum = 0;
		else if (isElse && !limited) sum += gap;
		longest = Math.max(longest, sum);
	}
	return longest;
}

/** Whether *Emit Existing* counts: the first publication of the first node watched the event of the campaign. */
function isExisting({ published }: History, { campaign, event }: Act, node: number): boolean {
	const { setting } = published[0] ?? {};
	return setting?.emitExisting === true && node === 1 && isChosen(setting, campaign, event);
}

/** Judges a history by three promises: each event once, nothing that was there before, nothing lost while published. */
export function judge(history: History): Hole[] {
	const { world, polls, published } = history;
	const holes: Hole[] = [];
	const told = new Set<Act>();
	const keyOf = (event: unknown, id: unknown, row?: number) => [event, id, row].join(' ');
	const acts = new Map<string, Act[]>();
	for (const act of world.acts) {
		const key = keyOf(act.event, act.campaign.id, act.row?.id);
		acts.set(key, [...(acts.get(key) ?? []), act]);
	}
	for (const poll of polls.toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0))) {
		const { ended = Infinity, setting } = poll;
		for (const item of poll.items) {
			const { event, campaignId, responseDuration } = item;
			const [row, times] = [
				Math.floor(Number(responseDuration) / 100),
				Number(responseDuration) % 100,
			];
			const isClosing = event === 'surveyClosed';
			// An item tells what the poll read. So a closing rests on a read after it.
			const seen = poll.reads.findLast(({ campaign }) => campaign.id === campaignId);
			const mine = acts
				.get(keyOf(event, campaignId, isClosing ? undefined : row))
				?.filter((act) => act.at <= (seen?.at ?? ended));
			const fresh = mine?.filter((act) => !told.has(act));
			const exact =
				event === 'surveySubmitted'
					? mine?.find((act) => act.times === times)
					: ((isClosing ? fresh?.at(-1) : fresh?.find((act) => act.times <= times)) ??
						mine?.at(-1));
			if (!exact) {
				history.wrong.push(`It did not happen: ${JSON.stringify(item)}`);
				continue;
			}
			const isOld = (act: Act) => {
				const from =
					watchedTimes(history, act.campaign, act.event, setting.node)[0]?.from ?? Infinity;
				return act.at < from && !(isExisting(history, act, setting.node) && act.row);
			};
			// Two rows without a user ID that look alike may stand for each other.
			const isTaken = told.has(exact) || isOld(exact);
			const read = isTaken && poll.reads.findLast(({ campaign }) => campaign === exact.campaign);
			const twin = read ? read.rows.get(row) : undefined;
			const isAlike = (other?: typeof twin) =>
				other?.isNamed === false && other.look === twin?.look;
			const act =
				read && twin?.isNamed === false
					? (world.acts.find(
							(each) =>
								each.event === event &&
								each.campaign === exact.campaign &&
								each.at <= read.at &&
								!told.has(each) &&
								!isOld(each) &&
								isAlike(read.rows.get(each.row?.id ?? -1)),
						) ?? exact)
					: exact;
			const add = (kind: Hole['kind'], text: string) => holes.push({ kind, act, poll, text });
			if (isOld(act)) add('old', 'was there before');
			else if (told.has(act)) add('twice', 'has two items');
			told.add(act);
			if (!isChosen(setting, act.campaign, act.event)) add('wrong', 'is not chosen');
			const error = isClosing
				? closingError(history, item, exact, poll)
				: answersError(item.answers, exact, poll, history.start.service.base);
			if (error !== undefined) add('wrong', error);
		}
	}
	const node = published.at(-1)?.setting.node ?? 1;
	for (const act of world.acts) {
		const times = watchedTimes(history, act.campaign, act.event, node);
		const last = times.at(-1);
		const isOwed = last?.to === Infinity && act.at >= last.from;
		const first = polls.find(
			({ at, error }) => at >= (published[0]?.at ?? 0) && error === undefined,
		);
		const isListed = first?.setting.isAll === false || first?.listed?.has(act.campaign.id) === true;
		const isBefore = act.at < (published[0]?.at ?? 0) && act.row !== undefined;
		const isThere = isBefore && isListed && times[0]?.to === Infinity;
		const isOwedFirst = isThere && isExisting(history, act, node);
		const isReadable = act.campaign.isSurvey && !isBroken(history, act.campaign);
		if (!told.has(act) && isReadable && (isOwed || isOwedFirst))
			holes.push({ kind: 'lost', act, text: 'has no item' });
	}
	return holes;
}

/** Whether the survey data of a campaign fails until the end. */
function isBroken({ start, world }: History, campaign: Campaign): boolean {
	return start.broken !== undefined && world.campaigns[start.broken.campaign] === campaign;
}

/** A closing tells what the last read of its poll shows and what the report says, or nothing. */
function closingError(
	history: History,
	item: PollRecord['items'][number],
	{ campaign, at }: Act,
	poll: PollRecord,
) {
	const read = poll.reads.findLast((each) => each.campaign === campaign);
	const submitted = [...(read?.rows.values() ?? [])].filter(({ stage }) => stage === 2).length;
	const isGivenUp =
		item.submitted === null && refusedFor(history, campaign, at, poll.at) >= WEEK - MINUTE;
	const recipients = isGivenUp ? null : (poll.recipients.get(campaign.id) ?? null);
	const is = [item.submitted, item.recipients].join();
	const should = [isGivenUp ? null : submitted, recipients].join();
	return is === should ? undefined : `says ${is}, not ${should}`;
}

/** Answers stand under the titles of their questions, or under the service's names. */
function answersError(answers: unknown, { row, campaign }: Act, poll: PollRecord, base: number) {
	const read = poll.reads.findLast((each) => each.campaign === campaign);
	const own = read?.rows.get(row?.id ?? -1)?.answers;
	if (!own || !isObject(answers)) return 'has no answers';
	const isWrong = ([name, answer]: [string, unknown]) => {
		const title = QUESTIONS[Number(name.slice(2)) - base] ?? '';
		return (answer ?? null) !== (own[QUESTIONS.includes(name) ? name : title] ?? null);
	};
	const isMissing = Object.keys(own).length > Object.values(answers).filter(Boolean).length;
	return Object.entries(answers).some(isWrong) || isMissing
		? `has its answers at ${JSON.stringify(answers)}`
		: undefined;
}
