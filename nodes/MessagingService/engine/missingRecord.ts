import { NodeApiError, type INodeProperties } from 'n8n-workflow';

import { says } from '../../shared/serviceMessages';
import { LONGEST_DESCRIPTION, LONGEST_MESSAGE, truncate } from '../../shared/truncate';
import type { ApiRequest } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { fieldsIn, isDataObject } from '../../shared/values';

/** Matches the usual form of an ID. */
const ID = /^[0-9a-f]{24}$/i;

/**
 * Returns an error whose message names the record if the service did not find it: `Campaign "65f…" was not found`. The
 * service's text moves to the description. If the body of a change may name other records, one of them may be the missing
 * record: recipient groups are named, and without them the error is returned unchanged, like any other error. A record that
 * was chosen from a list has the name that it had there.
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
	if (!(error instanceof NodeApiError) || !says('missing', error)) return error;
	const advice: string[] = [];
	const records = Object.entries(ids).map(([parameter, id]) => {
		const field = fields.find(({ name }) => name === parameter);
		const label = field?.displayName ?? 'Record';
		// If a user drags a field onto a list, the editor sets the mode By ID, even if the field holds names.
		const takesNames = field?.modes?.some(({ name }) => name === 'name');
		if (takesNames && !ID.test(id)) advice.push(`If this is a name, set ${label} to By Name.`);
		const chosen: unknown = error.node.parameters[parameter];
		const { value, cachedResultName } = fieldsIn(chosen);
		const isNamed = value === id && typeof cachedResultName === 'string' && cachedResultName !== '';
		const named = isNamed ? `"${truncate(cachedResultName, 100)}" (${id})` : quoted(id);
		return `${label.toLowerCase()} ${named}`;
	});
	const record = isInPath(error, body) ? records.reverse().join(' of ') : groupsIn(error, body);
	if (record === '') return error;
	const said = `The service says: ${error.message.replace(/\.$/, '')}.`;
	error.description = truncate(
		[...advice, said, error.description].filter(Boolean).join(' '),
		LONGEST_DESCRIPTION,
	);
	const message = `${record.charAt(0).toUpperCase()}${record.slice(1)} was not found`;
	error.message = truncate(message, LONGEST_MESSAGE);
	return error;
}

const quoted = (id: string): string => `"${truncate(id, 100)}"`;

/** Returns the recipient groups in a body, if the service's text can only be about a group. */
function groupsIn(error: NodeApiError, body: ApiRequest['body']): string {
	const { recipientGroups } = fieldsIn(body);
	if (!Array.isArray(recipientGroups) || !says('noGroup', error)) return '';
	return `recipient group ${recipientGroups.map((id) => quoted(String(id))).join(' or ')}`;
}

/** Whether the missing record is in the path of the request. */
function isInPath(error: NodeApiError, body: ApiRequest['body']): boolean {
	// An HTTP status of 404 is about the path, whatever the body contains.
	if (error.httpCode === '404' || body === undefined || body instanceof MultipartBody) return true;
	return isDataObject(body) && Object.keys(body).every((name) => name === 'status');
}
