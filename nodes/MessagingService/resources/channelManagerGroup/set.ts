import type { INodeProperties } from 'n8n-workflow';

import { checkedId } from '../../../shared/transport/path';
import { dataOrSuccessWith } from '../../engine/output';
import { channelId, groupId } from '../../fields/locators';
import { convertedInBody } from '../../engine/conversions';
import type { Operation } from '../../engine/operation';
import { permissions } from '../../fields/permissions';

const groupIdInBody: INodeProperties = {
	...groupId,
	routing: convertedInBody('groupId', (value, { fail }) => checkedId('groupId', value, fail)),
};

/** PUT /int/v1/channel/:id/managerGroup, with the group ID in the body. The response has no data. */
export const set: Operation = {
	action: 'Set channel manager group',
	description: "Let a console user group manage a channel, or change the group's permissions",
	endpoint: ['PUT', '/int/v1/channel/:channelId/managerGroup'],
	toItems: dataOrSuccessWith('groupId'),
	fields: [channelId, groupIdInBody, permissions],
};
