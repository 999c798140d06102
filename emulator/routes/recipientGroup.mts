import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { RecipientGroup } from '../state/recipientGroup.mts';
import { requireText } from './campaignWrite.mts';
import { callerOf, ok, type OnRecord } from './envelope.mts';
import { errorLogEntry } from './errorLog.mts';
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
function resolveMembers(context: Context, source: MemberSource) {
	const { switches, state } = context;
	const byEmail = source.recipientEmails !== undefined;
	const mode = byEmail ? switches.unknownEmails : switches.unknownIds;
	const known = new Set<string>();
	const unknown = new Map<string, object>();
	for (const [index, value] of (source.recipientEmails ?? source.recipientIds ?? []).entries()) {
		const person = byEmail ? state.people.findByEmail(value) : state.people.get(value);
		if (person !== undefined) known.add(person._id);
		else unknown.set(value, errorLogEntry(switches.errorLogShape, byEmail, value, index));
	}
	if (unknown.size > 0 && mode === 'refuseCall') {
		throw new ServiceFailure(messages.unknownRecipients);
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
	/** Adds or removes members. `change` returns whether it changed the group. */
	const changeMembers =
		(change: (members: Set<string>, id: string) => boolean) =>
		(request: OnRecord<MemberSource>) => {
			const group = demand(request);
			const { known, errorLog } = resolveMembers(context, request.body);
			if (request.body.reset === true) group.members.clear();
			const successCount = [...known].filter((id) => change(group.members, id)).length;
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
				.filter(({ ownerId }) => own !== 'true' || ownerId === callerOf(request)._id);
			return skipPage(
				context,
				'recipientGroup',
				inOrder(groups),
				{ skip: Number(skip ?? '0'), limit: Number(limit ?? '20') },
				(group) =>
					recipientGroupShape(context, group, { withLeads: context.switches.leadsInLists }),
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
			const { known } = resolveMembers(context, { recipientIds: leads ?? [] });
			const group = context.state.addRecipientGroup(name, known, callerOf(request)._id);
			return ok(recipientGroupShape(context, group));
		},

		'recipientGroup.delete': (request: OnRecord) => {
			const group = demand(request);
			context.state.recipientGroups.delete(group._id);
			return ok(recipientGroupShape(context, group));
		},

		'recipientGroup.addRecipients': changeMembers(
			(members, id) => !members.has(id) && Boolean(members.add(id)),
		),

		'recipientGroup.removeRecipients': changeMembers((members, id) => members.delete(id)),
	};
}
