import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { CampaignStatus } from '../state/campaign.mts';

export interface NewRecipient {
	email?: string;
	firstName?: string;
	lastName?: string;
}

/** The three mutually exclusive ways to name recipients (openapi.yaml, campaign.create). */
export interface RecipientSource {
	recipientEmails?: string[];
	recipientGroups?: string[];
	recipients?: NewRecipient[];
}

export interface Timing {
	status?: 'live' | 'draft' | 'scheduled';
	scheduledTime?: string;
}

/**
 * Returns the IDs of the recipients of a request. Adds the people in `recipients` to the known people.
 *
 * @throws ServiceFailure for an unknown group, and, if a switch says so, for an unknown email
 */
export function resolveRecipients(context: Context, source: RecipientSource): Set<string> {
	const { state, switches } = context;
	const ids = new Set<string>();
	for (const email of source.recipientEmails ?? []) {
		const person = state.people.findByEmail(email);
		if (person !== undefined) ids.add(person._id);
		else if (switches.unknownCampaignEmails === 'refuseCall') {
			throw new ServiceFailure(messages.unknownRecipients);
		}
	}
	for (const groupId of source.recipientGroups ?? []) {
		const group = state.recipientGroups.get(groupId);
		if (group === undefined) throw new ServiceFailure(messages.groupDoesNotExist);
		for (const id of group.members) ids.add(id);
	}
	for (const { email, firstName, lastName } of source.recipients ?? []) {
		if (email === undefined || email === '') throw new ServiceFailure('email is mandatory');
		ids.add(state.people.add({ email, firstName, lastName })._id);
	}
	return ids;
}

/**
 * Returns the initial state of a campaign or broadcast (openapi.yaml, States).
 *
 * @throws ServiceFailure if the request cannot be scheduled
 */
export function startingState(
	context: Context,
	timing: Timing,
): { status: CampaignStatus; liveAt?: number; scheduledAt?: number } {
	const { switches } = context;
	const live = { status: '1', liveAt: context.clock.now() } as const;
	if (timing.status === 'live') return live;
	if (timing.status === 'draft') return { status: '0' };
	if (timing.status === 'scheduled') {
		if (switches.statusScheduled === 'refuse') {
			throw new ServiceFailure("status must be 'live' or 'draft'");
		}
		return { status: '4', scheduledAt: Date.parse(timing.scheduledTime ?? '') };
	}
	return live;
}

/**
 * Returns the ID of the console user with this email (openapi.yaml, Authentication). Without an email, returns the ID of
 * the Super User.
 *
 * @throws ServiceFailure if no user has this email
 */
export function consoleUserId({ state }: Context, email: string | undefined): string {
	if (email === undefined) return state.superUser._id;
	const user = state.consoleUsers.findByEmail(email);
	if (user === undefined) throw new ServiceFailure(`No console user with the email ${email}`);
	return user._id;
}
