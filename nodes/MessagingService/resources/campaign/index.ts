import type { Resource } from '../../engine/operation';
import { addRecipients } from './addRecipients';
import { cancelRecipients } from './cancelRecipients';
import { close } from './close';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getReport } from './getReport';
import { send } from './send';
import { update } from './update';

export const campaign: Resource = {
	addRecipients,
	cancelRecipients,
	close,
	create,
	get,
	getAll,
	getReport,
	send,
	update,
};
