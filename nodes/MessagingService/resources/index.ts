import type { Resource } from '../shared/operation';
import { campaign } from './campaign';
import { channel } from './channel';
import { channelManager } from './channelManager';
import { channelManagerGroup } from './channelManagerGroup';
import { channelRecipient } from './channelRecipient';
import { profile } from './profile';
import { recipientGroup } from './recipientGroup';
import { template } from './template';

/** Every resource of the node, in the order of the Resource list. */
export const resources: Resource[] = [
	campaign,
	channel,
	channelManager,
	channelManagerGroup,
	channelRecipient,
	profile,
	recipientGroup,
	template,
];
