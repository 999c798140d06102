import type { Resource } from '../../engine/operation';
import { close } from './close';
import { create } from './create';
import { deleteBroadcast } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { sendAndWait } from './sendAndWait';
import { update } from './update';

export const broadcast: Resource = {
	close,
	create,
	delete: deleteBroadcast,
	get,
	getAll,
	sendAndWait,
	update,
};
