import type { Resource } from '../../engine/operation';
import { fileOperations } from '../file';
import { campaign } from '../file/parent';

export const campaignFile: Resource = {
	displayName: 'Campaign File',
	value: 'campaignFile',
	operations: fileOperations(campaign),
};
