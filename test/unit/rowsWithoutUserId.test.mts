import { processSurveyData } from '../../nodes/MessagingServiceTrigger/campaigns/processSurveyData.ts';
import { eventSet, type EventName } from '../../nodes/MessagingServiceTrigger/events.ts';
import type { CampaignState } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';
import { submittedAt } from '../../nodes/MessagingServiceTrigger/dedupe/rowKey.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import { parseAs } from '../kit/typed.mts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');

type Response = { rows: SurveyRow[]; isClosed?: boolean };

/** Processes one response per poll, without an earlier state. Returns the new events of each poll and the last state. */
function follow(
	responses: Array<SurveyRow[] | Response>,
	{ anonymous = true, events = ['surveySubmitted', 'campaignRead'] as EventName[] } = {},
) {
	let campaign: CampaignState = { events: eventSet(events) };
	const newEvents = responses.map((response) => {
		const { rows, isClosed = false } = Array.isArray(response) ? { rows: response } : response;
		const survey = { anonymous, questions: [], result: rows };
		const taken = processSurveyData(campaign, survey, { now: NOW, isClosed });
		campaign = parseAs(JSON.stringify(taken.campaign));
		return taken.newEvents.map(({ event, row }) => ({ event, row }));
	});
	return { newEvents, campaign };
}

/** Returns the row of a person who opened the campaign, with the answers given so far. */
const opened = (row: SurveyRow = {}): SurveyRow => ({ read: true, ...row });

/** Returns a row submitted this many milliseconds ago. */
const submitted = (ago: number, row: SurveyRow = {}): SurveyRow => ({
	read: true,
	submitted: true,
	submittedDate: new Date(NOW - ago).toISOString(),
	'q.0': `answer of ${ago}`,
	...row,
});

const read = (row: SurveyRow) => ({ event: 'campaignRead', row });
const sent = (row: SurveyRow) => ({ event: 'surveySubmitted', row });

describe('a person who continues to answer', () => {
	test('is not new, but a person who arrives meanwhile is', () => {
		const ada = { userEmail: 'ada@example.com' };
		const bea = opened({ userEmail: 'bea@example.com' });
		for (const rows of [
			[submitted(1000, ada), bea],
			[bea, submitted(1000, ada)],
		]) {
			const { newEvents } = follow([[opened(ada)], rows], { anonymous: false });
			expect(newEvents[1]).toHaveLength(2);
			expect(newEvents[1]).toEqual(expect.arrayContaining([sent(submitted(1000, ada)), read(bea)]));
		}
	});

	test('does not prevent the event of the next person who opens the campaign', () => {
		const begun = opened({ 'q.0': 1 });
		const { newEvents } = follow([
			[opened(), opened()],
			[begun, opened()],
			[begun, opened(), opened()],
			[begun, opened(), opened()],
		]);
		expect(newEvents).toEqual([[read(opened()), read(opened())], [], [read(opened())], []]);
	});

	test('is not new after changing an answer, and does not prevent events of other people', () => {
		const changed = opened({ 'q.0': 2 });
		const onward = opened({ 'q.0': 2, 'q.1': 5 });
		const other = opened({ 'q.0': 9 });
		const { newEvents } = follow([
			[opened({ 'q.0': 1 })],
			[changed],
			[onward],
			[onward],
			[onward, other],
			[onward, other],
			[onward, other, changed],
		]);
		expect(newEvents.slice(1)).toEqual([[], [], [], [read(other)], [], [read(changed)]]);
	});
});

describe('while a row is missing', () => {
	const first = submitted(3000);
	const second = submitted(2000);

	test('treats the older of two unseen rows as the missing row', () => {
		const older = submitted(2800);
		const newer = submitted(2500);
		for (const rows of [
			[second, older, newer],
			[second, newer, older],
		]) {
			const { newEvents } = follow([[first, second], rows, rows]);
			expect(newEvents.slice(1)).toEqual([[sent(newer), read(newer)], []]);
		}
	});

	test('emits a later submission as new, also for campaignRead', () => {
		const later = submitted(10);
		const { newEvents } = follow([
			[first, second],
			[second, later],
			[first, second, later],
		]);
		expect(newEvents.slice(1)).toEqual([[sent(later), read(later)], []]);
	});

	test('emits a later submission as new although the missing row has no time of submission', () => {
		const timeless = { submitted: true, 'q.0': 'x' };
		const later = submitted(10);
		const { newEvents } = follow(
			[
				[first, timeless],
				[first, later],
			],
			{ events: ['surveySubmitted'] },
		);
		expect(newEvents[1]).toEqual([sent(later)]);
	});

	test('emits no second campaignRead for a row that loses its user ID on submission', () => {
		const { newEvents } = follow(
			[
				[opened({ userId: 'a' }), second],
				[submitted(10), second],
			],
			{ anonymous: false },
		);
		expect(newEvents[1]).toEqual([sent(submitted(10))]);
	});

	describe('and a row without a time is also missing', () => {
		const ada = opened({ userEmail: 'ada@example.com' });
		const readersIn = (rows: SurveyRow[]) =>
			follow(
				[
					[ada, first, second],
					[second, ...rows],
				],
				{ anonymous: false },
			)
				.newEvents[1]?.filter(({ event }) => event === 'campaignRead')
				.map(({ row }) => row);

		test('emits only the later one of two unseen submissions', () => {
			expect(readersIn([submitted(10), submitted(20)])).toEqual([submitted(10)]);
		});

		test('treats an unseen row without a time as that row and emits a later submission', () => {
			const begun = opened({ 'q.0': 5 });
			expect(readersIn([submitted(10), begun])).toEqual([submitted(10)]);
			expect(readersIn([begun, submitted(10)])).toEqual([submitted(10)]);
		});

		test('treats an edited row and a later submission as the two missing rows', () => {
			expect(readersIn([submitted(10), submitted(3000, { 'q.0': 'edited' })])).toEqual([]);
		});
	});
});

test('does not emit an edited row when it gets a user ID, but emits the next submission', () => {
	const [first, second] = [submitted(3000), submitted(2000)];
	const edited = submitted(3000, { 'q.0': 'edited' });
	const [named, late] = [{ ...edited, userId: 'u' }, submitted(3500)];
	const { newEvents } = follow(
		[
			[first, second],
			[second, edited],
			[second, named],
			[second, named, late],
		],
		{ anonymous: false, events: ['surveySubmitted'] },
	);
	expect(newEvents.slice(1)).toEqual([[], [], [sent(late)]]);
});

describe('when missing rows return', () => {
	test('emits new rows that were mistaken for edits: one for each row that returned, the latest first', () => {
		const [first, second, third] = [submitted(4000), submitted(3000), submitted(2000)];
		const [older, newer] = [submitted(3800), submitted(2500)];
		const { newEvents } = follow([
			[first, second, third],
			[third, newer, older],
			[third, newer, older, first],
			[third, newer, older, first],
			[third, newer, older, first, second],
			[third, newer, older, first, second],
		]);
		expect(newEvents.slice(1)).toEqual([
			[],
			[sent(newer), read(newer)],
			[],
			[sent(older), read(older)],
			[],
		]);
	});

	test('does not emit a row that gets its user ID back', () => {
		const { userId: _, ...adaWithout } = submitted(3000, { userId: 'a' });
		const ada = { ...adaWithout, userId: 'a' };
		const bea = submitted(2000, { userId: 'b' });
		const late = submitted(3500);
		const { newEvents } = follow(
			[
				[ada, bea],
				[adaWithout, late],
				[ada, bea, late],
			],
			{ anonymous: false },
		);
		expect(newEvents.slice(1)).toEqual([[], [sent(late), read(late)]]);
	});
});

describe('a closed campaign', () => {
	const groupsOf = ({ rows }: CampaignState) => Object.keys(rows ?? {});

	test('keeps, of the rows with a time but no user ID, only those missing from the survey data', () => {
		const [first, second] = [submitted(3000), submitted(2000)];
		const edited = submitted(2000, { 'q.0': 'edited' });
		const events = { events: ['surveySubmitted'] satisfies EventName[] };
		const before = follow(
			[
				[first, second],
				[first, edited],
			],
			events,
		);
		const closed = follow(
			[[first, second], [first, edited], { rows: [first, edited], isClosed: true }],
			events,
		);
		expect(before.newEvents[1]).toEqual([]);
		expect(groupsOf(before.campaign)).toHaveLength(2);
		expect(groupsOf(closed.campaign)).toHaveLength(1);
		expect(closed.campaign.rows).toEqual(
			follow([[second], { rows: [edited], isClosed: true }], events).campaign.rows,
		);
	});

	test('keeps no submitted row with a user ID, even if the service returns the row twice', () => {
		const ada = submitted(3000, { userId: 'a' });
		const { newEvents, campaign } = follow([{ rows: [ada, ada], isClosed: true }], {
			anonymous: false,
			events: ['surveySubmitted'],
		});
		expect(newEvents).toEqual([[sent(ada)]]);
		expect(groupsOf(campaign)).toEqual([]);
	});

	test('keeps the events of a row apart from those of the row it replaced', () => {
		const unread = { ...submitted(3000), read: false };
		const [second, third] = [submitted(2000), submitted(2500)];
		const { newEvents, campaign } = follow([
			[unread, second],
			[second, third],
			{ rows: [second, third], isClosed: true },
		]);
		expect(newEvents.slice(1)).toEqual([[read(third)], []]);
		expect(groupsOf(campaign)).toHaveLength(1);
	});
});

test('accepts only text as a submission time', () => {
	expect(submittedAt(submitted(1000))).toBe(NOW - 1000);
	for (const submittedDate of [5, null, undefined, true, ['2026-01-31'], 'soon'])
		expect(submittedAt({ submittedDate })).toBeNaN();
});
