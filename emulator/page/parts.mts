import type { Broadcast, Campaign } from '../state/campaign.mts';
import { html } from './html.mts';
import type { Cell, Columns } from './layout.mts';

const statusNames = { '0': 'draft', '1': 'live', '3': 'closed', '4': 'scheduled' } as const;

/** Formats a time to the minute, in the time zone of this machine: 2026-01-31 09:15. */
export const minute = (time: number): string =>
	new Date(time).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** The columns that every page shows for a campaign or broadcast. */
export const sendableColumns: Columns<Campaign | Broadcast> = {
	Status: ({ status }) =>
		html`<span class="tag ${statusNames[status]}">${statusNames[status]}</span>`,
	'Go-live time': ({ liveAt, scheduledAt }) => {
		const time = liveAt ?? scheduledAt;
		return time === undefined ? '' : minute(time);
	},
	'#Recipients': ({ recipients }) => recipients.size.toLocaleString('en'),
};

/** The columns of a table with names and values. */
export const pairColumns: Columns<readonly [name: string, value: Cell]> = {
	Field: ([name]) => name,
	Value: ([, value]) => value,
};

/** Returns the 12 newest records, newest first, and a note with the number of all records. */
export const newest = <T,>(records: readonly T[]) => firstOf([...records].reverse(), 12, 'newest');

/** Returns the first records, and a note with the number of all records. */
export function firstOf<T>(
	records: readonly T[],
	most = 12,
	which = 'first',
): { rows: T[]; note: string } {
	const rows = records.slice(0, most);
	const total = records.length.toLocaleString('en');
	const isCut = rows.length < records.length;
	return { rows, note: isCut ? `${which} ${rows.length} of ${total}` : total };
}
