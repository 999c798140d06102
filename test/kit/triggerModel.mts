import fc from 'fast-check';

import { schedulings } from './poll.mts';
import { play, type Action, type Setting } from './triggerModelRun.mts';
import { CALM, type Conditions, type ListFault, type ReadFault } from './triggerModelService.mts';
import { EVENTS, type Change } from './triggerModelWorld.mts';

type Weighted<Value> = [weight: number, arbitrary: fc.Arbitrary<Value>];

const weighted = <Value,>(...options: Array<Weighted<Value>>): fc.Arbitrary<Value> =>
	fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const campaign = fc.nat(5);
const which = fc.nat(30);
const sometimes = <Value,>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
	weighted<Value | undefined>([4, fc.constant(undefined)], [1, arbitrary]);
const rarely = fc.nat(4).map((fifth) => fifth === 0);

const FAILURES = [
	'error',
	'brokenConnection',
	'tooMany',
	'unauthorized',
	'forbidden',
	'brokenJson',
	'refusal',
	'noResult',
] as const;
const MISREADINGS = [
	'notASurvey',
	'empty',
	'partial',
	'stale',
	'noDates',
	'flip',
	'noReport',
] as const;

const readFault = weighted<ReadFault>(
	[4, fc.constant('none')],
	[2, fc.constantFrom(...FAILURES)],
	[2, fc.constantFrom(...MISREADINGS)],
);
const listFault = weighted<ListFault>(
	[6, fc.constant('none')],
	[1, fc.constantFrom(...FAILURES)],
	[1, fc.constantFrom('empty', 'partial', 'noStatus', 'oddStatus', 'numberStatus', 'endless')],
);

const during: fc.Arbitrary<Conditions['during']> = fc.record({
	what: fc.constantFrom('overlap', 'hang', 'republish', 'kill'),
	request: fc.nat(3),
});

const conditions = weighted<Conditions>(
	[4, fc.constant(CALM)],
	[
		3,
		fc.record({
			list: listFault,
			reads: fc.array(readFault, { minLength: 7, maxLength: 7 }),
			limit: sometimes(fc.nat(3)),
			lacksDate: rarely,
		}),
	],
	[1, during.map((happens) => ({ ...CALM, during: happens }))],
);

const arrival = fc.record({
	do: fc.constant('arrive'),
	campaign,
	stage: fc.nat(2),
	id: weighted<'text' | 'number' | 'none'>(
		[4, fc.constant('text')],
		[1, fc.constant('number')],
		[2, fc.constant('none')],
	),
	date: weighted<'exact' | 'day' | 'none' | 'early' | 'late'>(
		[8, fc.constant('exact')],
		[1, fc.constantFrom('day', 'none', 'early', 'late')],
	),
	answers: weighted(
		[2, fc.constant(7)],
		[2, fc.constantFrom(1, 3, 5)],
		[1, fc.constantFrom(0, 2, 4, 6)],
	),
});
const poll = fc.record({ do: fc.constant('poll'), conditions });
const calmPoll: Action = { do: 'poll', conditions: CALM };
const days = fc.constantFrom(4, -3, 0.1, -0.1, 200, -200);
const events = fc.subarray([...EVENTS, 'surveyClosed' as const]);

const action = weighted<Action>(
	[9, arrival],
	[12, poll],
	[5, fc.record({ do: fc.constant('advance'), which })],
	[3, fc.record({ do: fc.constantFrom('edit', 'redate', 'hide'), which })],
	[2, fc.record({ do: fc.constantFrom('kill', 'republish') })],
	[2, fc.record({ do: fc.constant('wait'), minutes: fc.nat(20) })],
	[1, fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: 60, max: 3 * 1440 }) })],
	[3, fc.record({ do: fc.constantFrom('close', 'reopen', 'goLive'), campaign })],
	[
		1,
		fc.record({ do: fc.constantFrom('hideCampaign', 'unlist', 'turn', 'addQuestion'), campaign }),
	],
	[
		2,
		fc.record({
			do: fc.constantFrom('launch', 'share', 'prepare'),
			dated: fc.nat(3).map((one) => one > 0),
		}),
	],
	[
		1,
		fc.record({ do: fc.constant('select'), campaigns: fc.subarray([0, 1, 2]), hasPlain: rarely }),
	],
	[1, fc.record({ do: fc.constant('events'), events })],
	[1, fc.record({ do: fc.constant('category'), category: fc.constantFrom('a', 'b', undefined) })],
	[1, fc.record({ do: fc.constant('clock'), days })],
	[1, fc.record({ do: fc.constant('serviceClock'), days: fc.constantFrom(4, -3, 0.1, -0.1) })],
	[1, fc.record({ do: fc.constantFrom('sample', 'emitExisting') })],
);

const series = (...parts: Array<fc.Arbitrary<Action> | Action>): fc.Arbitrary<Action[]> =>
	fc.tuple(...parts.map((part) => ('generate' in part ? part : fc.constant(part))));

const change = (what: 'close' | 'reopen' | 'turn'): fc.Arbitrary<Change> =>
	fc.nat(2).map((one) => ({ do: what, campaign: one }));
const on =
	(one: number) =>
	(given: Action[]): Action[] =>
		given.map((part) => ('campaign' in part ? { ...part, campaign: one } : part));

/** Sequences that single actions rarely produce. */
const episode = fc
	.tuple(
		fc.nat(4),
		fc.oneof<Array<fc.Arbitrary<Action[]>>>(
			series(
				arrival,
				calmPoll,
				change('close'),
				calmPoll,
				{ do: 'wait', minutes: 6 },
				calmPoll,
				change('reopen'),
				poll,
				arrival,
				{ do: 'redate', which: 0 },
				poll,
			),
			series(change('close'), poll, change('reopen'), arrival, poll),
			series(poll, arrival, change('turn'), arrival, poll, poll, arrival, poll),
			series({ do: 'launch' }, poll, { do: 'kill' }, arrival, poll),
			series(
				{ do: 'prepare' },
				calmPoll,
				fc.record({ do: fc.constant('goLive'), campaign }),
				arrival,
				poll,
			),
			series({ do: 'clock', days: 200 }, { do: 'launch' }, arrival, poll, { do: 'clock', days: 0 }),
			series(
				{ do: 'select', campaigns: [0] },
				poll,
				{ do: 'wait', minutes: 5000 },
				arrival,
				{ do: 'select', campaigns: [0, 1, 2] },
				poll,
			),
			series(
				{ do: 'select', campaigns: [0] },
				poll,
				{ do: 'wait', minutes: 13_000 },
				calmPoll,
				arrival,
				{ do: 'select', campaigns: [0, 1, 2] },
				poll,
			),
			series(
				fc.record({
					do: fc.constant('crowd'),
					campaign,
					count: fc.constantFrom(2, 2, 2, 25, 25, 25, 25, 3_400),
					id: fc.constantFrom('text', 'none'),
				}),
				poll,
			),
		),
	)
	.map(([one, given]) => on(one)(given));

const course: fc.Arbitrary<Action[]> = fc
	.array(weighted<Action[]>([9, action.map((one) => [one])], [1, episode]), { maxLength: 30 })
	.map((parts) => parts.flat());

const setting: fc.Arbitrary<Setting> = fc.record({
	watch: fc.constantFrom('selected', 'all'),
	scheduling: fc.constantFrom(...schedulings),
	events: events.map((chosen) =>
		chosen.length > 0 ? chosen : (['surveySubmitted'] as const).slice(),
	),
	anonymous: fc.array(rarely, { minLength: 1, maxLength: 3 }),
	maxReadGapMinutes: fc.constantFrom(0, 5),
	output: fc.constantFrom('simplified', 'table', 'raw'),
	countsFrom: fc.constantFrom(0, 1),
	firstRequired: rarely,
	sendsDate: fc.nat(3).map((quarter) => quarter > 0),
	emitExisting: rarely,
	isExpression: rarely,
	broken: sometimes(fc.record({ campaign, fault: fc.constantFrom(...FAILURES) })),
	lastLimit: sometimes(fc.integer({ min: 1, max: 3 })),
});

/** An action before the workflow is published. */
const beforehand = weighted<Action>(
	[6, arrival],
	[1, fc.record({ do: fc.constantFrom('close', 'hideCampaign'), campaign })],
	[1, fc.record({ do: fc.constant('prepare'), dated: rarely })],
	[1, fc.record({ do: fc.constant('clock'), days })],
	[1, fc.record({ do: fc.constant('serviceClock'), days: fc.constantFrom(4, -3, 0.1, -0.1) })],
);

/** The parts of a history: settings, what happens before the publication, the first poll, what happens then. */
const parts = [setting, fc.array(beforehand, { maxLength: 5 }), conditions, course] as const;

/** In every history, the trigger emits what it promises, once, and nothing else. */
export const emitsEachEventOnce = fc.asyncProperty(
	...parts,
	async (given, before, first, after) => {
		const wrong = await play(given, before, first, after);
		if (wrong.length > 0) throw new Error(wrong.join('\n'));
	},
);
