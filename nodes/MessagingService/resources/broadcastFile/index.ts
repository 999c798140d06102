import type { Resource } from '../../engine/operation';
import { fileOperations } from '../../fields/fileOperations';

export const broadcastFile: Resource = fileOperations('broadcast');
