import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { getCampaigns } from '../shared/loadOptions';
import { fields } from './fields';
import { poll } from './poll';

export class MessagingServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service Trigger',
		name: 'messagingServiceTrigger',
		icon: {
			light: 'file:../../icons/messagingService.svg',
			dark: 'file:../../icons/messagingService.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{[$parameter["events"]].flat().join(", ")}}',
		description: 'Starts the workflow when employees respond to a survey or open a campaign',
		eventTriggerDescription: 'Waiting for responses',
		defaults: { name: 'Messaging Service Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingServiceApi', required: true }],
		properties: fields,
	};

	methods = {
		loadOptions: { getCampaigns },
	};

	poll = poll;
}
