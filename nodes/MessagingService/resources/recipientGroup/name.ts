import type { INodeProperties } from 'n8n-workflow';

import { name as campaignName } from '../../fields/messageFields';

/** Name of a recipient group. */
export const name: INodeProperties = {
	...campaignName,
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
};
