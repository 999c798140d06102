import { recipientsOf, takenBy, type Evidence, type ResolvedRecipients } from './evidence';
import { beforeLearning } from './safeguards';
import { findSilentlyIgnored } from './silentlyIgnored';
import type { Recipient } from './readRecipients';
import type { SyncRun } from './syncRun';
import { sendInChunks } from './sendInChunks';
import { withStaging } from './staging';

/**
 * Reads the group and, where it takes that to know what to do, learns who the recipients are: the ids behind emails for
 * Mirror, and in a dry run whom the service knows. The service offers no look-up (tag recipientGroup in
 * emulator/openapi.yaml), so they go into a group of our own, which is read.
 *
 * @throws when the group cannot be read or is not shown whole, or a group of our own cannot be made or read
 */
export async function learn(run: SyncRun, evidence: Evidence): Promise<void> {
	const before = await run.api.read(run.groupId);
	evidence.before = before;
	const refusal = beforeLearning(evidence);
	if (refusal) throw run.refuse(refusal.message, refusal.description);
	const byEmail = run.identifyBy === 'email';
	if (!run.dryRun && !(run.mode === 'mirror' && byEmail)) return;
	const recipients = recipientsOf(run.input);
	// By ID those who would be sent: in the same chunks the service says the same.
	const isAll = byEmail || run.mode === 'remove';
	const asked = isAll ? recipients : recipients.filter(({ key }) => !before.ids.has(key));
	if (asked.length > 0) evidence.resolved = await lookUp(run, asked);
}

/**
 * Learns who some recipients are.
 *
 * @throws when the service shows only some of the members of a group
 */
async function lookUp(run: SyncRun, recipients: Recipient[]): Promise<ResolvedRecipients> {
	return await withStaging(run, async (staging) => {
		const responses = await sendInChunks(run, recipients, {
			what: 'Looking people up',
			by: run.identifyBy,
			send: async (values) => await staging.change('add', run.identifyBy, values),
		});
		const members = await staging.read();
		if (run.identifyBy === 'id')
			return { responses, members, owners: [], silentlyIgnored: new Set() };
		if (!members.complete) {
			throw run.refuse(
				`The service shows only ${members.shown} members of a group`,
				'So the IDs of the recipients cannot be learned from it. Nothing was changed. Identify By "ID" does without.',
			);
		}
		const emails = takenBy(responses);
		const owners = emails.length > 0 ? [{ emails, ids: members.ids }] : [];
		const someNobody = emails.length > members.ids.size;
		const silentlyIgnored =
			someNobody && run.perRecipient
				? await findSilentlyIgnored(run, staging, responses.taken)
				: new Set<string>();
		return { responses, members, owners, silentlyIgnored };
	});
}
