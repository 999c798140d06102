import type { Resource } from '../../engine/declaration';
import { fileOperations } from '../../fields/fileOperations';

export const campaignFile: Resource = fileOperations('campaign');
