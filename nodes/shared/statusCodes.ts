import type { INodePropertyOptions } from 'n8n-workflow';

import { fieldLabel } from './field';
import { trimmed } from './values';

/**
 * Campaign status codes (States in emulator/openapi.yaml). Of these codes, only 0 and 1 are documented for broadcasts,
 * with the same meaning.
 */
export const CAMPAIGN_STATUS = { closed: '3', draft: '0', live: '1', scheduled: '4' };

/** The codes as options, sorted by name. */
export const campaignStatusCodes: INodePropertyOptions[] = Object.entries(CAMPAIGN_STATUS).map(
	([name, value]) => ({ name: fieldLabel(name), value }),
);

/** Returns the name of a campaign status: `'1'`, 1 and `'Live'` → `'live'`. Returns `undefined` for any status not listed. */
export function statusName(status: unknown): string | undefined {
	const text = typeof status === 'number' ? String(status) : trimmed(status).toLowerCase();
	return Object.entries(CAMPAIGN_STATUS).find(([name, code]) => [name, code].includes(text))?.[0];
}

/** The status codes of a channel that was created or restored, and of one that was archived (States in emulator/openapi.yaml). */
export const CHANNEL_STATUS = { active: '1', archived: '3' };

/**
 * Returns `archived` for its code, and `undefined` for all other codes: the code of an active channel is documented only
 * for a channel that was just created or restored, so it may also have other meanings.
 */
export function channelStatusName(code: unknown): string | undefined {
	return code === CHANNEL_STATUS.archived ? 'archived' : undefined;
}
