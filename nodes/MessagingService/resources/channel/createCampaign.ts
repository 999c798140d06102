import type { INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { campaignDescription, name } from '../../fields/messageFields';
import type { Operation } from '../../operations/operation';
import { channelSendingFields, sendsToChannelWhenLive } from '../../fields/sending';
import { categoriesAsText, contentFields } from '../campaign/contentFields';
import { ownerFields } from '../campaign/ownerFields';

/** What the channel decides when the campaign does not (channel.createCampaign in emulator/openapi.yaml). */
const CHANNEL_DECIDES: Record<string, string> = {
	commentVisibility: 'Who sees the comments of recipients; as set in the channel when left out',
	enableEmail: 'Whether recipients get it by email; as set in the channel when left out',
	enableMobileNotification:
		'Whether recipients get a notification on their phone; as set in the channel when left out',
};

/** POST /int/v1/channel/:id/campaign: a campaign for the recipients of the channel. Gives its id and console URL. */
export const createCampaign: Operation = {
	name: 'Create Campaign',
	value: 'createCampaign',
	action: 'Create a campaign in a channel',
	description: 'Create a campaign for everybody in a channel and save, send or schedule it',
	endpoint: ['POST', '/int/v1/channel/:channelId/campaign'],
	sends: sendsToChannelWhenLive,
	fields: [
		channelId,
		name,
		campaignDescription,
		...channelSendingFields,
		additionalFields([...contentFields('omit').map(asInChannel), ...ownerFields]),
		categoriesAsText,
	],
};

function asInChannel(field: INodeProperties): INodeProperties {
	return { ...field, description: CHANNEL_DECIDES[field.name] ?? field.description };
}
