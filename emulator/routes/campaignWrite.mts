import type { Context } from '../server/context.mts';
import { ServiceFailure } from '../server/failure.mts';
import { missingFieldMessage, violation } from '../server/requestErrors.mts';
import type { Campaign } from '../state/campaign.mts';
import { consoleUserId, startingState, type RecipientSource, type Timing } from './sending.mts';

/** The common fields of campaign.create, campaign.update and channel.createCampaign. */
export type CampaignContent = Partial<
	Pick<Campaign, 'name' | 'title' | 'description' | 'templateId' | 'templateData'> &
		Pick<Campaign, 'enableEmail' | 'enableMobileNotification' | 'commentVisibility'> &
		Pick<Campaign, 'imageUrl' | 'emailReplyTo'> & { categories: string | string[] }
>;

export interface ChannelCampaignCreate extends CampaignContent, Timing {
	name: string;
	description: string;
	senderUserEmail?: string;
	ownerUserEmail?: string;
}

export type CampaignCreate = ChannelCampaignCreate & RecipientSource & { sharedGroups?: string[] };

/**
 * Parses categories: a list, JSON, or codes separated by commas.
 *
 * @throws ContractViolation if a switch forbids this format
 */
function categoriesOf(context: Context, operationId: string, given: string | string[]): string[] {
	const format = context.switches.categoriesFormat;
	const isList = Array.isArray(given);
	if ((format === 'array' && !isList) || (format === 'string' && isList)) {
		throw violation(operationId, `body/categories must be ${format}`);
	}
	if (isList) return given;
	try {
		const parsed: unknown = JSON.parse(given);
		if (Array.isArray(parsed)) return parsed.map(String);
	} catch {
		// The text is not JSON, so it contains codes separated by commas.
	}
	return given
		.split(',')
		.map((code) => code.trim())
		.filter((code) => code !== '');
}

/**
 * Converts the fields of a request to those of a campaign. If categories or the image are absent, those of the template
 * are used.
 *
 * @throws ServiceFailure if the template is unknown, or if the categories are invalid
 */
export function campaignFields(
	context: Context,
	operationId: string,
	content: CampaignContent,
): Partial<Campaign> {
	const template = context.state.templates.get(content.templateId ?? '');
	if (content.templateId && !template) throw new ServiceFailure('Template not found');
	const { name, title, description, enableEmail, enableMobileNotification } = content;
	const { emailReplyTo, commentVisibility, templateId, templateData } = content;
	const fields: Partial<Campaign> = {
		...{ name, title, description, enableEmail, enableMobileNotification },
		...{ emailReplyTo, commentVisibility, templateId, templateData },
		categories:
			content.categories === undefined
				? template?.categories
				: categoriesOf(context, operationId, content.categories),
		imageUrl: content.imageUrl ?? template?.marketImagePath,
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Checks required texts. @throws ServiceFailure if one of them is empty */
export function requireText(operationId: string, body: object, ...fields: string[]): void {
	for (const field of fields) {
		if (Reflect.get(body, field) === '') {
			throw new ServiceFailure(missingFieldMessage(operationId, field));
		}
	}
}

/** Creates a campaign, which may belong to a channel (openapi.yaml, campaign.create, channel.createCampaign). */
export function createCampaign(
	context: Context,
	operationId: string,
	body: ChannelCampaignCreate,
	more: Partial<Campaign>,
): Campaign {
	requireText(operationId, body, 'name', 'description');
	const start = startingState(context, body);
	const ownerId = consoleUserId(context, body.ownerUserEmail);
	const fields = campaignFields(context, operationId, body);
	return context.state.addCampaign({
		...more,
		...fields,
		name: body.name,
		title: body.title === undefined || body.title === '' ? body.name : body.title,
		...start,
		ownerId,
		senderId: consoleUserId(context, body.senderUserEmail),
		// If somebody else owns the campaign, the caller still has access.
		sharedUserIds: [context.state.superUser._id].filter((id) => id !== ownerId),
		viaApi: true,
	});
}
