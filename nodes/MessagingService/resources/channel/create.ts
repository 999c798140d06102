import { additionalFields } from '../../fields/collections';
import type { PreSendAction } from 'n8n-workflow';

import { endpoint } from '../../operations/endpoint';
import type { Operation } from '../../operations/operation';
import { channelFields, channelName } from './channelFields';

/** A channel may be created without any field, and the service still gets the JSON object it documents. */
const evenWithoutFields: PreSendAction = async function (request) {
	request.body ??= {};
	return request;
};

/** POST /int/v1/channel: gives the new channel. */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a channel',
	description: 'Create a channel for campaigns and broadcasts',
	routing: endpoint('POST', '/int/v1/channel', { preSend: [evenWithoutFields] }),
	fields: [channelName('leaveOut'), additionalFields(channelFields('leaveOut'))],
};
