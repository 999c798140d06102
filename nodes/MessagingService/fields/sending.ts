import type { IExecuteSingleFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../../shared/field';
import { toFutureTimestamp } from '../../shared/values';
import { choiceInBody, chosenAt, convertedInBody } from '../operations/body';
import { byExpression } from './byExpression';
import { notice, sendsAtOnce } from './notice';

const statuses: INodePropertyOptions[] = [
	{ name: 'Draft', value: 'draft', description: 'Save it; nobody receives anything' },
	{ name: 'Live', value: 'live', description: 'Send it to its recipients at once' },
	{ name: 'Scheduled', value: 'scheduled', description: 'Send it at a time of your choice' },
];

/**
 * When a new message goes out. Always sent, because an absent status means "live", which sends to everybody at once.
 * 'scheduled' is not among the documented values: the service uses the time only when the status is neither 'live' nor
 * 'draft', and one that does not take it refuses, so nothing goes out (campaign.create in emulator/openapi.yaml).
 */
const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: statuses,
	default: 'draft',
	description: 'Whether it is saved as a draft, sent at once or sent later',
	routing: choiceInBody('status', statuses),
};

const scheduledTime: INodeProperties = {
	displayName: 'Scheduled Time',
	name: 'scheduledTime',
	type: 'dateTime',
	default: '',
	required: true,
	description:
		'When it goes out, in the future; without a time zone it is read in the time zone of the workflow',
	// Hidden, not shown, by the status: n8n shows a field whatever an expression in its `show` gives (n8n-workflow 2.41.0).
	displayOptions: { hide: { status: ['draft', 'live', byExpression] } },
	routing: convertedInBody('scheduledTime', (value, field, context) =>
		statusOf(context, field) === 'scheduled'
			? toFutureTimestamp(value, field, Date.now())
			: undefined,
	),
};

/** The same where an expression gives the status: not required, because n8n runs no node with a required field empty. */
const scheduledTimeByExpression: INodeProperties = {
	...scheduledTime,
	required: false,
	hint: 'Needed when Status gives scheduled',
	displayOptions: { show: { status: [byExpression] } },
};

function statusOf(
	context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>,
	field: Field,
): string {
	return chosenAt(context, 'status', 'draft', statuses, field);
}

const when = [status, scheduledTime, scheduledTimeByExpression];

/** When a message goes out to the recipients that the screen chooses, and what follows from it. */
export const sendingFields: INodeProperties[] = [
	...when,
	notice(
		'sendsToNobodyYet',
		'Live with nobody chosen: nobody gets it until recipients are added.',
		{ status: ['live'], recipientsFrom: ['none'] },
	),
	notice(
		'sendsLater',
		'Scheduled: it goes out to the recipients chosen below at the scheduled time, without asking again.',
		{ status: ['scheduled'], recipientsFrom: ['emails', 'groups', 'newRecipients'] },
	),
	notice(
		'sendsLaterToNobodyYet',
		'Scheduled with nobody chosen: nobody gets it unless recipients are added before the scheduled time.',
		{ status: ['scheduled'], recipientsFrom: ['none'] },
	),
];

/** Said of what goes out live to the recipients that the screen chooses. */
export const sendsWhenLive = sendsAtOnce(
	'Live: it goes out to the recipients chosen below',
	{ status: ['live'], recipientsFrom: ['emails', 'groups', 'newRecipients'] },
	' To try things out, choose Draft.',
);

/** When a message goes out to a channel, and what follows from it. */
export const channelSendingFields: INodeProperties[] = [
	...when,
	notice(
		'sendsLater',
		'Scheduled: it goes out to everybody in the channel at the scheduled time, without asking again.',
		{ status: ['scheduled'] },
	),
];

/** Said of what goes out live to a channel. */
export const sendsToChannelWhenLive = sendsAtOnce(
	'Live: it goes out to everybody in the channel',
	{ status: ['live'] },
	' To try things out, choose Draft.',
);
