import { changeById } from '../../../sync/changeById';
import { failed, isRefused } from '../../../sync/outcomes';
import { count, reasonToHold, unreadableRows, type Plan } from '../../../sync/removals';
import type { SyncRun } from '../../../sync/syncRun';
import type { Identities, Members, Outcome, ReadTarget, TargetResult } from '../../../sync/types';
import { NO_ADDRESS } from './channelApi';

/**
 * Changes channels. Their lists show the address of each member, so the key of an item is also the key of a member, and
 * nobody has to be looked up. Returns the result of each channel.
 */
export async function changeChannels(
	run: SyncRun,
	channels: ReadTarget[],
): Promise<TargetResult[]> {
	const keys = run.rows.flatMap(({ recipient }) => recipient?.key ?? []);
	const idsOf = new Map(keys.map((key) => [key, [key]]));
	const people: Identities = { idsOf, problems: new Map(), done: new Set(), odd: new Set() };
	const results = await changeById(run, channels, people, {
		adding: ({ target, before }) => ({
			isAnyRefusalUnknown: true,
			member: target.recipients.find(({ key }) => before.ids.has(key)),
		}),
		reasonToRemoveNobody: async (plans) => {
			for (const plan of plans) noteHidden(plan);
			return await Promise.resolve(reasonToHold(run, plans, [unreadableRows(run)]));
		},
		reasonAfterAdding: (plans) => notShown(run, plans),
	});
	return results.map((result, index) => onlyProved(run, result, channels[index]?.before));
}

/** Notes how many members stay because their address is not shown, so that any item may name them. */
function noteHidden({ before, notes }: Plan): void {
	const hidden = before.accounts?.get(NO_ADDRESS)?.length ?? 0;
	if (hidden > 0) {
		notes.push(`People whose address the channel does not show stay in it: ${hidden}.`);
	}
}

/**
 * Returns why items that were sent, and that the channel does not show, forbid all removals: a member with another address
 * may be meant. Whoever is refused here, but shown by another channel, only stays there.
 */
function notShown(run: SyncRun, plans: Plan[]): string | undefined {
	const shown = new Set(plans.flatMap(({ before }) => [...before.ids]));
	const hidden: string[] = [];
	const refused = new Map<string, Outcome>();
	for (const { added, afterAdding } of plans) {
		for (const [key, reply] of added) {
			if (afterAdding?.ids.has(key)) continue;
			if (!isRefused(reply)) hidden.push(key);
			else if (reply.status === 'failed' && !shown.has(key)) refused.set(key, reply);
		}
	}
	const [failure] = refused.values();
	const people = (some: { length: number }) => count(some.length, 'recipient', 'recipients');
	const keys = [...refused.keys()];
	return reasonToHold(run, plans, [
		{
			recipients: keys,
			why: `${people(keys)} could not be added (${failure?.reason ?? ''})`,
			// Without a refusal in words, nothing is known about the person.
			isFinal: [...refused.values()].some(({ refusedAt }) => refusedAt === undefined) || undefined,
		},
		{ recipients: hidden, why: `the service accepted ${people(hidden)} but does not show them` },
	]);
}

/**
 * Returns a result in which whatever no read proves is failed. The responses of channels prove nothing, because they have
 * no counts. Remove takes out only people whom the list shows. If it does not show everybody, the others fail.
 */
function onlyProved(run: SyncRun, result: TargetResult, before?: Members): TargetResult {
	if (!before) return result;
	const hidden = before.accounts?.get(NO_ADDRESS)?.length ?? 0;
	const isWhole = before.complete && hidden === 0;
	const outcomes = new Map(result.outcomes);
	for (const key of result.outcomes.keys()) {
		if (run.mode === 'remove' && !isWhole && !before.ids.has(key)) {
			outcomes.set(key, failed(hidden > 0 ? HIDDEN : partOf(before)));
		}
	}
	return { ...result, outcomes };
}

const HIDDEN =
	'The channel does not show the address of every member, and this person may be one of them. Remove the person by ID';

const partOf = ({ shown }: Members) =>
	`The service shows only ${shown} members of the channel, and not this person`;
