import type { Resource } from '../../engine/declaration';
import { close } from './close';
import { create } from './create';
import { deleteBroadcast } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { sendAndWait } from './sendAndWait';
import { update } from './update';

/** The operations in the order of the Operation list: what people use most comes first. */
export const broadcast: Resource = {
	create,
	sendAndWait,
	getAll,
	get,
	update,
	close,
	delete: deleteBroadcast,
};
