import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Switches } from '../../emulator/emulator.mts';
import { idOf, LISTS_OF_THE_EDITOR } from '../kit/listsOfTheEditor.mts';
import { loadOptions, loadPackage, locator, searchList, type RunResult } from '../kit/engine.mts';
import { properties } from '../kit/sampleParameters.mts';
import { declaredPaths, operations } from './operations.mts';
import { withIds, recordsAt, type Fixture } from './fixtures.mts';

/** The name of a read, and a function that runs it and compares its result with the true data. */
export type ReadCase = { name: string; check: (fixture: Fixture) => Promise<void> };

/** How the service returns a list. */
type ListKind = {
	/** For a list in pages: the switch of the emulator that can make the service repeat the first page forever. */
	endless?: 'previousLastIdMeans' | 'skipMeans';
	/** The key of the list in the switch `pageCap`, if reading ends with a warning at a repeated page. */
	warns?: 'campaign' | 'broadcast';
	/** For a list in one response: the key of the list in the switch `pageCap`. */
	oneResponse?: 'channel' | 'template';
	/** Whether the service may return the total number of records with the list. */
	hasTotal?: true;
};

const byLastId = (warns: 'campaign' | 'broadcast'): ListKind => ({
	...{ endless: 'previousLastIdMeans', warns },
});
const BY_SKIP: ListKind = { endless: 'skipMeans', hasTotal: true };

const LISTS: Record<string, ListKind> = {
	'/int/v1/campaign': byLastId('campaign'),
	'/int/v1/broadcast': byLastId('broadcast'),
	'/int/v1/recipientGroup': BY_SKIP,
	'/int/v1/channel': { oneResponse: 'channel', hasTotal: true },
	'/int/v1/channel/:channelId/manager': BY_SKIP,
	'/int/v1/channel/:channelId/managerGroup': BY_SKIP,
	'/int/v1/channel/:channelId/recipient': BY_SKIP,
	'/int/v1/template': { oneResponse: 'template' },
};

/** Returns the kind of list at a path. A list not in LISTS must be complete and in order under every switch value. */
const kindOf = (path: string): ListKind => LISTS[path] ?? {};

/** Returns whether the service repeats the first page of a list forever. */
function repeats({ switches }: Fixture, path: string): boolean {
	const { endless } = kindOf(path);
	return endless !== undefined && switches[endless] === 'nothing';
}

/** Returns all records that the service returns for a list. */
async function returnedRecords(fixture: Fixture, path: string): Promise<IDataObject[]> {
	const all = await recordsAt(fixture, withIds(fixture, path));
	const { oneResponse, warns } = kindOf(path);
	const onlyPage = warns && repeats(fixture, path) ? warns : oneResponse;
	return all.slice(0, onlyPage ? fixture.switches.pageCap[onlyPage] : undefined);
}

/** Returns whether the response shows that a list is incomplete. */
async function isMarkedIncomplete(fixture: Fixture, path: string): Promise<boolean> {
	const { hasTotal, warns } = kindOf(path);
	if (warns && repeats(fixture, path)) return (await returnedRecords(fixture, path)).length > 1;
	const { totalInLists, totalMeans }: Switches = fixture.switches;
	if (!hasTotal || !totalInLists || totalMeans === 'page') return false;
	const all = await recordsAt(fixture, withIds(fixture, path));
	return (await returnedRecords(fixture, path)).length < all.length;
}

/** Whether the service repeats a page of a list with `skip`, so that records may be missing. */
const mayLack = (fixture: Fixture, path: string): boolean =>
	repeats(fixture, path) && kindOf(path).endless === 'skipMeans';

const idsOf = (records: IDataObject[]): unknown[] => records.map(({ _id }) => _id);

/** Checks that the records are complete and in order. */
function expectWhole(found: IDataObject[], truth: IDataObject[]): void {
	expect(idsOf(found)).toEqual(idsOf(truth));
	expect(found).toEqual(truth);
}

/**
 * Checks that getAll returns every record once for each input item, in the service's order and paired with this item. An
 * empty list is valid.
 */
function getMany(operation: string): ReadCase {
	const resource = operation.replace('.getAll', '');
	return {
		name: operation,
		async check(fixture) {
			const { service, credential } = fixture;
			const path = declaredPaths.get(operation) ?? '';
			const truth = await returnedRecords(fixture, path);
			const read = async (parameters: INodeParameters, count = 1): Promise<RunResult> =>
				await service.run(
					resource,
					'getAll',
					{ ...locators(fixture), simplify: false, ...parameters },
					{ credential, items: Array.from({ length: count }, () => ({ json: {} })) },
				);
			for (const limit of [1, 2, 3, truth.length + 1]) {
				const limited = await read({ returnAll: false, limit });
				if (limited.error) throw limited.error;
				if (mayLack(fixture, path)) expect(truth).toEqual(expect.arrayContaining(limited.json));
				else expectWhole(limited.json, truth.slice(0, limit));
			}
			const whole = await read({ returnAll: true }, 2);
			if (mayLack(fixture, path)) return;
			expectWhole(whole.json, [...truth, ...truth]);
			expect(whole.items.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 1].flatMap((item) => truth.map(() => ({ item }))),
			);
			const shownHints = whole.hints.map(({ message }) => message).join();
			expect(/(is|may be) incomplete/.test(shownHints)).toBe(
				await isMarkedIncomplete(fixture, path),
			);
		},
	};
}

const locators = ({ ids }: Fixture): INodeParameters =>
	Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, locator(id)]));

/** Returns the lists that the nodes declare, except the list of survey questions: questions are not records. */
export async function everyListOfTheEditor(): Promise<string[]> {
	const { node } = await loadPackage();
	return ['messagingService', 'messagingServiceTrigger'].flatMap((type) => {
		const { listSearch = {}, loadOptions: options = {} } = node(type).methods ?? {};
		return [...Object.keys(listSearch), ...Object.keys(options)]
			.filter((name) => name !== 'getSurveyQuestions')
			.map((name) => `${type} ${name}`);
	});
}

/** Checks that a list shows every value once. If the service repeats a page, values may be missing. */
function shownInEditor(method: string): ReadCase[] {
	const [type = '', name = ''] = method.split(' ');
	return (LISTS_OF_THE_EDITOR[method] ?? []).map(({ paths, parameters = {}, values = idOf }) => ({
		name: [method, parameters.resource].filter(Boolean).join(' '),
		async check(fixture) {
			const { credential } = fixture;
			const records = await Promise.all(
				paths.map(async (path) => await returnedRecords(fixture, path)),
			);
			const truth = [...new Set(records.flat().flatMap(values))];
			const chosen = { ...locators(fixture), ...parameters };
			const found: unknown[] = [];
			if (name.startsWith('search')) {
				let paginationToken: string | undefined;
				do {
					const page = await searchList(name, credential, { paginationToken, parameters: chosen });
					found.push(...page.results.map(({ value }) => value));
					const next: unknown = page.paginationToken;
					paginationToken = typeof next === 'string' ? next : undefined;
				} while (paginationToken !== undefined);
			} else {
				const options = await loadOptions(name, credential, chosen, type);
				const instruction = options.filter(({ value }) => value === '');
				expect(instruction.map(({ name: text }) => text)).toEqual(
					name === 'getChannelManagers' ? ['Choose a user'] : [],
				);
				found.push(...options.map(({ value }) => value).filter((value) => value !== ''));
			}
			expect(new Set(found).size).toBe(found.length);
			if (paths.some((path) => repeats(fixture, path))) {
				expect(truth).toEqual(expect.arrayContaining(found));
				if (values === idOf) expect(found.length > 0).toBe(truth.length > 0);
			} else {
				expect([...found].sort()).toEqual([...truth].sort());
			}
		},
	}));
}

/** The locators of the node that accept a name. */
const locatorsByName = new Set(
	properties
		.filter(({ modes = [] }) => modes.some(({ name }) => name === 'name'))
		.map(({ name }) => name),
);

/** Looks up the last and the first record of a list by name. If the list is empty, looks up an unknown name. */
function byName(parameter: string, operation: string): ReadCase {
	const resource = parameter.replace(/Id$/, '');
	const path = `/int/v1/${resource}`;
	return {
		name: `${resource}.${operation} by name`,
		async check(fixture) {
			const { service, credential, ids } = fixture;
			const all = await recordsAt(fixture, path);
			const given = await returnedRecords(fixture, path);
			const isPartial = await isMarkedIncomplete(fixture, path);
			const read = async (name: string): Promise<RunResult> => {
				service.emulator.clearRequests();
				const named =
					operation === 'get'
						? { [parameter]: { __rl: true, mode: 'name', value: name } }
						: { name };
				const parameters = { simplify: false, ...named };
				return await service.run(resource, operation, parameters, { credential });
			};
			const createsMissing = operation === 'getOrCreate';
			for (const wanted of [all.at(-1), given.at(0)]) {
				const { json, error } = await read(String(wanted?.name ?? 'Nowhere'));
				const changes = service.requests.filter(({ method }) => method !== 'GET');
				if (error && mayLack(fixture, path) && /may be incomplete/.test(error.message)) {
					expect(changes).toEqual([]);
				} else if (wanted && given.some(({ _id }) => _id === wanted._id) && !isPartial) {
					if (error) throw error;
					expect(json).toEqual([expect.objectContaining({ _id: wanted._id })]);
					expect(changes).toEqual([]);
				} else if (createsMissing) {
					if (error) throw error;
					const isFirst = ids[parameter] === undefined;
					expect(json).toEqual([expect.objectContaining({ created: isFirst })]);
					expect(changes).toHaveLength(isFirst ? 1 : 0);
					ids[parameter] = String(json[0]?._id);
				} else {
					expect(error?.message).toMatch(
						isPartial ? /The list (is|may be) incomplete/ : /There is no .* called/,
					);
				}
			}
		},
	};
}

/** Reads of lists. */
export const listReads: ReadCase[] = [
	...operations.filter((operation) => operation.endsWith('.getAll')).map(getMany),
	...Object.keys(LISTS_OF_THE_EDITOR).flatMap(shownInEditor),
	...Array.from(locatorsByName, (parameter) => byName(parameter, 'get')),
	byName('recipientGroupId', 'getOrCreate'),
];
