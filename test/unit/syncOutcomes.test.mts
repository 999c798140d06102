import {
	combine,
	failed,
	isDisproved,
	NEVER_SHOWN,
	proved,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/outcomes.ts';

const [added, already] = [proved('added'), proved('alreadyMember')];

test('if accounts of one address have different outcomes, nothing is claimed, but a failure is reported', () => {
	expect(combine([added, added], 'add')).toEqual(added);
	expect(combine([added, already], 'add').reason).toMatch(/^Unverified/);
	expect(combine([added, failed('Locked'), already], 'add')).toEqual(failed('Locked'));
});

test('only some failures prove that a change of an earlier try is gone', () => {
	expect(isDisproved(failed(NEVER_SHOWN, true).reason)).toBe(true);
	expect(isDisproved(failed('Locked', true).reason)).toBe(false);
});
