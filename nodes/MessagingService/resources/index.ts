import type { Resource } from '../engine/operation';
import { broadcast } from './broadcast';
import { broadcastFile } from './broadcastFile';
import { campaign } from './campaign';
import { campaignFile } from './campaignFile';
import { channel } from './channel';
import { channelManager } from './channelManager';
import { channelManagerGroup } from './channelManagerGroup';
import { channelRecipient } from './channelRecipient';
import { profile } from './profile';
import { recipientGroup } from './recipientGroup';
import { survey } from './survey';
import { template } from './template';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Record<string, Resource> = {
	broadcast,
	broadcastFile,
	campaign,
	campaignFile,
	channel,
	channelManager,
	channelManagerGroup,
	channelRecipient,
	profile,
	recipientGroup,
	survey,
	template,
};
