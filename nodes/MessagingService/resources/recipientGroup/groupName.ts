import type { INodeProperties } from 'n8n-workflow';

import { toName } from '../../../shared/values';
import { inBody } from '../../engine/conversions';
import { campaignName } from '../../fields/messageFields';

/** The name of a new group. *By Name* must find it again, so "-", "n/a" and the text of a failed expression are invalid. */
export const groupName: INodeProperties = {
	...campaignName,
	routing: inBody('name', toName),
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
};
