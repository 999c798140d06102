import type { INodeProperties } from 'n8n-workflow';

import { toName } from '../../../shared/values';
import { inBody } from '../../engine/conversions';
import { name as campaignName } from '../../fields/messageFields';

/** Create accepts what *By Name* can find again: no "-", no "n/a", no text of a failed expression. */
export const name: INodeProperties = {
	...campaignName,
	routing: inBody('name', toName),
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
};
