import { messageOf } from '../../../../shared/failure';
import { failed, isRefused, NEVER_SHOWN, repliesIn } from '../../../sync/outcomes';
import { sendAll } from '../../../sync/send';
import type { Identities, Outcome, ReadTarget, Recipient, Target } from '../../../sync/types';
import { lookUpTarget, meantBy, MOST_SEPARATE, suspectsIn } from './code';
import type { LookUpTarget, Sorted } from './code';
import type { GroupRun } from './groupRun';
import { countAccepted, lookUp, readInRounds, type KnownAddresses } from './lookUp';
import { withTemporaryGroups } from './temporaryGroups';

/** All addresses that items name for exactly the same groups, and the indexes of these groups. */
type AddressClass = LookUpTarget & { places: number[] };

/** One address that is looked up. */
type Person = LookUpTarget & { key: string };

const UNCLEAR =
	'It is not clear whose ID is whose: the service shows too many people under unexpected IDs, or shows them late. Run the sync again later';

/**
 * Finds the IDs of all addresses. First looks up whole classes, to find the groups that need no change. Then looks up
 * each address of the other groups.
 *
 * @param groups all groups of the run, including stopped groups, because the people of a stopped group must not be
 *   removed from other groups
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	const known: KnownAddresses = { accepted: new Set(), problems: new Map() };
	const { problems } = known;
	const { done } = await findDone(run, groups, known);
	const unresolved = new Map<string, Recipient>();
	for (const { target } of groups) {
		if (done.has(target)) continue;
		for (const one of target.recipients) if (!problems.has(one.key)) unresolved.set(one.key, one);
	}
	if (unresolved.size === 0) return { idsOf: new Map(), problems, done, odd: new Set() };
	return { ...(await lookUpPeople(run, [...unresolved.values()], known)), problems, done };
}

/**
 * Looks up each class as a whole, and finds the groups that need no change. Does nothing if that costs more than it may
 * save.
 *
 * @returns the groups without changes, and how many people each group must gain and lose, if the look-up shows this
 * @throws if the look-up fails
 */
export async function findDone(run: GroupRun, groups: ReadTarget[], known: KnownAddresses) {
	const done = new Set<Target>();
	const changes = new Map<Target, number>();
	const classes = classesOf(groups.map(({ target }) => target.recipients));
	const addresses = classes.reduce((sum, one) => sum + one.addresses.length, 0);
	if (2 * classes.length > addresses) return { done, changes };
	const found = await lookUp(run, classes, known);
	for (const [place, { target, before, stopped }] of groups.entries()) {
		const own = classes.filter(({ places }) => places.includes(place));
		const count = stopped ? undefined : countChanges(run, before.ids, own, found);
		if (count !== undefined) changes.set(target, count);
		if (count === 0) done.add(target);
	}
	return { done, changes };
}

/**
 * Returns how many people a group must gain and lose, or undefined if its classes do not have as many IDs as accepted
 * addresses. Equal numbers of IDs and members prove nothing, because an ID without an address can make up for an address
 * without an ID.
 */
function countChanges(
	{ mode }: GroupRun,
	members: ReadonlySet<string>,
	classes: AddressClass[],
	{ idsOf }: Sorted<AddressClass>,
): number | undefined {
	const ids = classes.flatMap((one) => idsOf.get(one) ?? []);
	if (ids.length !== countAccepted(classes)) return undefined;
	const inGroup = ids.filter((id) => members.has(id)).length;
	if (mode === 'remove') return inGroup;
	return ids.length - inGroup + (mode === 'mirror' ? members.size - inGroup : 0);
}

/** Returns the classes, the smallest first. @param lists the addresses of each group */
function classesOf(lists: Recipient[][]): AddressClass[] {
	const placesOf = new Map<string, { address: Recipient; places: number[] }>();
	for (const [place, addresses] of lists.entries()) {
		for (const address of addresses) {
			const known = placesOf.get(address.key);
			if (known) known.places.push(place);
			else placesOf.set(address.key, { address, places: [place] });
		}
	}
	const classes = new Map<string, AddressClass>();
	for (const { address, places } of placesOf.values()) {
		const tag = places.join(' ');
		const one = classes.get(tag);
		if (one) one.addresses.push(address);
		else classes.set(tag, { ...lookUpTarget([address]), places });
	}
	// The groups of the first words may get one class more than the other groups. So the smallest classes get the first
	// words.
	return [...classes.values()].sort((one, other) => one.addresses.length - other.addresses.length);
}

/**
 * Finds the IDs of single addresses. Whose ID is not clear is looked up once more, each address alone in a temporary
 * group. What is shown there is theirs, even if another address has it, too.
 *
 * @returns the IDs of each accepted address, by key, and the IDs that may belong to any of them. Addresses whose IDs
 *   are still not clear are added to `known.problems`
 * @throws if a look-up fails
 */
export async function lookUpPeople(
	run: GroupRun,
	addresses: Recipient[],
	known: KnownAddresses,
): Promise<Pick<Identities, 'idsOf' | 'odd'>> {
	const people = addresses.map((one): Person => ({ ...lookUpTarget([one]), key: one.key }));
	const found = await lookUp(run, people, known);
	const idsOf = new Map<string, string[]>();
	for (const one of people) {
		if (one.accepted.length > 0) idsOf.set(one.key, found.idsOf.get(one) ?? []);
	}
	const unclear = unclearAmong(people, found);
	const { isTooMany } = unclear;
	let { open } = unclear;
	const lookedUp = new Set<Person>();
	while (open.length > 0) {
		if (isTooMany || lookedUp.size + open.length > MOST_SEPARATE) {
			for (const { key } of open) {
				idsOf.delete(key);
				known.problems.set(key, failed(UNCLEAR));
			}
			break;
		}
		for (const one of open) lookedUp.add(one);
		const resolved = people.find((one) => !lookedUp.has(one) && idsOf.get(one.key)?.length === 1);
		await lookUpAlone(run, open, { known, idsOf, creators: found.everywhere, resolved });
		// If the ID of somebody else is shown for an address alone, it may not be theirs.
		const shown = new Set([...lookedUp].flatMap(({ key }) => idsOf.get(key) ?? []));
		open = people.filter(
			(one) => !lookedUp.has(one) && idsOf.get(one.key)?.some((id) => shown.has(id)),
		);
	}
	const odd = new Set([...found.odd.keys(), ...found.everywhere]);
	for (const ids of idsOf.values()) for (const id of ids) odd.delete(id);
	return { idsOf, odd };
}

/**
 * Returns the people whose IDs are not clear: who has no ID or more than one, whom an odd ID may mean, and whose ID may
 * be that of somebody else. If there are too many to look up each alone and no ID is odd, only those with several IDs
 * are not clear: the others are never shown.
 */
function unclearAmong(people: Person[], found: Sorted<Person>) {
	const several = people.filter((one) => (found.idsOf.get(one)?.length ?? 0) > 1);
	const unclear = new Set([...found.lacking, ...several]);
	const isOdd = found.odd.size > 0;
	if (unclear.size + found.odd.size > 2 * MOST_SEPARATE) {
		if (!isOdd) return { open: several, isTooMany: several.length > MOST_SEPARATE };
		// The words of so many people cover nearly every word.
		const covered = new Set([...found.lacking].flatMap(({ word }) => word));
		const isCovered = ({ word }: Person) => word.every((group) => covered.has(group));
		return { open: people.filter((one) => unclear.has(one) || isCovered(one)), isTooMany: true };
	}
	for (const one of meantBy(people, found)) unclear.add(one);
	const all = new Set([...unclear, ...suspectsIn(found)]);
	const open = all.size <= MOST_SEPARATE ? all : unclear;
	if (open.size <= MOST_SEPARATE || isOdd) {
		return { open: [...open], isTooMany: open.size > MOST_SEPARATE };
	}
	return { open: several, isTooMany: several.length > MOST_SEPARATE };
}

/** Looks up addresses, each alone in a temporary group, and enters their IDs into `idsOf`. */
async function lookUpAlone(
	run: GroupRun,
	people: Person[],
	of: {
		known: KnownAddresses;
		idsOf: Map<string, string[]>;
		creators: ReadonlySet<string>;
		resolved: Person | undefined;
	},
): Promise<void> {
	const { known, idsOf, creators, resolved } = of;
	const open = people.filter(({ key }) => known.accepted.has(key));
	if (open.length === 0) return;
	const options = { resolved: resolved?.accepted[0], creators, isAlone: true };
	const { seenIn, further } = await lookUp(run, open, known, options);
	const own = new Set(resolved && idsOf.get(resolved.key));
	for (const { key, word } of open) {
		if (!known.accepted.has(key)) {
			idsOf.delete(key);
			continue;
		}
		// Only the known person and the creator of the groups are in the further group.
		const isTheirs = ([id, groups]: [string, number[]]) =>
			groups.includes(word[0] ?? 0) && (!groups.includes(further) || own.has(id));
		idsOf.set(
			key,
			[...seenIn].filter(isTheirs).map(([id]) => id),
		);
	}
}

/**
 * For a dry run by ID: puts the IDs that are not members into a temporary group. If an ID does not appear there, its
 * outcome is `failed`, or `unknown` if the service says so.
 *
 * @returns the outcomes of the IDs that did not appear
 */
export async function checkIds(
	run: GroupRun,
	groups: ReadTarget[],
): Promise<Identities['problems']> {
	const missing = new Map<string, Recipient>();
	for (const { target, before } of groups) {
		for (const one of target.recipients) if (!before.ids.has(one.key)) missing.set(one.key, one);
	}
	const problems = new Map<string, Outcome>();
	if (missing.size === 0) return problems;
	try {
		await withTemporaryGroups(run, 1, async ([targetId = '']) => {
			const sent = await sendAll(run, [...missing.values()], { action: 'add', targetId, by: 'id' });
			const size = missing.size - sent.problems.size;
			const seen = await readInRounds(run, [targetId], (_seenIn, [shown = 0]) => {
				if (shown === size) return 'exact';
				return shown < size ? 'short' : 'full';
			});
			const replies = repliesIn(sent, 'add');
			for (const key of missing.keys()) {
				const reply = replies.get(key);
				if (seen.has(key)) continue;
				problems.set(key, isRefused(reply) ? reply : failed(NEVER_SHOWN));
			}
		});
	} catch (error) {
		for (const key of missing.keys()) problems.set(key, failed(messageOf(error)));
	}
	return problems;
}
