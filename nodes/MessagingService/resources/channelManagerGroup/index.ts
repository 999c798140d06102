import type { Resource } from '../../engine/operation';
import { getAll } from './getAll';
import { remove } from './remove';
import { set } from './set';

export const channelManagerGroup: Resource = { getAll, remove, set };
