import type { Scenario, Named, Played } from './syncScenario.mts';
import { isAnsweredWith, isUncertain, namedIn } from './syncTruth.mts';

/** Whether a reason says that the status is not proved. */
const isUnverified = (reason: string) =>
	/does not tell|neither its counts nor|could not be found out/.test(reason);

/** What is said of a change whose answer was lost, and at no other time. */
const SAYS_LOST = /may have been carried out/;

/** Said where one reason stands for several recipients. */
const OF_SEVERAL = /^\d+ of \d+ recipients, it is not known which/;

/** Said of an address that the group took and that a group of our own showed to be nobody's. */
const IGNORED = /silently ignored/;

/** All claims of the node about a scenario that are not true, and everything that it must not do. */
export function untrueClaims(scenario: Scenario, played: Played): string[] {
	const { input } = scenario;
	const { result } = played;
	const items = itemsOf(scenario, played);
	const found = untrueAmong(items, (item) => untrueClaim(item, scenario, played));
	const isInDoubt = items.some(({ status, reason }) => isUnverified(reason) && status !== 'failed');
	if (isInDoubt && result.hints.length === 0)
		found.push('something is unverified, and no hint says so');
	found.push(...wrongMoves(scenario, played));
	if (scenario.mode === 'mirror') found.push(...wrongMirror(scenario, played));
	if (result.json.length > input.length && scenario.mode !== 'mirror') {
		const extra = result.json.slice(input.length).filter(({ error }) => error === undefined);
		if (extra.length > 0) found.push('there are more items than went in');
	}
	return found;
}

/** What a dry run changes or says otherwise than is so. */
export function untrueDryRunClaims(scenario: Scenario, played: Played): string[] {
	const found = played.version > 0 ? ['a dry run changed the group'] : [];
	const lies = untrueAmong(itemsOf(scenario, played), (item) =>
		untrueDryRunClaim(item, scenario, played),
	);
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

function itemsOf({ input }: Scenario, { result }: Played): Item[] {
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
function untrueAmong(items: Item[], lieOf: (item: Item) => string | undefined): string[] {
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

function untrueClaim(
	{ status, reason, entry }: Item,
	scenario: Scenario,
	played: Played,
): string | undefined {
	if (status === 'failed') {
		return reason ? untrueFailure(reason, entry, scenario, played) : 'no reason is given';
	}
	if (status === 'unknown') return untrueUnknown(entry, scenario, played);
	const { truth, fixture: fixture } = played;
	const id = fixture.id(entry) ?? 'nobody';
	const [was, is] = [truth.before.has(id), truth.has(id)];
	const [cameIn, left] = [truth.moved(id, true), truth.moved(id, false)];
	const [brought, taken] = [truth.moved(id, true, 'others'), truth.moved(id, false, 'others')];
	const isSilent = ignoresSilently(scenario);
	if (isUnverified(reason)) {
		if (reason.startsWith('In the group now') && !is && !taken && !isSilent) {
			return 'not in the group';
		}
		return status === (scenario.mode === 'remove' ? 'notMember' : 'alreadyMember')
			? undefined
			: 'an unverified status with a claim';
	}
	const seen = namesIds(scenario) ? truth.lastShown : undefined;
	switch (status) {
		case 'added':
			return cameIn && (is || taken) ? undefined : 'not so';
		case 'removed':
			return left && (!is || brought) ? undefined : 'not so';
		case 'alreadyMember':
			// Documented for emails: a call that changes nobody found only members.
			if (scenario.mode === 'add' && isSilent) return undefined;
			if (seen && !seen.has(id)) return 'the group did not show them';
			// Counts do not show whom others removed meanwhile, and no address is shown beside an ID.
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
function untrueUnknown(
	entry: Named,
	{ identifyBy, switches }: Scenario,
	{ fixture: fixture }: Played,
): string | undefined {
	if (wasRefusedAlone(entry, fixture)) return undefined;
	const mode = identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds;
	if (!('stranger' in entry)) return 'the service knows them';
	return mode === 'errorLog' ? undefined : 'never refused alone';
}

/** Whether the service said of somebody alone that it does not know them; sync takes its word for it. */
function wasRefusedAlone(entry: Named, { text, requests }: Played['fixture']): boolean {
	return requests.some((request) => {
		const [name, ...others] = namedIn(request);
		if (name !== text(entry) || others.length > 0 || !isAnsweredWith(false, request)) return false;
		return /^Not all emails/.test(request.response?.message ?? '');
	});
}

/** A change whose response was lost may have been carried out: said where it is so, and nowhere else. */
function untrueFailure(
	reason: string,
	entry: Named,
	scenario: Scenario,
	{ truth, fixture: fixture }: Played,
): string | undefined {
	const id = fixture.id(entry) ?? 'nobody';
	const names = [fixture.text(entry), id];
	const lost = fixture.requests.filter(
		(request) => isUncertain(request) && namedIn(request).some((name) => names.includes(name)),
	);
	const isOfGroup = lost.some(({ path }) => path.endsWith(`/${fixture.targetId}/recipients`));
	const isChanged = truth.moved(id, scenario.mode !== 'remove', 'us');
	if (OF_SEVERAL.test(reason)) return undefined;
	if (SAYS_LOST.test(reason)) {
		// A call that counts errors says of nobody that it left them out.
		const isOfSeveral =
			isListed(scenario) &&
			fixture.requests.some((request) => {
				const named = namedIn(request);
				return (
					isAnsweredWith(true, request) &&
					named.length > 1 &&
					named.some((name) => names.includes(name))
				);
			});
		// Mirror adds whom a lost look-up found, without knowing whose the ID is.
		const mayBeSaid = isOfGroup || (scenario.mode === 'mirror' && lost.length > 0) || isOfSeveral;
		return mayBeSaid ? undefined : 'no response was lost';
	}
	// Whoever knows the ID may have seen in the group afterwards that nothing was changed.
	if (!isChanged && (!isOfGroup || namesIds(scenario) || IGNORED.test(reason))) return undefined;
	// Nor does it matter to whoever saw it that others had undone it by then.
	if (namesIds(scenario) && truth.moved(id, scenario.mode === 'remove', 'others')) return undefined;
	return lost.length > 0 ? 'the lost response is not told' : undefined;
}

/** Whether the service takes a call with somebody unknown in it, and counts them as errors. */
function isListed({ identifyBy, switches }: Scenario): boolean {
	return (identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds) === 'errorLog';
}

/** The ids that the input names, without those of whom the service said that it does not know them. */
function wantedIn(scenario: Scenario, fixture: Played['fixture']): Set<string> {
	const { mode, input } = scenario;
	const known = input.filter((entry) => {
		if (mode !== 'mirror') return true;
		// Listed before somebody made them one of the people.
		if ('stranger' in entry && isListed(scenario)) return false;
		return !wasRefusedAlone(entry, fixture);
	});
	return new Set(known.flatMap((entry) => fixture.id(entry) ?? []));
}

/** Changes of the group that the mode of the sync does not allow. */
function wrongMoves(scenario: Scenario, { truth, fixture: fixture }: Played): string[] {
	const { mode } = scenario;
	const named = new Set(scenario.input.map((entry) => fixture.id(entry)));
	const wanted = wantedIn(scenario, fixture);
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

function wrongMirror(scenario: Scenario, { truth, fixture: fixture, result }: Played): string[] {
	const { input, maxRemovalPercent } = scenario;
	const wanted = wantedIn(scenario, fixture);
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
	const isStopped = result.json.every(
		({ status }) => status !== 'added' && status !== 'alreadyMember',
	);
	for (const id of truth.before) {
		const stays = truth.has(id) && !wanted.has(id) && !truth.moved(id, true);
		if (!isStopped && stays && !told.has(id)) found.push(`that ${id} stays is not said`);
	}
	if (removals === 0) return found;
	if (input.some((entry) => 'text' in entry && entry.text.trim() !== '')) {
		found.push('people were removed although an item cannot be read');
	}
	const atFirst = truth.atFirstRemoval;
	for (const id of wanted) {
		if (atFirst?.has(id) || truth.moved(id, false, 'others')) continue;
		found.push(`people were taken out while ${id} was not in`);
	}
	const surplus = [...truth.before].filter((id) => !wanted.has(id)).length;
	if (surplus * 100 > maxRemovalPercent * truth.before.size) found.push('the limit was ignored');
	if (truth.size === 0 && !scenario.meanwhile.some((event) => event.do === 'leave')) {
		found.push('the group was emptied');
	}
	return found;
}

function untrueDryRunClaim(
	{ status, reason, entry }: Item,
	scenario: Scenario,
	played: Played,
): string | undefined {
	const { truth, fixture: fixture } = played;
	if (SAYS_LOST.test(reason)) return 'nothing was asked of the group';
	if (status === 'failed' || isUnverified(reason)) return undefined;
	if (status === 'unknown') return untrueUnknown(entry, scenario, played);
	const id = fixture.id(entry);
	const isRemoval = scenario.mode === 'remove';
	if (id === undefined && !isRemoval) {
		return ignoresSilently(scenario) ? undefined : 'the service knows nobody';
	}
	const was = truth.before.has(id ?? 'nobody');
	const allowed = isRemoval ? (was ? 'removed' : 'notMember') : was ? 'alreadyMember' : 'added';
	return status === allowed ? undefined : `not ${allowed}`;
}

/** A service that silently ignores unknown emails, against its own documentation. */
function ignoresSilently({ identifyBy, switches }: Scenario): boolean {
	return identifyBy === 'email' && switches.unknownEmails === 'ignore';
}

/** Whether the sync knows which member is which recipient. */
function namesIds({ identifyBy, mode }: Scenario): boolean {
	return identifyBy === 'id' || mode === 'mirror';
}
