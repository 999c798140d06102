import {
	NOBODY,
	STATUSES,
	type Classification,
	type Line,
	type Status,
	type Summary,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';
import { withEarlierTry } from '../../nodes/MessagingService/resources/recipientGroup/sync/earlierTry.ts';

const line = (status: Status, reason = '', recipient = 'ada'): Line => ({
	recipient,
	status,
	reason,
});

const classified = (
	lines: Line[],
	extras: Line[] = [],
	summary: Partial<Summary> = {},
): Classification => ({
	lines,
	extras,
	summary: { ...NOBODY, ...summary },
	notes: [],
	firstFailure: 'Of the last try',
});

const each = { perRecipient: true };

const REMOVED_BY_OTHERS =
	'Was in the group when this sync started; somebody else has removed this recipient since';
const ADDED_BY_OTHERS =
	'Was not in the group when this sync started; somebody else has added this recipient since';

test.each<[Status, Status, string, Status]>([
	['added', 'alreadyMember', '', 'added'],
	['added', 'failed', 'Bad gateway', 'added'],
	['added', 'failed', REMOVED_BY_OTHERS, 'failed'],
	['added', 'added', '', 'added'],
	['added', 'notMember', '', 'notMember'],
	['added', 'unknown', '', 'unknown'],
	['removed', 'notMember', '', 'removed'],
	['removed', 'failed', 'Bad gateway', 'removed'],
	['removed', 'failed', ADDED_BY_OTHERS, 'failed'],
	['removed', 'alreadyMember', '', 'alreadyMember'],
	['failed', 'alreadyMember', '', 'alreadyMember'],
	['alreadyMember', 'failed', 'Bad gateway', 'failed'],
	['unknown', 'added', '', 'added'],
])(
	'merges the earlier status %s and the last status %s (reason: “%s”) into %s',
	(before, status, reason, expected) => {
		const merged = withEarlierTry(
			each,
			classified([line(before)]),
			classified([line(status, reason)]),
		);
		expect(merged.lines.map((one) => one.status)).toEqual([expected]);
		expect(merged.summary).toEqual({ ...NOBODY, [expected]: 1 });
		expect(merged.firstFailure).toBe(expected === 'failed' ? reason : undefined);
	},
);

test('does not merge lines of different recipients', () => {
	const merged = withEarlierTry(
		each,
		classified([line('added')]),
		classified([line('alreadyMember', '', 'bea')]),
	);
	expect(merged.lines).toEqual([line('alreadyMember', '', 'bea')]);
});

test('keeps the line of a person whom an earlier try removed, unless the last try lists this person', () => {
	const earlier = classified(
		[],
		[line('removed', '', 'p1'), line('failed', '', 'p2'), line('removed')],
	);
	const last = classified([], [line('removed', '', 'p2'), line('failed', 'Back again')]);
	for (const perRecipient of [true, false]) {
		const merged = withEarlierTry({ perRecipient }, earlier, last);
		expect(merged.extras).toEqual([...last.extras, line('removed', '', 'p1')]);
	}
});

test('in a summary, people whom the earlier try added stay added, and people whom it removed stay removed', () => {
	const count = (earlier: Partial<Summary>, last: Partial<Summary>) => {
		const { summary } = withEarlierTry(
			{ perRecipient: false },
			classified([], [], earlier),
			classified([], [], last),
		);
		return Object.fromEntries(
			STATUSES.filter((status) => summary[status] > 0).map((status) => [status, summary[status]]),
		);
	};
	expect(count({ added: 3, failed: 2 }, { alreadyMember: 4, added: 1 })).toEqual({
		added: 4,
		alreadyMember: 1,
	});
	expect(count({ added: 3 }, { alreadyMember: 1, failed: 2 })).toEqual({ added: 1, failed: 2 });
	expect(count({ removed: 2 }, { notMember: 3 })).toEqual({ removed: 2, notMember: 1 });
});
