import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { displayName, type Person } from '../state/people.mts';
import type { ChannelRecipientEntry } from '../state/channel.mts';
import { channelHandlers } from './channel.mts';
import {
	bodyCondition,
	conditionsPage,
	matchesConditions,
	type ConditionsQuery,
} from './conditions.mts';
import { done, fieldsOf, type OnRecord } from './envelope.mts';

interface ChannelRecipients {
	recipients?: string[];
	lists?: string[];
	conditions?: string[];
}

function recipientShape(person: Person, entry: ChannelRecipientEntry): object {
	return {
		...fieldsOf(person, '_id', 'active', 'email', 'lastName'),
		activeConsole: false,
		displayName: displayName(person),
		pitchStatus: 'live',
		oppo: { _id: entry.linkId, pitchStatus: 'live', ceUserId: person._id, _type: 'Oppo' },
	};
}

/** Returns the operations on the recipients of channels (openapi.yaml, channelRecipient). */
export function channelRecipientOperations(context: Context) {
	const onChannel = channelHandlers(context);
	/**
	 * Returns the IDs of the people that a request names directly, by group or by a condition. Conditions select only active
	 * people.
	 */
	const referred = (body: ChannelRecipients): Set<string> => {
		const { state, switches } = context;
		const ids = new Set<string>();
		const unknown = (): void => {
			if (switches.unknownChannelRecipients === 'refuseCall') {
				throw new ServiceFailure(messages.invalidParameters);
			}
		};
		for (const reference of body.recipients ?? []) {
			const person = state.people.findByReference(reference);
			if (person === undefined) unknown();
			else ids.add(person._id);
		}
		for (const groupId of body.lists ?? []) {
			const group = state.recipientGroups.get(groupId);
			if (group === undefined) unknown();
			for (const id of group?.members ?? []) ids.add(id);
		}
		for (const text of body.conditions ?? []) {
			const conditions = bodyCondition(text);
			for (const person of state.people.values()) {
				if (person.active && matchesConditions(person, conditions)) ids.add(person._id);
			}
		}
		return ids;
	};

	return {
		'channelRecipient.getAll': onChannel((channel, request: OnRecord<unknown, ConditionsQuery>) => {
			const recipients = Array.from(channel.recipients.values()).flatMap((entry) => {
				const person = context.state.people.get(entry.personId);
				return person === undefined ? [] : [recipientShape(person, entry)];
			});
			return conditionsPage(context, 'channelRecipient', recipients, request.query);
		}),

		'channelRecipient.add': onChannel((channel, request: OnRecord<ChannelRecipients>) => {
			for (const personId of referred(request.body)) {
				if (channel.recipients.has(personId)) continue;
				channel.recipients.set(personId, { linkId: context.state.ids.next(), personId });
			}
			return done;
		}),

		'channelRecipient.remove': onChannel((channel, request: OnRecord<ChannelRecipients>) => {
			for (const personId of referred(request.body)) channel.recipients.delete(personId);
			return done;
		}),
	};
}
