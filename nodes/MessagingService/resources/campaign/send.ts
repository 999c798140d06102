import { campaignId } from '../../fields/locators';
import { sendingNotice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { recordOrSuccess, outputItems } from '../../engine/output';
import { checkRecipients, goLive, goLiveClaim } from './goLive';

/** PUT /int/v1/campaign/:id with `{ status: 'live' }`: sends a draft or scheduled campaign to its recipients. */
export const send: Operation = {
	description:
		'Send a draft or scheduled campaign, for example a survey, to its recipients right away',
	endpoint: ['PUT', '/int/v1/campaign/:campaignId'],
	body: { status: 'live' },
	async send(item, update, ids) {
		await checkRecipients(item, update.url);
		return outputItems([recordOrSuccess(await goLive(item, update), ids)]);
	},
	claim: goLiveClaim,
	sends: sendingNotice('The campaign goes out to all its recipients'),
	acceptsStatus: ['draft', 'scheduled'],
	fields: [campaignId],
};
