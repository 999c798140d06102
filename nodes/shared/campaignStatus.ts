import type { INodePropertyOptions } from 'n8n-workflow';

/** Campaign status codes (campaign.create in emulator/openapi.yaml); broadcasts share the ones that are shown. */
export const campaignStatusCodes: INodePropertyOptions[] = [
	{ name: 'Closed', value: '3' },
	{ name: 'Draft', value: '0' },
	{ name: 'Live', value: '1' },
	{ name: 'Scheduled', value: '4' },
];

/** A status code in words, in lower case; `undefined` for a code that is not documented. */
export function statusName(code: unknown): string | undefined {
	return campaignStatusCodes.find(({ value }) => value === code)?.name.toLowerCase();
}
