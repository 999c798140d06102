import type { IDataObject } from 'n8n-workflow';

import { choices, dateField, optionsField } from '../../shared/fieldTypes';
import type { Fail } from '../../shared/failure';
import { buildPath } from '../../shared/transport/address';
import { cancelableSleep } from '../../shared/transport/retry';
import { toFutureTimestamp } from '../../shared/date';
import { fieldsIn, listIn } from '../../shared/values';
import { choiceAmong, chosenAt, inBody } from '../engine/conversions';
import type { Check, Operation } from '../engine/declaration';
import { onePerRun, type Item } from '../engine/item';
import { callApi } from '../engine/sendItem';
import { notice, sendingNotice } from './notice';

const statuses = choices({
	draft: 'Save the message without sending it',
	live: 'Send the message to its recipients right away',
	scheduled: 'Send the message at the scheduled time',
});

const chosenStatus = chosenAt('status', statuses);

/**
 * Determines when a new message is sent. The status is always part of the request, because an absent status means
 * "live", which sends to everybody immediately. The service uses the scheduled time only if the status is neither
 * 'live' nor 'draft'. The API does not document the status for a scheduled message. If the service does not accept
 * 'scheduled', it refuses the request and sends nothing (campaign.create in emulator/openapi.yaml).
 */
const status = optionsField('status', statuses, 'draft', 'Whether and when to send the message', {
	routing: inBody('status', choiceAmong(statuses)),
});

const scheduledTime = dateField(
	'scheduledTime',
	'When to send. The node refuses times more than five minutes in the past. For a time in the last five minutes, the service might send right away. If the time has no time zone, the time zone of the workflow applies.',
	{
		// Not required, because n8n would not run the node without it, even if the expression of Status returns 'draft'.
		hint: 'Required for each item with the status Scheduled',
		displayOptions: { show: { status: ['scheduled'] } },
		// The time may be up to five minutes ago: clocks differ, and the workflow needs time to reach this node.
		routing: inBody('scheduledTime', (value, field, item) =>
			chosenStatus(item) === 'scheduled'
				? toFutureTimestamp(value, field, Date.now() - 5 * 60_000)
				: undefined,
		),
	},
);

/** The fields that determine when a message is sent. */
export const sendingTime = [status, scheduledTime];

/**
 * Returns the claim of a message to people: only one item of a run sends this message, live or scheduled in the same hour. n8n
 * runs a node once per input item, so a message without a field of the item would be sent once per item.
 *
 * @param what the kind of message, for the error
 * @returns no claim for a draft, because nobody receives it
 */
export function messageClaim(what: string): NonNullable<Operation['claim']> {
	return (_item, { url, body }) => {
		const { recipientEmails, recipientGroups, recipients, scheduledTime, ...message } =
			fieldsIn(body);
		if (message.status === 'draft') return undefined;
		const newPeople = listIn(recipients).map((person) => fieldsIn(person).email);
		// Only the hour counts, because a relative time, such as {{ $now.plus(1, 'hours') }}, differs by milliseconds between items.
		const hour = String(scheduledTime).slice(0, '2026-01-31T09'.length);
		// The order and the case of addresses make no difference to who receives the message.
		const people = [recipientEmails, recipientGroups, newPeople].flatMap(listIn);
		return {
			key: [url, message, hour, people.map((one) => String(one).toLowerCase()).sort()],
			message: (count) => `${count} items would send the same ${what} to the same people`,
			advice:
				'To send it once, switch on Execute Once, on the Settings tab of the node. To send something else for each item, use a field of the item in the text or in the recipients.',
		};
	};
}

/** How often a record is read until it shows somebody. Whether a read shows a change at once is not documented. */
const MOST_READS = 3;
const PAUSE_MS = 2_000;

/**
 * Reads how many people a record has. If it shows nobody, reads it again.
 *
 * @param url the path of the record
 * @param count the field with the number of its people
 * @returns their number, or null if the record does not say it: it may have people
 * @throws NodeApiError
 */
export async function readPeopleCount(
	item: Item,
	url: string,
	count: 'leadsTotal' | 'recipientAmount',
): Promise<number | null> {
	for (let reads = 1; ; reads++) {
		const { data } = await callApi(item, { url });
		const people = fieldsIn(data)[count];
		if (people !== 0 || reads === MOST_READS) return typeof people === 'number' ? people : null;
		await cancelableSleep(PAUSE_MS, item.getExecutionCancelSignal());
	}
}

/** How many members recipient groups show, by their paths: null if a group cannot be read. Each group is read once. */
const memberCountsOf = onePerRun(() => new Map<string, Promise<number | null>>());

/** Whether a body has recipient groups, and all of them show that they have no members. */
async function hasOnlyEmptyGroups(item: Item, body: IDataObject, fail: Fail): Promise<boolean> {
	const groups = listIn(body.recipientGroups);
	const counts = memberCountsOf(item);
	for (const recipientGroupId of groups) {
		const url = buildPath('/int/v1/recipientGroup/:recipientGroupId', { recipientGroupId }, fail);
		const count = counts.get(url) ?? readPeopleCount(item, url, 'leadsTotal').catch(() => null);
		counts.set(url, count);
		if ((await count) !== 0) return false;
	}
	return groups.length > 0;
}

/** Warns if only groups without members are added to a campaign. A draft may be sent later, when they have members. */
export const warnOfEmptyGroups: Check = async (item, body, fail) => {
	if (!(await hasOnlyEmptyGroups(item, body, fail))) return;
	item.run.warn(
		`Item ${item.getItemIndex()}: the selected recipient groups have no members, so nobody is added`,
	);
};

/** Fails if a message that is sent or scheduled goes only to groups without members. */
export const groupsHaveMembers: Check = async (item, body, fail) => {
	if (body.status === 'draft' || !(await hasOnlyEmptyGroups(item, body, fail))) return;
	throw fail(
		'The selected recipient groups have no members',
		'Nobody would receive the message. Add people to the groups, or choose others. Nothing was sent.',
	);
};

/** What n8n does to a workflow that was written by hand or by an AI model. */
const RECIPIENTS_MAY_BE_REMOVED =
	'If addresses were saved without Recipients From, n8n has removed them: set Recipients From, and enter them again.';

/** Whether a message without recipients is sent or scheduled. */
const isForNobody = ({ status, ...body }: IDataObject): boolean =>
	status !== 'draft' && !Object.keys(body).some((name) => /^recipient/.test(name));

/** Fails if a broadcast without recipients is sent or scheduled. No endpoint adds recipients to a broadcast. */
export const broadcastHasRecipients: Check = (_item, body, fail) => {
	if (!isForNobody(body)) return;
	throw fail(
		'Recipients From is "Nobody Yet", so nobody would receive the broadcast',
		`The service cannot add recipients later. Choose recipients, or the status Draft. ${RECIPIENTS_MAY_BE_REMOVED} Nothing was sent.`,
	);
};

/** Warns if a campaign without recipients is sent or scheduled. */
export const warnOfNobody: Check = (item, body) => {
	if (!isForNobody(body)) return;
	const what = `Item ${item.getItemIndex()}: nobody receives the campaign until you add recipients`;
	item.run.warn(`${what}. ${RECIPIENTS_MAY_BE_REMOVED}`);
};

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

/** The notice of a message that is sent live to a channel. */
export const sendsToChannelWhenLive = sendingNotice(
	'Live: the message goes out to the channel',
	{ status: ['live'] },
	' To try the step, choose "Draft".',
);
