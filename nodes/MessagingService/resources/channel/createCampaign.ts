import { optionsField } from '../../../shared/fieldTypes';
import { additionalFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { campaignDescription, commentVisibilities, campaignName } from '../../fields/messageFields';
import type { Operation } from '../../engine/declaration';
import { sendingTime, messageClaim, sendsToChannelWhenLive } from '../../fields/sending';
import { categoriesAsText, campaignContentFields, ownerFields } from '../campaign/campaignContent';

/**
 * Without a value, the channel's setting applies, so comments cannot be disabled here (channel.createCampaign in
 * emulator/openapi.yaml).
 */
const commentVisibility = optionsField(
	'commentVisibility',
	commentVisibilities,
	'0',
	"Who sees comments. If you do not add this field, the channel's setting applies.",
);

/**
 * POST /int/v1/channel/:id/campaign creates a campaign for the recipients of the channel, and returns the campaign's ID and
 * console URL.
 */
export const createCampaign: Operation = {
	action: 'Create campaign in channel',
	description:
		"Create a campaign in a channel, and save, send or schedule it. By default, the channel's settings for email, notifications and comments apply.",
	endpoint: ['POST', '/int/v1/channel/:channelId/campaign'],
	claim: messageClaim('campaign'),
	sends: sendsToChannelWhenLive,
	fields: [
		channelId,
		campaignName,
		campaignDescription,
		...sendingTime,
		additionalFields([...campaignContentFields('omit', commentVisibility), ...ownerFields]),
		categoriesAsText,
	],
};
