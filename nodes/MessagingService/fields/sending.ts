import type { INodeProperties } from 'n8n-workflow';

import { choices, dateField, optionsField } from '../../shared/fieldTypes';
import { fieldsIn, listIn, toFutureTimestamp } from '../../shared/values';
import { choiceAmong, chosenAt, inBody } from '../engine/conversions';
import type { Operation } from '../engine/declaration';
import { notice, sendingNotice } from './notice';

const statuses = choices({
	draft: 'Save the message without sending it',
	live: 'Send the message to its recipients right away',
	scheduled: 'Send the message at the scheduled time',
});

/**
 * Determines when a new message is sent. The status is always part of the request, because an absent status means
 * "live", which sends to everybody immediately. The service uses the scheduled time only if the status is neither
 * 'live' nor 'draft'. The API does not document the status for a scheduled message. If the service does not accept
 * 'scheduled', it refuses the request and sends nothing (campaign.create in emulator/openapi.yaml).
 */
const status = optionsField(
	'status',
	statuses,
	'draft',
	'Whether to save the message as a draft, send it right away or send it later',
	{ routing: inBody('status', choiceAmong(statuses)) },
);

const scheduledTime = dateField(
	'scheduledTime',
	'Time at which to send. It must be in the future. Without a time zone, the time zone of the workflow applies.',
	{
		// Not required, because n8n would not run the node without it, even if the expression of Status returns 'draft'.
		hint: 'Required if "Status" is scheduled',
		displayOptions: { show: { status: ['scheduled'] } },
		// The time may be up to five minutes ago: clocks differ, and the workflow needs time to reach this node.
		routing: inBody('scheduledTime', (value, field, item) =>
			chosenAt(item, 'status', statuses) === 'scheduled'
				? toFutureTimestamp(value, field, Date.now() - 5 * 60_000)
				: undefined,
		),
	},
);

const sendingTime = [status, scheduledTime];

const sendsLater = notice(
	'sendsLater',
	'Scheduled: the message goes out to the recipients above at the scheduled time, without another confirmation.',
	{ status: ['scheduled'], recipientsFrom: ['emails', 'groups', 'newRecipients'] },
);

/**
 * Returns the claim of a message to people: only one item of a run sends exactly this message. n8n runs a node once per input
 * item, so a message without a field of the item would be sent once per item.
 *
 * @param what the kind of message, for the error
 * @returns no claim for a draft, because nobody receives it
 */
export function messageClaim(what: string): NonNullable<Operation['claim']> {
	return (_item, { url, body }) => {
		const { recipientEmails, recipientGroups, recipients, ...message } = fieldsIn(body);
		if (message.status === 'draft') return undefined;
		const newPeople = listIn(recipients).map((person) => fieldsIn(person).email);
		// The order and the case of addresses make no difference to who receives the message.
		const people = [recipientEmails, recipientGroups, newPeople].flatMap(listIn);
		return {
			key: [url, message, people.map((one) => String(one).toLowerCase()).sort()],
			message: (count) => `${count} items would send the same ${what} to the same people`,
			advice:
				'To send it once, switch on Execute Once, on the Settings tab of the node. To send something else for each item, use a field of the item in the text or in the recipients.',
		};
	};
}

/** The fields that determine when a message goes to the selected recipients, with notices about the consequences. */
export const campaignSendingFields = recipientSendingFields(
	'Without recipients, nobody receives the campaign. You can add recipients later.',
);

/** The same fields for a broadcast. No endpoint adds recipients to a broadcast. */
export const broadcastSendingFields = recipientSendingFields(
	'Choose recipients above, because the service cannot add any later. Without recipients, nobody receives the broadcast.',
);

/** Returns the fields below a choice of recipients. @param nobodyYet the notice if no recipients are selected */
function recipientSendingFields(nobodyYet: string): INodeProperties[] {
	const shown = { status: ['live', 'scheduled'], recipientsFrom: ['none'] };
	return [...sendingTime, notice('sendsToNobodyYet', nobodyYet, shown), sendsLater];
}

/**
 * The notice that no endpoint can send a draft broadcast or add recipients to it (broadcast.update in
 * emulator/openapi.yaml).
 */
export const broadcastStaysDraft = notice(
	'staysDraft',
	'The service cannot send a draft broadcast or add recipients to it. Use the console, or choose "Live" or "Scheduled".',
	{ status: ['draft'] },
);

/** The notice of a message that is sent live to the selected recipients. */
export const sendsWhenLive = sendingNotice(
	'Live: the message goes out to the recipients above',
	{ status: ['live'], recipientsFrom: ['emails', 'groups', 'newRecipients'] },
	' To try the step, choose "Draft".',
);

/** The fields that determine when a message goes to a channel, with a notice about the consequences. */
export const channelSendingFields: INodeProperties[] = [
	...sendingTime,
	notice(
		'sendsLater',
		'Scheduled: the message goes out to everybody in the channel at the scheduled time, without another confirmation.',
		{ status: ['scheduled'] },
	),
];

/** The notice of a message that is sent live to a channel. */
export const sendsToChannelWhenLive = sendingNotice(
	'Live: the message goes out to everybody in the channel',
	{ status: ['live'] },
	' To try the step, choose "Draft".',
);
