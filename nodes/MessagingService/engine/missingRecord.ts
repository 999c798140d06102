import { NodeApiError, type INodeProperties } from 'n8n-workflow';

import { says } from '../../shared/serviceMessages';
import { LONGEST_DESCRIPTION, LONGEST_MESSAGE, truncate } from '../../shared/truncate';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { isDataObject } from '../../shared/values';

/** Matches the usual form of an ID. */
const ID = /^[0-9a-f]{24}$/i;

/**
 * Returns an error whose message names the record if the service did not find it: `Campaign "65f…" was not found`. The
 * service's text moves to the description. Any other error is returned unchanged. If the body of a change may name
 * other records, such as recipients, one of them may be the missing record. Then the error is returned unchanged.
 *
 * @param fields the fields of the operation, whose labels name the records
 * @param ids the IDs in the path of the request, by parameter
 */
export function nameMissingRecord(
	error: unknown,
	fields: INodeProperties[],
	ids: Record<string, string>,
	body?: ApiRequest['body'],
): unknown {
	const advice: string[] = [];
	const records = Object.entries(ids).map(([parameter, id]) => {
		const field = fields.find(({ name }) => name === parameter);
		const label = field?.displayName ?? 'Record';
		// If a user drags a field onto a list, the editor sets the mode By ID, even if the field holds names.
		const takesNames = field?.modes?.some(({ name }) => name === 'name');
		if (takesNames && !ID.test(id)) advice.push(`If this is a name, set ${label} to By Name.`);
		return `${label.toLowerCase()} "${truncate(id, 100)}"`;
	});
	const record = records.reverse().join(' of ');
	if (record === '' || !isMissing(error, body)) return error;
	const said = `The service says: ${error.message.replace(/\.$/, '')}.`;
	error.description = truncate(
		[...advice, said, error.description].filter(Boolean).join(' '),
		LONGEST_DESCRIPTION,
	);
	const message = `${record.charAt(0).toUpperCase()}${record.slice(1)} was not found`;
	error.message = truncate(message, LONGEST_MESSAGE);
	return error;
}

function isMissing(error: unknown, body: ApiRequest['body']): error is NodeApiError {
	if (!(error instanceof NodeApiError) || !says('missing', error)) return false;
	// An HTTP status of 404 is about the path, whatever the body contains.
	if (error.httpCode === '404' || body === undefined || body instanceof MultipartBody) return true;
	return isDataObject(body) && Object.keys(body).every((name) => name === 'status');
}
