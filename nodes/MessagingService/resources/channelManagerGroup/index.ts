import type { Resource } from '../../engine/declaration';
import { getAll } from './getAll';
import { remove } from './remove';
import { set } from './set';

/** The operations in the order of the Operation list: what people use most comes first. */
export const channelManagerGroup: Resource = {
	getAll,
	set,
	remove,
};
