import type { INodeProperties } from 'n8n-workflow';

import { convertedInBody, inBody } from '../operations/body';
import { toRequiredUtcTimestamp } from '../../shared/values';

/**
 * When a new message goes out. Always sent, because an absent status means "live", which sends to everybody at once.
 * 'scheduled' is not among the documented values: the service uses the time only when the status is neither 'live' nor
 * 'draft', and one that does not take it refuses, so nothing goes out (campaign.create in emulator/openapi.yaml).
 */
const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Draft', value: 'draft', description: 'Save it; nobody receives anything' },
		{ name: 'Live', value: 'live', description: 'Send it to its recipients at once' },
		{ name: 'Scheduled', value: 'scheduled', description: 'Send it at a time of your choice' },
	],
	default: 'draft',
	description: 'Whether it is saved as a draft, sent at once or sent later',
	routing: inBody('status'),
};

const scheduledTime: INodeProperties = {
	displayName: 'Scheduled Time',
	name: 'scheduledTime',
	type: 'dateTime',
	default: '',
	description: 'When it goes out; without a time zone it is read in the time zone of the workflow',
	displayOptions: { show: { status: ['scheduled'] } },
	// Set by an expression, Status shows this field whatever it gives: the time goes out only with 'scheduled'.
	routing: convertedInBody('scheduledTime', (value, field, context) =>
		context.getNodeParameter('status', 'draft') === 'scheduled'
			? toRequiredUtcTimestamp(value, field)
			: undefined,
	),
};

export const sendingFields = [status, scheduledTime];
