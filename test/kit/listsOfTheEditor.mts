import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** What a list of the editor shows: the records at these paths, or values of these records. */
type Shown = {
	paths: string[];
	parameters?: INodeParameters;
	values?: (record: IDataObject) => unknown[];
};

/** Returns the ID of a record. */
export const idOf = ({ _id }: IDataObject): unknown[] => [_id];
const categories = (record: IDataObject): unknown[] =>
	Array.isArray(record.categories) ? record.categories : [];

const CATEGORIES: Shown = { paths: ['/int/v1/template', '/int/v1/campaign'], values: categories };

/**
 * Describes a list that belongs to a record, such as the files of a campaign. The user opens the list in the editor while
 * this resource and operation are selected.
 */
const under = (path: string, resource: string, operation: string): Shown => ({
	paths: [`/int/v1${path}`],
	parameters: { resource, operation },
});

/** The lists of the editor, by node and method. */
export const LISTS_OF_THE_EDITOR: Record<string, Shown[]> = {
	'messagingService searchCampaigns': [{ paths: ['/int/v1/campaign'] }],
	'messagingService searchBroadcasts': [{ paths: ['/int/v1/broadcast'] }],
	'messagingService searchChannels': [{ paths: ['/int/v1/channel'] }],
	'messagingService searchRecipientGroups': [{ paths: ['/int/v1/recipientGroup'] }],
	'messagingService searchManagerGroups': [
		under('/channel/:channelId/managerGroup', 'channelManagerGroup', 'remove'),
	],
	'messagingService searchFiles': [
		under('/campaign/:campaignId/file', 'campaignFile', 'get'),
		under('/broadcast/:broadcastId/file', 'broadcastFile', 'get'),
	],
	'messagingService getTemplates': [{ paths: ['/int/v1/template'] }],
	'messagingService getRecipientGroups': [{ paths: ['/int/v1/recipientGroup'] }],
	'messagingService getChannelManagers': [
		under('/channel/:channelId/manager', 'channelManager', 'remove'),
	],
	'messagingService getDrafts': [
		{
			paths: ['/int/v1/campaign'],
			values: (record) => (record.status === '0' ? idOf(record) : []),
		},
	],
	'messagingService getCategories': [CATEGORIES],
	'messagingServiceTrigger getCampaigns': [{ paths: ['/int/v1/campaign'] }],
	'messagingServiceTrigger getCategories': [CATEGORIES],
};
