import type { History, Named, Played } from './syncHistory.mts';
import { isAnsweredWith, isUncertain, namedIn } from './syncTruth.mts';

/** Whether a reason says that the status is not proved. */
const isDoubt = (reason: string) =>
	/does not tell|neither its counts nor|could not be found out/.test(reason);

/** What is said of a change whose answer was lost, and at no other time. */
const SAYS_LOST = /may have been carried out/;

/** Said where one reason stands for several recipients. */
const OF_SEVERAL = /^\d+ of \d+ recipients, it is not known which/;

/** Said of an address that the group took and that a group of our own showed to be nobody's. */
const NOBODYS = /took the call and passed over/;

/** Everything that the node says of a history and that is not so, and everything that it must not do. */
export function judge(history: History, played: Played): string[] {
	const { input } = history;
	const { result } = played;
	const items = itemsOf(history, played);
	const found = liesIn(items, (item) => lieAbout(item, history, played));
	const isInDoubt = items.some(({ status, reason }) => isDoubt(reason) && status !== 'failed');
	if (isInDoubt && result.hints.length === 0) found.push('there is doubt, and no hint says so');
	found.push(...wrongMoves(history, played));
	if (history.mode === 'mirror') found.push(...wrongMirror(history, played));
	if (result.json.length > input.length && history.mode !== 'mirror') {
		const extra = result.json.slice(input.length).filter(({ error }) => error === undefined);
		if (extra.length > 0) found.push('there are more items than went in');
	}
	return found;
}

/** What a dry run changes or says otherwise than is so. */
export function dryRunLies(history: History, played: Played): string[] {
	const found = played.version > 0 ? ['a dry run changed the group'] : [];
	const lies = liesIn(itemsOf(history, played), (item) => dryRunLie(item, history, played));
	return [...found, ...lies];
}

/** One item of the input, and what became of it by the node's word. */
type Item = {
	entry: Named;
	index: number;
	status: string;
	reason: string;
	isRepeated: boolean;
};

function itemsOf({ input }: History, { result }: Played): Item[] {
	const seen = new Set<string>();
	return input.map((entry, index) => {
		const { status, reason } = result.json[index] ?? {};
		const key = JSON.stringify({ ...entry, upperCase: false });
		const isRepeated = !('text' in entry) && seen.has(key);
		seen.add(key);
		return { entry, index, status: String(status), reason: String(reason ?? ''), isRepeated };
	});
}

/** What is not so of the items: by their input alone where that settles it, by the lie that is looked for elsewhere. */
function liesIn(items: Item[], lieOf: (item: Item) => string | undefined): string[] {
	return items.flatMap((item) => {
		const { index, status, reason } = item;
		const settled = settledStatus(item);
		if (status === settled) return [];
		const lie = settled ? `it has to be ${settled}` : lieOf(item);
		return lie ? [`item ${index} is called ${status} (${reason}): ${lie}`] : [];
	});
}

/** What an item has to be called by what the input alone tells; none when the service has a say. */
function settledStatus({ entry, isRepeated }: Item): string | undefined {
	if ('text' in entry) return 'invalid';
	return isRepeated ? 'duplicate' : undefined;
}

function lieAbout(
	{ status, reason, entry }: Item,
	history: History,
	played: Played,
): string | undefined {
	if (status === 'failed') {
		return reason ? lieAboutFailure(reason, entry, history, played) : 'no reason is given';
	}
	if (status === 'unknown') return lieAboutUnknown(entry, history, played);
	const { truth, world } = played;
	const id = world.id(entry) ?? 'nobody';
	const [was, is] = [truth.before.has(id), truth.has(id)];
	const [cameIn, left] = [truth.moved(id, true), truth.moved(id, false)];
	const [brought, taken] = [truth.moved(id, true, 'others'), truth.moved(id, false, 'others')];
	const isSilent = passesOver(history);
	if (isDoubt(reason)) {
		if (reason.startsWith('In the group now') && !is && !taken && !isSilent) {
			return 'not in the group';
		}
		return status === (history.mode === 'remove' ? 'notMember' : 'alreadyMember')
			? undefined
			: 'a doubt with a claim';
	}
	const seen = namesIds(history) ? truth.lastShown : undefined;
	switch (status) {
		case 'added':
			return cameIn && (is || taken) ? undefined : 'not so';
		case 'removed':
			return left && (!is || brought) ? undefined : 'not so';
		case 'alreadyMember':
			// Documented for emails: a call that changes nobody found only members.
			if (history.mode === 'add' && isSilent) return undefined;
			if (seen && !seen.has(id)) return 'the group did not show them';
			// Whom others take out again meanwhile the counts hide, and no address is shown beside an ID.
			if (!seen && taken) return undefined;
			return (was || brought) && (is || taken) ? undefined : 'not so';
		case 'notMember':
			if (seen?.has(id)) return 'the group showed them';
			if (!seen && brought) return undefined;
			return (!was || taken) && (!is || brought) ? undefined : 'not so';
	}
	return 'no status';
}

/** Somebody is unknown who was refused alone, or named in an errorLog. */
function lieAboutUnknown(
	entry: Named,
	{ identifyBy, switches }: History,
	{ world }: Played,
): string | undefined {
	if (wasRefusedAlone(entry, identifyBy, world)) return undefined;
	const mode = identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds;
	if (!('stranger' in entry)) return 'the service knows them';
	return mode === 'errorLog' ? undefined : 'never refused alone';
}

/**
 * Whether the service said of somebody alone that it does not know them; sync takes its word for it. In words of another
 * kind, which only IDs may get, it does so when others were taken.
 */
function wasRefusedAlone(
	entry: Named,
	identifyBy: History['identifyBy'],
	{ text, requests }: Played['world'],
): boolean {
	return requests.some((request) => {
		const [name, ...others] = namedIn(request);
		if (name !== text(entry) || others.length > 0 || !isAnsweredWith(false, request)) return false;
		if (/^Not all emails/.test(request.response?.message ?? '')) return true;
		const isTaken = (other: typeof request) =>
			other.path === request.path && isAnsweredWith(true, other) && namedIn(other).length > 0;
		return identifyBy === 'id' && requests.some(isTaken);
	});
}

/** A change whose answer was lost may have been carried out: said where it is so, and nowhere else. */
function lieAboutFailure(
	reason: string,
	entry: Named,
	history: History,
	{ truth, world }: Played,
): string | undefined {
	const id = world.id(entry) ?? 'nobody';
	const names = [world.text(entry), id];
	const lost = world.requests.filter(
		(request) => isUncertain(request) && namedIn(request).some((name) => names.includes(name)),
	);
	const isOfGroup = lost.some(({ path }) => path.endsWith(`/${world.targetId}/recipients`));
	const isChanged = truth.moved(id, history.mode !== 'remove', 'us');
	if (OF_SEVERAL.test(reason)) return undefined;
	if (SAYS_LOST.test(reason)) {
		// A call that counts errors says of nobody that it left them out.
		const isOfSeveral =
			isListed(history) &&
			world.requests.some((request) => {
				const named = namedIn(request);
				return (
					isAnsweredWith(true, request) &&
					named.length > 1 &&
					named.some((name) => names.includes(name))
				);
			});
		// Mirror adds whom a lost look-up found, without knowing whose the ID is.
		const mayBeSaid = isOfGroup || (history.mode === 'mirror' && lost.length > 0) || isOfSeveral;
		return mayBeSaid ? undefined : 'no answer was lost';
	}
	// Whoever knows the ID may have seen in the group afterwards that nothing was changed.
	if (!isChanged && (!isOfGroup || namesIds(history) || NOBODYS.test(reason))) return undefined;
	// Nor does it matter to whoever saw it that others had undone it by then.
	if (namesIds(history) && truth.moved(id, history.mode === 'remove', 'others')) return undefined;
	return lost.length > 0 ? 'the lost answer is not told' : undefined;
}

/** Whether the service takes a call with somebody unknown in it, and counts them as errors. */
function isListed({ identifyBy, switches }: History): boolean {
	return (identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds) === 'errorLog';
}

/** The ids that the input names, without those of whom the service said that it does not know them. */
function wantedIn(history: History, world: Played['world']): Set<string> {
	const { mode, identifyBy, input } = history;
	const known = input.filter((entry) => {
		if (mode !== 'mirror') return true;
		// Listed before somebody made them one of the people.
		if ('stranger' in entry && isListed(history)) return false;
		return !wasRefusedAlone(entry, identifyBy, world);
	});
	return new Set(known.flatMap((entry) => world.id(entry) ?? []));
}

/** What the sync did to the group that its mode does not do. */
function wrongMoves(history: History, { truth, world }: Played): string[] {
	const { mode } = history;
	const named = new Set(history.input.map((entry) => world.id(entry)));
	const wanted = wantedIn(history, world);
	const found: string[] = [];
	for (const id of truth.everybody) {
		const isWanted = wanted.has(id);
		const came = truth.moved(id, true, 'us');
		const went = truth.moved(id, false, 'us');
		if (came && (mode === 'remove' || !named.has(id)))
			found.push(`${id} came in and is not wanted`);
		if (went && mode === 'add') found.push(`Add took ${id} out`);
		if (went && mode === 'remove' && !named.has(id)) found.push(`Remove took ${id} out, too`);
		if (went && mode === 'mirror' && isWanted) found.push(`Mirror took ${id} out who is wanted`);
	}
	return found;
}

function wrongMirror(history: History, { truth, world, result }: Played): string[] {
	const { input, maxRemovalPercent } = history;
	const wanted = wantedIn(history, world);
	const found: string[] = [];
	const extras = result.json.slice(input.length);
	const told = new Map(extras.map(({ recipient, status }) => [recipient, status]));
	let removals = 0;
	for (const id of new Set([...truth.everybody, ...told.keys()].map(String))) {
		const status = told.get(id);
		const isOut = truth.moved(id, false) && (!truth.has(id) || truth.moved(id, true, 'others'));
		if (status === 'removed' && !isOut) found.push(`${id} was not removed`);
		if (!truth.moved(id, false, 'us')) continue;
		removals += 1;
		if (status !== 'removed' && status !== 'failed') {
			found.push(`that ${id} was taken out is not said`);
		}
	}
	if (removals === 0) return found;
	const atFirst = truth.atFirstRemoval;
	for (const id of wanted) {
		if (atFirst?.has(id) || truth.moved(id, false, 'others')) continue;
		found.push(`people were taken out while ${id} was not in`);
	}
	const surplus = [...truth.before].filter((id) => !wanted.has(id)).length;
	if (surplus * 100 > maxRemovalPercent * truth.before.size) found.push('the limit was ignored');
	if (truth.size === 0 && !history.meanwhile.some((event) => event.do === 'leave')) {
		found.push('the group was emptied');
	}
	return found;
}

function dryRunLie(
	{ status, reason, entry }: Item,
	history: History,
	played: Played,
): string | undefined {
	const { truth, world } = played;
	if (SAYS_LOST.test(reason)) return 'nothing was asked of the group';
	if (status === 'failed' || isDoubt(reason)) return undefined;
	if (status === 'unknown') return lieAboutUnknown(entry, history, played);
	const id = world.id(entry);
	const isRemoval = history.mode === 'remove';
	if (id === undefined && !isRemoval) {
		return passesOver(history) ? undefined : 'the service knows nobody';
	}
	const was = truth.before.has(id ?? 'nobody');
	const allowed = isRemoval ? (was ? 'removed' : 'notMember') : was ? 'alreadyMember' : 'added';
	return status === allowed ? undefined : `not ${allowed}`;
}

/** A service that takes calls with unknown emails without a word, against its own documentation. */
function passesOver({ identifyBy, switches }: History): boolean {
	return identifyBy === 'email' && switches.unknownEmails === 'ignore';
}

/** Whether the sync knows which member is which recipient. */
function namesIds({ identifyBy, mode }: History): boolean {
	return identifyBy === 'id' || mode === 'mirror';
}
