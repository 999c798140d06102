import type { Resource } from '../../engine/declaration';
import { addRecipients } from './addRecipients';
import { cancelRecipients } from './cancelRecipients';
import { close } from './close';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getReport } from './getReport';
import { send } from './send';
import { update } from './update';

/** The operations in the order of the Operation list: what people use most comes first. */
export const campaign: Resource = {
	create,
	send,
	addRecipients,
	cancelRecipients,
	getReport,
	getAll,
	get,
	update,
	close,
};
