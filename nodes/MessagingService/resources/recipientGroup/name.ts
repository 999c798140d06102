import type { INodeProperties } from 'n8n-workflow';

import { requiredTextInBody } from '../../operations/conversions';

/** Name of a recipient group. */
export const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Everybody in Oslo',
	description: 'Name of the group',
	routing: requiredTextInBody('name'),
};
