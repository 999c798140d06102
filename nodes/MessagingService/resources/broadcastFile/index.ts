import type { Resource } from '../../engine/operation';
import { fileOperations } from '../../fields/fileOperations';

export const broadcastFile: Resource = {
	displayName: 'Broadcast File',
	value: 'broadcastFile',
	operations: fileOperations('broadcast'),
};
