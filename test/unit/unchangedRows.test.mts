import {
	findNewEvents,
	unpackChanged,
	type NewEvent,
} from '../../nodes/MessagingServiceTrigger/dedupe/newEvents.ts';
import { SeenRows, type PackedRows } from '../../nodes/MessagingServiceTrigger/dedupe/seenRows.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';
import fc from '../kit/property.mts';

const LATE = Date.parse('2026-01-02');

/** Few different rows, so that equal ones, changed ones and ones that are back come up again and again. */
const row = fc.record({
	userId: fc.constantFrom(undefined, undefined, 'u1', 'u2'),
	submitted: fc.boolean(),
	responseSubmitted: fc.boolean(),
	submittedDate: fc.constantFrom(undefined, '2026-01-01', '2026-01-03', '2026-01-04'),
	'q.0': fc.constantFrom(undefined, 1, 2),
	'q.1': fc.constantFrom(undefined, 'a'),
});

const responses = fc.array(fc.array(row, { maxLength: 7 }), { minLength: 1, maxLength: 6 });

type Outcome = { news: NewEvent[]; held: SurveyRow[]; changed: boolean; packed: PackedRows };

function outcome(seen: SeenRows, result: SurveyRow[], events: number, most: number): Outcome {
	const found = findNewEvents(seen, { result }, events, LATE, () => 'emit', most);
	return { ...found, packed: seen.pack(events) };
}

/** What is saved, whatever the order in which it was. */
function countsIn(packed: PackedRows) {
	const { seen } = SeenRows.unpack(packed);
	return (['user', 'dated', 'undated', 'alias'] as const).map((kind) =>
		[0, 1].map((event) => [...seen.counts(kind, event)].sort()),
	);
}

test('unchanged rows can be left out: the new events and what is saved are the same', () => {
	let unchanged = 0;
	fc.assert(
		fc.property(
			responses,
			fc.constantFrom(1, 2, 3),
			fc.constantFrom(2, 99),
			(all, events, most) => {
				let packed: PackedRows = {};
				for (const result of all) {
					const whole = outcome(SeenRows.unpack(packed).seen, result, events, most);
					const { seen, rows } = unpackChanged(packed, { result }, events);
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
