import type { Resource } from '../engine/declaration';
import { fileOperations } from '../fields/fileOperations';
import { broadcast } from './broadcast';
import { campaign } from './campaign';
import { channel } from './channel';
import { channelManager } from './channelManager';
import { channelManagerGroup } from './channelManagerGroup';
import { channelRecipient } from './channelRecipient';
import { hrList } from './hrList';
import { profile } from './profile';
import { recipientGroup } from './recipientGroup';
import { survey } from './survey';
import { template } from './template';

/** Every resource, in the order of the Resource list and of the actions in the node panel: what people use most comes first. */
export const resources: Record<string, Resource> = {
	survey,
	recipientGroup,
	campaign,
	broadcast,
	hrList,
	channel,
	channelRecipient,
	channelManager,
	channelManagerGroup,
	template,
	profile,
	campaignFile: fileOperations('campaign'),
	broadcastFile: fileOperations('broadcast'),
};
