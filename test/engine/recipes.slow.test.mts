import type { IPinData } from 'n8n-workflow';

import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	departmentOf,
	employee,
	EMPLOYEES,
	hrLists,
	leaver,
	type HrList,
	type HrRow,
} from '../kit/hrLists.mts';
import {
	approve,
	withN8nNodes,
	readRecipe,
	recipeFiles,
	runRecipe,
	useHrExport,
	type Recipe,
} from '../kit/recipe.mts';
import { useService } from '../kit/service.mts';

const setHrExport = useHrExport('hr-lists');

const service = useService();
useFakeSleep();

const CHANNEL = 'Company news';
const KEPT = 'kept@example.com';
const KEEP_LIST = 'All employees (keep list)';

/** Returns the output of the nodes of a source. Returns undefined if the source cannot have the list. */
type Source = (list: HrList) => IPinData | undefined;

const items = (rows: object[]) => rows.map((json) => ({ json: { ...json } }));
const fromRows =
	(node: string, convert: (rows: HrRow[]) => object[]): Source =>
	({ rows }) => {
		const output = rows && convert(rows);
		// With Always Output Data, n8n returns an empty item for a node without output.
		return output && { [node]: items(output.length > 0 ? output : [{}]) };
	};

/** Returns the row with these names of its fields. */
const renamed = (row: HrRow, names: Record<string, string>) =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));

/** The status in a source that has true and false: whether the person left. */
function hasLeft(status?: string): boolean | string | undefined {
	const word = status?.trim().toLowerCase() ?? '';
	if (['left', 'terminated'].includes(word)) return true;
	return ['active', 'on leave'].includes(word) ? false : status;
}

const downloaded: Source = ({ file }) => ({
	'Download the CSV file': [
		{
			json: {},
			binary: { data: { mimeType: 'text/csv', data: file.toString('base64') } },
		},
	],
});

/** The sources that are not a file on the disk. */
const sources: Partial<Record<string, Source>> = {
	'hr-from-csv-file.json': downloaded,
	'hr-from-sftp.json': downloaded,
	'hr-from-google-sheets.json': fromRows('Read the sheet', (rows) =>
		rows.map((row) =>
			renamed(row, { employeeId: 'Employee ID', email: 'Email', status: 'Status' }),
		),
	),
	'hr-from-http-api.json': fromRows('Read the HR system', (rows) => [
		{
			employees: rows.map(({ employeeId: id, email, status }) => ({
				id,
				contact: { email },
				terminated: hasLeft(status),
			})),
		},
	]),
	'hr-from-microsoft-entra.json': fromRows('Read the users', (rows) =>
		rows.map(({ email: mail, status }) => {
			const left = hasLeft(status);
			return { mail, accountEnabled: typeof left === 'boolean' ? !left : left };
		}),
	),
	'hr-from-bamboohr.json': (list) =>
		list.isAboutStatus
			? undefined
			: fromRows('Read the directory', (rows) =>
					rows
						.filter(({ employeeId = '' }) => !employeeId.startsWith('L'))
						.map((row) => renamed(row, { employeeId: 'id', email: 'workEmail' })),
				)(list),
};

const isHrList = ({ parameters }: Recipe['nodes'][number]) => parameters.resource === 'hrList';

/** Returns the recipe as its page describes it: with the list, and not as a dry run. Without `isForReal`, it keeps Dry Run. */
function prepared(file: string, list: HrList, isForReal = true): Recipe | undefined {
	const recipe = readRecipe(file);
	const pinned = sources[file]?.(list);
	if (file in sources && !pinned) return undefined;
	recipe.pinData = { ...recipe.pinData, ...pinned };
	if (!pinned) setHrExport(recipe, list.file);
	for (const { name, parameters } of isForReal ? recipe.nodes : []) {
		if (parameters.operation === 'sync' && name !== 'Dry run') parameters.dryRun = false;
	}
	if (file === 'department-groups.json') approve(recipe);
	if (file === 'keep-list.json')
		recipe.pinData['Keep list'] = items([{ recipientGroup: KEEP_LIST, email: KEPT }]);
	return recipe;
}

/** The members of all groups, as "group: address". */
function membersNow(): string[] {
	const { people, channels, recipientGroups } = service.emulator.state;
	const channel = channels.values().find(({ name }) => name === CHANNEL);
	const groups = [...recipientGroups.values()].map(
		({ name, members }) => [name, [...members]] as const,
	);
	return [...groups, [CHANNEL, [...(channel?.recipients.keys() ?? [])]] as const]
		.flatMap(([name, ids]) => ids.map((id) => `${name}: ${people.get(id)?.email ?? id}`))
		.sort();
}

/** Returns the names of the groups in which a recipe puts a person. */
function groupsIn(file: string, { nodes }: Recipe): (number: number) => string {
	if (file === 'channel-follows-hr.json') return () => CHANNEL;
	if (file === 'department-groups.json') return departmentOf;
	const target = nodes.find(({ name }) => /^(Sync|Group to fill)/.test(name))?.parameters;
	const { recipientGroupId: group, name = group } = target ?? {};
	return () => String(typeof name === 'object' && name && 'value' in name ? name.value : name);
}

/**
 * Fills the groups: five employees are missing, and one person left since the last run.
 *
 * @returns who should be in the groups after the next run, as "group: address"
 */
function fill(file: string, recipe: Recipe, { employees = EMPLOYEES }: HrList): string[] {
	const { state } = service.emulator;
	for (const { _id } of [...state.recipientGroups.values()]) state.recipientGroups.delete(_id);
	const groupOf = groupsIn(file, recipe);
	const add = (email: string) => state.people.add({ email })._id;
	const staff = Array.from({ length: employees }, (_, index) => index + 1);
	const ids = staff.map((number) => [groupOf(number), add(employee(number))] as const);
	const [former = ''] = [1, 2, 3, 4].map((number) => add(leaver(number)));
	const all = [...ids.slice(5), [groupOf(1), former] as const];
	if (file === 'keep-list.json') all.push([KEEP_LIST, add(KEPT)]);
	if (groupOf(1) === CHANNEL) {
		const { recipients } = state.addChannel({ name: CHANNEL });
		for (const [, personId] of all)
			recipients.set(personId, { linkId: state.ids.next(), personId });
	} else {
		for (const group of new Set(all.map(([name]) => name)))
			state.addRecipientGroup(
				group,
				all.filter(([name]) => name === group).map(([, id]) => id),
			);
	}
	// The recipe without Sync only adds people.
	const stays =
		file === 'hr-records-into-recipient-group.json'
			? [leaver(1)]
			: file === 'keep-list.json'
				? [KEPT]
				: [];
	return [
		...staff.map((number) => `${groupOf(number)}: ${employee(number)}`),
		...stays.map((email) => `${groupOf(1)}: ${email}`),
	].sort();
}

type Verdict = 'right' | 'told' | `harmed: ${string}`;

/** Runs a recipe with a list. Judges it by who is in its groups afterwards, and whether somebody was told. */
async function judge(file: string, list: HrList): Promise<Verdict | undefined> {
	const recipe = prepared(file, list);
	if (!recipe) return undefined;
	const wanted = fill(file, recipe, list);
	const before = membersNow();
	const { error, last = '' } = await runRecipe(recipe, service.accessKey);
	const after = membersNow();
	const gone = before.filter((one) => wanted.includes(one) && !after.includes(one));
	if (gone.length > 0) return `harmed: removed ${gone.slice(0, 5).join()}`;
	const strangers = after.filter((one) => !wanted.includes(one) && !before.includes(one));
	if (strangers.length > 0) return `harmed: added ${strangers.slice(0, 5).join()}`;
	if (last === 'HR List' && after.join() !== before.join()) return 'harmed: something was changed';
	if (error === undefined && after.join() !== wanted.join()) return 'harmed: nobody was told';
	return error === undefined ? 'right' : 'told';
}

const names = [...hrLists.keys()];
const files = recipeFiles.filter((file) => readRecipe(file).nodes.some(isHrList));
const isNight = Boolean(process.env.NIGHTLY ?? process.env.FAULTS);

/** At night, every recipe gets all lists, otherwise the plain list and some others. */
const listsFor = (position: number) =>
	names.filter((_name, index) => {
		const isSampled = index < names.length - 1 && (index + position * 5) % 19 === 0;
		return isNight || index === 0 || isSampled;
	});

withN8nNodes('a recipe that reads people', () => {
	test.each(files.map((file, index) => [file, index] as const))(
		'%s never harms anybody',
		async (file, index) => {
			const found: Array<[string, Verdict]> = [];
			for (const name of listsFor(index)) {
				const list = hrLists.get(name);
				service.emulator.reset();
				const verdict = list && (await judge(file, list));
				if (verdict === undefined) continue;
				found.push([name, verdict]);
			}
			const isAllowed = ([name, verdict]: [string, Verdict]) =>
				verdict === 'right' || verdict === hrLists.get(name)?.expected;
			expect(found.filter((one) => !isAllowed(one))).toEqual([]);
			expect(found.length).toBeGreaterThan(0);
		},
		900_000,
	);
});

const isDry = ({ parameters }: Recipe['nodes'][number]) => parameters.dryRun === true;
const dryRuns = files.filter((file) => {
	const syncs = readRecipe(file).nodes.filter(({ parameters }) => parameters.operation === 'sync');
	return syncs.length > 0 && syncs.every(isDry);
});

withN8nNodes('with Dry Run on', () => {
	test.each(dryRuns)('%s changes nothing in its dry run', async (file) => {
		const [list] = hrLists.values();
		const recipe = list && prepared(file, list, false);
		if (!recipe) throw new Error('No list');
		fill(file, recipe, list);
		const before = membersNow();
		const { error } = await runRecipe(recipe, service.accessKey);
		expect(error).toBeUndefined();
		expect(membersNow()).toEqual(before);
	});
});
