import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { timestamp } from '../state/clock.mts';
import type { ConsoleUser, ConsoleUserGroup } from '../state/consoleUsers.mts';
import { displayName } from '../state/people.mts';
import { findChannel } from './channel.mts';
import { matchesConditions, queryConditions, type ConditionsQuery } from './conditions.mts';
import { done, fieldsOf, type IdParams, type OnRecord } from './envelope.mts';
import { skipPage } from './paging.mts';

function managerShape(user: ConsoleUser, permissions: string[]): object {
	const shown = fieldsOf(user, '_id', 'active', 'activeConsole', 'email', 'lastName');
	return { ...shown, displayName: displayName(user), permissions };
}

function managerGroupShape(group: ConsoleUserGroup, permissions: string[]): object {
	return {
		...fieldsOf(group, '_id', 'name', 'desc', 'deleted', 'default', 'roles'),
		mDate: timestamp(group.changedAt),
		aDate: timestamp(group.createdAt),
		permissions,
	};
}

/** Managers and manager groups of channels (openapi.yaml, channelManager, channelManagerGroup). */
export function channelManagerOperations(context: Context) {
	const findUser = (reference: string): ConsoleUser => {
		const user = context.state.consoleUsers.findByReference(reference);
		if (user === undefined) throw new ServiceFailure(messages.invalidParameters);
		return user;
	};
	const page = (
		operationId: 'channelManager.getAll' | 'channelManagerGroup.getAll',
		query: ConditionsQuery,
		records: object[],
	) => {
		const conditions = queryConditions(context, operationId, query.conditions);
		return skipPage(
			context,
			operationId === 'channelManager.getAll' ? 'channelManager' : 'channelManagerGroup',
			records.filter((record) => matchesConditions(record, conditions)),
			{ skip: query.skip ?? 0, limit: query.limit ?? context.switches.channelListDefaultLimit },
			(record) => record,
		);
	};

	return {
		'channelManager.getAll': (request: OnRecord<unknown, ConditionsQuery>) => {
			const channel = findChannel(context, request, request.params.id);
			const managers = Array.from(channel.managers).flatMap(([id, permissions]) => {
				const user = context.state.consoleUsers.get(id);
				return user === undefined ? [] : [managerShape(user, permissions)];
			});
			return page('channelManager.getAll', request.query, managers);
		},

		'channelManager.set': (request: OnRecord<{ user: string; permissions: string[] }>) => {
			const channel = findChannel(context, request, request.params.id);
			channel.managers.set(findUser(request.body.user)._id, request.body.permissions);
			return done;
		},

		'channelManager.remove': (request: OnRecord<{ user: string }>) => {
			const channel = findChannel(context, request, request.params.id);
			if (!channel.managers.delete(findUser(request.body.user)._id)) {
				throw new ServiceFailure(messages.invalidParameters);
			}
			return done;
		},

		'channelManagerGroup.getAll': (request: OnRecord<unknown, ConditionsQuery>) => {
			const channel = findChannel(context, request, request.params.id);
			const groups = Array.from(channel.managerGroups).flatMap(([id, permissions]) => {
				const group = context.state.consoleUserGroups.get(id);
				return group === undefined ? [] : [managerGroupShape(group, permissions)];
			});
			return page('channelManagerGroup.getAll', request.query, groups);
		},

		'channelManagerGroup.set': (request: OnRecord<{ groupId: string; permissions: string[] }>) => {
			const channel = findChannel(context, request, request.params.id);
			const { groupId, permissions } = request.body;
			if (!context.state.consoleUserGroups.has(groupId)) {
				throw new ServiceFailure(messages.invalidParameters);
			}
			channel.managerGroups.set(groupId, permissions);
			return done;
		},

		'channelManagerGroup.remove': (
			request: FastifyRequest<{ Params: IdParams & { groupId: string } }>,
		) => {
			const channel = findChannel(context, request, request.params.id);
			if (!channel.managerGroups.delete(request.params.groupId)) {
				throw new ServiceFailure(messages.invalidParameters);
			}
			return done;
		},
	};
}
