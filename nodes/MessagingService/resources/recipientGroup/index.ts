import type { Resource } from '../../engine/operation';
import { addRecipients } from './addRecipients';
import { create } from './create';
import { deleteGroup } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { getOrCreate } from './getOrCreate';
import { removeRecipients } from './removeRecipients';
import { sync } from './sync';

export const recipientGroup: Resource = {
	addRecipients,
	create,
	delete: deleteGroup,
	get,
	getAll,
	getOrCreate,
	removeRecipients,
	sync,
};
