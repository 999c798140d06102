import type { Survey } from './survey.mts';

/** Campaign status codes: draft, live, closed, scheduled (openapi.yaml, States). */
export type CampaignStatus = '0' | '1' | '3' | '4';

/** The common fields of campaigns and broadcasts. */
export interface Sendable {
	readonly _id: string;
	/**
	 * The status code. For scheduled and closed broadcasts, responses contain a code from the switch broadcastStatusCodes
	 * instead.
	 */
	status: CampaignStatus;
	readonly createdAt: number;
	liveAt?: number;
	scheduledAt?: number;
	senderId: string;
	ownerId: string;
	sharedUserIds: string[];
	adminIds: string[];
	/** This set is never changed in place, because many seeded records share it. */
	recipients: ReadonlySet<string>;
	viaApi: boolean;
	channelId?: string;
	imageUrl?: string;
}

export interface Campaign extends Sendable {
	name: string;
	title: string;
	description: string;
	categories: string[];
	enableEmail: boolean;
	enableMobileNotification: boolean;
	emailReplyTo?: string;
	commentVisibility: 'disabled' | '0' | '1';
	sharedGroups: string[];
	templateId?: string;
	templateData?: string;
	survey?: Survey;
}

export interface Broadcast extends Sendable {
	title: string;
	message: string;
	emoji: string;
	requiredConfirm: boolean;
	actionLink?: string;
	actionLinkText: string;
	contentInEmail: boolean;
}
