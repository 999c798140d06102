import type { INodeProperties } from 'n8n-workflow';

/**
 * Selects whose records to list. All values share one parameter, because `all` and `onlyApi` exclude each other
 * (campaign.getAll in emulator/openapi.yaml).
 */
export const scope: INodeProperties = {
	displayName: 'Scope',
	name: 'scope',
	type: 'options',
	options: [
		{
			name: 'All',
			value: 'all',
			description: 'Everything on the platform (Super Users only)',
		},
		{
			name: 'Mine',
			value: 'mine',
			description: 'Created by or shared with the credential’s owner',
		},
		{ name: 'Only API', value: 'onlyApi', description: 'Only records created through the API' },
	],
	default: 'mine',
	description: 'Whose records to list',
};
