import { addressOf, groupName, idOf, type Group } from './syncModelGroups.mts';
import type { SyncModelService } from './syncModelService.mts';
import {
	BLANKS,
	GROUP_SPELLINGS,
	MISSING_GROUPS,
	NO_GROUPS,
	SPELLINGS,
	type Scenario,
} from './syncModelWorld.mts';

/** An input item, and what it means. */
export type Row = {
	/** The text of Recipient, and of Recipient Group. */
	recipient: string;
	groupText: string;
	/** The address or ID in lower case; undefined if there is none. */
	given: string | undefined;
	isBlank: boolean;
	isDuplicate: boolean;
	/** The group that the item names; undefined if there is no such group at the start, or several. */
	group: Group | undefined;
	/** The name of a missing group in its plain form; undefined if the item names a group that is there, or none. */
	missing: string | undefined;
};

/** An ID that no group has. */
const NO_GROUP_ID = idOf('group', 999);

/** Returns a group's name without what only looks different: case, blanks and Unicode forms. */
export function plainName(name: string): string {
	const text = name.normalize('NFKC').replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
	return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Returns the input items of a scenario; groups are those of the service now. */
export function rowsOf(scenario: Scenario, service: SyncModelService): Row[] {
	const written = scenario.people.flatMap((person, number) => {
		const isById = scenario.identifyBy === 'id';
		const suffixes = { none: [''], named: ['.two'], bothNamed: ['', '.two'] }[person.secondAddress];
		const given = isById
			? [idOf('account', number)]
			: suffixes.map((suffix) => addressOf(number, suffix));
		const groups = person.named ?? person.was;
		const unique = new Set(
			groups.map((one) => (typeof one === 'number' ? one % scenario.groups : one)),
		);
		return [...unique].flatMap((group) =>
			given.map((text) => ({
				...{ given: text, group, spelling: person.groupSpelling },
				recipient: isById ? text : SPELLINGS[person.spelling](text),
			})),
		);
	});
	const odd = scenario.oddRows.flatMap((row) => {
		const spelling = 'plain' as const;
		if ('again' in row) return written[row.again] ?? [];
		if ('nobody' in row) {
			const isById = scenario.identifyBy === 'id';
			const given = isById ? idOf('nobody', row.nobody) : `nobody${row.nobody}@people.example`;
			return { given, recipient: given, group: row.group, spelling };
		}
		const isText = scenario.identifyBy === 'email' || BLANKS.includes(row.text);
		const recipient = isText ? row.text : 'no ID at all';
		return { given: undefined, recipient, group: row.group, spelling };
	});
	const all = [...written, ...odd];
	if (scenario.isReversed) all.reverse();
	const seen = new Set<string>();
	return all.map(({ given, recipient, group, spelling }, index): Row => {
		const isById = scenario.groupBy === 'id' || (scenario.groupBy === 'both' && index % 2 === 0);
		const groupText = textOfGroup(group, isById, spelling, scenario);
		const found = find(groupText, service);
		const isMissing = !isById && found.length === 0 && !NO_GROUPS.includes(groupText);
		const named = isMissing ? plainName(groupText) : found.length === 1 ? found[0]?._id : groupText;
		const key = `${given} ${named}`;
		const isDuplicate = given !== undefined && seen.has(key);
		seen.add(key);
		return {
			...{ recipient, groupText, given, isDuplicate },
			isBlank: given === undefined && BLANKS.includes(recipient),
			group: found.length === 1 ? found[0] : undefined,
			missing: isMissing ? plainName(groupText) : undefined,
		};
	});
}

function textOfGroup(
	group: number | string,
	isById: boolean,
	spelling: keyof typeof GROUP_SPELLINGS,
	{ groups }: Scenario,
): string {
	if (typeof group === 'number') {
		const number = group % groups;
		return isById ? idOf('group', number) : GROUP_SPELLINGS[spelling](groupName(number));
	}
	if (!MISSING_GROUPS.includes(group)) return group;
	return isById ? NO_GROUP_ID : GROUP_SPELLINGS[spelling](group);
}

/** Returns the groups that a text may mean: the one of this ID or exact name, otherwise all that look alike. */
function find(groupText: string, { groups }: SyncModelService): Group[] {
	const real = [...groups.values()].filter(({ isStaging }) => !isStaging);
	const exact = real.filter(({ _id, name }) => _id === groupText || name === groupText);
	if (exact.length > 0) return exact;
	return real.filter(({ name }) => plainName(name) === plainName(groupText));
}

/** Whether another item names the same person by another address; by counts, one of the two changes nothing. */
export function hasTwin(row: Row, rows: Row[], service: SyncModelService): boolean {
	const ids = new Set(accountsOf(row, service).map(({ id }) => id));
	return rows.some(
		(other) =>
			other.given !== row.given &&
			(other.group ?? other.missing) === (row.group ?? row.missing) &&
			accountsOf(other, service).some(({ id }) => ids.has(id)),
	);
}

/** Returns the accounts that an item names, known to the service or not. */
export const accountsOf = ({ given }: Row, service: SyncModelService) => service.accountsOf(given);
