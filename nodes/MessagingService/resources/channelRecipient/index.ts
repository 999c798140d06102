import type { Resource } from '../../engine/operation';
import { add } from './add';
import { getAll } from './getAll';
import { remove } from './remove';

export const channelRecipient: Resource = {
	displayName: 'Channel Recipient',
	value: 'channelRecipient',
	operations: [add, getAll, remove],
};
