import type { INodeProperties } from 'n8n-workflow';

/**
 * Matches the ID in a console URL: a 24-digit hexadecimal ID anywhere, otherwise the last segment. The form of the URL is
 * not documented (campaign.get in emulator/openapi.yaml).
 */
const ID_IN_URL =
	'^https?:\\/\\/(?:\\S*?(?=[0-9a-fA-F]{24}(?![0-9a-zA-Z]))|(?!\\S*[0-9a-fA-F]{24}(?![0-9a-zA-Z]))[^\\s?]*\\/)([^\\s/?#&=]+)';

/** After this time the editor suggests an alternative to waiting for a list. */
const SLOW_LOAD_MS = 3000;

type Locator = {
	displayName: string;
	name: string;
	description: string;
	/** The list search method. */
	searchListMethod: string;
	/** An example of the record's console URL; enables By URL. */
	urlPlaceholder?: string;
	/** An example of the record's name; enables By Name. */
	namePlaceholder?: string;
	/** Parameters that the list depends on; changing one clears the selection. */
	dependsOn?: string[];
	/** Label and method of the list entry that creates a record with the searched name. */
	newRecord?: { label: string; method: string };
};

function locator({
	displayName,
	name,
	description,
	searchListMethod,
	urlPlaceholder,
	namePlaceholder,
	dependsOn,
	newRecord,
}: Locator): INodeProperties {
	const what = displayName.toLowerCase();
	const property: INodeProperties = {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose a ${what}…`,
				typeOptions: {
					searchListMethod,
					searchable: true,
					// Supported by n8n 2; n8n 1.123.81 ignores it.
					slowLoadNotice: {
						message: `Long lists take a while. You can also choose "${namePlaceholder ? 'By Name' : 'By ID'}".`,
						timeout: SLOW_LOAD_MS,
					},
					...(newRecord && { allowNewResource: { ...newRecord, defaultName: '' } }),
				},
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
				validation: [
					{
						type: 'regex',
						properties: {
							regex: 'https?:\\/\\/\\S+',
							errorMessage: `Copy the address of the ${what} from the browser`,
						},
					},
				],
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: namePlaceholder,
				hint: 'The node looks up the name when it runs, ignoring case. It fails if no record or several records have this name.',
			},
		],
	};
	property.modes = property.modes?.filter(
		({ name: mode }) =>
			(mode !== 'url' || urlPlaceholder !== undefined) &&
			(mode !== 'name' || namePlaceholder !== undefined),
	);
	if (dependsOn) property.typeOptions = { loadOptionsDependsOn: dependsOn };
	return property;
}

const campaign: Locator = {
	displayName: 'Campaign',
	name: 'campaignId',
	namePlaceholder: 'e.g. Company picnic 2026',
	description: 'The campaign or survey to work on',
	searchListMethod: 'searchCampaigns',
	urlPlaceholder: 'e.g. https://messages.example.com/console/campaign/64f1c0ffee0000000000abcd',
};

export const campaignId = locator(campaign);

/** The same parameter of operations that need a survey. To the service, a survey is a campaign. */
export const surveyId = locator({
	...campaign,
	displayName: 'Survey',
	namePlaceholder: 'e.g. How was your first week?',
	description:
		'The survey to work on. The list shows all campaigns, because the service does not mark surveys.',
});

export const broadcastId = locator({
	displayName: 'Broadcast',
	name: 'broadcastId',
	description: 'The broadcast to work on',
	searchListMethod: 'searchBroadcasts',
	urlPlaceholder: 'e.g. https://messages.example.com/console/broadcast/64f1c0ffee0000000000abcd',
});

const recipientGroup: Locator = {
	displayName: 'Recipient Group',
	name: 'recipientGroupId',
	namePlaceholder: 'e.g. Everybody in Oslo',
	description: 'The recipient group to work on',
	searchListMethod: 'searchRecipientGroups',
};

export const recipientGroupId = locator(recipientGroup);

/** The recipient group field of operations that accept a new, empty group. */
export const recipientGroupIdOrNew = locator({
	...recipientGroup,
	newRecord: { label: 'Create group with the name above', method: 'createRecipientGroup' },
});

export const channelId = locator({
	displayName: 'Channel',
	name: 'channelId',
	namePlaceholder: 'e.g. News from the canteen',
	description: 'The channel to work on',
	searchListMethod: 'searchChannels',
});

export const fileId = locator({
	displayName: 'File',
	name: 'fileId',
	description: 'The file to work on, from the campaign or broadcast above',
	searchListMethod: 'searchFiles',
	dependsOn: ['campaignId.value', 'broadcastId.value'],
});

export const groupId = locator({
	displayName: 'Console User Group',
	name: 'groupId',
	description:
		'The console user group to work on. The list shows groups that already manage the channel; enter another group by its ID.',
	searchListMethod: 'searchManagerGroups',
});
