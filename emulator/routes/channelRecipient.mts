import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { displayName, type Person } from '../state/people.mts';
import type { Channel, ChannelRecipientEntry } from '../state/channel.mts';
import { channelHandlers } from './channel.mts';
import { done, fieldsOf, type OnRecord } from './envelope.mts';
import { skipPage, type SkipQuery } from './paging.mts';
import { personAt, refusalOf, unknownRecipient } from './unknownRecipients.mts';

interface ChannelRecipients {
	recipients?: string[];
	lists?: string[];
}

function recipientShape(person: Person, entry: ChannelRecipientEntry, email: string): object {
	return {
		...fieldsOf(person, '_id', 'active', 'lastName'),
		...(email === '' ? {} : { email }),
		activeConsole: false,
		displayName: displayName(person),
		pitchStatus: 'live',
		oppo: { _id: entry.linkId, pitchStatus: 'live', ceUserId: person._id, _type: 'Oppo' },
	};
}

/** Returns the operations on the recipients of channels (openapi.yaml, channelRecipient). */
export function channelRecipientOperations(context: Context) {
	const onChannel = channelHandlers(context);
	type Entries = Channel['recipients'];
	/** The recipients before the last change, and how many reads still show them. */
	const former = new WeakMap<Channel, { recipients: Entries; reads: number }>();
	const beforeChange = (channel: Channel): void => {
		const reads = context.switches.channelListLag;
		if (reads > 0) former.set(channel, { recipients: new Map(channel.recipients), reads });
	};
	/** Returns the recipients that a read shows. A read begins at its first page. */
	const entriesShown = (channel: Channel, skip = 0): Entries => {
		const old = former.get(channel);
		if (old !== undefined && skip === 0 && old.reads-- <= 0) former.delete(channel);
		return former.get(channel)?.recipients ?? channel.recipients;
	};
	/**
	 * Returns the IDs of the people that a request names directly or by group. The values of the map are the addresses among
	 * the references.
	 */
	const referred = (body: ChannelRecipients, isAdding = false): Map<string, string | undefined> => {
		const { state, switches } = context;
		const ids = new Map<string, string | undefined>();
		const unknown = (): void => {
			if (switches.unknownChannelRecipients === 'refuseCall') {
				throw new ServiceFailure(unknownRecipient(context, messages.invalidParameters));
			}
		};
		for (const reference of body.recipients ?? []) {
			const find = (given: string) => state.people.findByReference(given);
			const person = personAt(context, reference, find);
			const refusal = person && isAdding ? refusalOf(person) : undefined;
			if (refusal !== undefined) throw new ServiceFailure(refusal);
			if (person === undefined) unknown();
			else ids.set(person._id, reference.includes('@') ? reference : undefined);
		}
		for (const groupId of body.lists ?? []) {
			const group = state.recipientGroups.get(groupId);
			if (group === undefined) unknown();
			for (const id of group?.members ?? []) ids.set(id, undefined);
		}
		return ids;
	};

	return {
		'channelRecipient.getAll': onChannel((channel, request: OnRecord<unknown, SkipQuery>) => {
			const { channelAddressShown, channelListsWithoutEmail } = context.switches;
			const entries = entriesShown(channel, request.query.skip);
			const recipients = Array.from(entries.values()).flatMap((entry) => {
				const person = context.state.people.get(entry.personId);
				if (person === undefined) return [];
				const added = channelAddressShown === 'asAdded' ? entry.addedAs : undefined;
				const email = added ?? person.email;
				if (email === '' && !channelListsWithoutEmail) return [];
				return [recipientShape(person, entry, email)];
			});
			return skipPage(context, 'channelRecipient', recipients, request.query);
		}),

		'channelRecipient.add': onChannel((channel, request: OnRecord<ChannelRecipients>) => {
			const people = referred(request.body, true);
			beforeChange(channel);
			for (const [personId, addedAs] of people) {
				if (channel.recipients.has(personId)) continue;
				channel.recipients.set(personId, { linkId: context.state.ids.next(), personId, addedAs });
			}
			return done;
		}),

		'channelRecipient.remove': onChannel((channel, request: OnRecord<ChannelRecipients>) => {
			const people = referred(request.body);
			beforeChange(channel);
			for (const personId of people.keys()) channel.recipients.delete(personId);
			return done;
		}),
	};
}
