import type { INodeProperties } from 'n8n-workflow';

import { name as campaignName } from '../../fields/messageFields';

export const name: INodeProperties = {
	...campaignName,
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
};
