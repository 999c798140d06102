import { campaignId } from '../../fields/locators';
import { notice } from '../../fields/notice';
import { dataOrIds, endpoint } from '../../operations/endpoint';
import type { Operation } from '../../operations/operation';
import { goLive } from './goLive';

const PATH = '/int/v1/campaign/:campaignId';

/** PUT /int/v1/campaign/:id with `{ status: 'live' }`: sends a draft or scheduled campaign to its recipients. */
export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send a campaign',
	description: 'Send a draft or scheduled campaign or survey to its recipients at once',
	routing: endpoint('PUT', PATH, {
		body: { status: 'live' },
		send: async (sender, options) => dataOrIds(await goLive(sender, options), PATH, options.url),
	}),
	fields: [
		campaignId,
		notice(
			'sendsToRecipients',
			'It goes out to all recipients of the campaign as soon as this runs, also when you only test the step, and cannot be taken back.',
		),
	],
};
