import type { INodeParameters } from 'n8n-workflow';

import type { Example } from '../../../scripts/docs/example.mts';
import { locator } from '../engine.mts';
import type { Ids } from './world.mts';

/** The parameters of an example, and the JSON of its input items if they matter. */
export type ExampleInput = Omit<Example, 'output'>;
type Examples = Record<string, (ids: Ids) => ExampleInput>;

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
const ADA = { recipientsFrom: 'emails', recipientEmails: 'ada@example.com' };
const NEW_PEOPLE = { identifyBy: 'email', recipientEmails: 'cleo@example.com, dan@example.com' };
const SURVEY = {
	...{ name: 'Second week', campaignDescription: 'Two questions' },
	...{ questionsInput: 'text', questionsText: 'Laptop? (radio: Yes, No)\nWhy? (textarea)' },
};

const townHall = (ids: Ids) => ({ broadcastId: listed(ids.townHall, 'Town hall') });

/** The examples of the files of a campaign or broadcast. */
function filesOf(
	owner: string,
	ofOwner: (ids: Ids) => INodeParameters,
	idOfFile: (ids: Ids) => string,
): Examples {
	const file = (ids: Ids) => ({ ...ofOwner(ids), fileId: listed(idOfFile(ids), 'map.png') });
	const binaryPropertyName = 'data';
	return {
		[`${owner}File.delete`]: (ids) => ({
			parameters: { ...file(ids), options: { deleteFileInUse: true } },
		}),
		[`${owner}File.get`]: (ids) => ({ parameters: file(ids) }),
		[`${owner}File.getAll`]: (ids) => ({ parameters: { ...ofOwner(ids), returnAll: true } }),
		[`${owner}File.replace`]: (ids) => ({ parameters: { ...file(ids), binaryPropertyName } }),
		[`${owner}File.upload`]: (ids) => ({
			parameters: { ...ofOwner(ids), binaryPropertyName, media: 'image' },
		}),
	};
}

/** One hand-picked example per operation, by `resource.operation`. */
export const examples: Examples = {
	'broadcast.close': (ids) => ({ parameters: townHall(ids) }),
	'broadcast.create': () => ({
		parameters: { title: 'Canteen', message: 'Closed on Friday', ...ADA, status: 'draft' },
	}),
	'broadcast.delete': (ids) => ({ parameters: { broadcastId: listed(ids.draft, 'Canteen') } }),
	'broadcast.get': (ids) => ({ parameters: townHall(ids) }),
	'broadcast.getAll': () => ({ parameters: { returnAll: true } }),
	'broadcast.sendAndWait': () => ({
		parameters: { title: 'Send it?', message: 'To all staff', ...ADA, responseType: 'approval' },
		input: [{ campaign: 'Office move' }],
	}),
	'broadcast.update': (ids) => ({ parameters: { broadcastId: listed(ids.drill, 'Fire drill') } }),
	...filesOf('broadcast', townHall, ({ broadcastFile }) => broadcastFile),
	'campaign.addRecipients': () => ({
		parameters: { ...OFFICE_MOVE, recipientsFrom: 'emails', recipientEmails: 'ada@example.com' },
	}),
	'campaign.cancelRecipients': () => ({
		parameters: { ...OFFICE_MOVE, recipientEmails: 'ada@example.com' },
	}),
	'campaign.close': () => ({ parameters: SAFETY_WEEK }),
	'campaign.create': (ids) => ({
		shown: { recipientGroups: 'Sales' },
		parameters: {
			...{ name: 'Welcome', campaignDescription: 'For new colleagues' },
			...{ recipientsFrom: 'groups', recipientGroups: [ids.sales], status: 'draft' },
			additionalFields: { title: 'Welcome to the team', categories: ['HR'] },
		},
	}),
	'campaign.get': () => ({ parameters: SAFETY_WEEK }),
	'campaign.getAll': () => ({ parameters: { returnAll: true, filters: { status: '1' } } }),
	'campaign.getReport': () => ({ parameters: SAFETY_WEEK }),
	'campaign.send': () => ({ parameters: OFFICE_MOVE }),
	'campaign.update': () => ({
		parameters: { ...OFFICE_MOVE, updateFields: { description: 'Bring your boxes' } },
	}),
	...filesOf(
		'campaign',
		() => SAFETY_WEEK,
		({ campaignFile }) => campaignFile,
	),
	'channel.archive': () => ({ parameters: NEWS }),
	'channel.create': () => ({
		parameters: { name: 'Sports', additionalFields: { enableSms: false } },
	}),
	'channel.createBroadcast': () => ({
		parameters: { ...NEWS, title: 'Canteen', message: 'Closed on Friday' },
	}),
	'channel.createCampaign': () => ({
		parameters: {
			...NEWS,
			name: 'Summer party',
			campaignDescription: 'Save the date',
			status: 'draft',
		},
	}),
	'channel.get': () => ({ parameters: NEWS }),
	'channel.getAll': () => ({ parameters: { returnAll: true } }),
	'channel.restore': () => ({ parameters: { channelId: named('Old news') } }),
	'channel.update': () => ({
		parameters: { ...NEWS, updateFields: { description: 'News of the week' } },
	}),
	'channelManager.getAll': () => ({ parameters: { ...NEWS, returnAll: true } }),
	'channelManager.remove': () => ({ parameters: { ...NEWS, user: 'mia@example.com' } }),
	'channelManager.set': () => ({
		parameters: { ...NEWS, user: 'mia@example.com', permissions: ['channel_admin'] },
	}),
	'channelManagerGroup.getAll': () => ({ parameters: { ...NEWS, returnAll: true } }),
	'channelManagerGroup.remove': (ids) => ({
		parameters: { ...NEWS, groupId: listed(ids.editors, 'Editors') },
	}),
	'channelManagerGroup.set': (ids) => ({
		parameters: {
			...{ ...NEWS, groupId: listed(ids.editors, 'Editors') },
			permissions: ['channel_recipient_add'],
		},
	}),
	'channelRecipient.add': () => ({
		parameters: { ...NEWS, recipients: 'cleo@example.com, dan@example.com' },
	}),
	'channelRecipient.getAll': () => ({ parameters: { ...NEWS, returnAll: true } }),
	'channelRecipient.remove': () => ({ parameters: { ...NEWS, recipients: 'ada@example.com' } }),
	'channelRecipient.sync': () => ({
		parameters: {
			...{ ...NEWS, identifyBy: 'email', recipient: '={{ $json.email }}', mode: 'mirror' },
			maxRemovalPercent: 50,
		},
		input: [{ email: 'cleo@example.com' }, { email: 'ada@example.com' }],
	}),
	'hrList.read': () => ({
		parameters: { source: 'items', emailColumn: 'Work Email', options: { people: 'everybody' } },
		input: [
			{ 'Work Email': 'Berg, Ada <ada@example.com>', Team: 'Sales', status: 'active' },
			{ 'Work Email': 'ben@example.com', Team: 'IT', status: 'left' },
		],
	}),
	'profile.get': () => ({ parameters: {} }),
	'recipientGroup.addRecipients': () => ({ parameters: { ...SALES, ...NEW_PEOPLE } }),
	'recipientGroup.create': (ids) => ({
		parameters: { name: 'Managers', additionalFields: { leads: ids.members.join(', ') } },
	}),
	'recipientGroup.delete': () => ({ parameters: SALES }),
	'recipientGroup.get': () => ({ parameters: SALES }),
	'recipientGroup.getAll': () => ({ parameters: { returnAll: true } }),
	'recipientGroup.getOrCreate': () => ({ parameters: { name: 'Sales' } }),
	'recipientGroup.removeRecipients': () => ({
		parameters: { ...SALES, identifyBy: 'email', recipientEmails: 'ada@example.com' },
	}),
	'recipientGroup.sync': () => ({
		parameters: {
			...{ ...SALES, identifyBy: 'email', recipient: '={{ $json.email }}', mode: 'mirror' },
			maxRemovalPercent: 50,
		},
		input: [{ email: 'cleo@example.com' }, { email: 'ada@example.com' }],
	}),
	'survey.create': () => ({ parameters: SURVEY }),
	'survey.getResponses': () => ({
		parameters: { ...PULSE, output: 'responses', returnAll: true },
	}),
	'survey.getSummary': () => ({ parameters: PULSE }),
	'survey.launch': () => ({ parameters: { ...SURVEY, ...ADA, sendNow: false } }),
	'survey.remind': () => ({
		parameters: {
			...{ ...PULSE, title: 'Our survey is still open' },
			...{ message: 'It takes one minute.', sendNow: false },
		},
	}),
	'survey.update': () => ({
		parameters: {
			...{ campaignId: named('First week'), questionsInput: 'text' },
			questionsText: 'Do you have a laptop? (radio: Yes, No)',
		},
	}),
	'template.getAll': () => ({ parameters: { returnAll: true } }),
};
