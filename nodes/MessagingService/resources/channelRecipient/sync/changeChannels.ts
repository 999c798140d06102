import { changeById } from '../../../sync/changeById';
import type { SyncRun } from '../../../sync/parameters';
import { countHidden, NO_MEMBERS } from '../../../sync/types';
import type { ReadTarget, TargetResult } from '../../../sync/types';

/**
 * Changes channels by the keys of the items, which are also the keys of the members: nobody has to be looked up. In Mirror,
 * members whose address the list does not show stay, and a note says how many. Returns the result of each channel.
 */
export async function changeChannels(
	run: SyncRun,
	channels: ReadTarget[],
): Promise<TargetResult[]> {
	const mayBeAlias = aliasRule(run, channels);
	const results = await changeById(run, channels, { problems: new Map(), mayBeAlias });
	for (const [index, { notes }] of results.entries()) {
		const hidden = countHidden(channels[index]?.before ?? NO_MEMBERS);
		if (run.mode === 'mirror' && hidden > 0) {
			notes.push(`People whose address the channel does not show stay in it: ${hidden}.`);
		}
	}
	return results;
}

/** Matches a record ID in its usual form. */
const RECORD_ID = /^[0-9a-f]{24}$/i;

/**
 * Returns the rule for `Identities.mayBeAlias`. By ID, a record ID is the person, unless the lists show IDs in another form.
 * Any other ID may be an HR number or a user name.
 */
function aliasRule({ identifyBy }: SyncRun, channels: ReadTarget[]): (key: string) => boolean {
	const shown = channels.flatMap(({ before }) => [...before.ids]);
	const areRecordIds = identifyBy === 'id' && shown.every((id) => RECORD_ID.test(id));
	return (key) => !areRecordIds || !RECORD_ID.test(key);
}
