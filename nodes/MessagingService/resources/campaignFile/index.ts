import type { Resource } from '../../engine/operation';
import { fileOperations } from '../../fields/fileOperations';

export const campaignFile: Resource = {
	displayName: 'Campaign File',
	value: 'campaignFile',
	operations: fileOperations('campaign'),
};
