import {
	afterPoll,
	campaignsToRead,
	inTurn,
	isDue,
	isLargeCampaign,
	type Attempt,
} from '../../nodes/MessagingServiceTrigger/campaigns/pollSchedule.ts';
import type {
	Listed,
	Watched,
} from '../../nodes/MessagingServiceTrigger/campaigns/watchedCampaigns.ts';
import type { CampaignState } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';
import type { Reading, Readings } from '../../nodes/MessagingServiceTrigger/state/processState.ts';
import { BASE64_LENGTH } from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import fc from '../kit/property.mts';

const MINUTE = 60_000;

/** Returns watched campaigns, with defaults for the values not given. */
const watching = (watched: Partial<Watched>): Watched => ({
	listedUntil: 0,
	numbering: undefined,
	campaigns: new Map(),
	notSurveys: new Set(),
	listed: new Map(),
	foundClosed: new Set(),
	...watched,
});

describe('a campaign', () => {
	const max = 5 * MINUTE;

	test('is due before its first read; then the gap between reads is a tenth of the time since its last new event', () => {
		expect(isDue({ turn: 1 }, 0, max)).toBe(true);
		expect(isDue({ turn: 1, readAt: 90_000, newEventsAt: 0 }, 90_100, max)).toBe(true);
		expect(isDue({ turn: 1, readAt: 9 * MINUTE, newEventsAt: 0 }, 9.1 * MINUTE, max)).toBe(false);
		expect(isDue({ turn: 1, readAt: 9 * MINUTE, newEventsAt: 0 }, 10 * MINUTE, max)).toBe(true);
	});

	test.each([
		[20, 2],
		[40, 4],
		[50, 5],
		[5000, 5],
	])('without new events for %i minutes is due every %i minutes', (sinceNewEvent, gap) => {
		const now = sinceNewEvent * MINUTE;
		const readAgo = (minutes: number) => ({
			turn: 1,
			newEventsAt: 0,
			readAt: now - minutes * MINUTE,
		});
		expect(isDue(readAgo(gap - 1), now, max)).toBe(false);
		expect(isDue(readAgo(gap), now, max)).toBe(true);
		// Polls may start some milliseconds early.
		expect(isDue(readAgo(gap - 0.01), now, max)).toBe(true);
		expect(isDue(readAgo(gap - 1), now, 0)).toBe(true);
	});

	test('is due according to the time since its last new event, not since the epoch', () => {
		const newEventsAt = 1_000_000 * MINUTE;
		const at = (minutes: number) => newEventsAt + minutes * MINUTE;
		expect(isDue({ turn: 1, newEventsAt, readAt: at(20) }, at(21), max)).toBe(false);
		expect(isDue({ turn: 1, newEventsAt, readAt: at(19.5) }, at(20), 60 * MINUTE)).toBe(false);
		expect(isDue({ turn: 1, newEventsAt, readAt: at(10) }, at(11), 60 * MINUTE)).toBe(true);
	});

	test('is due up to ten seconds early but not twice at the same moment', () => {
		const reading = { turn: 1, newEventsAt: 0, readAt: 50 * MINUTE };
		expect(isDue(reading, 55 * MINUTE - 10_000, max)).toBe(true);
		expect(isDue(reading, 55 * MINUTE - 10_001, max)).toBe(false);
		expect(isDue(reading, 50 * MINUTE, max)).toBe(false);
	});

	test('is due after the clock was set back', () => {
		expect(isDue({ turn: 1, newEventsAt: 0, readAt: 900 * MINUTE }, 800 * MINUTE, max)).toBe(true);
	});
});

describe('a watched campaign', () => {
	const now = 1_000 * MINUTE;
	const isToRead = (
		state: Partial<CampaignState>,
		phase: Listed['phase'],
		{ from = now, foundClosed = new Set<string>(), readings = new Map<string, Reading>() } = {},
	) => {
		const watched = watching({
			campaigns: new Map([['c', { events: 1, rows: {}, live: now, ...state }]]),
			listed: new Map(phase ? [['c', { id: 'c', phase }]] : []),
			foundClosed,
		});
		return campaignsToRead(watched, from, readings, { now, maxGapMs: 5 * MINUTE });
	};

	test.each<[string, Partial<CampaignState>, Listed['phase'], boolean]>([
		['is live', {}, 'live', true],
		['is not on the list', {}, undefined, true],
		['has no date', { live: undefined }, 'live', true],
		['went live before the selection begins', { live: now - 1 }, 'live', false],
		['is not yet live', {}, 'notYetLive', false],
		['closed', {}, 'closed', true],
		['closed and was read', { closed: true }, 'closed', false],
		['is live, and only its closing is watched', { events: 0 }, 'live', false],
		['may be closed, and only its closing is watched', { events: 0 }, undefined, true],
		['needs a baseline', { events: 0, baselines: { 0: now } }, 'live', true],
		['was never read', { events: 0, rows: undefined }, 'live', true],
	])('that %s (state: %j, list: %s) is read: %j', (_case, state, phase, expected) => {
		const list = expected ? ['c'] : [];
		expect(isToRead(state, phase)).toEqual({ readable: list, due: list });
	});

	test.each<[string, Partial<CampaignState>, Listed['phase'], string[], boolean]>([
		['is quiet', {}, 'live', [], false],
		['closed', {}, 'closed', [], true],
		['was found closed', {}, undefined, ['c'], true],
		['needs a baseline', { baselines: { 0: now } }, 'live', [], true],
	])(
		'that %s (state: %j, list: %s, found closed: %j) is read again at once: %j',
		(_case, state, phase, closed, expected) => {
			const readings = new Map([['c', { turn: 1, readAt: now, newEventsAt: 0 }]]);
			const { readable, due } = isToRead(state, phase, { foundClosed: new Set(closed), readings });
			expect({ readable, due }).toEqual({ readable: ['c'], due: expected ? ['c'] : [] });
		},
	);

	test.each<[number | undefined, number, boolean]>([
		[10_000, 0, false],
		[10_001, 0, true],
		[undefined, 0, false],
		[undefined, 10_000, false],
		[undefined, 10_001, true],
	])('with %j recipients and %j known rows is large: %j', (recipients, rows, expected) => {
		const half = 'x'.repeat((rows * BASE64_LENGTH) / 2);
		const watched = watching({
			campaigns: new Map([['c', { events: 1, rows: { user1: half, user2: half } }]]),
			listed: new Map([['c', { id: 'c', recipients }]]),
		});
		expect(isLargeCampaign(watched, 'c')).toBe(expected);
		expect(isLargeCampaign(watched, 'unknown')).toBe(false);
	});
});

test('reads every one of 1,000 quiet campaigns within Max Read Gap, some of them at each poll', () => {
	const ids = Array.from(
		{ length: 1_000 },
		(_, number) => `64f1c0ffee00000000${number + 0x10_00_00}`,
	);
	const watched = watching({
		listed: new Map(ids.map((id) => [id, { id, phase: 'live' as const }])),
		campaigns: new Map(ids.map((id) => [id, { events: 1, rows: {} }])),
	});
	const START = 20_000 * 24 * 60 * MINUTE;
	let readings: Readings = new Map();
	const counts: number[] = [];
	let longest = 0;
	for (let poll = 0; poll < 180; poll++) {
		// Polls start up to three seconds late.
		const now = START + poll * MINUTE + ((poll * 7919) % 3_000);
		const { due } = campaignsToRead(watched, undefined, readings, { now, maxGapMs: 5 * MINUTE });
		counts.push(due.length);
		for (const id of due) longest = Math.max(longest, now - (readings.get(id)?.readAt ?? now));
		readings = afterPoll(readings, new Map(due.map((id) => [id, 'quiet'])), new Set(ids), now);
	}
	const settled = counts.slice(60);
	expect(Math.max(...settled)).toBeLessThanOrEqual(260);
	expect(Math.min(...settled)).toBeGreaterThanOrEqual(150);
	expect(longest).toBeLessThanOrEqual(5 * MINUTE + 3_000);
});

describe('turns', () => {
	const ids = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);

	/**
	 * Polls a service that limits the reads per poll and always refuses the `poisoned` campaigns.
	 * Up to four reads run concurrently. Returns the campaigns that were read.
	 */
	function reads(count: number, limit: number, polls: number, poisoned: Set<string>): Set<string> {
		let readings: Readings = new Map();
		const read = new Set<string>();
		for (let poll = 0; poll < polls; poll++) {
			const attempts = new Map<string, Attempt>();
			let left = limit;
			for (const id of inTurn(ids(count), readings)) {
				const isRefused = poisoned.has(id) || left-- <= 0;
				attempts.set(id, isRefused ? 'tooManyRequests' : 'quiet');
				if (!isRefused) read.add(id);
				const begun = [...attempts.values()];
				const stopped = begun.indexOf('tooManyRequests');
				if (stopped !== -1 && begun.length >= stopped + 4) break;
			}
			readings = afterPoll(readings, attempts, new Set(ids(count)), poll);
		}
		return read;
	}

	test('reach all campaigns under a rate limit, except those that are always refused', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.integer({ min: 1, max: 9 }),
				fc.uniqueArray(fc.nat(39), { maxLength: 6 }),
				(count, limit, numbers) => {
					const poisoned = new Set(numbers.map((number) => `c${number}`));
					const expected = ids(count).filter((id) => !poisoned.has(id));
					expect([...reads(count, limit, 4 * count, poisoned)].sort()).toEqual(expected.sort());
				},
			),
		);
	});

	test('move a campaign to the end of the queue after an attempt to read it, even if the attempt failed', () => {
		const watched = new Set(ids(4));
		const attempts = new Map<string, Attempt>([
			['c0', 'failed'],
			['c1', 'quiet'],
		]);
		const readings = afterPoll(new Map(), attempts, watched, 0);
		expect(inTurn(ids(4), readings)).toEqual(['c2', 'c3', 'c0', 'c1']);
	});

	test('are stored with the times of the last read and of the last new events', () => {
		const watched = new Set(['c0']);
		const after = (before: Reading | undefined, attempt: Attempt) =>
			afterPoll(
				new Map(before ? [['c0', before]] : []),
				new Map([['c0', attempt]]),
				watched,
				7_000,
			);
		const known = { turn: 3, readAt: 5_000, newEventsAt: 2_000 };
		const tried = { ...known, turn: 4 };
		expect(after(known, 'newEvents').get('c0')).toEqual({
			...tried,
			readAt: 7_000,
			newEventsAt: 7_000,
		});
		expect(after(known, 'quiet').get('c0')).toEqual({ ...tried, readAt: 7_000 });
		expect(after(known, 'failed').get('c0')).toEqual(tried);
		expect(after(known, 'tooManyRequests').get('c0')).toEqual(tried);
		// The first successful read counts as a new event; a failed first attempt does not.
		expect(after(undefined, 'quiet').get('c0')).toEqual({
			turn: 1,
			readAt: 7_000,
			newEventsAt: 7_000,
		});
		expect(after(undefined, 'failed').get('c0')).toEqual({ turn: 1 });
	});

	test('stay the same for a rate-limited campaign if another one was read', () => {
		for (const read of ['newEvents', 'quiet'] as const) {
			const attempts = new Map<string, Attempt>([
				['c0', read],
				['c1', 'tooManyRequests'],
			]);
			const before: Readings = new Map([['c1', { turn: 1 }]]);
			const readings = afterPoll(before, attempts, new Set(ids(2)), 0);
			expect(readings.get('c1')).toEqual({ turn: 1 });
		}
	});

	test('are forgotten for campaigns that are no longer watched', () => {
		const before: Readings = new Map([['gone', { turn: 1 }]]);
		expect(afterPoll(before, new Map(), new Set(['c0']), 0).size).toBe(0);
	});
});
