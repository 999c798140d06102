import type { Resource } from '../../engine/declaration';
import { add } from './add';
import { getAll } from './getAll';
import { remove } from './remove';
import { sync } from './sync';

/** The operations in the order of the Operation list: what people use most comes first. */
export const channelRecipient: Resource = {
	sync,
	add,
	remove,
	getAll,
};
