import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IPinData } from 'n8n-workflow';

import { binaryStorage } from '../kit/binary.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	csvOf,
	departmentOf,
	employee,
	EMPLOYEES,
	hrLists,
	leaver,
	type HrList,
	type HrRow,
} from '../kit/hrLists.mts';
import {
	hasN8nNodes,
	n8nLine,
	parametersIn,
	readRecipe,
	runRecipe,
	type Recipe,
} from '../kit/recipe.mts';
import { useService } from '../kit/service.mts';

const folder = join(process.env.N8N_USER_FOLDER ?? '', 'hr-lists');
process.env.N8N_RESTRICT_FILE_ACCESS_TO = folder;

const service = useService();
useFakeSleep();

const CHANNEL = 'Company news';
const KEPT = 'kept@example.com';

/** How a source gets a list. Returns false if the source cannot have this list. */
type Source = (recipe: Recipe, list: HrList) => boolean;

const bytesOf = ({ rows = [], file = Buffer.from(csvOf(rows)) }: HrList) => file;

const fromDisk: Source = (recipe, list) => {
	writeFileSync(join(folder, 'employees.csv'), bytesOf(list));
	parametersIn(recipe, 'Read HR export').fileSelector = join(folder, 'employees.csv');
	return true;
};

const fromRows =
	(pinned: (rows: HrRow[]) => IPinData, hasStatus = true): Source =>
	(recipe, { rows, isAboutStatus = false }) => {
		if (!rows || (isAboutStatus && !hasStatus)) return false;
		Object.assign(recipe.pinData ?? {}, pinned(rows));
		return true;
	};

const items = (rows: object[]) => rows.map((json) => ({ json: { ...json } }));
/** The status in a source that has true and false: whether the person left. */
function hasLeft(status?: string): boolean | string | undefined {
	const word = status?.trim().toLowerCase() ?? '';
	if (['left', 'terminated'].includes(word)) return true;
	return ['active', 'on leave'].includes(word) ? false : status;
}

/** The recipes that read people: the source, and the groups. A group without a department has everybody. */
const recipes: Record<
	string,
	{ source?: Source; group?: string; sync?: string; isAddOnly?: true }
> = {
	'nightly-group-sync.json': { group: 'All employees (nightly)' },
	'department-groups.json': {},
	// CHANNEL
	'keep-list.json': { group: 'All employees (keep list)' },
	'unknown-people.json': { group: 'All employees (unknown people)' },
	'nightly-log.json': { group: 'All employees (log)' },
	'hr-records-into-recipient-group.json': { group: 'All employees', isAddOnly: true },
	'hr-from-csv-file.json': {
		group: 'All employees (CSV)',
		source: (recipe, list) => {
			const data = bytesOf(list).toString();
			Object.assign(recipe.pinData ?? {}, { 'Download the CSV file': items([{ data }]) });
			return true;
		},
	},
	'hr-from-sftp.json': {
		group: 'All employees (SFTP)',
		source: (recipe, list) => {
			const data = { mimeType: 'text/csv', data: bytesOf(list).toString('base64') };
			recipe.pinData = { 'Download the CSV file': [{ json: {}, binary: { data } }] };
			return true;
		},
	},
	'hr-from-google-sheets.json': {
		group: 'All employees (Google Sheets)',
		source: fromRows((rows) => ({
			'Read the sheet': items(
				rows.map(({ employeeId, email, status, ...row }) => ({
					...row,
					'Employee ID': employeeId,
					...(email === undefined ? {} : { Email: email }),
					...(status === undefined ? {} : { Status: status }),
				})),
			),
		})),
	},
	'hr-from-http-api.json': {
		group: 'All employees (HTTP)',
		source: fromRows((rows) => ({
			'Read the HR system': items([
				{
					employees: rows.map(({ employeeId: id, email, status }) => ({
						...{ id, contact: { email }, terminated: hasLeft(status) },
					})),
				},
			]),
		})),
	},
	'hr-from-microsoft-entra.json': {
		group: 'All employees (Entra)',
		source: fromRows((rows) => ({
			'Read the users': items(
				rows.map(({ email: mail, status }) => {
					const left = hasLeft(status);
					return { mail, accountEnabled: typeof left === 'boolean' ? !left : left };
				}),
			),
		})),
	},
	'hr-from-bamboohr.json': {
		group: 'All employees (BambooHR)',
		source: fromRows(
			(rows) => ({
				'Read the directory': items(
					rows
						.filter(({ employeeId = '' }) => !employeeId.startsWith('L'))
						.map(({ employeeId: id, email, ...row }) => ({
							...row,
							id,
							...(email === undefined ? {} : { workEmail: email }),
						})),
				),
			}),
			false,
		),
	},
};

const DEPARTMENTS = [0, 1, 2].map(departmentOf);
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The members of all groups of a recipe. With departments, as "group: address". */
function membersOf(file: string): string[] {
	const { people, channels, recipientGroups } = service.emulator.state;
	const { group } = recipes[file] ?? {};
	const emails = (ids: Iterable<string>) => [...ids].map((id) => people.get(id)?.email ?? id);
	if (file === 'channel-follows-hr.json')
		return emails(channels.find(({ name }) => name === CHANNEL)?.recipients.keys() ?? []).sort();
	return [...recipientGroups.values()]
		.filter(({ name }) => name === (group ?? name))
		.flatMap(({ name, members }) =>
			emails(members).map((email) => (group === undefined ? `${name}: ${email}` : email)),
		)
		.sort();
}

/** Fills the groups: five employees are missing, and one person left since the last run. */
function fill(file: string, list: HrList): string[] {
	const { state } = service.emulator;
	for (const { _id } of [...state.recipientGroups.values()]) state.recipientGroups.delete(_id);
	const count = list.employees ?? EMPLOYEES;
	const add = (email: string) => state.people.add({ email })._id;
	const staff = range(1, count).map((number) => ({ number, id: add(employee(number)) }));
	const [former = ''] = range(1, 4).map((number) => add(leaver(number)));
	const kept = add(KEPT);
	const { group, isAddOnly } = recipes[file] ?? {};
	const members = staff.filter(({ number }) => number > 5);
	const ids = [...members.map(({ id }) => id), former];
	if (file === 'channel-follows-hr.json') {
		const { recipients } = state.addChannel({ name: CHANNEL });
		for (const personId of ids) recipients.set(personId, { linkId: state.ids.next(), personId });
	} else if (group === undefined) {
		for (const name of DEPARTMENTS) {
			const own = members.filter(({ number }) => departmentOf(number) === name).map(({ id }) => id);
			state.addRecipientGroup(name, name === 'Sales' ? [...own, former] : own);
		}
	} else state.addRecipientGroup(group, file === 'keep-list.json' ? [...ids, kept] : ids);
	const emails =
		group === undefined && file === 'department-groups.json'
			? staff.map(({ number }) => `${departmentOf(number)}: ${employee(number)}`)
			: staff.map(({ number }) => employee(number));
	// These people should be in the groups afterwards.
	return [
		...emails,
		...(file === 'keep-list.json' ? [KEPT] : []),
		...(isAddOnly ? [leaver(1)] : []),
	].sort();
}

/** Prepares a recipe as its page says: for real, with the list. Returns undefined if its source cannot have the list. */
function prepared(file: string, list: HrList): Recipe | undefined {
	const recipe = readRecipe(file);
	recipe.pinData ??= {};
	const { source = fromDisk } = recipes[file] ?? {};
	if (!source(recipe, list)) return undefined;
	for (const { parameters } of recipe.nodes)
		if (parameters.operation === 'sync' && !('name' in parameters)) parameters.dryRun &&= false;
	if (file === 'department-groups.json') parametersIn(recipe, 'Dry run').dryRun = true;
	if (file === 'keep-list.json')
		recipe.pinData['Keep list'] = items([
			{ recipientGroup: 'All employees (keep list)', email: KEPT },
		]);
	return recipe;
}

type Verdict = 'right' | 'told' | `harmed: ${string}`;

/** Runs a recipe with a list. Judges it by who is in its groups afterwards, and whether somebody was told. */
async function judge(file: string, list: HrList): Promise<Verdict | undefined> {
	const recipe = prepared(file, list);
	if (!recipe) return undefined;
	const wanted = fill(file, list);
	const before = membersOf(file);
	const { error, last = '', ran } = await runRecipe(recipe, service.accessKey);
	const after = membersOf(file);
	const gone = before.filter((one) => wanted.includes(one) && !after.includes(one));
	const strangers = after.filter((one) => !wanted.includes(one) && !before.includes(one));
	if (gone.length > 0) return `harmed: removed ${gone.join()}`;
	if (strangers.length > 0) return `harmed: added ${strangers.join()}`;
	const saysNothing = last === 'List not used' || last === 'HR records';
	if (saysNothing && after.join() !== before.join()) return 'harmed: something was changed';
	if (after.sort().join() === wanted.join()) return error === undefined ? 'right' : 'told';
	return error !== undefined || ran('Nobody was removed')
		? 'told'
		: `harmed: nobody was told, ${last}`;
}

const names = Object.keys(hrLists);
const all = Boolean(process.env.NIGHTLY ?? process.env.FAULTS);

/** Outside the nightly run, every recipe gets other lists. */
const listsOf = (position: number) =>
	names.filter(
		(name, index) =>
			all || name === 'plain' || ((index + position * 5) % 19 === 0 && name !== '5,000 rows'),
	);

const suite = hasN8nNodes ? describe : describe.skip;

/** The verdicts by list and recipe. The nightly run writes them as a table. */
const table = new Map(names.map((name) => [name, new Map<string, Verdict>()]));

afterAll(() => {
	if (!all) return;
	mkdirSync('reports', { recursive: true });
	const files = Object.keys(recipes);
	const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
	const rows = Array.from(table, ([name, verdicts]) =>
		line([name, ...files.map((file) => verdicts.get(file) ?? '–')]),
	);
	const head = line(['list', ...files]) + line(Array<string>(files.length + 1).fill('---'));
	writeFileSync(`reports/recipes-n8n-${n8nLine}.md`, head + rows.join(''));
});

suite.each(['in memory', 'on disk'])('with files %s, a recipe never harms anybody', (where) => {
	beforeAll(async () => {
		mkdirSync(folder, { recursive: true });
		if (where === 'on disk') await binaryStorage();
	});

	const files = Object.entries(recipes).filter(
		([, { source }]) => where === 'in memory' || !source,
	);

	test.each(files.map(([file], index) => [file, index] as const))(
		'%s',
		async (file, index) => {
			const found: Array<[string, Verdict]> = [];
			for (const name of listsOf(where === 'on disk' ? index + 3 : index)) {
				const list = hrLists[name];
				service.emulator.reset();
				const verdict = list && (await judge(file, list));
				if (verdict === undefined) continue;
				found.push([name, verdict]);
				if (where === 'in memory') table.get(name)?.set(file, verdict);
			}
			const isAllowed = ([name, verdict]: [string, Verdict]) =>
				verdict === 'right' || verdict === hrLists[name]?.expected;
			expect(found.filter((one) => !isAllowed(one))).toEqual([]);
			expect(found.length).toBeGreaterThan(1);
		},
		900_000,
	);
});
