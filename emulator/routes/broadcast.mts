import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { Broadcast } from '../state/campaign.mts';
import { requireText } from './campaignWrite.mts';
import { done, ok, type OnRecord } from './envelope.mts';
import { findRecord, sendablePage, type SendableQuery } from './paging.mts';
import { resolveRecipients, startingState, type RecipientSource, type Timing } from './sending.mts';
import { broadcastShape, broadcastStatus, consoleUrl } from './shapes.mts';

type Content = 'emoji' | 'imageUrl' | 'requiredConfirm' | 'contentInEmail';

export type ChannelBroadcastCreate = Pick<Broadcast, 'title' | 'message'> &
	Partial<Pick<Broadcast, Content | 'actionLink' | 'actionLinkText'>>;

type BroadcastCreate = ChannelBroadcastCreate & Timing & RecipientSource;

/** Creates a broadcast, which may belong to a channel (openapi.yaml, broadcast.create, channel.createBroadcast). */
export function createBroadcast(
	context: Context,
	operationId: string,
	body: BroadcastCreate,
	more: Partial<Broadcast>,
): { _id: string; broadcastUrl: string } {
	requireText(operationId, body, 'title', 'message');
	const { status, scheduledTime, recipientEmails, recipientGroups, recipients, ...content } = body;
	const start = startingState(context, { status, scheduledTime });
	const source = { recipientEmails, recipientGroups, recipients };
	const broadcast = context.state.addBroadcast({
		recipients: resolveRecipients(context, source),
		...more,
		...content,
		...start,
		viaApi: true,
	});
	return { _id: broadcast._id, broadcastUrl: consoleUrl(context, 'broadcast', broadcast._id) };
}

/** Returns the broadcast operations (openapi.yaml, broadcast). */
export function broadcastOperations(context: Context) {
	const find = (request: OnRecord, message?: string): Broadcast =>
		findRecord(context.state.broadcasts, request, message);

	return {
		'broadcast.getAll': (request: FastifyRequest<{ Querystring: SendableQuery }>) => {
			const { broadcasts } = context.state;
			return sendablePage(context, 'broadcast', broadcasts, request, broadcastShape);
		},

		'broadcast.get': (request: OnRecord) => ok(broadcastShape(context, find(request))),

		'broadcast.create': (request: FastifyRequest<{ Body: BroadcastCreate }>) =>
			ok(createBroadcast(context, 'broadcast.create', request.body, {})),

		/** Cancels a scheduled send (openapi.yaml, States). */
		'broadcast.update': (request: OnRecord) => {
			const broadcast = find(request, messages.invalidRequestParameters);
			if (broadcast.scheduledAt === undefined || broadcast.status === '1') {
				throw new ServiceFailure(messages.invalidRequestParameters);
			}
			broadcast.status = '0';
			delete broadcast.scheduledAt;
			return ok({
				_id: broadcast._id,
				status: broadcastStatus(context, broadcast),
				broadcastUrl: consoleUrl(context, 'broadcast', broadcast._id),
			});
		},

		'broadcast.delete': (request: OnRecord) => {
			const broadcast = find(request, messages.broadcastNotFound);
			if (broadcast.status === '1') throw new ServiceFailure(messages.broadcastNotFound);
			context.state.broadcasts.delete(broadcast._id);
			return done;
		},

		'broadcast.close': (request: OnRecord) => {
			const broadcast = find(request);
			if (broadcast.status === '3') throw new ServiceFailure(messages.alreadyClosed);
			if (broadcast.status !== '1') throw new ServiceFailure('Broadcast is not live');
			broadcast.status = '3';
			return done;
		},
	};
}
