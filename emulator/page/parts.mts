import type { Sendable } from '../state/campaign.mts';
import { timestamp } from '../state/clock.mts';
import { html, type Html } from './html.mts';

const rowsShown = 12;

const statusNames = { '0': 'draft', '1': 'live', '3': 'closed', '4': 'scheduled' } as const;

/** The state of a campaign or a broadcast in a word, in its colour. */
export function statusTag(record: Sendable): Html {
	const name = statusNames[record.status];
	return html`<span class="tag ${name}">${name}</span>`;
}

/** A point of time to the minute, in UTC. */
export const minute = (time: number): string => timestamp(time).slice(0, 16).replace('T', ' ');

/** When it went or goes live; blank for a draft. */
export function when(record: Sendable): string {
	const time = record.liveAt ?? record.scheduledAt;
	return time === undefined ? '' : minute(time);
}

/** The newest records of a table, and a word about how many there are. */
export const newest = <T,>(records: readonly T[]) =>
	firstOnes([...records].reverse(), rowsShown, 'newest');

/** The first records of a table, likewise. */
export function firstOnes<T>(
	records: readonly T[],
	most = rowsShown,
	which = 'first',
): { rows: T[]; note: string } {
	const rows = records.slice(0, most);
	const total = records.length.toLocaleString('en');
	const isCut = rows.length < records.length;
	return { rows, note: isCut ? `${which} ${rows.length} of ${total}` : total };
}

/** A button that changes something; `fields` go along with it. */
export function button(
	path: string,
	label: string,
	fields: Record<string, string | number> = {},
): Html {
	return html`<form method="post" action="${path}">
		${Object.entries(fields).map(
			([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
		)}<button>${label}</button>
	</form>`;
}
