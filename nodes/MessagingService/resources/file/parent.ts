import type { INodeProperties } from 'n8n-workflow';

import { broadcastId, campaignId } from '../../fields/locators';

/** What files belong to; the operations on them are the same (broadcastFile.upload in emulator/openapi.yaml). */
export type FileParent = {
	/** As in the path of its files: `/int/v1/campaign/:campaignId/file`. */
	name: 'campaign' | 'broadcast';
	locator: INodeProperties;
};

export const campaign: FileParent = { name: 'campaign', locator: campaignId };

export const broadcast: FileParent = { name: 'broadcast', locator: broadcastId };
