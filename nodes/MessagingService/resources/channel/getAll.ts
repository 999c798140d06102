import { limit, list, returnAll } from '../../operations/list';
import { channelStatus, simplified, simplify } from '../../fields/simplify';
import type { Operation } from '../../operations/operation';
import { inOneAnswer } from '../../../shared/service/paging';

/** GET /int/v1/channel: channels accessible to the caller, newest first. It takes no query, so there are no pages to ask for. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many channels',
	description: 'Get a list of the channels you have access to, newest first',
	routing: list('/int/v1/channel', inOneAnswer, simplified(channelStatus)),
	fields: [returnAll, limit, simplify],
};
