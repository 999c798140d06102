import {
	findNewEvents,
	unpackChanged,
	type Decision,
	type NewEvent,
} from '../../nodes/MessagingServiceTrigger/dedupe/newEvents.ts';
import {
	RowFingerprints,
	type PackedRows,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import fc from '../kit/property.mts';

const LATE = Date.parse('2026-01-02');

/** Rows that differ only a little, so that equal, changed and returning rows are frequent. */
const row = fc.record({
	userId: fc.constantFrom(undefined, undefined, 'u1', 'u2'),
	submitted: fc.boolean(),
	responseSubmitted: fc.boolean(),
	submittedDate: fc.constantFrom(undefined, '2026-01-01', '2026-01-03', '2026-01-04'),
	'q.0': fc.constantFrom(undefined, 1, 2),
	'q.1': fc.constantFrom(undefined, 'a'),
});

const responses = fc.array(fc.array(row, { maxLength: 7 }), { minLength: 1, maxLength: 6 });

type Outcome = { newEvents: NewEvent[]; held: SurveyRow[]; changed: boolean; packed: PackedRows };

function outcome(
	seen: RowFingerprints,
	result: SurveyRow[],
	events: number,
	most: number,
	decision: Decision = 'emit',
): Outcome {
	const found = findNewEvents(seen, { result }, events, LATE, () => decision, most);
	return { ...found, packed: seen.pack(events) };
}

/** Returns the keys of the saved rows with their counts, sorted, so that two results can be compared. */
function countsIn(packed: PackedRows) {
	const { seen } = RowFingerprints.unpack(packed);
	return (['user', 'dated', 'undated', 'alias'] as const).map((kind) =>
		[0, 1].map((event) => [...seen.counts(kind, event)].sort()),
	);
}

test('skipping unchanged rows changes neither the new events nor the saved rows', () => {
	let unchanged = 0;
	fc.assert(
		fc.property(
			responses,
			fc.constantFrom(1, 2, 3),
			fc.constantFrom(2, 99),
			(all, events, most) => {
				let packed: PackedRows = {};
				for (const result of all) {
					const whole = outcome(RowFingerprints.unpack(packed).seen, result, events, most);
					const { seen, rows } = unpackChanged(packed, { result }, events, false);
					const part = outcome(seen, rows, events, most);
					expect({ ...part, packed: {} }).toEqual({ ...whole, packed: {} });
					expect(countsIn(part.packed)).toEqual(countsIn(whole.packed));
					unchanged += result.length - rows.length;
					({ packed } = part);
				}
			},
		),
	);
	expect(unchanged).toBeGreaterThan(0);
});

test('saves the same baseline with and without skipping rows', () => {
	let repeated = 0;
	fc.assert(
		fc.property(responses, fc.constantFrom(1, 2, 3), ([result = []], events) => {
			const noted = outcome(new RowFingerprints(), result, events, 99, 'note');
			const { seen, rows } = unpackChanged({}, { result }, events, true);
			const short = outcome(seen, rows, events, 99, 'note');
			expect(countsIn(short.packed)).toEqual(countsIn(noted.packed));
			repeated += rows.filter(({ userId, submitted }) => userId && submitted).length;
		}),
	);
	expect(repeated).toBeGreaterThan(0);
});
