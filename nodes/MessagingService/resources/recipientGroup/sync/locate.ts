import { messageOf } from '../../../../shared/failure';
import { sumChanged, type GroupMembers, type Owners } from './evidence';
import type { Recipient } from './readRecipients';
import type { SyncRun } from './syncRun';
import type { Staging } from './staging';

/** Maximum number of parts into which addresses are split at once. */
const MOST_PARTS = 32;

/**
 * Finds the addresses of IDs. The service never returns an ID together with its email. But if addresses are removed from a
 * group that contains the IDs, the IDs that disappear belong to these addresses. So the addresses are removed in parts, and
 * the group is read after each part. If the addresses of a part may have different outcomes (`isMixed`), its IDs are added
 * again and the part is split further. Locating 100 IDs among 10,000 addresses takes about 85 requests in chunks of 500.
 *
 * @param staging an empty staging group
 * @param wholes sets of addresses, each with the IDs to locate among them; no address is in two sets
 * @param attribution the evidence that each ID belongs to one of the addresses. `shown`: the service returned the IDs for
 * these addresses. `counted`: the service counted as many changes as there are IDs, but other people's changes can make the
 * two numbers agree by chance. `none`: there is no evidence.
 * @returns the addresses in parts, each with IDs of one kind or without IDs; if a request fails, the parts found so far.
 * Undefined if it is not proved that the IDs of each part belong to its addresses.
 */
export async function locate(
	run: SyncRun,
	staging: Staging,
	wholes: Owners[],
	{ attribution, kindOf }: { attribution: Attribution; kindOf: (id: string) => unknown },
): Promise<Owners[] | undefined> {
	let owners = wholes;
	let inside = new Set<string>();
	let lastInferred = attribution !== 'none';
	try {
		for (;;) {
			const mixed = lastInferred
				? owners.filter((segment) => isMixed(segment, kindOf))
				: owners.filter(({ ids }) => ids.size > 0);
			if (mixed.length === 0) {
				return attribution === 'shown' || (await isProved(staging, owners, inside))
					? owners
					: undefined;
			}
			if (run.cancelSignal?.aborted) throw run.refuse('The execution was canceled');
			inside = await putIn(run, staging, mixed, inside);
			const cut = await takeOut(run, staging, mixed, inside, lastInferred);
			inside = cut.inside;
			owners = [...owners.filter((segment) => !mixed.includes(segment)), ...cut.slices];
			lastInferred = true;
		}
	} catch (error) {
		run.log(`The IDs of the recipients could not be determined: ${messageOf(error)}`);
		return lastInferred && attribution !== 'counted' ? owners : undefined;
	}
}

type Attribution = 'shown' | 'counted' | 'none';

/**
 * Checks the addresses that were inferred for IDs: removing these addresses from the staging group must remove one member
 * for each address.
 *
 * @param inside the members of the staging group
 */
async function isProved(staging: Staging, owners: Owners[], inside: Set<string>): Promise<boolean> {
	const inferred = owners
		.filter(
			({ emails, ids }) => ids.size === emails.length && [...ids].some((id) => inside.has(id)),
		)
		.flatMap(({ emails }) => emails);
	const changes = await staging.changeAll(
		'remove',
		'email',
		inferred.map(({ value }) => value),
	);
	return sumChanged(changes) === inferred.length;
}

/** Whether the addresses may have different outcomes, so that the IDs must be matched to the addresses. */
export function isMixed({ emails, ids }: Owners, kindOf: (id: string) => unknown): boolean {
	if (ids.size === 0 || emails.length <= 1) return false;
	return ids.size !== emails.length || new Set([...ids].map(kindOf)).size > 1;
}

/**
 * Puts the IDs of some segments (addresses with their IDs) into the staging group.
 *
 * @param inside the members of the staging group
 * @returns the members of the staging group afterwards
 * @throws if the service did not add all IDs
 */
async function putIn(
	run: SyncRun,
	staging: Staging,
	segments: Owners[],
	inside: Set<string>,
): Promise<Set<string>> {
	const ids = segments.flatMap((segment) => [...segment.ids]).filter((id) => !inside.has(id));
	const changes = await staging.changeAll('add', 'id', ids);
	const counted = sumChanged(changes);
	if (counted === ids.length) return new Set([...inside, ...ids]);
	const { ids: shown } = await readWhole(run, staging, NaN);
	if (ids.every((id) => shown.has(id))) return shown;
	throw run.refuse('The service did not add all IDs to the staging group');
}

/**
 * Reads all members of the staging group.
 *
 * @throws if the service does not show all of them, because members that are not shown would look removed
 */
export async function readWhole(
	run: SyncRun,
	staging: Staging,
	size: number,
): Promise<GroupMembers> {
	const members = await staging.read(size);
	if (members.complete && (Number.isNaN(size) || members.ids.size === size)) return members;
	throw run.refuse(
		members.complete
			? "The members of the staging group do not match the counts in the service's responses"
			: `The service shows only ${members.shown} members of the staging group`,
		'Sync therefore cannot find out which recipient has which ID.',
	);
}

/**
 * Removes the addresses of the segments from the staging group, in parts. A part consists of one slice of each segment.
 *
 * @param lastInferred if true, does not remove the last part: the IDs that are left must belong to it
 * @returns the slices with their IDs, and the members of the staging group afterwards
 */
async function takeOut(
	run: SyncRun,
	staging: Staging,
	segments: Owners[],
	insideBefore: Set<string>,
	lastInferred: boolean,
): Promise<{ slices: Owners[]; inside: Set<string> }> {
	const parts = partsFor(segments, run.chunkSize);
	const sliced = segments.map(({ emails, ids }) => ({
		left: new Set(ids),
		slices: slicesOf(emails, parts),
	}));
	let inside = insideBefore;
	for (let part = 0; part < (lastInferred ? parts - 1 : parts); part++) {
		const values = sliced
			.flatMap(({ slices }) => slices[part]?.emails ?? [])
			.map(({ value }) => value);
		const changes = await staging.changeAll('remove', 'email', values);
		if (changes.every(({ changed, errorCount }) => changed === 0 && errorCount === 0)) continue;
		const { ids: now } = await readWhole(run, staging, inside.size - sumChanged(changes));
		for (const { left, slices } of sliced) {
			for (const id of left) {
				if (now.has(id)) continue;
				left.delete(id);
				slices[part]?.ids.add(id);
			}
		}
		inside = now;
	}
	for (const { left, slices } of lastInferred ? sliced : []) {
		for (const id of left) slices.at(-1)?.ids.add(id);
	}
	const slices = sliced.flatMap((segment) => segment.slices);
	return { slices: slices.filter(({ emails }) => emails.length > 0), inside };
}

/** Returns slices of nearly the same size; the last one is never empty. */
function slicesOf(emails: Recipient[], parts: number): Owners[] {
	const edge = (part: number) => Math.floor((part * emails.length) / parts);
	return Array.from({ length: parts }, (_, part) => ({
		emails: emails.slice(edge(part), edge(part + 1)),
		ids: new Set<string>(),
	}));
}

/** Returns the number of parts that takes the fewest requests per halving; four parts count as two halvings. */
function partsFor(segments: Owners[], chunkSize: number): number {
	const longest = Math.max(...segments.map(({ emails }) => emails.length));
	const addresses = segments.reduce((sum, { emails }) => sum + emails.length, 0);
	const ids = segments.reduce((sum, segment) => sum + segment.ids.size, 0);
	let best = 2;
	let lowest = Infinity;
	for (let parts = 2; parts <= Math.min(MOST_PARTS, longest); parts++) {
		const requestsAPart = Math.ceil(addresses / parts / chunkSize) + 1;
		const cost = (parts - 1) * requestsAPart + Math.ceil(ids / chunkSize);
		const perBit = cost / Math.log2(parts);
		if (perBit < lowest) [best, lowest] = [parts, perBit];
	}
	return best;
}
