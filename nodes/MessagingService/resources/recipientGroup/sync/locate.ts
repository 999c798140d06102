import type { Recipient } from './readRecipients';
import { lookUp } from './stagingGroup';
import { CANCELLED, type SyncRun } from './syncRun';

/** Some emails and the ids that belong to them, without knowing which is whose. */
type Segment = { emails: Recipient[]; ids: Set<string> };

/**
 * Finds out which emails belong to which kind of ids. The service never shows an id beside its email; but the ids that
 * appear when some emails go into a group belong to these. So each segment whose ids are of several kinds is halved, the
 * first halves of all segments go into one staging group, and its members tell the halves' ids. Segments of one kind
 * need no further look. For n emails that is at most log2(n) rounds of n / (2·chunk) + 3 requests, 182 for 10,000 in
 * chunks of 500, and far fewer when few ids are of another kind.
 *
 * @param ids the ids of all these emails
 * @param kindOf the kind of an id
 * @returns the emails by kind; under `undefined` those of nobody, whom the service took without having them
 * @throws when a look-up fails
 */
export async function emailsByKind<Kind>(
	run: SyncRun,
	emails: Recipient[],
	ids: Set<string>,
	kindOf: (id: string) => Kind,
): Promise<Map<Kind | undefined, Recipient[]>> {
	const found = new Map<Kind | undefined, Recipient[]>();
	let segments: Segment[] = [{ emails, ids }];
	for (;;) {
		const mixed: Segment[] = [];
		for (const segment of segments) {
			if (segment.emails.length === 0) continue;
			const kinds = new Set([...segment.ids].map(kindOf));
			const [kind] = kinds;
			const allKnown = segment.ids.size >= segment.emails.length;
			if (segment.ids.size === 0 || (kinds.size === 1 && allKnown) || segment.emails.length === 1) {
				const others = found.get(kind) ?? [];
				for (const email of segment.emails) others.push(email);
				found.set(kind, others);
			} else mixed.push(segment);
		}
		if (mixed.length === 0) return found;
		if (run.cancelled()) throw run.refuse(CANCELLED, '');

		const halves = mixed.map((segment) => ({
			first: segment.emails.slice(0, segment.emails.length / 2),
			second: segment.emails.slice(segment.emails.length / 2),
			ids: segment.ids,
		}));
		const { ids: firstIds, sent } = await lookUp(
			run,
			halves.flatMap(({ first }) => first),
		);
		const [failed] = sent.failed;
		if (failed) throw run.refuse(failed.reason, '');
		segments = halves.flatMap((half) => {
			const inFirst = [...half.ids].filter((id) => firstIds.has(id));
			const inSecond = [...half.ids].filter((id) => !firstIds.has(id));
			return [
				{ emails: half.first, ids: new Set(inFirst) },
				{ emails: half.second, ids: new Set(inSecond) },
			];
		});
	}
}
