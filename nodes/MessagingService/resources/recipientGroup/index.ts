import type { Resource } from '../../engine/declaration';
import { addRecipients } from './addRecipients';
import { create } from './create';
import { deleteGroup } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getOrCreate } from './getOrCreate';
import { removeRecipients } from './removeRecipients';
import { sync } from './sync';

/** The operations in the order of the Operation list: what people use most comes first. */
export const recipientGroup: Resource = {
	sync,
	addRecipients,
	removeRecipients,
	getOrCreate,
	getAll,
	get,
	create,
	delete: deleteGroup,
};
