import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { RecipientGroup } from '../state/recipientGroup.mts';
import { requireText } from './campaignWrite.mts';
import { ok, type OnRecord } from './envelope.mts';
import { errorLogEntry } from './errorLog.mts';
import { personAt, refusalOf, unknownRecipient } from './unknownRecipients.mts';
import { skipPage } from './paging.mts';
import { recipientGroupShape } from './shapes.mts';

interface GroupQuery {
	limit?: string;
	skip?: string;
	own?: 'true' | 'false';
}

interface MemberSource {
	recipientIds?: string[];
	recipientEmails?: string[];
	reset?: boolean;
}

/** Resolves the recipients of a request. Switches determine what happens to unknown recipients. */
function resolveMembers(context: Context, source: MemberSource, isAdding: boolean) {
	const { switches, state } = context;
	const byEmail = source.recipientEmails !== undefined;
	const mode = byEmail ? switches.unknownEmails : switches.unknownIds;
	const known = new Set<string>();
	const unknown = new Map<string, object>();
	for (const [index, value] of (source.recipientEmails ?? source.recipientIds ?? []).entries()) {
		const person = byEmail ? personAt(context, value) : state.people.get(value);
		const refusal = person && isAdding ? refusalOf(person) : undefined;
		if (person !== undefined && refusal === undefined) known.add(person._id);
		else unknown.set(value, errorLogEntry(switches.errorLogShape, byEmail, value, index, refusal));
		if (refusal !== undefined && mode === 'refuseCall') throw new ServiceFailure(refusal);
	}
	if (unknown.size > 0 && mode === 'refuseCall') {
		throw new ServiceFailure(unknownRecipient(context, messages.unknownRecipients));
	}
	return { known, errorLog: mode === 'errorLog' ? [...unknown.values()] : [] };
}

/** Returns the recipient group operations (openapi.yaml, recipientGroup). */
export function recipientGroupOperations(context: Context) {
	const demand = ({ params }: OnRecord): RecipientGroup => {
		const group = context.state.recipientGroups.get(params.id);
		if (group === undefined) throw new ServiceFailure(messages.groupDoesNotExist);
		return group;
	};
	/** Adds a person to a group. A switch determines whether they leave other groups. Returns whether they are new in it. */
	const join = (group: RecipientGroup, id: string): boolean => {
		if (group.members.has(id)) return false;
		const isAlone = context.switches.exclusiveMeans === 'inNoOtherGroup';
		for (const other of isAlone ? context.state.recipientGroups.values() : [])
			if (group.exclusive || other.exclusive) other.members.delete(id);
		return Boolean(group.members.add(id));
	};
	/** Adds or removes members. `change` returns whether it changed the group. */
	const changeMembers =
		(change: (group: RecipientGroup, id: string) => boolean) =>
		(request: OnRecord<MemberSource>) => {
			const group = demand(request);
			const { known, errorLog } = resolveMembers(context, request.body, change === join);
			if (request.body.reset === true) group.members.clear();
			const successCount = [...known].filter((id) => change(group, id)).length;
			group.changedAt = context.clock.now();
			group.version += 1;
			const errorCount = errorLog.length;
			return ok({ successCount, errorCount, ...(errorCount > 0 && { errorLog }) });
		};
	const inOrder = (groups: RecipientGroup[]): RecipientGroup[] => {
		const order = context.switches.recipientGroupOrder;
		if (order === 'newestFirst') return groups.reverse();
		if (order === 'byName') return groups.sort((a, b) => a.name.localeCompare(b.name, 'en'));
		return groups;
	};

	return {
		'recipientGroup.getAll': (request: FastifyRequest<{ Querystring: GroupQuery }>) => {
			const { limit, skip, own } = request.query;
			const groups = context.state.recipientGroups
				.values()
				.filter(({ ownerId }) => own !== 'true' || ownerId === context.state.superUser._id);
			const query = { skip: Number(skip ?? '0'), limit: Number(limit ?? '20') };
			return skipPage(context, 'recipientGroup', inOrder(groups), query, (group) =>
				recipientGroupShape(context, group, true),
			);
		},

		/** For an unknown group, returns HTTP 404 with a plain text body (openapi.yaml, Failures). */
		'recipientGroup.get': async (request: OnRecord, reply: FastifyReply) => {
			const group = context.state.recipientGroups.get(request.params.id);
			if (group === undefined) return reply.code(404).type('text/plain').send('Not Found');
			return ok(recipientGroupShape(context, group));
		},

		'recipientGroup.create': (
			request: FastifyRequest<{ Body: { name: string; leads?: string[] } }>,
		) => {
			const { name, leads } = request.body;
			requireText('recipientGroup.create', request.body, 'name');
			const { known } = resolveMembers(context, { recipientIds: leads ?? [] }, false);
			const group = context.state.addRecipientGroup(name, known);
			return ok(recipientGroupShape(context, group));
		},

		'recipientGroup.delete': (request: OnRecord) => {
			const group = demand(request);
			context.state.recipientGroups.delete(group._id);
			return ok(recipientGroupShape(context, group));
		},

		'recipientGroup.addRecipients': changeMembers(join),

		'recipientGroup.removeRecipients': changeMembers(({ members }, id) => members.delete(id)),
	};
}
