import fc, { runs } from '../kit/property.mts';

import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import type { News } from '../../nodes/MessagingServiceTrigger/seen/diff.ts';
import { enrol, type Selection } from '../../nodes/MessagingServiceTrigger/watchedCampaigns.ts';
import { EVENTS, eventsOf } from '../../nodes/MessagingServiceTrigger/events.ts';
import type { State } from '../../nodes/MessagingServiceTrigger/state.ts';
import { takeAnswer } from '../../nodes/MessagingServiceTrigger/takeAnswer.ts';
import { parseAs } from '../kit/typed.mts';

const START = Date.parse('2026-01-01T00:00:00.000Z');

/** How far a recipient has got. */
const OPENED = 0;
const RESPONDED = 1;
const SUBMITTED = 2;

type Response = {
	id: number;
	campaign: number;
	stage: number;
	answer: number;
	duration: number;
	hidden: boolean;
	/** Whether `read` has flipped back. */
	unread: boolean;
	submittedAt?: number;
	/** Stage when the trigger was switched on; such events are not news. */
	before: number;
};

type Action =
	| { do: 'arrive'; campaign: number; stage: number; answer: number; late: boolean }
	| { do: 'advance' | 'change' | 'hide' | 'unread'; which: number }
	| { do: 'poll'; failing: number[]; missing: number[] }
	| { do: 'kill' };

/** A service with three campaigns, and a trigger on it that n8n saves only when it emits. */
class World {
	readonly responses: Response[] = [];
	readonly emitted: Array<News & { campaign: number }> = [];
	private now = START;
	private memory: State | undefined;
	private saved = 'null';
	private isOn = false;

	constructor(
		private readonly events: number,
		private readonly anonymous: boolean,
	) {}

	act(action: Action): void {
		this.now += 1000;
		const shown =
			'which' in action ? this.responses[action.which % this.responses.length] : undefined;
		switch (action.do) {
			case 'arrive':
				this.arrive(action.campaign, action.stage, action.answer, action.late);
				break;
			case 'advance':
				if (shown) this.advance(shown, Math.min(shown.stage + 1, SUBMITTED), shown.submittedAt);
				break;
			case 'change':
				if (shown) shown.duration += 1;
				// Without an id a row is its answers; with one they may change.
				if (shown && !this.anonymous) shown.answer += 100;
				break;
			case 'hide':
				// A nameless row without a date cannot be told from its like once it is gone.
				if (shown && (!this.anonymous || shown.stage === SUBMITTED)) shown.hidden = !shown.hidden;
				break;
			case 'unread':
				if (shown && this.isOn) shown.unread = !shown.unread;
				break;
			case 'poll':
				this.poll(new Set(action.failing), new Set(action.missing), false);
				break;
			case 'kill':
				this.memory = parseAs<State | null>(this.saved) ?? undefined;
				this.poll(new Set(), new Set(), true);
				this.save();
				break;
		}
	}

	switchOn(failing: Set<number>): void {
		this.poll(failing, new Set(), false);
		this.save();
		this.isOn = true;
		for (const response of this.responses) response.before = response.stage;
	}

	/** Two polls with everything there. */
	end(): void {
		for (const response of this.responses)
			Object.assign(response, { hidden: false, unread: false });
		for (const missing of [[], []]) this.act({ do: 'poll', failing: [], missing });
	}

	private arrive(campaign: number, stage: number, answer: number, late: boolean): void {
		const id = this.responses.length;
		const before = this.isOn ? -1 : stage;
		const response: Response = {
			id,
			campaign,
			stage: OPENED,
			answer,
			duration: 1,
			hidden: false,
			unread: false,
			before,
		};
		// A late one says an old time; two of them the same.
		this.advance(response, stage, late ? START - 1000 * (answer % 2) : undefined);
		this.responses.push(response);
	}

	private advance(response: Response, stage: number, submittedAt = this.now): void {
		response.stage = stage;
		if (stage === SUBMITTED) response.submittedAt ??= submittedAt;
	}

	rowOf({ id, stage, answer, duration, unread, submittedAt }: Response): SurveyRow {
		const row: SurveyRow = {
			read: !unread,
			responseSubmitted: stage >= RESPONDED,
			submitted: stage >= SUBMITTED,
			responseDuration: duration,
		};
		if (!this.anonymous) row.userId = `user ${id}`;
		if (stage >= RESPONDED) row['q.0'] = answer;
		if (submittedAt !== undefined) row.submittedDate = new Date(submittedAt).toISOString();
		return row;
	}

	private poll(failing: Set<number>, missing: Set<number>, restarted: boolean): void {
		this.now += 1000;
		const { now, events } = this;
		const selection: Selection = {
			name: 'selected',
			campaigns: ['0', '1', '2'].map((id) => ({ id })),
		};
		const circumstances = { now, emitExisting: false, restarted };
		const { campaigns, since } = enrol(this.memory, selection, circumstances);
		let emits = false;
		for (const [id, known] of campaigns) {
			const campaign = Number(id);
			if (failing.has(campaign)) continue;
			const rows = this.responses
				.filter(
					(response) =>
						response.campaign === campaign && !response.hidden && !missing.has(campaign),
				)
				.map((response) => this.rowOf(response));
			const taken = takeAnswer(
				known,
				{ rows, anonymous: this.anonymous },
				{ events, emitExisting: false, now },
			);
			campaigns.set(id, taken.campaign);
			for (const news of taken.news) this.emitted.push({ ...news, campaign });
			emits ||= taken.news.length > 0;
		}
		this.memory = {
			version: 1,
			revision: String(now),
			at: now,
			since,
			selection: selection.name,
			campaigns: Object.fromEntries(campaigns),
			notSurveys: [],
		};
		if (emits) this.save();
	}

	private save(): void {
		this.saved = JSON.stringify(this.memory);
	}
}

const campaign = fc.nat(2);
const arrival = fc.record({
	do: fc.constant('arrive' as const),
	campaign,
	stage: fc.nat(SUBMITTED),
	answer: fc.nat(2),
	late: fc.boolean(),
});
const which = fc.nat(20);
const action: fc.Arbitrary<Action> = fc.oneof(
	{ arbitrary: arrival, weight: 4 },
	{
		arbitrary: fc.record({ do: fc.constantFrom('advance', 'change', 'hide', 'unread'), which }),
		weight: 5,
	},
	{
		arbitrary: fc.record({
			do: fc.constant('poll' as const),
			failing: fc.subarray([0, 1, 2]),
			missing: fc.subarray([0, 1, 2]),
		}),
		weight: 4,
	},
	{ arbitrary: fc.record({ do: fc.constant('kill' as const) }), weight: 1 },
);

/** Everything that should have been emitted: for each event of each row, the row's answer. */
function expected(
	world: World,
	events: number,
	isDue: (response: Response, event: number) => boolean,
): string[] {
	const due: string[] = [];
	for (const response of world.responses) {
		const happened = eventsOf(world.rowOf(response)) & events;
		for (const [event, name] of EVENTS.entries()) {
			if ((happened & (1 << event)) !== 0 && isDue(response, event))
				due.push(`${response.campaign} ${name} ${tell(world.rowOf(response), name)}`);
		}
	}
	return due.sort();
}

/** What tells rows apart in what was emitted: the id, or else the answer; who opened it cannot be told without an id. */
function tell(row: SurveyRow, name: string): string {
	if (row.userId !== undefined) return String(row.userId);
	return name === 'campaignRead' ? '' : String(row['q.0']);
}

function emitted(world: World): string[] {
	return world.emitted
		.map(({ campaign: number, event, row }) => `${number} ${event} ${tell(row, event)}`)
		.sort();
}

/** The stage at which an event has happened, by its number. */
const stageOf = [SUBMITTED, RESPONDED, OPENED];

const often = { numRuns: runs(1500) };

describe.each([
	['with ids', false],
	['anonymous', true],
])('random histories of rows %s', (_, anonymous) => {
	test('give each event of each row once, whatever fails, vanishes or is killed', () => {
		fc.assert(
			fc.property(
				fc.array(arrival, { maxLength: 6 }),
				fc.array(action, { maxLength: 40 }),
				fc.integer({ min: 1, max: 7 }),
				(first, actions, events) => {
					const world = new World(events, anonymous);
					for (const one of first) world.act(one);
					world.switchOn(new Set());
					for (const one of actions) world.act(one);
					world.end();
					const isDue = ({ before }: Response, event: number) => before < (stageOf[event] ?? 0);
					expect(emitted(world)).toEqual(expected(world, events, isDue));
				},
			),
			often,
		);
	});

	test('give what is submitted after the start even if the first polls of a campaign fail', () => {
		fc.assert(
			fc.property(
				fc.array(arrival, { maxLength: 6 }),
				fc.subarray([0, 1, 2]),
				fc.array(action, { maxLength: 40 }),
				(first, failing, actions) => {
					const submitted = 1;
					const world = new World(submitted, anonymous);
					for (const one of first) world.act(one);
					world.switchOn(new Set(failing));
					for (const one of actions) {
						// What is missing from the late baseline, or says an old time in it, cannot be told from what came before.
						if (one.do === 'arrive') world.act({ ...one, late: false });
						else if (one.do === 'poll') world.act({ ...one, missing: [] });
						else if (one.do !== 'hide') world.act(one);
					}
					world.end();
					const isDue = ({ before }: Response) => before < SUBMITTED;
					expect(emitted(world)).toEqual(expected(world, submitted, isDue));
				},
			),
			often,
		);
	});
});
