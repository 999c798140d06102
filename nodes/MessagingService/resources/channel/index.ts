import type { Resource } from '../../engine/declaration';
import { archive } from './archive';
import { create } from './create';
import { createBroadcast } from './createBroadcast';
import { createCampaign } from './createCampaign';
import { get } from './get';
import { getAll } from './getAll';
import { restore } from './restore';
import { update } from './update';

/** The operations in the order of the Operation list: what people use most comes first. */
export const channel: Resource = {
	createCampaign,
	createBroadcast,
	getAll,
	get,
	create,
	update,
	archive,
	restore,
};
