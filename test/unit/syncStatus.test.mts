import { nameSome } from '../../nodes/shared/truncate.ts';
import { withEarlierTry } from '../../nodes/MessagingService/sync/report.ts';
import {
	combinedStatus,
	failedStatus,
	STATUSES,
	statusOf,
	unverifiedStatus,
} from '../../nodes/MessagingService/sync/status.ts';
import {
	NO_MEMBERS,
	type Action,
	type Members,
	type RecipientStatus,
} from '../../nodes/MessagingService/sync/types.ts';

const { changed: added, unchanged: already } = STATUSES.add;

test('if accounts of one address have different outcomes, nothing is claimed, but a failure is reported', () => {
	expect(combinedStatus([added, added], 'add')).toEqual(added);
	expect(combinedStatus([added, already], 'add').reason).toMatch(/^Unverified/);
	const locked = failedStatus('Locked');
	expect(combinedStatus([added, locked, already], 'add')).toEqual(locked);
});

test('a member whom both tries removed has one line, as has one whom only the first try removed', () => {
	const removedIn = (...recipients: string[]) => ({
		lines: [],
		surplus: recipients.map((recipient) => ({ recipient, ...STATUSES.remove.changed })),
	});
	const { surplus } = withEarlierTry(removedIn('a', 'b'), removedIn('a'));
	expect(surplus.map(({ recipient }) => recipient)).toEqual(['a', 'b']);
});

/** What a read of the group can show about the person. */
const reads: Record<string, Members | undefined> = {
	member: { ...NO_MEMBERS, ids: new Set(['a']) },
	absent: NO_MEMBERS,
	incomplete: { ...NO_MEMBERS, complete: false },
	failed: undefined,
};

function statusFor(
	action: Action,
	reading: string,
	again: string,
	reply?: RecipientStatus,
): RecipientStatus {
	const before = reads[reading] ?? NO_MEMBERS;
	const replies = new Map(reply && [['a', reply]]);
	return statusOf('a', action, { before, after: reads[again], replies });
}

test.each<[Action, before: string, after: string, status: string, reason: string]>([
	['add', 'absent', 'member', 'added', 'Added'],
	['add', 'member', 'member', 'alreadyMember', 'Already a member'],
	['add', 'member', 'incomplete', 'alreadyMember', 'Already a member'],
	['add', 'member', 'absent', 'failed', 'somebody else has removed this person since'],
	['add', 'absent', 'absent', 'failed', 'as a member. The change may have been'],
	['add', 'absent', 'failed', 'failed', 'outcome for this recipient is unknown'],
	['add', 'incomplete', 'member', 'alreadyMember', 'who is therefore a member now'],
	['remove', 'member', 'absent', 'removed', 'Removed'],
	['remove', 'absent', 'absent', 'notMember', 'Not a member'],
	['remove', 'absent', 'member', 'failed', 'somebody else has added this person since'],
	['remove', 'member', 'member', 'failed', 'still a member. The change may have been'],
	['remove', 'member', 'failed', 'failed', 'outcome for this recipient is unknown'],
	['remove', 'incomplete', 'absent', 'notMember', 'who is therefore not a member now'],
])('two reads prove the status: %s, before %s, after %s', (action, before, after, status, text) => {
	const reason = expect.stringContaining(text);
	expect(statusFor(action, before, after)).toMatchObject({ status, reason });
});

test.each(['failed', 'incomplete'])(
	'after a read that is %s, an accepted change is not proved',
	(again) => {
		const { status, reason } = statusFor('add', 'absent', again, unverifiedStatus('add'));
		expect([status, reason]).toEqual([
			'failed',
			expect.stringContaining('could not be read again'),
		]);
	},
);

test.each<[Action, before: string, after: string, reply: RecipientStatus, isUsed: boolean]>([
	['add', 'absent', 'member', { status: 'unknown', reason: 'No such user' }, true],
	['add', 'absent', 'member', failedStatus('Locked'), false],
	['add', 'absent', 'absent', failedStatus('Locked'), true],
	['add', 'absent', 'absent', added, false],
	['add', 'absent', 'failed', added, true],
	['add', 'member', 'member', failedStatus('Locked'), false],
	// An ID that the service refuses may be a member under another ID.
	['remove', 'absent', 'absent', failedStatus('Locked'), true],
])('a response decides only what reads leave open: %s, before %s, after %s, %j', (...given) => {
	const [action, before, after, reply, isUsed] = given;
	expect(statusFor(action, before, after, reply) === reply).toBe(isUsed);
});

test('a reason says in its own sentence that the change may have been carried out', () => {
	const sentence = 'The change may have been carried out';
	const { reason } = failedStatus('No. 5 is locked.', { mayBeDone: true });
	expect(reason).toContain(`No. 5 is locked. ${sentence}`);
	expect(failedStatus('No. 5 is locked').reason).toBe('No. 5 is locked');
	expect(unverifiedStatus('add').reason).not.toContain(sentence);
	const isSaid = [false, true].map((dryRun) =>
		combinedStatus([], 'add', dryRun).reason.includes(sentence),
	);
	expect(isSaid).toEqual([true, false]);
});

test('a reason names five recipients, and how many more there are', () => {
	expect(nameSome([...'abcde'])).toBe('a, b, c, d, e');
	expect(nameSome([...'abcdefg'])).toBe('a, b, c, d, e and 2 more');
});
