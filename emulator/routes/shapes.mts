import type { Context } from '../server/context.mts';
import type { Broadcast, Campaign, Sendable } from '../state/campaign.mts';
import { timestamp } from '../state/clock.mts';
import { userSummary } from '../state/consoleUsers.mts';
import type { StoredFile } from '../state/files.mts';
import type { RecipientGroup } from '../state/recipientGroup.mts';
import { fieldsOf } from './envelope.mts';

// These functions convert records to their form in responses (openapi.yaml, components/schemas).

/** Returns the URL of a record's page in the console. */
export const consoleUrl = ({ baseUrl }: Context, kind: 'campaign' | 'broadcast', id: string) =>
	`${baseUrl}/console/${kind}/${id}`;

/** Returns the response of write operations on a campaign. */
export function campaignReference(
	context: Context,
	campaign: Campaign,
): { _id: string; campaignUrl: string } {
	return { _id: campaign._id, campaignUrl: consoleUrl(context, 'campaign', campaign._id) };
}

function people(context: Context, record: Sendable): object {
	const { consoleUsers } = context.state;
	const sender = consoleUsers.get(record.senderId);
	return {
		...(sender && { sender: userSummary(sender) }),
		sharedUsers: record.sharedUserIds.flatMap((id) => {
			const user = consoleUsers.get(id);
			return user === undefined ? [] : [userSummary(user)];
		}),
		adminIds: record.adminIds,
		recipientAmount: record.recipients.size,
	};
}

/** Returns a single campaign or survey. */
export function campaignShape(context: Context, campaign: Campaign): object {
	return {
		...fieldsOf(campaign, '_id', 'name', 'title', 'description', 'categories', 'sharedGroups'),
		...fieldsOf(campaign, 'enableEmail', 'enableMobileNotification', 'commentVisibility', 'status'),
		imageUrl: campaign.imageUrl,
		...people(context, campaign),
		campaignUrl: consoleUrl(context, 'campaign', campaign._id),
	};
}

/** Returns the field `liveDate`, which only list items have. For a scheduled record, this field is the planned time. */
export function liveDate(record: Sendable): { liveDate?: string } {
	const time = record.liveAt ?? record.scheduledAt;
	return time === undefined ? {} : { liveDate: timestamp(time) };
}

/** Returns the status code of a broadcast. Only the codes '0' and '1' are documented. */
export function broadcastStatus(context: Context, broadcast: Broadcast): string {
	const codes = context.switches.broadcastStatusCodes;
	if (broadcast.status === '4') return codes.scheduled;
	return broadcast.status === '3' ? codes.closed : broadcast.status;
}

/** Returns a single broadcast. A switch determines whether the broadcast contains title, message and other content. */
export function broadcastShape(context: Context, broadcast: Broadcast): object {
	const extra = {
		...fieldsOf(broadcast, 'title', 'message', 'emoji', 'requiredConfirm', 'contentInEmail'),
		...fieldsOf(broadcast, 'actionLink', 'actionLinkText', 'imageUrl'),
	};
	return {
		_id: broadcast._id,
		status: broadcastStatus(context, broadcast),
		...people(context, broadcast),
		broadcastUrl: consoleUrl(context, 'broadcast', broadcast._id),
		...(context.switches.extraBroadcastFields ? extra : {}),
	};
}

/** Returns a recipient group. Switches determine which members and fields a list and other responses contain. */
export function recipientGroupShape(
	{ switches }: Context,
	group: RecipientGroup,
	isInList = false,
): object {
	const members = [...group.members];
	const most = switches.leadsTruncated ?? Infinity;
	return {
		...fieldsOf(group, '_id', 'name', 'ownerId'),
		...((!isInList || switches.exclusiveInLists) && { exclusive: group.exclusive }),
		...((!isInList || switches.leadsInLists) && { leads: members.slice(0, most) }),
		leadsTotal: members.length,
		mDate: timestamp(group.changedAt),
		aDate: timestamp(group.createdAt),
		__v: group.version,
	};
}

/** Returns a file. A PNG also has `format`, `width` and `height`, always the same ones. */
export function fileShape(file: StoredFile): object {
	return {
		...fieldsOf(file, '_id', 'draftUsed', 'activeUsed', 'name', 'media', 'storageId'),
		campaignId: file.ownerId,
		type: 'file',
		ready: true,
		deleted: false,
		mime: file.upload.mime,
		_type: 'CampaignFile',
		size: file.upload.size,
		...(file.upload.mime === 'image/png' && { format: 'png', width: 64, height: 32 }),
		mDate: timestamp(file.changedAt),
		aDate: timestamp(file.createdAt),
		__v: file.version,
		VersionId: file.versionId,
		lastVersionDate: timestamp(file.changedAt),
		url: `/files/${file.storageId}/${encodeURIComponent(file.name)}`,
	};
}
