import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import { enrol, REMEMBERED_MS } from '../../nodes/MessagingServiceTrigger/watchedCampaigns.ts';
import type { CampaignState, State } from '../../nodes/MessagingServiceTrigger/state.ts';
import { takeAnswer } from '../../nodes/MessagingServiceTrigger/takeAnswer.ts';

const SUBMITTED = 1;
const READ = 4;
const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 86_400_000;

const at = (offset: number) => new Date(NOW + offset).toISOString();

function take(
	campaign: CampaignState,
	rows: SurveyRow[],
	{ anonymous = false, events = SUBMITTED, now = NOW, emitExisting = false } = {},
) {
	const taken = takeAnswer(campaign, { rows, anonymous }, { events, emitExisting, now });
	return { ...taken, rows: taken.news.map(({ row }) => row) };
}

const submitted = (userId: string, submittedDate = at(-DAY)): SurveyRow => ({
	submitted: true,
	userId,
	submittedDate,
});
const nameless = (answer: number, submittedDate: string): SurveyRow => ({
	submitted: true,
	'q.0': answer,
	submittedDate,
});

describe('taking in an answer', () => {
	test('is silent at the baseline even if the clock of the service is ahead', () => {
		expect(take({ since: NOW }, [submitted('a', at(60_000))]).news).toEqual([]);
	});

	test('takes for news in a late baseline only what was submitted since it was due', () => {
		const rows = [
			submitted('old', at(-2000)),
			submitted('new', at(-500)),
			{ submitted: true, userId: 'undated' },
		];
		expect(take({ since: NOW - 1000 }, rows).rows).toEqual([rows[1]]);
	});

	test('notices a nameless row that comes while an equal one goes', () => {
		const { campaign } = take({ since: NOW }, [nameless(9, at(-3000))], { anonymous: true });
		expect(take(campaign, [nameless(9, at(-1000))], { anonymous: true }).rows).toHaveLength(1);
	});

	test('gives the last of equal nameless rows', () => {
		const row = nameless(9, at(-1000));
		const { campaign } = take({ since: NOW }, [row], { anonymous: true });
		const rows = [
			{ ...row, responseDuration: 1 },
			{ ...row, responseDuration: 2 },
		];
		expect(take(campaign, rows, { anonymous: true }).rows).toEqual([rows[1]]);
	});

	test('knows a row by its id although everything else of it changes, once however often it stands there', () => {
		const { campaign } = take({ rows: {} }, [submitted('a'), submitted('a')]);
		expect(take({ rows: {} }, [submitted('a'), submitted('a')]).news).toHaveLength(1);
		const changed = {
			...submitted('a', at(0)),
			'q.0': 1,
			userEmail: 'new@example.com',
			responseDuration: 3,
		};
		expect(take(campaign, [changed]).news).toEqual([]);
	});

	test('goes by content where an id is missing, and not by the id in an anonymous survey', () => {
		const row = { submitted: true, userEmail: 'a@example.com', 'q.0': 1 };
		const { campaign } = take({ rows: {} }, [row, submitted('b')]);
		expect(take(campaign, [submitted('b'), row]).news).toEqual([]);
		expect(take(campaign, [row, { ...row, userId: '' }]).news).toHaveLength(1);

		const hidden = take({ rows: {} }, [{ ...nameless(1, at(-5)), userId: 'x' }], {
			anonymous: true,
		});
		expect(
			take(hidden.campaign, [{ ...nameless(1, at(-5)), userId: 'y' }], { anonymous: true }).news,
		).toEqual([]);
	});

	test('hands on what it remembers as it is when nothing is new', () => {
		const { campaign } = take({ since: NOW }, [submitted('a')]);
		expect(take(campaign, [submitted('a')]).campaign).toBe(campaign);
		expect(take(campaign, []).campaign).toBe(campaign);
	});

	test('gives an event that was not looked for before a baseline of its own, and forgets one that is no longer', () => {
		const { campaign } = take({ since: NOW }, [{ read: true, ...submitted('a') }]);
		const both = take(
			campaign,
			[
				{ read: true, ...submitted('a') },
				{ read: true, ...submitted('b') },
			],
			{ events: SUBMITTED | READ },
		);
		expect(both.news).toEqual([
			{ event: 'surveySubmitted', row: expect.objectContaining({ userId: 'b' }) },
		]);
		const onlyRead = take(both.campaign, [], { events: READ });
		const again = take(onlyRead.campaign, [submitted('a'), submitted('b'), submitted('c')], {
			events: SUBMITTED | READ,
		});
		expect(again.news).toEqual([]);
	});

	test('gives everything with emitExisting', () => {
		expect(take({ rows: {} }, [submitted('a')], { emitExisting: true }).news).toHaveLength(1);
	});

	test('survives values that are no rows of its kind', () => {
		const odd: SurveyRow[] = [
			{},
			{ submitted: 'true' },
			{ submitted: true, userId: 7 },
			{ submitted: true, userId: null, 'q.0': { b: [1], a: null } },
		];
		const { news, campaign } = take({ rows: {} }, odd);
		expect(news).toHaveLength(2);
		expect(take(campaign, odd).news).toEqual([]);
	});
});

describe('enrolling campaigns', () => {
	const circumstances = { now: NOW, emitExisting: false, restarted: false };
	const from = NOW - 90 * DAY;
	const stateWith = (campaigns: State['campaigns'], more: Partial<State> = {}): State => ({
		version: 1,
		revision: 'r',
		at: NOW - 3000,
		since: NOW - 5000,
		selection: 'all',
		campaigns,
		notSurveys: [],
		...more,
	});
	const all = (...campaigns: Array<{ id: string; live?: number }>) => ({
		name: 'all',
		campaigns,
		from,
	});

	test('gives what is there at the start a baseline, and what comes later none', () => {
		const start = enrol(undefined, all({ id: 'a', live: NOW - DAY }), circumstances);
		expect(Object.fromEntries(start.campaigns)).toEqual({ a: { live: NOW - DAY, since: NOW } });
		const later = enrol(stateWith({}), all({ id: 'b', live: NOW - 60_000 }), circumstances);
		expect(later.campaigns.get('b')).toEqual({ live: NOW - 60_000, rows: {} });
	});

	test('takes a campaign that was live long before the start and is seen only now for an old one', () => {
		const { campaigns } = enrol(
			stateWith({}),
			all({ id: 'b', live: NOW - 2 * DAY }),
			circumstances,
		);
		expect(campaigns.get('b')).toEqual({ live: NOW - 2 * DAY, since: NOW - 5000 });
	});

	test('keeps what is missing from a list, and forgets what has left the window for a day', () => {
		const state = stateWith({
			missing: { live: NOW - DAY, rows: {} },
			justOver: { live: from - 1, rows: {} },
			over: { live: from - REMEMBERED_MS - 1, rows: {} },
		});
		expect([...enrol(state, all(), circumstances).campaigns.keys()]).toEqual([
			'missing',
			'justOver',
		]);
	});

	test('forgets what left a changed selection, and gives what is new in it a baseline from now on', () => {
		const state = stateWith({ a: { live: NOW - DAY, rows: { 1: 'x' } }, b: { rows: {} } });
		const selection = { ...all({ id: 'a' }, { id: 'c', live: NOW }), name: 'all culture' };
		const { campaigns, since } = enrol(state, selection, circumstances);
		expect(Object.fromEntries(campaigns)).toEqual({
			a: { live: NOW - DAY, rows: { 1: 'x' } },
			c: { live: NOW, since: NOW },
		});
		expect(since).toBe(NOW);
	});

	test('dates the baseline back to the last save when n8n comes back with another selection', () => {
		const selection = { name: 'selected', campaigns: [{ id: 'c' }] };
		const { campaigns } = enrol(stateWith({}), selection, { ...circumstances, restarted: true });
		expect(campaigns.get('c')).toEqual({ since: NOW - 3000 });
	});

	test('forgets campaigns that are no surveys when they are no longer listed', () => {
		const state = stateWith({}, { notSurveys: ['a', 'b'] });
		const { notSurveys, campaigns } = enrol(state, all({ id: 'b', live: NOW }), circumstances);
		expect([...notSurveys]).toEqual(['b']);
		expect(campaigns.size).toBe(0);
	});
});
