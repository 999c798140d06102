import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Switches } from '../../emulator/emulator.mts';
import { idOf, LISTS_OF_THE_EDITOR } from '../kit/listsOfTheEditor.mts';
import { loadOptions, loadPackage, locator, searchList } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { first } from '../kit/required.mts';
import { addFile, SAMPLE_SEED } from '../kit/samples.mts';
import { useService } from '../kit/service.mts';
import { parseAs } from '../kit/typed.mts';
import { declaredPaths, isInShare, operations } from './operations.mts';
import { describeSettings, singleSettings, type SwitchSettings } from './switchSettings.mts';

/**
 * Reads all lists with every value of every switch of the emulator, with an expired access token, in pages of two records.
 * If the service behaves in an undocumented way, a read must never repeat or mix up records, and a list that lacks some must
 * say so. How a list is read with several of these switches at once is tested in unit/paging.
 */

/** Only the first setting, in which all switches have their defaults, and one in `SHARE` cases run. */
const SHARE = 40;

const service = useService({ ...SAMPLE_SEED, people: 8, groups: 5, channels: 4 });

useFakeSleep();

/** Two records per page, for every paged list. */
const SHORT: Switches['pageCap'] = {
	...{ campaign: 2, broadcast: 2, recipientGroup: 2 },
	...{ channelManager: 2, channelManagerGroup: 2, channelRecipient: 2 },
};

/** Whether the service returns only some records of a list, which no further request can change. */
function lacksRecords(settings: SwitchSettings): boolean {
	const { pageCap, listedAtMost, previousLastIdMeans, skipMeans } = settings;
	const limits = [pageCap?.channel, pageCap?.template, listedAtMost?.channelRecipient];
	return limits.some(Boolean) || [previousLastIdMeans, skipMeans].includes('nothing');
}

/** Returns the IDs of the records in whose path the lists stand. */
function owners(): Record<string, string> {
	const { campaigns, broadcasts, channels } = service.emulator.state;
	return {
		campaignId: first(campaigns.values())._id,
		broadcastId: first(broadcasts.values())._id,
		channelId: first(channels.values())._id,
	};
}

/** Returns all records of a list, requested without the node, while the switches have their defaults. */
async function recordsAt(path: string): Promise<IDataObject[]> {
	const ids = owners();
	const { url, accessKey } = service.emulator;
	const own = path.replace(/:(\w+)/, (_, parameter: string) => ids[parameter] ?? parameter);
	const headers = { authorization: `Bearer ${accessKey}` };
	const response = await fetch(`${url}${own}`, { headers });
	return parseAs<{ data: IDataObject[] }>(await response.text()).data;
}

const locators = (): INodeParameters =>
	Object.fromEntries(Object.entries(owners()).map(([name, id]) => [name, locator(id)]));

type Credential = typeof service.accessKey;

/** A read of the lists at these paths. */
type Read = {
	paths: string[];
	/** What it must find of a record. */
	values?: (record: IDataObject) => unknown[];
	/** Returns what the node finds, and whether it says that some may be missing, if it has a place to say so. */
	find: (
		credential: Credential,
		records: IDataObject[],
	) => Promise<{ found: unknown[]; says?: boolean }>;
};

function getMany(operation: string): Read {
	return {
		paths: [declaredPaths.get(operation) ?? ''],
		async find(credential) {
			const parameters = { ...locators(), simplify: false, returnAll: true };
			const { json, hints, error } = await service.run(operation, parameters, { credential });
			if (error) throw error;
			const says = hints.some(({ message }) => /(is|may be) incomplete/.test(message));
			return { found: json.flatMap(idOf), says };
		},
	};
}

/** Looks up all records by their names. */
function byName(resource: string, operation: string): Read {
	const name = '={{ $json.name }}';
	const parameters = operation === 'get' ? { [`${resource}Id`]: locator(name, 'name') } : { name };
	return {
		paths: [`/int/v1/${resource}`],
		async find(credential, records) {
			const items = records.map((json) => ({ json }));
			const { json, error } = await service.run(`${resource}.${operation}`, parameters, {
				...{ credential, items },
			});
			expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
			const says = /The list (is|may be) incomplete/.test(`${error?.message}`);
			if (error && !says) throw error;
			return { found: json.flatMap(idOf), says };
		},
	};
}

/** Returns the values of a list of the editor, from all its pages. */
async function valuesInEditor(
	method: string,
	credential: Credential,
	parameters: INodeParameters,
): Promise<unknown[]> {
	const [type, name = ''] = method.split(' ');
	if (!name.startsWith('search')) {
		const options = await loadOptions(name, credential, parameters, type);
		// The first option may be an instruction.
		return options.map(({ value }) => value).filter((value) => value !== '');
	}
	const found: unknown[] = [];
	let paginationToken: string | undefined;
	do {
		const page = await searchList(name, credential, { paginationToken, parameters });
		found.push(...page.results.map(({ value }) => value));
		const next: unknown = page.paginationToken;
		paginationToken = typeof next === 'string' ? next : undefined;
	} while (paginationToken !== undefined);
	return found;
}

const reads: Array<[string, Read]> = [
	...operations
		.filter((operation) => operation.endsWith('.getAll'))
		.map((operation): [string, Read] => [operation, getMany(operation)]),
	...Object.entries(LISTS_OF_THE_EDITOR).flatMap(([method, lists]) =>
		lists.map(({ paths, parameters, values }): [string, Read] => [
			[method, parameters?.resource].filter(Boolean).join(' '),
			{
				...{ paths, values },
				find: async (credential) => ({
					found: await valuesInEditor(method, credential, { ...locators(), ...parameters }),
				}),
			},
		]),
	),
	...['campaign', 'recipientGroup', 'channel'].map((resource): [string, Read] => [
		`${resource}.get by name`,
		byName(resource, 'get'),
	]),
	['recipientGroup.getOrCreate', byName('recipientGroup', 'getOrCreate')],
];

const cases = reads.flatMap(([name, read]) =>
	singleSettings.map(
		(settings) => [`${name}: ${describeSettings(settings)}`, read, settings] as const,
	),
);

test('the cases cover every list of the editor', async () => {
	const { node } = await loadPackage();
	const declared = ['messagingService', 'messagingServiceTrigger'].flatMap((type) => {
		const { listSearch = {}, loadOptions: options = {} } = node(type).methods ?? {};
		const names = [...Object.keys(listSearch), ...Object.keys(options)];
		return names.map((name) => `${type} ${name}`);
	});
	// Questions are no records.
	const lists = declared.filter((name) => !name.endsWith('getSurveyQuestions'));
	expect(Object.keys(LISTS_OF_THE_EDITOR).sort()).toEqual(lists.sort());
});

const isChosen = ([name, , settings]: (typeof cases)[number]) =>
	settings === singleSettings[0] || isInShare(name, SHARE);

test.each(cases.filter(isChosen))('%s', async (name, { paths, values = idOf, find }, settings) => {
	const { emulator } = service;
	const { campaignId = '', broadcastId = '' } = owners();
	for (const owner of [campaignId, broadcastId]) {
		for (const file of ['notes.txt', 'agenda.txt', 'map.txt']) addFile(emulator, owner, file);
	}
	emulator.state.addCampaign({ name: 'Picnic', categories: ['Only here'] });
	const credential = service.newClient();
	await service.run('profile.get', {}, { credential });
	const records = (await Promise.all(paths.map(recordsAt))).flat();
	const expected = [...new Set(records.flatMap(values))];
	emulator.clearRequests();
	emulator.expireTokens();
	Object.assign(emulator.switches, { pageCap: SHORT, ...settings });
	const { found, says } = await find(credential, records);
	expect(new Set(found).size).toBe(found.length);
	expect(expected).toEqual(expect.arrayContaining(found));
	const isWhole = found.length === expected.length;
	if (!lacksRecords(settings)) expect([isWhole, says ?? false]).toEqual([true, false]);
	// The list of templates has no total, and the lists of the editor have no place for a warning.
	else if (says !== undefined && !name.startsWith('template')) expect(isWhole || says).toBe(true);
});
