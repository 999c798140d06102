import { recipientsOf, takenBy, type Evidence } from './evidence';
import { idOutcome, unprovedAddition } from './classify';

/** Why a sync does not go on: what is wrong, and what to do. */
export type Refusal = { message: string; description: string };

/** What stops a sync before anything is sent. */
export function beforeReading({ mode, input }: Evidence): Refusal | undefined {
	if (mode !== 'mirror' || recipientsOf(input).length > 0) return undefined;
	return {
		message: 'There is no valid recipient to mirror',
		description:
			'An empty group is hardly what was meant, so nothing was changed. Check where the input items come from, and the Recipient parameter.',
	};
}

/** What stops a sync after the group was read: a dry run and Mirror have to see all of it. */
export function beforeLearning({ mode, dryRun, before }: Evidence): Refusal | undefined {
	if (before?.complete || (mode !== 'mirror' && !dryRun)) return undefined;
	return {
		message: `The service shows only ${before?.shown ?? 'an unknown number of'} members of the group`,
		description:
			mode === 'mirror'
				? 'Mirror has to see them all to know whom to remove. Nothing was changed. The modes Add and Remove work with this group.'
				: 'So a dry run cannot tell what would change. Nothing was changed.',
	};
}

/** What stops Mirror before its first change: nobody would be left, or too many would go. A dry run only warns of those. */
export function beforeChanging(evidence: Evidence, maxRemovalPercent: number): Refusal | undefined {
	const { plan, before, dryRun } = evidence;
	if (!plan || !before || plan.surplus.length === 0) return undefined;
	// Then nobody is taken out anyway.
	if (evidence.nobodyRemoved !== undefined) return undefined;
	if (before.ids.size - plan.surplus.length + plan.send.length === 0) return NOBODY_KNOWN;
	const tooMany = dryRun ? undefined : tooManyRemovals(evidence, maxRemovalPercent);
	if (tooMany === undefined) return undefined;
	return {
		message: tooMany,
		description:
			'Nothing was changed. If this is what you want, raise Maximum Removal (%); if not, check where the input items come from.',
	};
}

/**
 * Why Mirror cannot know who is too many: somebody of whom the id could not be learned may be among them.
 *
 * @returns undefined when it can
 */
export function reasonNotToPlanRemovals({
	mode,
	identifyBy,
	plan,
	resolved: learned,
}: Evidence): string | undefined {
	if (mode !== 'mirror' || identifyBy !== 'email' || !learned || !plan?.surplus.length)
		return undefined;
	const [failed] = learned.responses.failed;
	if (failed) return `the IDs of some recipients could not be learned: ${failed.reason}`;
	const nobody = takenBy(learned.responses).length - learned.members.ids.size;
	if (nobody === 0) return undefined;
	return `the service passed over ${nobody} of the recipients without a word, so their IDs are not known`;
}

/** What a dry run says where a sync would stop. */
export function dryRunWarning(evidence: Evidence, maxRemovalPercent: number): string | undefined {
	if (!evidence.dryRun || evidence.nobodyRemoved !== undefined) return undefined;
	const tooMany = tooManyRemovals(evidence, maxRemovalPercent);
	return tooMany && `${tooMany}. Without Dry Run, Mirror would stop here and change nothing.`;
}

/**
 * Why Mirror, having added people, takes nobody out: an addition is not proved, or the group was not seen whole since.
 *
 * @returns undefined when it may
 */
export function reasonNotToRemove(evidence: Evidence): string | undefined {
	const unproved = unprovedAddition(evidence);
	if (unproved !== undefined) return unproved;
	const { after, dryRun } = evidence;
	if (dryRun || after?.complete) return undefined;
	if (!after) return 'the group could not be read again';
	return `the service then showed only ${after.shown} members of the group`;
}

/** What stops Mirror when nobody of those whom it wants is known, so that taking out the others would empty the group. */
export function beforeRemoving(evidence: Evidence): Refusal | undefined {
	const { plan, before } = evidence;
	if (!plan || !before || plan.surplus.length === 0) return undefined;
	const outcomeOf = idOutcome(evidence);
	const somebody =
		before.ids.size > plan.surplus.length ||
		plan.send.some(({ key }) => outcomeOf(key).status === 'added');
	return somebody ? undefined : NOBODY_KNOWN;
}

const NOBODY_KNOWN: Refusal = {
	message: 'The service knows none of the recipients',
	description:
		'Mirror would leave the group empty, so nothing was changed. Check where the input items come from, and the Recipient parameter.',
};

function tooManyRemovals(
	{ plan, before }: Evidence,
	maxRemovalPercent: number,
): string | undefined {
	const removals = plan?.surplus.length ?? 0;
	const size = before?.ids.size ?? 0;
	if (removals * 100 <= maxRemovalPercent * size) return undefined;
	const percent = Math.floor((removals * 1000) / size) / 10;
	return `Mirror would remove ${removals} of the ${size} people in the group (${percent} %), more than the ${maxRemovalPercent} % allowed`;
}
