import { failure } from '../../../shared/failure';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { fieldsIn } from '../../../shared/values';
import { campaignId } from '../../fields/locators';
import { sendingNotice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { recordOrSuccess, outputItems } from '../../engine/output';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';
import { goLive } from './goLive';

/** PUT /int/v1/campaign/:id with `{ status: 'live' }`: sends a draft or scheduled campaign to its recipients. */
export const send: Operation = {
	description: 'Send a draft or scheduled campaign or survey to its recipients right away',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId'],
	body: { status: 'live' },
	async send(item, update, ids) {
		await checkRecipients(item, update);
		return outputItems([recordOrSuccess(await goLive(item, update), ids)]);
	},
	sends: sendingNotice('The campaign goes out to all its recipients'),
	acceptsStatus: ['draft', 'scheduled'],
	fields: [campaignId],
};

/**
 * Fails if the campaign has no recipients: a live campaign looks sent, even if nobody received it. If the service does
 * not return the number of recipients, does not fail.
 */
async function checkRecipients(item: Item, { url }: ApiRequest): Promise<void> {
	const { data } = await callApi(item, { url });
	if (fieldsIn(data).recipientAmount !== 0) return;
	throw failure(item)(
		'The campaign has no recipients',
		'The campaign was not sent. Add recipients with Campaign: Add Recipients, then send the campaign.',
	);
}
