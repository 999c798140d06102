import type { INodeParameters } from 'n8n-workflow';

import type { Example } from '../../../scripts/docs/example.mts';
import { locator } from '../engine.mts';
import type { Ids } from './world.mts';

const named = (name: string) => locator(name, 'name');
/** A record that is chosen from the list. */
const listed = (value: string, cachedResultName: string) => ({
	...locator(value, 'list'),
	cachedResultName,
});

const SAFETY_WEEK = { campaignId: named('Safety week') };
const OFFICE_MOVE = { campaignId: named('Office move') };
const PULSE = { campaignId: named('Pulse') };
const SALES = { recipientGroupId: named('Sales') };
const NEWS = { channelId: named('News') };
const ALL = { returnAll: true };
const TO_ADA = { recipientEmails: 'ada@example.com' };
const ADA = { recipientsFrom: 'emails', ...TO_ADA };
const NEW_PEOPLE = { identifyBy: 'email', recipientEmails: 'cleo@example.com, dan@example.com' };
const MIRROR = {
	...{ identifyBy: 'email', recipient: '={{ $json.email }}', mode: 'mirror' },
	maxRemovalPercent: 50,
};
const CANTEEN = { title: 'Canteen', message: 'Closed on Friday' };
const SURVEY = {
	...{ name: 'Second week', campaignDescription: 'Two questions' },
	...{ questionsInput: 'text', questionsText: 'Laptop? (radio: Yes, No)\nWhy? (textarea)' },
};

/** The examples of the files of a campaign or broadcast. */
function filesOf(owner: string, ofOwner: INodeParameters, fileId: string) {
	const file = { ...ofOwner, fileId: listed(fileId, 'map.png') };
	const binaryPropertyName = 'data';
	return {
		[`${owner}File.delete`]: { ...file, options: { deleteFileInUse: true } },
		[`${owner}File.get`]: file,
		[`${owner}File.getAll`]: { ...ofOwner, ...ALL },
		[`${owner}File.replace`]: { ...file, binaryPropertyName },
		[`${owner}File.upload`]: { ...ofOwner, binaryPropertyName, media: 'image' },
	};
}

/** Returns the parameters of a hand-picked example per operation, by `resource.operation`. */
export function exampleParameters(ids: Ids): Record<string, INodeParameters> {
	const townHall = { broadcastId: listed(ids.townHall, 'Town hall') };
	const editors = { ...NEWS, groupId: listed(ids.editors, 'Editors') };
	const mia = { ...NEWS, user: 'mia@example.com' };
	return {
		'broadcast.close': townHall,
		'broadcast.create': { ...CANTEEN, ...ADA, status: 'draft' },
		'broadcast.delete': { broadcastId: listed(ids.draft, 'Canteen') },
		'broadcast.get': townHall,
		'broadcast.getAll': ALL,
		'broadcast.sendAndWait': {
			title: 'Send it?',
			message: 'To all staff',
			...ADA,
			responseType: 'approval',
		},
		'broadcast.update': { broadcastId: listed(ids.drill, 'Fire drill') },
		...filesOf('broadcast', townHall, ids.broadcastFile),
		'campaign.addRecipients': { ...OFFICE_MOVE, ...ADA },
		'campaign.cancelRecipients': { ...OFFICE_MOVE, ...TO_ADA },
		'campaign.close': SAFETY_WEEK,
		'campaign.create': {
			...{ name: 'Welcome', campaignDescription: 'For new colleagues' },
			...{ recipientsFrom: 'groups', recipientGroups: [ids.sales], status: 'draft' },
			additionalFields: { title: 'Welcome to the team', categories: ['HR'] },
		},
		'campaign.get': SAFETY_WEEK,
		'campaign.getAll': { ...ALL, filters: { status: '1' } },
		'campaign.getReport': SAFETY_WEEK,
		'campaign.send': OFFICE_MOVE,
		'campaign.update': { ...OFFICE_MOVE, updateFields: { description: 'Bring your boxes' } },
		...filesOf('campaign', SAFETY_WEEK, ids.campaignFile),
		'channel.archive': NEWS,
		'channel.create': { name: 'Sports', additionalFields: { enableSms: false } },
		'channel.createBroadcast': { ...NEWS, ...CANTEEN },
		'channel.createCampaign': {
			...{ ...NEWS, name: 'Summer party', campaignDescription: 'Save the date' },
			status: 'draft',
		},
		'channel.get': NEWS,
		'channel.getAll': ALL,
		'channel.restore': { channelId: named('Old news') },
		'channel.update': { ...NEWS, updateFields: { description: 'News of the week' } },
		'channelManager.getAll': { ...NEWS, ...ALL },
		'channelManager.remove': mia,
		'channelManager.set': { ...mia, permissions: ['channel_admin'] },
		'channelManagerGroup.getAll': { ...NEWS, ...ALL },
		'channelManagerGroup.remove': editors,
		'channelManagerGroup.set': { ...editors, permissions: ['channel_recipient_add'] },
		'channelRecipient.add': { ...NEWS, recipients: NEW_PEOPLE.recipientEmails },
		'channelRecipient.getAll': { ...NEWS, ...ALL },
		'channelRecipient.remove': { ...NEWS, recipients: 'ada@example.com' },
		'channelRecipient.sync': { ...NEWS, ...MIRROR },
		'hrList.read': {
			source: 'items',
			emailColumn: 'Work Email',
			options: { people: 'everybody' },
		},
		'profile.get': {},
		'recipientGroup.addRecipients': { ...SALES, ...NEW_PEOPLE },
		'recipientGroup.create': {
			name: 'Managers',
			additionalFields: { leads: ids.members.join(', ') },
		},
		'recipientGroup.delete': SALES,
		'recipientGroup.get': SALES,
		'recipientGroup.getAll': ALL,
		'recipientGroup.getOrCreate': { name: 'Sales' },
		'recipientGroup.removeRecipients': { ...SALES, identifyBy: 'email', ...TO_ADA },
		'recipientGroup.sync': { ...SALES, ...MIRROR },
		'survey.create': SURVEY,
		'survey.getResponses': { ...PULSE, output: 'responses', ...ALL },
		'survey.getSummary': PULSE,
		'survey.launch': { ...SURVEY, ...ADA, sendNow: false },
		'survey.remind': {
			...{ ...PULSE, title: 'Our survey is still open' },
			...{ message: 'It takes one minute.', sendNow: false },
		},
		'survey.update': {
			...{ campaignId: named('First week'), questionsInput: 'text' },
			questionsText: 'Do you have a laptop? (radio: Yes, No)',
		},
		'template.getAll': ALL,
	};
}

const CLEO_AND_ADA = [{ email: 'cleo@example.com' }, { email: 'ada@example.com' }];

/** What else an example has, if it matters: the input items, and what the screen shows instead of an ID. */
export const MORE: Record<string, Pick<Example, 'input' | 'shown'>> = {
	'broadcast.sendAndWait': { input: [{ campaign: 'Office move' }] },
	'campaign.create': { shown: { recipientGroups: 'Sales' } },
	'channelRecipient.sync': { input: CLEO_AND_ADA },
	'hrList.read': {
		input: [
			{ 'Work Email': 'Berg, Ada <ada@example.com>', Team: 'Sales', status: 'active' },
			{ 'Work Email': 'ben@example.com', Team: 'IT', status: 'left' },
		],
	},
	'recipientGroup.sync': { input: CLEO_AND_ADA },
};
