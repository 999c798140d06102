import type { RunResult } from '../../kit/engine.mts';
import { addressOf, groupName, hrNumberOf, idOf, type Group } from './service.mts';
import type { SyncModelService } from './service.mts';
import {
	BLANKS,
	MISSING_FIELD,
	MISSING_GROUPS,
	NO_GROUPS,
	type GroupGiven,
	type Run,
} from './world.mts';

/** An input item, and what its texts mean. */
export type Row = {
	/** The texts of the fields Recipient and Recipient Group. */
	recipient: string;
	groupText: string;
	/** The address or ID in `recipient`, in lower case, or undefined if `recipient` contains neither. */
	given: string | undefined;
	isBlank: boolean;
	isDuplicate: boolean;
	/** The group that the item names, if exactly one such group exists at the start of the run. */
	group: Group | undefined;
	/** If no group had the name in the item at the start: this name, as `plainName` returns it. */
	missing: string | undefined;
};

/** A finished run: its input items, the service with its journal, and the result of the node. */
export type Played = {
	run: Run;
	rows: Row[];
	service: SyncModelService;
	result: RunResult;
	/** The groups that exist at the end of the run but did not exist at its start. */
	added: Group[];
};

/** Normalizes case, blanks and Unicode forms in the name of a group, so that names that look alike become equal. */
export function plainName(name: string): string {
	const text = name.normalize('NFC').replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
	return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * Returns the input items of the scenario. The fields `group` and `missing` of the items refer to the groups that the
 * service has now.
 */
export function rowsOf(service: SyncModelService): Row[] {
	const { people, oddRows, groups, groupBy, identifyBy } = service.scenario;
	const areIds = identifyBy === 'id';
	const usual = (text: string) => text;
	const written = people.flatMap((person, number) => {
		const suffixes = { none: [''], named: ['.two'], bothNamed: ['', '.two'] }[person.secondAddress];
		const texts = suffixes.map((suffix) => addressOf(number, suffix));
		const unique = new Set(
			(person.named ?? person.was).map((one) => (typeof one === 'number' ? one % groups : one)),
		);
		const id = person.idForm === 'hr' ? hrNumberOf(number) : idOf('account', number);
		const idText = person.idForm === 'upper' ? id.toUpperCase() : id;
		return [...unique].flatMap((group) =>
			(areIds ? [id] : texts).map((given) => ({
				...{ given, group, spelling: person.groupSpelling },
				recipient: areIds ? idText : person.spelling(given),
			})),
		);
	});
	const odd = oddRows.flatMap((row) => {
		if ('again' in row) return written[row.again] ?? [];
		const common = { group: row.group, spelling: usual };
		if ('text' in row) {
			const isKept = BLANKS.includes(row.text) || row.text === MISSING_FIELD;
			const recipient = areIds && !isKept ? 'no ID at all' : row.text;
			return { ...common, given: undefined, recipient };
		}
		const given = areIds ? idOf('nobody', row.nobody) : `nobody${row.nobody}@people.example`;
		return { ...common, given, recipient: given };
	});
	const seen = new Set<string>();
	return [...written, ...odd].map(({ given, recipient, group, spelling }, index): Row => {
		const isById = groupBy === 'id' || (groupBy === 'both' && index % 2 === 0);
		const groupText = textOfGroup(group, isById, spelling);
		const [only, another] = findGroups(groupText, service);
		const found = another ? undefined : only;
		const isMissing = !isById && !only && !NO_GROUPS.includes(groupText);
		const missing = isMissing ? plainName(groupText) : undefined;
		const key = `${given} ${missing ?? found?._id ?? groupText}`;
		const isDuplicate = given !== undefined && seen.has(key);
		const isBlank = given === undefined && BLANKS.includes(recipient);
		seen.add(key);
		return { recipient, groupText, given, isBlank, isDuplicate, group: found, missing };
	});

	function textOfGroup(group: GroupGiven, isById: boolean, spelling: typeof usual): string {
		if (typeof group === 'number') {
			const number = group % groups;
			return isById ? idOf('group', number) : spelling(groupName(number));
		}
		if (!MISSING_GROUPS.includes(group)) return group;
		return isById ? idOf('group', 999) : spelling(group);
	}
}

/** Returns the groups with this ID or exact name. If there are none, returns the groups whose `plainName` is equal. */
function findGroups(groupText: string, { groups }: SyncModelService): Group[] {
	const existing = [...groups.values()].filter(({ isTemporary }) => !isTemporary);
	const exact = existing.filter(({ _id, name }) => _id === groupText || name === groupText);
	if (exact.length > 0) return exact;
	return existing.filter(({ name }) => plainName(name) === plainName(groupText));
}

/** Returns the group that an item names at the end of the run: an existing group, or one that the run created. */
export function groupOf({ group, missing }: Row, { added }: Played): Group | undefined {
	return group ?? added.find((one) => !one.isTemporary && plainName(one.name) === missing);
}

/** Returns the groups that items name. */
export const groupsOf = (played: Played) =>
	new Set(played.rows.flatMap((row) => groupOf(row, played) ?? []));

/** Whether the mode and the options let Sync create the missing groups. */
export function mayCreate({ rows, service }: Played): boolean {
	const { mode, options } = service.scenario;
	const missing = new Set(rows.flatMap((row) => row.missing ?? []));
	return options.createMissingGroups && mode !== 'remove' && missing.size <= options.maxNewGroups;
}

/** Returns the accounts that items name, including those that the service does not know yet. */
export const accountsOf = (service: SyncModelService, rows: Row[]) =>
	rows.flatMap(({ given }) => service.accountsOf(given));

/** Returns the IDs of the accounts that items name. */
export const idsOf = (service: SyncModelService, rows: Row[]) =>
	new Set(accountsOf(service, rows).map(({ id }) => id));

/**
 * Whether the service's counts may be wrong about an item. There are two causes. Another item may name the same person
 * by another address, so only one of the two items changes something. Or a request contains this recipient and an
 * address of two accounts, which the service may count twice.
 */
export function isMiscounted(row: Row, { rows, service }: Pick<Played, 'rows' | 'service'>) {
	const ids = idsOf(service, [row]);
	const isTwin = (other: Row) =>
		other.given !== row.given &&
		(other.group ?? other.missing) === (row.group ?? row.missing) &&
		accountsOf(service, [other]).some(({ id }) => ids.has(id));
	const isOfTwo = (given: string) => service.accountsOf(given).length > 1;
	const isBesideTwo = service.journal.some(
		({ group, named }) =>
			group?.isTemporary === false && named.includes(row.given ?? '') && named.some(isOfTwo),
	);
	return isBesideTwo || rows.some(isTwin);
}

/**
 * Returns the members that the first successful and complete read of a group showed. If every read failed or was
 * incomplete, returns the members at the start.
 */
export function beforeOf(group: Group, { journal }: SyncModelService): ReadonlySet<string> {
	const first = journal.find(
		(one) => one.kind === 'read' && one.group === group && one.answer === 'success' && one.shown,
	);
	return first?.shown ?? group.start;
}

/** Whether some item of a run ended without a status. */
export function hasNoStatuses({ rows, result }: Played): boolean {
	return result.json.length < rows.length || result.json[0]?.status === undefined;
}
