import {
	NodeApiError,
	type IExecuteSingleFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { clearListCache } from '../../shared/lists/list';
import { says } from '../../shared/serviceMessages';
import { LONGEST_DESCRIPTION, LONGEST_MESSAGE, truncate } from '../../shared/truncate';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { MultipartBody } from '../../shared/transport/multipart';
import { isRateLimited, isTransient, withRetries } from '../../shared/transport/retry';
import { fieldsIn, isDataObject } from '../../shared/values';
import { mayChange, type ItemRequest, type Operation } from './declaration';
import { requestSettings, type Item } from './item';
import { dataOrSuccess } from './output';

/** Matches the usual form of an ID. */
const ID = /^[0-9a-f]{24}$/i;

/**
 * Sends the requests of an item, and then closes the file of an upload.
 *
 * @returns the operation's output, paired with the item
 * @throws NodeApiError, and the errors of the operation's own `send`
 */
export async function sendItem(
	{ fields, send, toItems = dataOrSuccess }: Operation,
	item: Item,
	{ request, ids }: ItemRequest,
): Promise<INodeExecutionData[]> {
	try {
		const outputs = send
			? await send(item, request, ids)
			: toItems(item, await callApi(item, request), ids, request);
		const pairedItem = { item: item.getItemIndex() };
		for (const output of outputs) output.pairedItem = pairedItem;
		return outputs;
	} catch (error) {
		throw nameMissingRecord(error, fields, ids, request.body);
	} finally {
		if (request.body instanceof MultipartBody) request.body.file.close();
	}
}

/**
 * Drops the editor's cached lists after an operation that may have changed something in a test in the editor. The change must
 * show in the lists of the next node.
 */
export function clearListsAfterChange(
	context: Pick<IExecuteSingleFunctions, 'getMode'>,
	operation: Operation,
): void {
	if (mayChange(operation) && context.getMode() === 'manual') clearListCache();
}

/**
 * Sends one request of an item with its Request Options. When the service asks for a pause, all requests of the run wait.
 *
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function callApi(item: Item, request: ApiRequest): Promise<Envelope> {
	const settings = requestSettings(item);
	const isRead = (request.method ?? 'GET') === 'GET';
	return await withRetries(
		async () => await apiRequest.call(item.context, { ...settings, ...request }),
		{
			pause: item.run.pause,
			// A change is repeated only after "too many requests". After any other transient failure, it may have been carried out.
			isRetryable: isRead ? isTransient : isRateLimited,
			signal: item.getExecutionCancelSignal(),
			log: (text) => item.logger.info(text),
		},
	);
}

/**
 * Names the record in the error if the service did not find it: `Campaign "65f…" was not found`. The service's text moves to
 * the description. The error changes only if it is certain which record is missing: one in the path of the request, or a
 * recipient group in the body.
 *
 * @param fields the fields of the operation, whose labels name the records
 * @param ids the IDs in the path of the request, by parameter
 * @returns the same error, changed or not
 */
export function nameMissingRecord(
	error: unknown,
	fields: INodeProperties[],
	ids: Record<string, string>,
	body?: ApiRequest['body'],
): unknown {
	if (!(error instanceof NodeApiError) || !says('missing', error)) return error;
	const advice: string[] = [];
	const recordsInPath: string[] = [];
	for (const [parameter, id] of Object.entries(ids)) {
		const field = fields.find(({ name }) => name === parameter);
		const label = field?.displayName ?? 'Record';
		// If a user drags a field onto a list, the editor sets the mode By ID, even if the field holds names.
		const takesNames = field?.modes?.some(({ name }) => name === 'name');
		if (takesNames && !ID.test(id)) advice.push(`If this is a name, set ${label} to By Name.`);
		const locator: unknown = error.node.parameters[parameter];
		// The last record of the path comes first: `file "2" of campaign "1"`.
		recordsInPath.unshift(`${label.toLowerCase()} ${nameOrId(locator, id)}`);
	}
	const record = isInPath(error, body) ? recordsInPath.join(' of ') : groupsIn(error, body);
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

/** Returns an ID for a text. If the record was chosen from a list, also returns the name that it had there. */
function nameOrId(locator: unknown, id: string): string {
	const { value, cachedResultName: name } = fieldsIn(locator);
	const isFromList = value === id && typeof name === 'string' && name !== '';
	return isFromList ? `"${truncate(name, 100)}" (${id})` : quoted(id);
}

const quoted = (id: string): string => `"${truncate(id, 100)}"`;

/** Returns the recipient groups in a body if the service's text can only be about a group. Otherwise, returns an empty text. */
function groupsIn(error: NodeApiError, body: ApiRequest['body']): string {
	const { recipientGroups } = fieldsIn(body);
	if (!Array.isArray(recipientGroups) || !says('noGroup', error)) return '';
	return `recipient group ${recipientGroups.map((id) => quoted(String(id))).join(' or ')}`;
}

/** Whether the missing record is in the path of the request. */
function isInPath(error: NodeApiError, body: ApiRequest['body']): boolean {
	// An HTTP status of 404 is about the path, whatever the body contains.
	if (error.httpCode === '404' || body === undefined || body instanceof MultipartBody) return true;
	// A body with only a status contains no other record.
	return isDataObject(body) && Object.keys(body).every((name) => name === 'status');
}
