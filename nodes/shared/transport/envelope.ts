import type { IDataObject, INode } from 'n8n-workflow';

import { isDataObject } from '../typeGuards';
import { serviceError, unexpectedResponse } from './errors/responseErrors';
import type { ErrorContext } from './errors/apiError';

/** What the service wraps every response in (emulator/openapi.yaml, Envelope). */
export type Envelope = {
	/** Absent when the operation returns no data. */
	data?: unknown;
	/** How many records there are in all; only some lists say it. */
	total?: number;
	/** The time of the service when it sent the response, in milliseconds since the epoch; absent without a Date header. */
	sentAt?: number;
};

/**
 * Opens the envelope of a response.
 *
 * @param body the parsed body of the response, or its text when it is not JSON
 * @throws NodeApiError with the service's message when it says `success: false`, and a telling one when the
 * response is not the service's
 */
export function openEnvelope(about: ErrorContext, body: unknown): Envelope {
	if (!isDataObject(body) || typeof body.success !== 'boolean')
		throw unexpectedResponse(about, body);
	if (!body.success) throw serviceError(about, body.message);
	const envelope: Envelope = {};
	if (body.data !== undefined && body.data !== null) envelope.data = body.data;
	if (typeof body.total === 'number') envelope.total = body.total;
	return envelope;
}

/**
 * The records of a list response. No data at all is an empty list: how the service gives one is not shown.
 *
 * @throws NodeApiError when `data` is no list
 */
export function recordsOf(node: INode, { data }: Envelope): IDataObject[] {
	if (data === undefined) return [];
	if (!Array.isArray(data)) {
		throw unexpectedResponse({ node, request: { method: 'GET', url: '' }, sent: [] }, data);
	}
	return data.filter(isDataObject);
}
