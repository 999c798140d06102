import type { INodePropertyOptions } from 'n8n-workflow';

import { stringField, textArea } from '../../shared/fieldTypes';
import { toTitle } from '../../shared/values';
import { inBody, required } from '../engine/conversions';

export const campaignName = stringField(
	'name',
	"Name of the campaign in the console (the service's website). Without a title, recipients see this name as the headline.",
	{
		required: true,
		placeholder: 'e.g. Company picnic 2026',
		routing: inBody('name', required(toTitle)),
	},
);

/** Description of a campaign. n8n's editor does not let agents set a top-level parameter called `description`. */
export const campaignDescription = textArea('campaignDescription', 'What the campaign is about', {
	required: true,
	placeholder: 'e.g. Where and when we meet, and what to bring',
	routing: inBody('description', required()),
});

/**
 * The options for who may see the comments of a campaign. In a channel, the same options set the default for its messages
 * (campaign.create, channel.create in emulator/openapi.yaml).
 */
export const commentVisibilities: INodePropertyOptions[] = [
	{
		name: 'Campaign Team Only',
		value: '0',
		description:
			'Only the campaign team sees comments. The service does not document who is in this team.',
	},
	{ name: 'All Recipients', value: '1', description: 'Recipients see each other’s comments' },
];

/** The choices for a campaign, whose comments can also be off. */
export const commentVisibilitiesOfCampaign: INodePropertyOptions[] = [
	...commentVisibilities,
	{ name: 'Disabled', value: 'disabled', description: 'Nobody can comment' },
];
