import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { Channel, ChannelDefaults } from '../state/channel.mts';
import { timestamp } from '../state/clock.mts';
import { userSummary } from '../state/consoleUsers.mts';
import { displayName } from '../state/people.mts';
import { createBroadcast, type ChannelBroadcastCreate } from './broadcast.mts';
import { createCampaign, type ChannelCampaignCreate } from './campaignWrite.mts';
import { fieldsOf, ok, type IdParams, type OnRecord } from './envelope.mts';
import { skipPage } from './paging.mts';
import { campaignReference } from './shapes.mts';

interface ChannelWrite {
	name?: string;
	title?: string;
	description?: string;
	defaults?: Partial<ChannelDefaults>;
}

/**
 * Returns a function that creates the handler of an operation on a channel. The handler calls `handle` with the channel and
 * the request. If the channel is unknown, the handler fails with "Invalid parameters" (openapi.yaml, Failures).
 */
export function channelHandlers(context: Context) {
	return <Request extends { params: IdParams }>(
		handle: (channel: Channel, request: Request) => object,
	) =>
		(request: Request): object => {
			const channel = context.state.channels.get(request.params.id);
			if (channel === undefined) throw new ServiceFailure(messages.invalidParameters);
			return handle(channel, request);
		};
}

function listItem(context: Context, channel: Channel): object {
	const { consoleUsers } = context.state;
	const owner = consoleUsers.get(channel.ownerId);
	return {
		_id: channel._id,
		aDate: timestamp(channel.createdAt),
		mDate: timestamp(channel.changedAt),
		status: channel.status,
		name: channel.name,
		title: channel.title,
		description: channel.description,
		paused: channel.paused,
		sharedUsers: channel.sharedUserIds.flatMap((id) => {
			const user = consoleUsers.get(id);
			return user ? [{ ...fieldsOf(user, '_id', 'email'), displayName: displayName(user) }] : [];
		}),
		sharedGroups: channel.sharedGroups,
		// Some settings have another name in responses than in requests (openapi.yaml, ChannelFields, ChannelWrite).
		defaults: {
			...fieldsOf(channel.defaults, 'template', 'enableEmail', 'commentVisibility'),
			enablePushNotification: channel.defaults.enableAppNotification,
			enableComments: channel.defaults.enableComment,
		},
		...(owner && { ownerId: userSummary(owner) }),
	};
}

function afterWrite(context: Context, channel: Channel): object {
	return { ...listItem(context, channel), pinned: channel.pinned, adminIds: channel.adminIds };
}

/** Returns the channel operations (openapi.yaml, channel). */
export function channelOperations(context: Context) {
	const onChannel = channelHandlers(context);
	const setStatus = (channel: Channel, status: Channel['status']): object => {
		if (status === '1' && channel.status !== '3') {
			throw new ServiceFailure(messages.invalidParameters);
		}
		channel.status = status;
		channel.changedAt = context.clock.now();
		return ok(afterWrite(context, channel));
	};
	const checkTemplate = (defaults: Partial<ChannelDefaults> | undefined): void => {
		const template = defaults?.template;
		if (template === undefined || template === '' || context.state.templates.has(template)) return;
		throw new ServiceFailure(messages.invalidParameters);
	};

	return {
		/** Returns all channels in one response, newest first. The operation takes no query. */
		'channel.getAll': () => {
			const channels = context.state.channels.newestFirst();
			return skipPage(context, 'channel', channels, {}, (channel) => listItem(context, channel));
		},

		'channel.get': onChannel((channel) =>
			ok({ ...listItem(context, channel), pinned: channel.pinned }),
		),

		'channel.create': (request: FastifyRequest<{ Body: ChannelWrite }>) => {
			const { defaults, ...texts } = request.body;
			checkTemplate(defaults);
			const channel = context.state.addChannel(texts);
			Object.assign(channel.defaults, defaults);
			return ok(afterWrite(context, channel));
		},

		'channel.update': onChannel((channel, request: OnRecord<ChannelWrite>) => {
			const { defaults, ...texts } = request.body;
			checkTemplate(defaults);
			Object.assign(channel, texts);
			Object.assign(channel.defaults, defaults);
			channel.changedAt = context.clock.now();
			return ok(afterWrite(context, channel));
		}),

		'channel.archive': onChannel((channel) => setStatus(channel, '3')),

		'channel.restore': onChannel((channel) => setStatus(channel, '1')),

		/** If the request omits a delivery setting, the setting of the channel applies. */
		'channel.createCampaign': onChannel((channel, request: OnRecord<ChannelCampaignCreate>) => {
			const { defaults } = channel;
			const campaign = createCampaign(
				context,
				'channel.createCampaign',
				{
					...(defaults.template === '' ? {} : { templateId: defaults.template }),
					enableEmail: defaults.enableEmail,
					enableMobileNotification: defaults.enableAppNotification,
					...request.body,
				},
				{
					commentVisibility: defaults.enableComment ? defaults.commentVisibility : 'disabled',
					recipients: new Set(channel.recipients.keys()),
					channelId: channel._id,
				},
			);
			return ok(campaignReference(context, campaign));
		}),

		'channel.createBroadcast': onChannel((channel, request: OnRecord<ChannelBroadcastCreate>) =>
			ok(
				createBroadcast(
					context,
					'channel.createBroadcast',
					{ ...request.body, status: 'live' },
					{ recipients: new Set(channel.recipients.keys()), channelId: channel._id },
				),
			),
		),
	};
}
