import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { campaignDescription, commentVisibilities, name } from '../../fields/messageFields';
import { choiceAmong, inBody } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { channelSendingFields, sendsOnce, sendsToChannelWhenLive } from '../../fields/sending';
import { categoriesAsText, campaignContentFields } from '../campaign/campaignContent';
import { ownerFields } from '../campaign/ownerFields';

/** Descriptions of the fields that default to the channel's setting (channel.createCampaign in emulator/openapi.yaml). */
const CHANNEL_DECIDES: Record<string, string> = {
	commentVisibility: "Who sees comments. Defaults to the channel's setting.",
	enableEmail: "Whether to send the campaign by email. Defaults to the channel's setting.",
	enableMobileNotification:
		"Whether to notify recipients on their phone. Defaults to the channel's setting.",
};

/**
 * POST /int/v1/channel/:id/campaign creates a campaign for the recipients of the channel, and returns the campaign's ID and
 * console URL.
 */
export const createCampaign: Operation = {
	action: 'Create campaign in channel',
	description: 'Create a campaign for everybody in a channel and save, send or schedule it',
	endpoint: ['POST', '/int/v1/channel/:channelId/campaign'],
	claim: sendsOnce('campaign'),
	sends: sendsToChannelWhenLive,
	fields: [
		channelId,
		name,
		campaignDescription,
		...channelSendingFields,
		additionalFields([...campaignContentFields('omit').map(asInChannel), ...ownerFields]),
		categoriesAsText,
	],
};

function asInChannel(field: INodeProperties): INodeProperties {
	const inChannel = { ...field, description: CHANNEL_DECIDES[field.name] ?? field.description };
	if (field.name !== 'commentVisibility') return inChannel;
	// Without a value, the channel's setting applies, so comments cannot be disabled here.
	const routing = inBody(field.name, choiceAmong(commentVisibilities));
	return { ...inChannel, options: commentVisibilities, routing };
}
