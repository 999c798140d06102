import type {
	Evidence,
	Findings,
	GroupMembers,
	Plan,
	Responses,
	SyncRequest,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import { recipientsOf } from '../../nodes/MessagingService/resources/recipientGroup/sync/readRecipients.ts';

/** Overrides for a sync. The default is an Add by ID that sent nothing, to a group without visible members. */
export type Given = Partial<SyncRequest> &
	Partial<Pick<Findings, 'before' | 'resolved' | 'warnings'>> & {
		plan?: Plan;
		responses?: Responses;
		after?: GroupMembers;
		removal?: Responses;
		afterRemoval?: GroupMembers;
		heldBack?: string;
		stopped?: string;
	};

const recipient = (key: string) => ({ key, value: key });
export const recipients = (...keys: string[]) => keys.map(recipient);
export const inputOf = (...keys: string[]): SyncRequest['input'] =>
	recipients(...keys).map((one, itemIndex) => ({ itemIndex, recipient: one }));

/** Returns a group whose members the service shows completely. */
export const whole = (...ids: string[]): GroupMembers => ({
	ids: new Set(ids),
	complete: true,
	shown: `${ids.length} of ${ids.length}`,
});

/** Returns a group of nine members, of which the service shows only the given ones. */
export const part = (...ids: string[]): GroupMembers => ({
	ids: new Set(ids),
	complete: false,
	shown: `${ids.length} of 9`,
});

export const nothing: Responses = { taken: [], unknown: [], failed: [], ignored: [] };

const requestOf = ({ input = inputOf('a'), ...given }: Given): SyncRequest => ({
	mode: given.mode ?? 'add',
	identifyBy: given.identifyBy ?? 'id',
	dryRun: given.dryRun ?? false,
	removeDespiteInvalid: given.removeDespiteInvalid ?? false,
	perRecipient: given.perRecipient ?? true,
	input,
	recipients: recipientsOf(input),
});

function findingsOf(given: Given): Findings {
	const { removal, afterRemoval, heldBack, responses, after } = given;
	const removed = removal && { responses: removal, after: afterRemoval };
	return {
		before: given.before ?? part(),
		resolved: given.resolved,
		plan: given.plan ?? { send: [], by: 'id', surplus: [] },
		sent:
			given.dryRun || !(responses ?? after)
				? undefined
				: { responses: responses ?? nothing, after },
		removal: heldBack === undefined ? removed : { heldBack },
		warnings: given.warnings ?? [],
	};
}

const evidenceOf = (given: Given): Evidence =>
	given.stopped === undefined
		? findingsOf(given)
		: {
				stopped: new Error(given.stopped),
				responses: given.responses ?? given.resolved?.responses,
			};

/** Returns one sync in the forms that the functions in plan.ts and classify.ts take. */
export const syncOf = (given: Given) => ({
	request: requestOf(given),
	findings: findingsOf(given),
	evidence: evidenceOf(given),
});
