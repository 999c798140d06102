import type { INodeProperties } from 'n8n-workflow';

import { fieldLabel } from '../../shared/field';
import { stringField } from '../../shared/fieldTypes';

/**
 * Matches the ID in a console URL: a 24-digit hexadecimal ID, or the last segment if there is none. The form of the URL
 * is not documented (campaign.get in emulator/openapi.yaml).
 *
 * - `https://x.example/console/campaign/64f1c0ffee0000000000abcd/edit` → `64f1c0ffee0000000000abcd`
 * - `https://x.example/console/campaign/pulse?tab=1` → `pulse`
 */
const ID_IN_URL =
	'^https?:\\/\\/(?:\\S*?(?=[0-9a-fA-F]{24}(?![0-9a-zA-Z]))|(?!\\S*[0-9a-fA-F]{24}(?![0-9a-zA-Z]))[^\\s?]*\\/)([^\\s/?#&=]+)';

/** The properties in which locators differ. */
type LocatorDetails = {
	/** The label of the field, if it does not follow from the field's name. */
	displayName?: string;
	/** An example of the record's console URL, which enables By URL. */
	urlPlaceholder?: string;
	/** An example of the record's name, which enables By Name. */
	namePlaceholder?: string;
	/** What the operation does if no record has the name, if it does not fail. */
	ifNameMissing?: string;
	/** Parameters that the list depends on. If one of them changes, the editor clears the selection. */
	dependsOn?: string[];
};

/** Declares a field for the ID of a record. @param searchListMethod fills the list */
function locator(
	name: string,
	searchListMethod: string,
	description: string,
	{
		displayName = fieldLabel(name),
		urlPlaceholder,
		namePlaceholder,
		ifNameMissing = 'It fails if no record or several records have this name.',
		dependsOn,
	}: LocatorDetails = {},
): INodeProperties {
	const what = displayName.toLowerCase();
	const regex = 'https?:\\/\\/\\S+';
	const errorMessage = `Copy the address of the ${what} from the browser`;
	const field = stringField(name, description, {
		displayName,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose a ${what}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 64f1c0ffee0000000000abcd',
			},
			{
				displayName: 'By URL',
				name: 'url',
				type: 'string',
				placeholder: urlPlaceholder,
				extractValue: { type: 'regex', regex: ID_IN_URL },
				validation: [{ type: 'regex', properties: { regex, errorMessage } }],
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: namePlaceholder,
				hint: `The node looks up the name when it runs, ignoring case. ${ifNameMissing}`,
			},
		],
		...(dependsOn && { typeOptions: { loadOptionsDependsOn: dependsOn } }),
	});
	// A mode whose example is missing is not offered (By URL and By Name).
	field.modes = field.modes?.filter(({ placeholder }) => placeholder !== undefined);
	return field;
}

/** An example of the console URL of a record. The form of these URLs is not documented. */
const consoleUrl = (kind: string) =>
	`e.g. https://messages.example.com/console/${kind}/64f1c0ffee0000000000abcd`;

export const campaignId = locator(
	'campaignId',
	'searchCampaigns',
	'The campaign or survey to work on',
	{ namePlaceholder: 'e.g. Company picnic 2026', urlPlaceholder: consoleUrl('campaign') },
);

/** The parameter `campaignId` of operations that need a survey. To the service, a survey is a campaign. */
export const surveyId = locator(
	'campaignId',
	'searchCampaigns',
	'The list also shows other campaigns, because the service does not say which campaigns are surveys',
	{
		displayName: 'Survey',
		namePlaceholder: 'e.g. How was your first week?',
		urlPlaceholder: consoleUrl('campaign'),
	},
);

export const broadcastId = locator('broadcastId', 'searchBroadcasts', 'The broadcast to work on', {
	urlPlaceholder: consoleUrl('broadcast'),
});

const recipientGroupLocator = (details?: LocatorDetails) =>
	locator('recipientGroupId', 'searchRecipientGroups', 'The recipient group to work on', {
		namePlaceholder: 'e.g. Everybody in Oslo',
		...details,
	});

export const recipientGroupId = recipientGroupLocator();

/** The recipient group field of Sync, which can create the groups that its items name. */
export const recipientGroupToSync = recipientGroupLocator({
	ifNameMissing:
		'If no group has this name, the option Create Missing Groups creates it. Without this option, or if several groups have this name, the item fails.',
});

export const channelId = locator('channelId', 'searchChannels', 'The channel to work on', {
	namePlaceholder: 'e.g. News from the canteen',
});

export const fileId = locator(
	'fileId',
	'searchFiles',
	'A file of the chosen campaign or broadcast',
	{ dependsOn: ['campaignId.value', 'broadcastId.value'] },
);

export const groupId = locator(
	'groupId',
	'searchManagerGroups',
	'A group of console users. The list shows only groups that already manage the channel. For another group, use By ID.',
	{ displayName: 'Console User Group' },
);
