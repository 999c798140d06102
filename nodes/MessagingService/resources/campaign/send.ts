import { idsIn } from '../../../shared/transport/path';
import { campaignId } from '../../fields/locators';
import { sendsAtOnce } from '../../fields/notice';
import type { Operation } from '../../operations/operation';
import { dataOr, toItems } from '../../operations/output';
import { goLive } from './goLive';

const PATH = '/int/v1/campaign/:campaignId';

/** PUT /int/v1/campaign/:id with `{ status: 'live' }`: sends a draft or scheduled campaign to its recipients. */
export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send campaign',
	description: 'Send a draft or scheduled campaign or survey to its recipients right away',
	endpoint: ['PUT', PATH],
	body: { status: 'live' },
	send: async (item, request) =>
		toItems([dataOr(await goLive(item, request), idsIn(PATH, request.url))]),
	sends: sendsAtOnce('The campaign goes out to all its recipients'),
	takes: ['draft', 'scheduled'],
	fields: [campaignId],
};
