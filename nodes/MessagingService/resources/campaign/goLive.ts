import { failure } from '../../../shared/failure';
import { says } from '../../../shared/serviceMessages';
import { asNodeError } from '../../../shared/transport/errors/apiError';
import type { ApiRequest, Envelope } from '../../../shared/transport/apiRequest';
import { fieldsIn, isBlank } from '../../../shared/values';
import type { Claim } from '../../engine/declaration';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';
import { readPeopleCount } from '../../fields/sending';

/** The claim of an update that sends a campaign: it is sent once in a run. */
export function goLiveClaim(_item: Item, { url, body }: ApiRequest): Claim | undefined {
	if (fieldsIn(body).status !== 'live') return undefined;
	return {
		key: url,
		message: (count) => `${count} items would send the same campaign`,
		advice: 'To send it once, switch on Execute Once, on the Settings tab of the node.',
	};
}

/**
 * Checks that a campaign has recipients, before it is sent: a live campaign looks sent, even if nobody received it.
 *
 * @param url the path of the campaign
 * @returns their number, or null if the service does not say it
 * @throws NodeOperationError if it has no recipients; NodeApiError
 */
export async function checkRecipients(item: Item, url: string): Promise<number | null> {
	const recipients = await readPeopleCount(item, url, 'recipientAmount');
	if (recipients !== 0) return recipients;
	throw failure(item)(
		'The campaign has no recipients',
		'The campaign was not sent. Add recipients with Campaign: Add Recipients, then send the campaign.',
	);
}

/**
 * Sends a draft or scheduled campaign to its recipients. The service may refuse an update without a description
 * ("description is mandatory", campaign.update in emulator/openapi.yaml). A refused update changes nothing, so it is
 * repeated once, with the description of the campaign.
 *
 * @param update a request with the campaign's path. Its method and body are replaced
 * @throws NodeApiError as `callApi` does; NodeOperationError if the service requires a description and there is none
 */
export async function goLive(item: Item, update: ApiRequest): Promise<Envelope> {
	const live: ApiRequest = { ...update, method: 'PUT', body: { status: 'live' } };
	try {
		return await callApi(item, live);
	} catch (error) {
		if (!says('noDescription', error)) throw asNodeError(item.getNode(), error);
	}
	const { data } = await callApi(item, { ...update, method: 'GET', body: undefined });
	const { description } = fieldsIn(data);
	if (isBlank(description)) {
		throw failure(item)(
			'The service requires a description, but the campaign has none',
			'The campaign was not sent. Add a description with Campaign: Update, then send the campaign.',
		);
	}
	return await callApi(item, { ...live, body: { status: 'live', description } });
}
