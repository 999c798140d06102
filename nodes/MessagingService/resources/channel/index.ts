import type { Resource } from '../../engine/operation';
import { archive } from './archive';
import { create } from './create';
import { createBroadcast } from './createBroadcast';
import { createCampaign } from './createCampaign';
import { get } from './get';
import { getAll } from './getAll';
import { restore } from './restore';
import { update } from './update';

export const channel: Resource = {
	archive,
	create,
	createBroadcast,
	createCampaign,
	get,
	getAll,
	restore,
	update,
};
