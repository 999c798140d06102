import { isDisproved, NOBODY, type Classification, type Line, type Summary } from './classify';
import type { SyncRequest } from './evidence';

/**
 * Combines the outcomes of a group from several tries, because n8n's Retry On Fail runs the node again for all items. The
 * last try decides, with one exception: if an earlier try added or removed a person, the last try finds nothing to change,
 * so the outcome of the earlier try is kept.
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

/** Whether an earlier try added or removed the recipient, and the last try confirms this or fails without disproving it. */
function isDoneAlready(line: Line, before: Line): boolean {
	const { status, recipient } = before;
	if (recipient !== line.recipient || (status !== 'added' && status !== 'removed')) return false;
	const found = status === 'added' ? 'alreadyMember' : 'notMember';
	return line.status === found || (line.status === 'failed' && !isDisproved(line));
}

/**
 * Combines two summaries. A person who failed in the last try counts as failed, because the counts do not show whether an
 * earlier try succeeded for this person.
 */
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
