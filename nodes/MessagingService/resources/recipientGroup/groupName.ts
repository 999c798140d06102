import type { INodeProperties } from 'n8n-workflow';

import { toName } from '../../../shared/values';
import { inBody } from '../../engine/conversions';
import { campaignName } from '../../fields/messageFields';

/** Create accepts what *By Name* can find again: no "-", no "n/a", no text of a failed expression. */
export const groupName: INodeProperties = {
	...campaignName,
	routing: inBody('name', toName),
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
};
