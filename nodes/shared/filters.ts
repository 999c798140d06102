import type { IDataObject } from 'n8n-workflow';

import type { Field } from './field';
import { toJsonObject, toText, toUtcTimestamp } from './values';

/** Turns what a builder entered for a filter into query parameters; blank filters give none. */
export type Filter = (value: unknown, field: Field, name: string) => IDataObject;

/** Sends a filter's text. */
export const textFilter: Filter = (value, field, name) => {
	const text = toText(value, field).trim();
	return text === '' ? {} : { [name]: text };
};

/** Sends a filter's point in time. */
export const dateFilter: Filter = (value, field, name) => {
	const timestamp = toUtcTimestamp(value, field);
	return timestamp === undefined ? {} : { [name]: timestamp };
};

/** Sends a switch as the text the service expects. */
export const switchFilter: Filter = (value, _field, name) => ({ [name]: String(Boolean(value)) });

/** Sends conditions JSON-encoded (channelRecipient.getAll in emulator/openapi.yaml). */
export const conditionsFilter: Filter = (value, field, name) => {
	const conditions = toJsonObject(value, field);
	return conditions === undefined ? {} : { [name]: JSON.stringify(conditions) };
};

/** One choice for the two mutually exclusive parameters `all` and `onlyApi` (campaign.getAll in emulator/openapi.yaml). */
export const scopeFilter: Filter = (value, field) => {
	switch (value) {
		case undefined:
		case null:
		case '':
		case 'mine':
			return {};
		case 'all':
			return { all: 'true' };
		case 'onlyApi':
			return { onlyApi: 'true' };
		default:
			throw field.fail(`${field.label} "${String(value)}" is unknown`, 'Use mine, all or onlyApi.');
	}
};
