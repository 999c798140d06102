import type { Resource } from '../../engine/declaration';
import { fileOperations } from '../../fields/fileOperations';

export const broadcastFile: Resource = fileOperations('broadcast');
