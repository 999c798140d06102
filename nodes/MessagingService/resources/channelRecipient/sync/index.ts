import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { channelId } from '../../../fields/locators';
import { changeById } from '../../../sync/changeById';
import { syncFields, syncOptions } from '../../../sync/parameters';
import { syncOperation } from '../../../sync/runSync';
import type { IdentifyBy, ReadTarget } from '../../../sync/types';
import { identifyBy } from '../../recipientGroup/memberFields';
import { createChannelApi } from './channelApi';

/**
 * GET and POST /int/v1/channel/:id/recipient, and POST …/recipient/remove, for all input items at once. The keys of the items
 * are also the keys of the members, so nobody has to be looked up.
 */
export const sync: Operation = {
	...syncOperation({
		targetKind: { word: 'channel', idName: 'channelId', refusal: 'onlyInvalidParameters' },
		onlyForOneItem: 'Channel Recipient: Add or Channel Recipient: Remove',
		fields: [channelId, identifyBy, ...syncFields, options(syncOptions)],
		createApi: createChannelApi,
		changeTargets: async (run, channels) => {
			const mayBeAlias = aliasRule(run.identifyBy, channels);
			return await changeById(run, channels, { problems: new Map(), mayBeAlias });
		},
	}),
	action: 'Sync recipients of channel',
};

/** Matches a record ID in its usual form. */
const RECORD_ID = /^[0-9a-f]{24}$/i;

/**
 * Returns the rule for `Identities.mayBeAlias`. By ID, a record ID is the person, unless the lists show IDs in another form.
 * Any other ID may be an HR number or a user name.
 */
function aliasRule(identifyBy: IdentifyBy, channels: ReadTarget[]): (key: string) => boolean {
	const shown = channels.flatMap(({ before }) => [...before.ids]);
	const areRecordIds = identifyBy === 'id' && shown.every((id) => RECORD_ID.test(id));
	return (key) => !areRecordIds || !RECORD_ID.test(key);
}
