import { nameSome } from '../../shared/truncate';
import { addToList } from '../../shared/listsByKey';
import { failedStatus, UNVERIFIED } from './status';
import { ZERO_COUNTS } from './types';
import type { TargetKind, ReportLine, Status, Target, TargetResult } from './types';

/** The report of a target: its result, with one line for each input item, in input order. */
export type Report = Omit<TargetResult, 'statuses'> & { lines: ReportLine[] };

const NO_NAME = 'No group or channel: the item names none, so nothing was done for it';

/**
 * Builds the report of a target, with a line for each row. A recipient without a status is `failed`, with the error that
 * stopped the target. If the rows name no target, all recipients are `invalid`.
 */
export function reportOf({ target, statuses, ...result }: TargetResult): Report {
	// For a recipient of whom nothing was sent, because the target was stopped before (`isDoneBy`).
	const stopped = { ...failedStatus(result.stoppedBy?.message ?? ''), isAboutRecipient: true };
	const lines = target.rows.map((row): ReportLine => {
		if (!row.recipient) return { recipient: row.given, status: row.status, reason: row.reason };
		const { key, value: recipient } = row.recipient;
		if (target.isBlank) return { recipient, status: 'invalid', reason: NO_NAME };
		return { recipient, ...(statuses.get(key) ?? stopped) };
	});
	return { target, lines, ...result };
}

/**
 * Combines the reports of a target from two tries, because n8n's Retry On Fail runs the node again for all items. If an
 * earlier try added or removed a person, its line is kept: the last try found nothing to change, or was refused. So are
 * the lines of members whom an earlier try of Mirror removed (`surplus`).
 */
export function withEarlierTry<Lines extends Pick<Report, 'lines' | 'surplus'>>(
	earlier: Lines | undefined,
	last: Lines,
): Lines {
	if (!earlier) return last;
	const lines = last.lines.map((line, index) => {
		const earlierLine = earlier.lines[index];
		return earlierLine && isDoneBy(earlierLine, line) ? earlierLine : line;
	});
	const reportedTexts = new Set(last.surplus.map(({ recipient }) => recipient));
	const isGone = ({ status, recipient }: ReportLine) =>
		status === 'removed' && !reportedTexts.has(recipient);
	return { ...last, lines, surplus: [...last.surplus, ...earlier.surplus.filter(isGone)] };
}

/** Whether the earlier try changed a person, and the last try had nothing to do, or the service refused to repeat the change. */
function isDoneBy(earlier: ReportLine, last: ReportLine): boolean {
	const isChanged = earlier.status === 'added' || earlier.status === 'removed';
	const isUnchanged = last.status === 'alreadyMember' || last.status === 'notMember';
	const isRefused = last.isAboutRecipient === true && !last.mayBeDone;
	return earlier.recipient === last.recipient && isChanged && (isUnchanged || isRefused);
}

/** Returns how many lines have each status. */
export function countStatuses(reports: Report[]) {
	const counts = { ...ZERO_COUNTS };
	for (const { lines, surplus } of reports) {
		for (const { status } of [...lines, ...surplus]) counts[status]++;
	}
	return counts;
}

/** Returns the counts in words: "added 3, failed 1". If all are 0, returns ''. */
export function describeCounts(counts: Record<Status, number>): string {
	const some = Object.entries(counts).filter(([, number]) => number > 0);
	return some.map(([status, number]) => `${status} ${number}`).join(', ');
}

export function shownNameOf({ word }: TargetKind, { name, id }: Target): string {
	return name || id || `No ${word}`;
}

/** Returns remarks about the targets together, as sentences. */
export function remarksOn(reports: Report[]): string[] {
	const rows = reports.flatMap(({ target }) => target.rows);
	const blank = rows.filter((row) => !row.recipient && row.isBlank).length;
	const lines = reports.flatMap((report) => report.lines);
	const nameless = lines.filter(({ reason }) => reason === NO_NAME).length;
	const { invalid, unknown } = countStatuses(reports);
	const unproved = lines.filter(({ reason }) => reason.startsWith(UNVERIFIED)).length;
	const surplus = reports.flatMap((report) => report.surplus);
	const isRemoval = surplus.some(({ status }) => status === 'removed');
	const remark = (count: number, what: string) => (count > 0 ? [`${what}: ${count}.`] : []);
	return [
		...remark(
			isRemoval ? unknown : 0,
			'People were removed, although the service does not know some items',
		),
		...remark(blank, 'Items without an address'),
		...remark(nameless, 'Items that name no group or channel'),
		...remark(invalid - blank - nameless, 'Items with an invalid address'),
		...remark(unproved, `Items whose outcome is not proved ("${UNVERIFIED} …")`),
	];
}

/**
 * Returns the notes of all targets, then remarks about all targets together. With several targets, a note starts with the
 * names of its targets.
 */
export function notesOf(targetKind: TargetKind, reports: Report[]): string[] {
	const namesByNote = new Map<string, string[]>();
	for (const { target, notes } of reports) {
		const name = shownNameOf(targetKind, target);
		for (const note of notes) addToList(namesByNote, note, name);
	}
	const notes = Array.from(namesByNote, ([note, names]) =>
		reports.length === 1 ? note : `${nameSome(names)}: ${note}`,
	);
	return [...notes, ...remarksOn(reports)];
}
