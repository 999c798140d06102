import type { Operation } from '../../../engine/declaration';
import { options } from '../../../fields/collections';
import { channelId } from '../../../fields/locators';
import { syncFields, syncOptions } from '../../../sync/parameters';
import { runSync } from '../../../sync/runSync';
import { identifyBy } from '../../recipientGroup/memberFields';
import { changeChannels } from './changeChannels';
import { createChannelApi } from './channelApi';

/** GET and POST /int/v1/channel/:id/recipient, and POST …/recipient/remove, for all input items at once. */
export const sync: Operation = {
	action: 'Sync recipients of channel',
	description:
		'Add the people of all input items to channels, remove them, or make channels match the input exactly',
	builderHint:
		'Takes all input items in one run. Do not put this node into a loop, and start with dryRun on. The input has one item per person, with the email of the person. To sync one channel per department, set Channel to By Name, with an expression.',
	// A tool of an AI agent gets one item, and mirroring one item would remove everybody else.
	notAsTool: [
		'Sync works on all input items of a workflow at once and cannot be used as a tool',
		'Use Channel Recipient: Add or Channel Recipient: Remove instead. Nothing was sent.',
	],
	async execute() {
		return await runSync(this, {
			targetKind: { word: 'channel', idName: 'channelId', refusal: 'onlyInvalidParameters' },
			field: channelId,
			fields: sync.fields,
			createApi: createChannelApi,
			changeTargets: changeChannels,
		});
	},
	fields: [channelId, identifyBy, ...syncFields, options(syncOptions)],
};
