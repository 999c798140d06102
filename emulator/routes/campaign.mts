import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { Campaign, CampaignStatus } from '../state/campaign.mts';
import {
	campaignFields,
	createCampaign,
	type CampaignContent,
	type CampaignCreate,
} from './campaignWrite.mts';
import { ok, type OnRecord, type Success } from './envelope.mts';
import { findRecord, sendablePage, type SendableQuery } from './paging.mts';
import { resolveRecipients, type RecipientSource } from './sending.mts';
import { campaignReference, campaignShape } from './shapes.mts';

interface CampaignQuery extends SendableQuery {
	status?: CampaignStatus;
	category?: string;
}

type CampaignUpdate = CampaignContent & { status?: 'live' };

type Written = Success<{ _id: string; campaignUrl: string }>;

/**
 * Returns the statistics of a campaign. For values that the emulator does not track, returns a fixed share of the
 * recipients.
 */
function report(campaign: Campaign): object {
	const sent = campaign.status === '1' || campaign.status === '3' ? campaign.recipients.size : 0;
	const count = (what: 'read' | 'submitted', otherwise: number) =>
		campaign.survey?.rows().filter((row) => row[what]).length ?? Math.floor(otherwise);
	return {
		recipientsAmount: campaign.recipients.size,
		commentCount: campaign.commentVisibility === 'disabled' ? 0 : Math.floor(sent / 20),
		readCount: count('read', sent / 2),
		likeCount: Math.floor(sent / 10),
		completeReadCount: count('submitted', sent / 4),
		emailCount: campaign.enableEmail ? sent : 0,
		smsCount: 0,
		mobileNotificationCount: campaign.enableMobileNotification ? sent : 0,
	};
}

/** Returns the campaign operations (openapi.yaml, campaign). */
export function campaignOperations(context: Context) {
	const find = (request: OnRecord): Campaign => findRecord(context.state.campaigns, request);
	const needsDescription = (body: CampaignUpdate): boolean => {
		const mode = context.switches.updateWithoutDescription;
		const onlyStatus = Object.keys(body).every((field) => field === 'status');
		return mode === 'refuse' || (mode === 'refuseUnlessOnlyStatus' && !onlyStatus);
	};
	const written = (campaign: Campaign): Written => ok(campaignReference(context, campaign));

	return {
		'campaign.getAll': (request: FastifyRequest<{ Querystring: CampaignQuery }>) => {
			const { status, category } = request.query;
			const matches = (campaign: Campaign): boolean =>
				(status === undefined || campaign.status === status) &&
				(category === undefined || campaign.categories.includes(category));
			const { campaigns } = context.state;
			return sendablePage(context, 'campaign', campaigns, request, campaignShape, matches);
		},

		'campaign.get': (request: OnRecord) => ok(campaignShape(context, find(request))),

		'campaign.getReport': (request: OnRecord) => ok(report(find(request))),

		'campaign.create': (request: FastifyRequest<{ Body: CampaignCreate }>) => {
			const { body } = request;
			const recipients = resolveRecipients(context, body);
			const campaign = createCampaign(context, 'campaign.create', body, {
				recipients,
				sharedGroups: body.sharedGroups ?? [],
			});
			return written(campaign);
		},

		'campaign.update': (request: OnRecord<CampaignUpdate>) => {
			const { body } = request;
			const campaign = find(request);
			if (body.description === '' || (body.description === undefined && needsDescription(body))) {
				throw new ServiceFailure(messages.descriptionMandatory);
			}
			if (body.name === '') throw new ServiceFailure('name is mandatory');
			const fields = campaignFields(context, 'campaign.update', body);
			if (body.status === 'live') {
				// Only draft and scheduled campaigns can be sent (openapi.yaml, States).
				if (campaign.status !== '0' && campaign.status !== '4') {
					throw new ServiceFailure('Only a draft or scheduled campaign can go live');
				}
				context.state.goLive(campaign);
			}
			Object.assign(campaign, fields);
			return written(campaign);
		},

		'campaign.close': (request: OnRecord) => {
			const campaign = find(request);
			if (campaign.status === '3') throw new ServiceFailure(messages.alreadyClosed);
			if (campaign.status !== '1') throw new ServiceFailure('Campaign is not live');
			campaign.status = '3';
			return written(campaign);
		},

		'campaign.addRecipients': (request: OnRecord<RecipientSource>) => {
			const campaign = find(request);
			if (campaign.status === '3') throw new ServiceFailure(messages.alreadyClosed);
			const added = resolveRecipients(context, request.body);
			campaign.recipients = new Set([...campaign.recipients, ...added]);
			return written(campaign);
		},

		'campaign.cancelRecipients': (request: OnRecord<Pick<RecipientSource, 'recipientEmails'>>) => {
			const campaign = find(request);
			const canceled = resolveRecipients(context, request.body);
			campaign.recipients = new Set([...campaign.recipients].filter((id) => !canceled.has(id)));
			return written(campaign);
		},
	};
}
