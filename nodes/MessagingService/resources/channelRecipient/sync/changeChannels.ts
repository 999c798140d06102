import { changeById } from '../../../sync/changeById';
import type { SyncRun } from '../../../sync/parameters';
import type { ReadTarget, TargetResult } from '../../../sync/types';
import { NO_ADDRESS } from './channelApi';

/**
 * Changes channels by the keys of the items, which are also the keys of the members: nobody has to be looked up. In Mirror,
 * members whose address the list does not show stay, and a note says how many. Returns the result of each channel.
 */
export async function changeChannels(
	run: SyncRun,
	channels: ReadTarget[],
): Promise<TargetResult[]> {
	const results = await changeById(run, channels, { problems: new Map() });
	for (const [index, { notes }] of results.entries()) {
		const hidden = channels[index]?.before.accounts?.get(NO_ADDRESS)?.length ?? 0;
		if (run.mode === 'mirror' && hidden > 0) {
			notes.push(`People whose address the channel does not show stay in it: ${hidden}.`);
		}
	}
	return results;
}
