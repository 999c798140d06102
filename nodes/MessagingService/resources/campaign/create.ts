import { stringField } from '../../../shared/fieldTypes';
import { toList } from '../../../shared/values';
import { additionalFields } from '../../fields/collections';
import { campaignDescription, campaignName } from '../../fields/messageFields';
import { inBody, optional } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { oneKindOfRecipients, recipientFields } from '../../fields/recipients';
import {
	sendingTime,
	groupsHaveMembers,
	messageClaim,
	sendsWhenLive,
	warnOfNobody,
} from '../../fields/sending';
import { categoriesAsText, campaignContentFields, ownerFields } from './campaignContent';

/** POST /int/v1/campaign: creates a campaign and saves, sends or schedules it. Returns its ID and console URL. */
export const create: Operation = {
	description: 'Create a campaign, and save, send or schedule it',
	endpoint: ['POST', '/int/v1/campaign'],
	checks: [oneKindOfRecipients, warnOfNobody, groupsHaveMembers],
	claim: messageClaim('campaign'),
	sends: sendsWhenLive,
	fields: [
		campaignName,
		campaignDescription,
		...recipientFields,
		...sendingTime,
		additionalFields([
			...campaignContentFields('omit'),
			...ownerFields,
			stringField(
				'sharedGroups',
				'IDs of team groups to share the campaign with, separated by commas. An expression can also return a list. The service does not document what team groups are.',
				{ routing: inBody('sharedGroups', optional(toList, 'omit')) },
			),
		]),
		categoriesAsText,
	],
};
