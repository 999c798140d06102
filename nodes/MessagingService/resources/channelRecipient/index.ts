import type { Resource } from '../../engine/operation';
import { add } from './add';
import { getAll } from './getAll';
import { remove } from './remove';

export const channelRecipient: Resource = { add, getAll, remove };
