import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import * as listSearch from './methods/listSearch';
import * as loadOptions from './methods/loadOptions';
import { requestOptions } from './engine/requestOptions';
import { resources } from './resources';
import { displayWithRequests, propertiesOf, subtitleOf } from './engine/properties';
import { serveQuestion, replyWebhooks } from './resources/broadcast/sendAndWait/webhook';
import { customOperationsOf } from './engine/run';

/** The action node, composed of its resources. */
export class MessagingService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service',
		name: 'messagingService',
		icon: {
			light: 'file:../../icons/messagingService.svg',
			dark: 'file:../../icons/messagingService.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(resources),
		description:
			'Send campaigns, surveys and broadcasts to employees, and manage recipient groups, channels and files',
		defaults: { name: 'Messaging Service' },
		usableAsTool: true,
		// For the AI builder of n8n 2. n8n 1.123.81 ignores this hint.
		builderHint: {
			searchHint:
				'Sends surveys, campaigns and broadcasts to employees. To create a survey with questions and recipients in one step, use resource survey, operation launch. To make a recipient group match HR data in one step, use resource recipientGroup, operation sync, which takes all input items at once.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-service.messagingServiceTrigger',
					relationHint: 'Starts the workflow when an employee submits a survey',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'messagingServiceApi',
				required: true,
				displayOptions: displayWithRequests(resources),
			},
		],
		requestDefaults: {
			baseURL: '={{$credentials.baseUrl}}',
			headers: { Accept: 'application/json' },
		},
		webhooks: replyWebhooks,
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "Waiting for a response in the employee app" : "" }}',
		properties: [
			...propertiesOf(resources),
			{ ...requestOptions, displayOptions: displayWithRequests(resources) },
		],
	};

	methods = { listSearch, loadOptions };

	webhook = serveQuestion;

	customOperations = customOperationsOf(resources);
}
