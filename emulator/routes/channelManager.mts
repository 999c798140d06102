import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { timestamp } from '../state/clock.mts';
import type { ConsoleUser, ConsoleUserGroup } from '../state/consoleUsers.mts';
import { displayName } from '../state/people.mts';
import { channelHandlers } from './channel.mts';
import { conditionsPage, type ConditionsQuery } from './conditions.mts';
import { done, fieldsOf, type IdParams, type OnRecord } from './envelope.mts';

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

/** Converts the records with the IDs in `permissionsById` to their form in responses. Skips IDs without a record. */
function shapesOf<Each>(
	permissionsById: Map<string, string[]>,
	records: { get(id: string): Each | undefined },
	shape: (record: Each, permissions: string[]) => object,
): object[] {
	return Array.from(permissionsById).flatMap(([id, permissions]) => {
		const record = records.get(id);
		return record === undefined ? [] : [shape(record, permissions)];
	});
}

/** Returns the operations on managers and manager groups (openapi.yaml, channelManager, channelManagerGroup). */
export function channelManagerOperations(context: Context) {
	const onChannel = channelHandlers(context);
	const findUser = (reference: string): ConsoleUser => {
		const user = context.state.consoleUsers.findByReference(reference);
		if (user === undefined) throw new ServiceFailure(messages.invalidParameters);
		return user;
	};

	return {
		'channelManager.getAll': onChannel((channel, request: OnRecord<unknown, ConditionsQuery>) => {
			const { consoleUsers } = context.state;
			const managers = shapesOf(channel.managers, consoleUsers, managerShape);
			return conditionsPage(context, 'channelManager', managers, request.query);
		}),

		'channelManager.set': onChannel(
			(channel, request: OnRecord<{ user: string; permissions: string[] }>) => {
				channel.managers.set(findUser(request.body.user)._id, request.body.permissions);
				return done;
			},
		),

		'channelManager.remove': onChannel((channel, request: OnRecord<{ user: string }>) => {
			if (!channel.managers.delete(findUser(request.body.user)._id)) {
				throw new ServiceFailure(messages.invalidParameters);
			}
			return done;
		}),

		'channelManagerGroup.getAll': onChannel(
			(channel, request: OnRecord<unknown, ConditionsQuery>) => {
				const { consoleUserGroups } = context.state;
				const groups = shapesOf(channel.managerGroups, consoleUserGroups, managerGroupShape);
				return conditionsPage(context, 'channelManagerGroup', groups, request.query);
			},
		),

		'channelManagerGroup.set': onChannel(
			(channel, request: OnRecord<{ groupId: string; permissions: string[] }>) => {
				const { groupId, permissions } = request.body;
				if (!context.state.consoleUserGroups.has(groupId)) {
					throw new ServiceFailure(messages.invalidParameters);
				}
				channel.managerGroups.set(groupId, permissions);
				return done;
			},
		),

		'channelManagerGroup.remove': onChannel(
			(channel, request: FastifyRequest<{ Params: IdParams & { groupId: string } }>) => {
				if (!channel.managerGroups.delete(request.params.groupId)) {
					throw new ServiceFailure(messages.invalidParameters);
				}
				return done;
			},
		),
	};
}
