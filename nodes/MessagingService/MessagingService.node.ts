import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import * as listSearch from './methods/listSearch';
import * as loadOptions from './methods/loadOptions';
import { requestOptions } from './operations/requestOptions';
import { subtitleOf } from './operations/subtitle';
import { resources } from './resources';
import { propertiesOf } from './operations/properties';
import { handleReply, replyWebhooks } from './resources/broadcast/sendAndWait/webhook';
import { customOperationsOf } from './runner/runItems';

/** The action node, put together from its resources. */
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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingServiceApi', required: true }],
		requestDefaults: {
			baseURL: '={{$credentials.baseUrl}}',
			headers: { Accept: 'application/json' },
		},
		webhooks: replyWebhooks,
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "Waiting for a response in the employee app" : "" }}',
		properties: [...propertiesOf(resources), requestOptions],
	};

	methods = { listSearch, loadOptions };

	webhook = handleReply;

	customOperations = customOperationsOf(resources);
}
