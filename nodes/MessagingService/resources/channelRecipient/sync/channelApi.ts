import type { IDataObject } from 'n8n-workflow';

import { buildPath } from '../../../../shared/transport/address';
import { bySkipInLargePages, toPage } from '../../../../shared/transport/paging';
import { addressIn, ASCII_EMAIL } from '../../../../shared/email';
import { fieldsIn } from '../../../../shared/values';
import { addToList } from '../../../../shared/listsByKey';
import type { Calls } from '../../../sync/calls';
import { NO_ADDRESS, NO_MEMBERS } from '../../../sync/types';
import type { IdentifyBy, Members, MembersApi } from '../../../sync/types';

/**
 * Returns functions that send the requests of a sync about channels. Members have the same keys as the items: addresses in
 * lower case, or record IDs.
 */
export function createChannelApi({ node, fail, call }: Calls, identifyBy: IdentifyBy): MembersApi {
	/** What the last read of each channel showed. */
	const lastRead = new Map<string, Members>();
	const pathOf = (channelId: string, path = '') =>
		buildPath(`/int/v1/channel/:channelId${path}`, { channelId }, fail);

	async function readRecipients(channelId: string, name?: string): Promise<Members> {
		let isWhole = true;
		let total = 0;
		const fetchPage = async (qs: IDataObject) => {
			const { data, ...others } = await call({ url: pathOf(channelId, '/recipient'), qs });
			// A row that is no object has no record ID either, so it makes the list incomplete.
			const rows = Array.isArray(data) ? data.map(fieldsIn) : data;
			const page = toPage(node, { ...others, data: rows });
			// A response without a list and without a total does not say that the channel is empty.
			if (page.total === undefined && !Array.isArray(data)) isWhole = false;
			total = Math.max(total, page.total ?? 0);
			return page;
		};
		const { records, problem } = await bySkipInLargePages(fetchPage);
		// Nobody without a record ID can be removed, and a number may be the HR number of somebody else.
		const removable = records.filter(({ _id: id }) => typeof id === 'string' && id !== '');
		if (problem || removable.length < records.length) isWhole = false;
		const accounts = new Map<string, string[]>();
		for (const { _id: id, email } of removable) {
			addToList(accounts, identifyBy === 'id' ? String(id) : addressKey(email), String(id));
		}
		const ids = new Set(accounts.keys());
		ids.delete(NO_ADDRESS);
		const shown = `${removable.length} of ${Math.max(total, records.length)}`;
		const members = { ids, accounts, complete: isWhole, shown, name };
		lastRead.set(channelId, members);
		return members;
	}

	return {
		/** Reads the recipients. The first time, reads the name of the channel, too. */
		async readMembers(channelId) {
			const earlier = lastRead.get(channelId);
			if (earlier) return await readRecipients(channelId, earlier.name);
			const { data } = await call({ url: pathOf(channelId) });
			const { name } = fieldsIn(data);
			return await readRecipients(channelId, typeof name === 'string' ? name : undefined);
		},

		/**
		 * Adds people by their keys. Removes those whom the last read shows by their record IDs: an address or a number may also
		 * be the user name or HR number of somebody else. The response has no counts (channelRecipient.add in
		 * emulator/openapi.yaml).
		 */
		async changeMembers({ action, targetId: channelId }, keys) {
			const isAdding = action === 'add';
			const { accounts } = lastRead.get(channelId) ?? NO_MEMBERS;
			const recipients = isAdding ? keys : keys.flatMap((key) => accounts?.get(key) ?? [key]);
			const url = pathOf(channelId, isAdding ? '/recipient' : '/recipient/remove');
			await call({ method: 'POST', url, body: { recipients } }, { isChange: true });
			return { errorCount: 0, errorLog: [] };
		},
	};
}

/** Returns the key of an address in a list: `'Ada@Example.com'` → `'ada@example.com'`. */
function addressKey(email: unknown): string {
	const address = typeof email === 'string' ? addressIn(email) : '';
	return ASCII_EMAIL.test(address) ? address.toLowerCase() : NO_ADDRESS;
}
