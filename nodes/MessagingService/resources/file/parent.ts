import type { INodeProperties } from 'n8n-workflow';

import { broadcastId, campaignId } from '../../fields/locators';

/**
 * The records that have files. The file operations are the same for both (broadcastFile.upload in
 * emulator/openapi.yaml).
 */
export type FileParent = {
	/** The name of the record in the path of its files: `/int/v1/campaign/:campaignId/file`. */
	name: 'campaign' | 'broadcast';
	locator: INodeProperties;
};

export const campaign: FileParent = { name: 'campaign', locator: campaignId };

export const broadcast: FileParent = { name: 'broadcast', locator: broadcastId };
