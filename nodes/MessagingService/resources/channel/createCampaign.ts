import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { campaignDescription, commentVisibilities, campaignName } from '../../fields/messageFields';
import { choiceAmong, inBody } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { channelSendingFields, messageClaim, sendsToChannelWhenLive } from '../../fields/sending';
import { categoriesAsText, campaignContentFields } from '../campaign/campaignContent';
import { ownerFields } from '../campaign/ownerFields';

/**
 * POST /int/v1/channel/:id/campaign creates a campaign for the recipients of the channel, and returns the campaign's ID and
 * console URL.
 */
export const createCampaign: Operation = {
	action: 'Create campaign in channel',
	description:
		'Create a campaign for everybody in a channel and save, send or schedule it. Email, notifications and comments follow the channel unless you add them.',
	endpoint: ['POST', '/int/v1/channel/:channelId/campaign'],
	claim: messageClaim('campaign'),
	sends: sendsToChannelWhenLive,
	fields: [
		channelId,
		campaignName,
		campaignDescription,
		...channelSendingFields,
		additionalFields([...campaignContentFields('omit').map(adaptToChannel), ...ownerFields]),
		categoriesAsText,
	],
};

/**
 * Changes Comment Visibility, and returns all other fields as they are. Without a value, the channel's setting applies, so
 * comments cannot be disabled here (channel.createCampaign in emulator/openapi.yaml).
 */
function adaptToChannel(field: INodeProperties): INodeProperties {
	if (field.name !== 'commentVisibility') return field;
	return {
		...field,
		description: "Who sees comments. Defaults to the channel's setting.",
		options: commentVisibilities,
		routing: inBody(field.name, choiceAmong(commentVisibilities)),
	};
}
