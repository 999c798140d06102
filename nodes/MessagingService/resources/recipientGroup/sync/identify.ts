import { messageOf } from '../../../../shared/failure';
import { wait } from '../../../../shared/transport/retry';
import { recipientsIn } from '../../../sync/rows';
import { sendAll, UNKNOWN_TWICE_MS } from '../../../sync/send';
import { failedStatus, isRefused, nameSome, NEVER_SHOWN } from '../../../sync/status';
import type { Identities, ReadTarget, Recipient, Target } from '../../../sync/types';
import { lookUpTarget, meantBy, MOST_SEPARATE, suspectsIn } from './code';
import type { LookUpTarget, Sorted } from './code';
import { countAccepted, lookUp, newKnown, readInRounds, type KnownAddresses } from './lookUp';
import { withTemporaryGroups, type GroupRun } from './temporaryGroups';

/** All addresses that items name for exactly the same groups, and the indexes of these groups. */
type AddressClass = LookUpTarget & { places: number[] };

/** One address that is looked up. */
type Person = LookUpTarget & { key: string };

const UNCLEAR =
	'It is not clear whose ID is whose: the service shows too many people under unexpected IDs, or shows them late. Run the sync again later';

const KNOWN_NOW =
	'At first the service did not know this recipient, but it may know the person now. Run the sync again';

/**
 * Finds the IDs of all addresses. First looks up whole classes, to find the groups that need no change. Then looks up
 * each address of the other groups.
 *
 * @param groups all groups of the run, including stopped groups, because the people of a stopped group must not be
 *   removed from other groups
 * @throws if a look-up fails
 */
export async function identifyAddresses(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	const known = newKnown();
	const { problems } = known;
	if (!groups.some(({ stopped }) => !stopped)) return { idsOf: new Map(), problems };
	const done = await findDone(run, groups, known);
	const unresolved = new Map<string, Recipient>();
	for (const { target } of groups) {
		if (done.has(target)) continue;
		for (const one of target.recipients) if (!problems.has(one.key)) unresolved.set(one.key, one);
	}
	if (unresolved.size === 0) return { idsOf: new Map(), problems, done };
	return { ...(await lookUpPeople(run, [...unresolved.values()], known)), problems, done };
}

/**
 * Looks up each class as a whole, and finds the groups that need no change. Does nothing if that costs more than it may
 * save.
 *
 * @throws if the look-up fails
 */
export async function findDone(
	run: GroupRun,
	groups: ReadTarget[],
	known: KnownAddresses,
): Promise<Set<Target>> {
	const classes = classesOf(groups.map(({ target }) => target.recipients));
	const addresses = classes.reduce((sum, one) => sum + one.addresses.length, 0);
	if (2 * classes.length > addresses) return new Set();
	const found = await lookUp(run, classes, known);
	const done = groups.filter(({ before, stopped }, place) => {
		const own = classes.filter(({ places }) => places.includes(place));
		return !stopped && isUnchanged(run, before.ids, own, found);
	});
	return new Set(done.map(({ target }) => target));
}

/**
 * Whether a group needs no change. Equal numbers of IDs and members prove nothing, because an ID without an address can
 * make up for an address without an ID. So its classes must have as many IDs as accepted addresses.
 */
function isUnchanged(
	{ mode }: GroupRun,
	members: ReadonlySet<string>,
	classes: AddressClass[],
	{ idsOf }: Sorted<AddressClass>,
): boolean {
	const ids = classes.flatMap((one) => idsOf.get(one) ?? []);
	const inGroup = ids.filter((id) => members.has(id)).length;
	if (ids.length !== countAccepted(classes)) return false;
	if (mode === 'remove') return inGroup === 0;
	return inGroup === ids.length && (mode === 'add' || inGroup === members.size);
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
): Promise<{ idsOf: Map<string, string[]>; odd: Set<string> }> {
	const people = addresses.map((one): Person => ({ ...lookUpTarget([one]), key: one.key }));
	const found = await lookUp(run, people, known);
	const idsOf = new Map<string, string[]>();
	for (const one of people) {
		if (one.accepted.length > 0) idsOf.set(one.key, found.idsOf.get(one) ?? []);
	}
	const lookedUp = new Set<Person>();
	let open = unclearAmong(people, found);
	while (open.length > 0) {
		if (lookedUp.size + open.length > MOST_SEPARATE) {
			for (const { key } of open) {
				idsOf.delete(key);
				known.problems.set(key, failedStatus(UNCLEAR));
			}
			break;
		}
		for (const one of open) lookedUp.add(one);
		await lookUpAlone(run, open, known, idsOf, found.everywhere);
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
function unclearAmong(people: Person[], found: Sorted<Person>): Person[] {
	if (found.odd.size > MOST_SEPARATE) return people;
	const several = people.filter((one) => (found.idsOf.get(one)?.length ?? 0) > 1);
	const unclear = new Set([...found.lacking, ...several, ...meantBy(people, found)]);
	if (unclear.size > MOST_SEPARATE) return found.odd.size > 0 ? [...unclear] : several;
	const all = new Set([...unclear, ...suspectsIn(found)]);
	return [...(all.size <= MOST_SEPARATE ? all : unclear)];
}

/** Looks up addresses, each alone in a temporary group, and enters their IDs into `idsOf`. */
async function lookUpAlone(
	run: GroupRun,
	people: Person[],
	known: KnownAddresses,
	idsOf: Map<string, string[]>,
	creators: ReadonlySet<string>,
): Promise<void> {
	const open = people.filter(({ key }) => known.accepted.has(key));
	if (open.length === 0) return;
	const { seenIn, further } = await lookUp(run, open, known, creators);
	for (const { key, word } of open) {
		// Only the creator of the groups is in the further group.
		const isTheirs = ([, groups]: [string, number[]]) =>
			groups.includes(word[0] ?? 0) && !groups.includes(further);
		const ids = [...seenIn].filter(isTheirs).map(([id]) => id);
		if (known.accepted.has(key)) idsOf.set(key, ids);
		else idsOf.delete(key);
	}
}

/**
 * For a dry run by ID: puts the IDs that are not members into a temporary group. If an ID does not appear there, its
 * status is `failed`, or `unknown` if the service says so.
 */
export async function checkIds(run: GroupRun, groups: ReadTarget[]): Promise<Identities> {
	const missing = new Map<string, Recipient>();
	for (const { target, before, stopped } of groups) {
		if (stopped) continue;
		for (const one of target.recipients) if (!before.ids.has(one.key)) missing.set(one.key, one);
	}
	const problems: Identities['problems'] = new Map();
	if (missing.size === 0 || !run.dryRun) return { problems };
	try {
		await withTemporaryGroups(run, 1, async ([targetId = '']) => {
			const sending = { action: 'add', targetId, by: 'id' } as const;
			const { replies } = await sendAll(run, [...missing.values()], sending);
			const accepted = [...replies.values()].filter((reply) => !isRefused(reply)).length;
			const seen = await readInRounds(run, [targetId], (_seenIn, [shown = 0]) =>
				shown === accepted ? 'exact' : shown < accepted ? 'short' : 'full',
			);
			for (const [key, reply] of replies) {
				if (!seen.has(key)) problems.set(key, isRefused(reply) ? reply : failedStatus(NEVER_SHOWN));
			}
		});
	} catch (error) {
		for (const key of missing.keys()) problems.set(key, failedStatus(messageOf(error)));
	}
	return { problems };
}

/**
 * Sends each unknown address once more, alone, to a new temporary group. If the service now accepts an address, its
 * person may be a member, so nobody is removed.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed
 */
export async function checkUnknown(
	run: GroupRun,
	problems: Identities['problems'],
): Promise<string | undefined> {
	const unknown = recipientsIn(run.rows).filter(
		({ key }) => problems.get(key)?.status === 'unknown',
	);
	if (unknown.length === 0 || run.identifyBy === 'id') return undefined;
	if (run.budget.remaining < unknown.length) {
		return `there are too many unknown recipients to send each of them once more with ${run.budget.granted} further requests`;
	}
	run.budget.remaining -= unknown.length;
	await wait(UNKNOWN_TWICE_MS, run.cancelSignal);
	try {
		const known = await withTemporaryGroups(run, 1, async ([targetId = '']) => {
			const sending = { action: 'add', targetId, by: 'email' } as const;
			const sent = unknown.map(async (one) => (await sendAll(run, [one], sending)).replies);
			const replies = new Map((await Promise.all(sent)).flatMap((reply) => [...reply]));
			return [...replies].flatMap(([key, { status }]) => (status === 'unknown' ? [] : key));
		});
		for (const key of known) problems.set(key, failedStatus(KNOWN_NOW));
		return known.length > 0
			? `the service did not know these recipients at first, but may know them now: ${nameSome(known)}`
			: undefined;
	} catch {
		return 'it could not be checked a second time whether the unknown recipients are really unknown';
	}
}
