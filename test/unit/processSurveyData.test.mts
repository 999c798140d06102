import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import { processSurveyData } from '../../nodes/MessagingServiceTrigger/campaigns/processSurveyData.ts';
import type { CampaignState } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';

const SUBMITTED = 1;
const RESPONDED = 2;
const READ = 4;
const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 86_400_000;

const at = (offset: number) => new Date(NOW + offset).toISOString();

function take(
	campaign: CampaignState,
	rows: SurveyRow[],
	{ anonymous = false, now = NOW, isClosed = false, questions = [{ title: 'Why?' }] } = {},
) {
	const survey = { anonymous, questions, result: rows };
	const taken = processSurveyData(campaign, survey, { now, isClosed });
	return { ...taken, rows: taken.newEvents.map(({ row }) => row) };
}

/** Returns a campaign whose rows are all new. */
const fresh = (events = SUBMITTED): CampaignState => ({ events });

/** Returns a campaign whose baseline for one event is due at the given moment. */
const due = (moment: number, event = 0): CampaignState => ({
	events: 0,
	baselines: { [event]: moment },
});

const submitted = (userId: string, submittedDate = at(-DAY)): SurveyRow => ({
	submitted: true,
	userId,
	submittedDate,
});
const withoutUserId = (answer: number, submittedDate: string): SurveyRow => ({
	submitted: true,
	'q.0': answer,
	submittedDate,
});
const anonymous = { anonymous: true };

describe('a baseline', () => {
	test("emits nothing even if the service's clock is ahead", () => {
		expect(take(due(NOW), [submitted('a', at(60_000))]).newEvents).toEqual([]);
	});

	test('that is taken late emits only what was submitted after the baseline was due', () => {
		const rows = [
			submitted('old', at(-2000)),
			submitted('new', at(-500)),
			{ submitted: true, userId: 'undated' },
		];
		expect(take(due(NOW - 1000), rows).rows).toEqual([rows[1]]);
	});

	test("emits nothing for a newly selected event even if the service's clock is ahead", () => {
		const ahead = { read: true, ...submitted('a', at(60_000)) };
		const { campaign } = take(fresh(), [ahead]);
		expect(take({ ...campaign, baselines: { 2: NOW } }, [ahead]).newEvents).toEqual([]);
	});

	test('keeps known rows that are missing from its survey data', () => {
		const rows = ['a', 'b'].map((userId) => ({ read: true, userId }));
		const { campaign } = take(due(NOW, 2), rows);
		const again = take({ ...campaign, ...due(NOW, 2) }, rows.slice(1)).campaign;
		expect(take(again, rows).newEvents).toEqual([]);
	});

	test('emits a row submitted after it was due, but not for another event whose baseline is due only now', () => {
		const baselines = { 0: NOW, 2: NOW - 1000 };
		const row = { read: true, ...submitted('new', at(-500)) };
		expect(take({ events: 0, baselines }, [row]).newEvents).toEqual([
			{ event: 'campaignRead', row },
		]);
	});

	test('affects only its own event', () => {
		const { campaign } = take(due(NOW), [{ read: true, ...submitted('a') }]);
		const both = take({ ...campaign, baselines: { 2: NOW } }, [
			{ read: true, ...submitted('a') },
			{ read: true, ...submitted('b') },
		]);
		expect(both.newEvents).toEqual([
			{ event: 'surveySubmitted', row: expect.objectContaining({ userId: 'b' }) },
		]);
		expect(both.campaign).toMatchObject({ events: SUBMITTED | READ });
		expect(both.campaign.baselines).toBeUndefined();
	});
});

describe('rows with a user ID', () => {
	test('are recognized by their ID despite other changes, and count once', () => {
		const { campaign, rows } = take(fresh(), [submitted('a'), submitted('a', at(-1))]);
		expect(rows).toEqual([submitted('a')]);
		const changed = {
			...submitted('a', at(0)),
			'q.0': 1,
			userEmail: 'new@example.com',
			responseDuration: 3,
		};
		expect(take(campaign, [changed]).newEvents).toEqual([]);
	});

	test('do not replace the campaign object if no row is new', () => {
		const { campaign } = take(due(NOW), [{ ...submitted('a'), 'q.0': 1 }]);
		expect(take(campaign, [submitted('a')]).campaign).toBe(campaign);
		expect(take(campaign, []).campaign).toBe(campaign);
	});

	test('are not new after one loses its ID or the survey turns anonymous', () => {
		const without = [0, 1, 2].map((index) => withoutUserId(index, at(-DAY + index)));
		const named = without.map((row, index) => ({ ...row, userId: `user ${index}` }));
		const { campaign } = take(fresh(), named);
		const oneLost = [without[0] ?? {}, ...named.slice(1)];
		expect(take(campaign, oneLost).newEvents).toEqual([]);

		const turned = take(campaign, without, anonymous);
		expect(turned.newEvents).toEqual([]);
		const late = withoutUserId(9, at(-9 * DAY));
		const next = take(turned.campaign, [...without, late, withoutUserId(1, at(-5))], anonymous);
		expect(next.rows).toEqual([late, withoutUserId(1, at(-5))]);
		// The survey shows user IDs again.
		expect(take(next.campaign, named).newEvents).toEqual([]);
	});
});

describe('rows without a user ID', () => {
	test('are new although a similar row disappears at the same time', () => {
		const { campaign } = take(due(NOW), [withoutUserId(9, at(-3000))], anonymous);
		expect(take(campaign, [withoutUserId(9, at(-1000))], anonymous).rows).toHaveLength(1);
	});

	test('that are equal are counted; if there are more than before, the last ones are new', () => {
		const row = withoutUserId(9, at(-1000));
		const { campaign } = take(due(NOW), [row], anonymous);
		const rows = [1, 2, 3].map((responseDuration) => ({ ...row, responseDuration }));
		const second = take(campaign, rows, anonymous);
		expect(second.rows).toEqual(rows.slice(1));
		expect(take(second.campaign, [...rows, row], anonymous).rows).toEqual([row]);
	});

	test('an edited row is not new, but each further row that equals it is', () => {
		const latest = withoutUserId(0, at(-10));
		const { campaign } = take(fresh(), [withoutUserId(1, at(-2000)), latest], anonymous);
		const edited = withoutUserId(2, at(-1000));
		let state = take(campaign, [edited, latest], anonymous);
		expect(state.rows).toEqual([]);
		for (const count of [2, 3]) {
			const rows = [...Array.from({ length: count }, () => edited), latest];
			state = take(state.campaign, rows, anonymous);
			expect(state.rows).toEqual([edited]);
			expect(take(state.campaign, rows, anonymous).rows).toEqual([]);
		}
	});

	test('that were mistaken for edits are emitted, the latest first, when the missing rows return', () => {
		const latest = withoutUserId(0, at(-10));
		const [first, second] = [withoutUserId(1, at(-5000)), withoutUserId(2, at(-4000))];
		const [early, late] = [withoutUserId(3, at(-3000)), withoutUserId(4, at(-2000))];
		const polls = [
			[first, second, latest],
			[first, late, latest],
			[early, late, latest],
			[early, late, latest, first],
			[early, late, latest, first, second],
		];
		let campaign = fresh();
		const emitted = polls.map((rows) => {
			const taken = take(campaign, rows, anonymous);
			({ campaign } = taken);
			return taken.rows;
		});
		expect(emitted).toEqual([polls[0], [], [], [late], [early]]);
	});

	test('are compared only with rows that have the same event', () => {
		const both = SUBMITTED | READ;
		const row = (answer: number) => ({ read: true, ...withoutUserId(answer, at(-2000 - answer)) });
		const read = (answer: number) => ({ read: true, 'q.0': answer });
		const { campaign } = take(fresh(both), [row(1), read(7)], anonymous);
		expect(take(campaign, [row(2), read(8)], anonymous).newEvents).toEqual([]);
	});

	test('are new if they are later than all known rows and no row without a time is missing', () => {
		const read = (answer: number, submittedDate?: string): SurveyRow => ({
			...{ read: true, 'q.0': answer, submittedDate },
		});
		const known = [read(1), read(2, at(-2000)), read(3, at(-1000))];
		const { campaign } = take(fresh(READ), known, anonymous);
		const late = read(4, at(-10));
		expect(take(campaign, [read(1), read(1), late], anonymous).rows).toEqual([late]);
	});

	test('are recognized by content, also if other rows have an ID or the survey is anonymous', () => {
		const row = { submitted: true, userEmail: 'a@example.com', 'q.0': 1 };
		const { campaign } = take(fresh(), [row, submitted('b')]);
		expect(take(campaign, [submitted('b'), row]).newEvents).toEqual([]);
		expect(take(campaign, [row, { ...row, userId: '' }, submitted('b')]).newEvents).toHaveLength(1);

		const hidden = take(fresh(), [{ ...withoutUserId(1, at(-5)), userId: 'x' }], anonymous);
		const other = { ...withoutUserId(1, at(-5)), userId: 'y' };
		expect(take(hidden.campaign, [other], anonymous).newEvents).toEqual([]);
	});

	test('may have values of the wrong type', () => {
		const odd: SurveyRow[] = [
			{},
			{ submitted: 'true' },
			{ submitted: true, userId: 7 },
			{ submitted: true, userId: null, 'q.0': { b: [1], a: null } },
		];
		const { newEvents, campaign } = take(fresh(), odd);
		expect(newEvents).toHaveLength(2);
		expect(take(campaign, odd).newEvents).toEqual([]);
	});
});

describe('a closed campaign', () => {
	const rows = [
		{ read: true, responseSubmitted: true, ...submitted('a', at(-3000)) },
		{ read: true, responseSubmitted: true, userId: 'b' },
		{ read: true, userId: 'c' },
	];
	const all = SUBMITTED | RESPONDED | READ;

	test('emits its last events and, after a reopening, only later submissions', () => {
		const before = take(fresh(all), rows.slice(1)).campaign;
		const { newEvents, campaign } = take(before, rows, { isClosed: true });
		expect(newEvents.map(({ row }) => row.userId)).toEqual(['a', 'a', 'a']);
		expect(campaign).toMatchObject({ closed: true, last: NOW - 3000, events: all });
		// The state keeps only row b, which has a response but no time.
		expect(Object.keys(campaign.rows ?? {})).toEqual([`user${RESPONDED}`]);

		const { closed: _, ...open } = campaign;
		const reopened = {
			...open,
			until: NOW - 3000,
			events: SUBMITTED | RESPONDED,
			baselines: { 2: NOW + 1000 },
		};
		const later = [...rows, { read: true, responseSubmitted: true, ...submitted('d', at(500)) }];
		const taken = take(reopened, later, { now: NOW + 1000 });
		expect(taken.newEvents.map(({ event, row }) => [event, row.userId])).toEqual([
			['surveySubmitted', 'd'],
			['campaignResponded', 'd'],
		]);
		expect(take(taken.campaign, later, { now: NOW + 2000 }).newEvents).toEqual([]);
	});

	test('is not marked closed if the survey data lacks all known rows', () => {
		const before = take(fresh(), [submitted('a')]).campaign;
		expect(take(before, [], { isClosed: true }).campaign).toBe(before);
		expect(take(fresh(), [], { isClosed: true }).campaign.closed).toBe(true);
	});

	test('keeps rows with a time in the future', () => {
		const future = submitted('a', at(30 * DAY));
		const { campaign } = take(fresh(), [future, submitted('b')], { isClosed: true });
		expect(campaign.last).toBe(NOW - DAY);
		const { closed: _, ...open } = campaign;
		const reopened = { ...open, until: NOW - DAY };
		expect(take(reopened, [future, submitted('b'), submitted('c', at(1))]).rows).toEqual([
			submitted('c', at(1)),
		]);
	});
});

describe('the latest submission time', () => {
	const lastOf = (rows: SurveyRow[], last?: number) =>
		take({ ...fresh(), ...(last !== undefined && { last }) }, rows).campaign.last;
	const dated = (...dates: unknown[]) =>
		dates.map((date, index) => ({ ...submitted(`u${index}`), submittedDate: parseDate(date) }));
	const parseDate = (date: unknown) => (date === undefined ? null : String(date));

	test('is the time of the latest row, whatever the order of the rows', () => {
		expect(lastOf(dated(at(-3000), at(-1000), at(-2000)))).toBe(NOW - 1000);
	});

	test('accepts times in any zone and ignores those with an invalid zone', () => {
		expect(lastOf(dated('2026-06-01T11:00:00Z', '2026-06-01T13:30:00+02:00'))).toBe(
			Date.parse('2026-06-01T11:30:00Z'),
		);
		expect(lastOf(dated('2026-06-01T11:45:00Z', at(-3_600_000)))).toBe(
			Date.parse('2026-06-01T11:45:00Z'),
		);
		expect(lastOf(dated(at(-60_000), '2026-06-01T11:45:00Z'))).toBe(NOW - 60_000);
		expect(lastOf(dated(at(-60_000), '2026-06-01T10:45:00-02:00'))).toBe(NOW + 45 * 60_000);
		expect(lastOf(dated('2026-06-01T13:30:00+02:00', at(-DAY)))).toBe(
			Date.parse('2026-06-01T11:30:00Z'),
		);
		expect(lastOf(dated('2026-06-01T12:30:00.0+01', '2026-06-01T13:59:00.0000+0200Z'))).toBe(
			undefined,
		);
	});

	test('never decreases', () => {
		expect(lastOf(dated(at(-2000)), NOW - 1000)).toBe(NOW - 1000);
		expect(lastOf(dated('2026-06-01T11:00:00Z'), NOW - 1000)).toBe(NOW - 1000);
	});

	test('ignores times more than a day ahead of the clock', () => {
		expect(lastOf(dated(at(DAY)))).toBe(NOW + DAY);
		expect(lastOf(dated(at(DAY + 1), at(-1000)))).toBe(NOW - 1000);
		expect(lastOf(dated('2026-06-02T12:00:00Z'))).toBe(NOW + DAY);
		expect(lastOf(dated('2026-06-02T12:00:01Z', '2026-06-01T10:00:00Z'))).toBe(NOW - 2 * 3_600_000);
	});

	test('ignores unreadable times', () => {
		expect(lastOf(dated('9999-99-99T99:99:99.999Z', '2026-99-99T09:15:00.000Z'))).toBeUndefined();
		expect(lastOf(dated('2026-05-99T09:15:00.000Z', at(-1000)))).toBe(NOW - 1000);
		expect(lastOf(dated('soon', undefined))).toBeUndefined();
	});
});

describe('the state', () => {
	test('starts with the first response even if it has no rows', () => {
		const { campaign } = take(fresh(), []);
		expect(campaign).toEqual({ events: SUBMITTED, rows: expect.any(Object) });
		expect(take(campaign, []).campaign).toBe(campaign);
	});

	test('keeps the same rows object if the rows have not changed', () => {
		const known = take(fresh(), [submitted('a')]).campaign;
		const { campaign } = take({ ...known, baselines: { 2: NOW } }, [submitted('a')]);
		expect(campaign).toEqual({ ...known, events: SUBMITTED | READ });
		expect(campaign.rows).toBe(known.rows);
	});

	test('has no latest time if no row has a time', () => {
		expect(take(fresh(), [{ submitted: true, userId: 'a' }]).campaign).not.toHaveProperty('last');
	});

	test('keeps the other fields of a campaign', () => {
		const { campaign } = take({ ...fresh(), live: 5, until: 7 }, [submitted('a')]);
		expect(campaign).toMatchObject({ live: 5, until: 7, last: NOW - DAY, events: SUBMITTED });
	});
});

test('treats a submission at the exact moment of a baseline or of `until` as old', () => {
	expect(take(due(NOW - 1000), [submitted('a', at(-1000))]).newEvents).toEqual([]);
	const reopened = { ...fresh(), rows: {}, until: NOW - 1000 };
	expect(take(reopened, [submitted('a', at(-1000))]).newEvents).toEqual([]);
	expect(take(reopened, [submitted('a', at(-999))]).rows).toHaveLength(1);
	// The time of the row is unknown. Emitting the row twice is better than losing it.
	expect(take(reopened, [{ submitted: true, userId: 'a' }]).rows).toHaveLength(1);
});

test('does not emit an edited row that was first submitted before the reopening', () => {
	const reopened = { ...fresh(), rows: {}, until: NOW - 1000 };
	const late = withoutUserId(3, at(-10));
	const first = take(reopened, [withoutUserId(1, at(-2000)), late]);
	expect(first.rows).toEqual([late]);
	expect(take(first.campaign, [withoutUserId(2, at(-500)), late]).newEvents).toEqual([]);
});

describe('rows that gain a user ID', () => {
	test('are not new, whether or not an email address comes with the ID', () => {
		const without = Array.from({ length: 50 }, (_, index) => withoutUserId(index, at(-index)));
		const { campaign } = take(fresh(), without);
		const named = without.map((row, index) => ({
			...row,
			userId: `user ${index}`,
			...(index % 2 === 0 && { userEmail: `${index}@example.com` }),
		}));
		const gained = take(campaign, named);
		expect(gained.newEvents).toEqual([]);
		const edited = named.map((row) => ({ ...row, 'q.0': 'edited' }));
		expect(take(gained.campaign, edited).newEvents).toEqual([]);
		const next = take(gained.campaign, [...named, submitted('new', at(5))]);
		expect(next.rows).toEqual([submitted('new', at(5))]);
	});
});

test('recognizes a row that gains an ID, an address and a time together', () => {
	const { campaign } = take(fresh(READ), [{ read: true, 'q.0': 1 }]);
	const named = { read: true, ...submitted('a'), userEmail: 'a@example.com', 'q.0': 1, 'q.1': 2 };
	expect(take(campaign, [named]).newEvents).toEqual([]);
});

test('counts only new events towards the limit, and returns the campaign unchanged if the limit is 0', () => {
	const result = [submitted('new', at(-500)), submitted('old', at(-2000))];
	const options = { now: NOW, isClosed: false };
	const late = processSurveyData(due(NOW - 1000), { result }, { ...options, most: 1 });
	expect(late.isHeld).toBe(false);
	const { campaign } = take(fresh(), [], anonymous);
	const survey = { anonymous: true, result };
	const held = processSurveyData(campaign, survey, { ...options, most: 0 });
	expect(held.isHeld).toBe(true);
	expect(held.campaign).toBe(campaign);
});

test('emits the events beyond the limit in the next polls, even after the campaign closed', () => {
	const rows = Array.from({ length: 5 }, (_, index) => submitted(`u${index}`, at(-index)));
	let campaign: CampaignState = fresh();
	const emitted: unknown[] = [];
	for (let poll = 0; poll < 3; poll++) {
		const survey = { anonymous: false, result: rows };
		const taken = processSurveyData(campaign, survey, { now: NOW, isClosed: true, most: 2 });
		emitted.push(taken.newEvents.map(({ row }) => row.userId));
		expect(taken.isHeld).toBe(poll < 2);
		// The saved time is earlier than those of the held rows, so these rows stay new.
		expect(taken.campaign.last).toBe(poll < 2 ? NOW - 5 : NOW);
		expect(taken.campaign.closed).toBe(poll < 2 ? undefined : true);
		campaign = taken.campaign;
	}
	expect(emitted).toEqual([['u0', 'u1'], ['u2', 'u3'], ['u4']]);
});

test('counts a closing as one of the events of a poll', () => {
	const survey = { anonymous: false, result: [submitted('a'), submitted('b')] };
	const close = (most: number, known = fresh()) => {
		const campaign = { ...known, open: true } as const;
		const { isHeld, isClosing } = processSurveyData(campaign, survey, {
			now: NOW,
			isClosed: true,
			most,
		});
		return { isHeld, isClosing };
	};
	expect(close(2)).toEqual({ isHeld: true, isClosing: false });
	expect(close(3)).toEqual({ isHeld: false, isClosing: true });
	const known = take(fresh(), survey.result).campaign;
	expect(close(0, known)).toEqual({ isHeld: true, isClosing: false });
	expect(close(1, known)).toEqual({ isHeld: false, isClosing: true });
});

test('emits an event again for a person who submits again after a reopening', () => {
	const reopened = { ...fresh(), rows: {}, until: NOW - 1000 };
	const first = take(reopened, [submitted('a', at(-2000))]);
	expect(first.newEvents).toEqual([]);
	const again = take(first.campaign, [submitted('a', at(-10))]);
	expect(again.newEvents).toHaveLength(1);
	expect(take(again.campaign, [submitted('a', at(-5))]).newEvents).toEqual([]);
});

test('reads a time without a zone as UTC', () => {
	const { campaign } = take(fresh(), [submitted('a', '2026-06-01T11:00:00.000')]);
	expect(campaign.last).toBe(Date.parse('2026-06-01T11:00:00.000Z'));
});
