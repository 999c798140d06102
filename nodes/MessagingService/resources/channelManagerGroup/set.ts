import type { INodeProperties } from 'n8n-workflow';

import { checkedId } from '../../../shared/transport/address';
import { inBody } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { channelId, groupId } from '../../fields/locators';
import { permissions } from '../../fields/permissions';

const groupIdInBody: INodeProperties = {
	...groupId,
	routing: inBody('groupId', (value, { fail }) => checkedId('groupId', value, fail)),
};

/** PUT /int/v1/channel/:id/managerGroup, with the group ID in the body. The response has no data. */
export const set: Operation = {
	description:
		"Let a group of console users manage a channel. If the group already manages the channel, change the group's permissions.",
	endpoint: ['PUT', '/int/v1/channel/:channelId/managerGroup'],
	fields: [channelId, groupIdInBody, permissions],
};
