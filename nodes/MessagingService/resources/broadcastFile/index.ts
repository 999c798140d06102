import type { Resource } from '../../engine/operation';
import { fileOperations } from '../file';
import { broadcast } from '../file/parent';

export const broadcastFile: Resource = {
	displayName: 'Broadcast File',
	value: 'broadcastFile',
	operations: fileOperations(broadcast),
};
