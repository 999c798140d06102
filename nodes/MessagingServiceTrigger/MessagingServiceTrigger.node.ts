import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { getCampaigns, getCategories } from '../shared/lists/dropDowns';
import { eventOptions } from './events';
import { pollService } from './poll';
import { triggerFields } from './settings';

/** The names of the events on the screen, by event. */
const eventLabels = Object.fromEntries(eventOptions.map(({ name, value }) => [value, name]));

/** The polling trigger. */
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
		subtitle: `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(eventLabels)})[event] || event).join(", ") }}`,
		// n8n's node panel shows this text for both nodes of this package (generateMergedNodesAndActions of n8n 2.41.1).
		description:
			'Send surveys, campaigns and broadcasts, and start workflows when employees respond to surveys',
		eventTriggerDescription: 'Waiting for responses',
		// For the AI builder of n8n 2. n8n 1.123.81 ignores this hint.
		builderHint: {
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-service.messagingService',
					relationHint: 'Creates and sends the surveys whose submissions this trigger emits',
				},
			],
		},
		activationMessage:
			'New responses start the workflow. If Emit Existing is off, existing responses are skipped when you publish this node for the first time.',
		defaults: { name: 'Messaging Service Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingServiceApi', required: true }],
		properties: triggerFields,
	};

	methods = { loadOptions: { getCampaigns, getCategories } };

	poll = pollService;
}
