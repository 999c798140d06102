import type { INodeProperties } from 'n8n-workflow';

import { broadcastId, campaignId } from '../../fields/locators';

/**
 * A kind of record that has files. Campaigns and broadcasts have the same file operations (broadcastFile.upload in
 * emulator/openapi.yaml).
 */
export type FileParent = {
	/** The name of the kind, as in the path `/int/v1/campaign/:campaignId/file`. */
	name: 'campaign' | 'broadcast';
	locator: INodeProperties;
};

export const campaign: FileParent = { name: 'campaign', locator: campaignId };

export const broadcast: FileParent = { name: 'broadcast', locator: broadcastId };
