import type { Context } from '../server/context.mts';
import { broadcastOperations } from './broadcast.mts';
import { campaignOperations } from './campaign.mts';
import { channelOperations } from './channel.mts';
import { channelManagerOperations } from './channelManager.mts';
import { channelRecipientOperations } from './channelRecipient.mts';
import { fileOperations } from './file.mts';
import { oauthOperations } from './oauth.mts';
import { profileOperations } from './profile.mts';
import { recipientGroupOperations } from './recipientGroup.mts';
import { surveyOperations } from './survey.mts';
import { templateOperations } from './template.mts';

/** Returns every operation of the contract by operationId. */
export function operations(context: Context) {
	return {
		...oauthOperations(context),
		...campaignOperations(context),
		...surveyOperations(context),
		...fileOperations(context),
		...recipientGroupOperations(context),
		...broadcastOperations(context),
		...channelOperations(context),
		...channelManagerOperations(context),
		...channelRecipientOperations(context),
		...templateOperations(context),
		...profileOperations(context),
	};
}
