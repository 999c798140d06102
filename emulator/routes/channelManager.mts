import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { Channel } from '../state/channel.mts';
import { timestamp } from '../state/clock.mts';
import type { ConsoleUser, ConsoleUserGroup } from '../state/consoleUsers.mts';
import { displayName } from '../state/people.mts';
import { channelHandlers } from './channel.mts';
import { done, fieldsOf, type OnRecord } from './envelope.mts';
import { skipPage, type SkipQuery } from './paging.mts';

const managerShape = (user: ConsoleUser): object => ({
	...fieldsOf(user, '_id', 'active', 'activeConsole', 'email', 'lastName'),
	displayName: displayName(user),
});

const managerGroupShape = (group: ConsoleUserGroup): object => ({
	...fieldsOf(group, '_id', 'name', 'desc', 'deleted', 'default', 'roles'),
	mDate: timestamp(group.changedAt),
	aDate: timestamp(group.createdAt),
});

/** How a request names a manager or a manager group. */
type Named = { user?: string; groupId?: string };

/**
 * Returns the operations on managers, or those on manager groups.
 *
 * @param permissionsIn the permissions in a channel, by ID of the manager or group
 * @param find returns the user or group for a reference
 */
function operationsFor<Each extends { readonly _id: string }>(
	context: Context,
	list: 'channelManager' | 'channelManagerGroup',
	permissionsIn: (channel: Channel) => Map<string, string[]>,
	find: (reference: string) => Each | undefined,
	shape: (record: Each) => object,
): object {
	const onChannel = channelHandlers(context);
	const idOf = ({ user, groupId = '' }: Named): string => {
		const found = find(user ?? groupId);
		if (found === undefined) throw new ServiceFailure(messages.invalidParameters);
		return found._id;
	};
	return {
		[`${list}.getAll`]: onChannel((channel, request: OnRecord<unknown, SkipQuery>) => {
			const shown = Array.from(permissionsIn(channel)).flatMap(([id, permissions]) => {
				const record = find(id);
				return record ? [{ ...shape(record), permissions }] : [];
			});
			return skipPage(context, list, shown, request.query);
		}),

		[`${list}.set`]: onChannel((channel, request: OnRecord<Named & { permissions: string[] }>) => {
			permissionsIn(channel).set(idOf(request.body), request.body.permissions);
			return done;
		}),

		[`${list}.remove`]: onChannel((channel, { params, body }: OnRecord<Named>) => {
			if (!permissionsIn(channel).delete(idOf({ ...params, ...body }))) {
				throw new ServiceFailure(messages.invalidParameters);
			}
			return done;
		}),
	};
}

/** Returns the operations on managers and manager groups (openapi.yaml, channelManager, channelManagerGroup). */
export function channelManagerOperations(context: Context): object {
	return {
		...operationsFor(
			context,
			'channelManager',
			({ managers }) => managers,
			(reference) => context.state.consoleUsers.findByReference(reference),
			managerShape,
		),
		...operationsFor(
			context,
			'channelManagerGroup',
			({ managerGroups }) => managerGroups,
			(id) => context.state.consoleUserGroups.get(id),
			managerGroupShape,
		),
	};
}
