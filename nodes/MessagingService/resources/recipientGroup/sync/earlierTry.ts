import { isDisproved, NOBODY, type Classification, type Line, type Summary } from './classify';
import type { SyncRequest } from './evidence';

/**
 * What became of a group under n8n's Retry On Fail, which plans anew with all items: as the last try says, but whom an
 * earlier try added or removed stays so, because the last one finds them done already.
 */
export function withEarlierTry(
	{ perRecipient }: Pick<SyncRequest, 'perRecipient'>,
	earlier: Classification,
	last: Classification,
): Classification {
	const surplus = new Set(last.extras.map(({ recipient }) => recipient));
	const removed = earlier.extras.filter(
		({ status, recipient }) => status === 'removed' && !surplus.has(recipient),
	);
	const extras = [...last.extras, ...removed];
	if (!perRecipient) return { ...last, extras, summary: sumOf(earlier, last, removed.length) };
	const lines = last.lines.map((line, index) => {
		const before = earlier.lines[index];
		return before && isDoneAlready(line, before) ? before : line;
	});
	const summary = { ...NOBODY };
	for (const { status } of [...lines, ...extras]) summary[status]++;
	const failed = [...lines, ...extras].find(({ status }) => status === 'failed');
	return { ...last, lines, extras, summary, firstFailure: failed?.reason };
}

/** Whether a try finds what an earlier one did, or fails without proof that it is no longer so. */
function isDoneAlready(line: Line, before: Line): boolean {
	const { status, recipient } = before;
	if (recipient !== line.recipient || (status !== 'added' && status !== 'removed')) return false;
	const found = status === 'added' ? 'alreadyMember' : 'notMember';
	return line.status === found || (line.status === 'failed' && !isDisproved(line));
}

/** Counts alone do not tell whether somebody who failed now was done earlier: they count as failed. */
function sumOf(earlier: Classification, last: Classification, removedExtras: number): Summary {
	const { summary } = last;
	const added = Math.min(earlier.summary.added, summary.alreadyMember);
	const all = earlier.extras.filter(({ status }) => status === 'removed').length;
	const removed = Math.min(earlier.summary.removed - all, summary.notMember);
	return {
		...summary,
		added: summary.added + added,
		alreadyMember: summary.alreadyMember - added,
		removed: summary.removed + removed + removedExtras,
		notMember: summary.notMember - removed,
	};
}
