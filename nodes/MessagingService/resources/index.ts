import type { Resource } from '../engine/declaration';
import { fileOperations } from '../fields/fileOperations';
import * as broadcast from './broadcast';
import * as campaign from './campaign';
import * as channel from './channel';
import * as channelManager from './channelManager';
import * as channelManagerGroup from './channelManagerGroup';
import * as channelRecipient from './channelRecipient';
import * as profile from './profile';
import * as recipientGroup from './recipientGroup';
import * as survey from './survey';
import * as template from './template';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Record<string, Resource> = {
	broadcast,
	broadcastFile: fileOperations('broadcast'),
	campaign,
	campaignFile: fileOperations('campaign'),
	channel,
	channelManager,
	channelManagerGroup,
	channelRecipient,
	profile,
	recipientGroup,
	survey,
	template,
};
