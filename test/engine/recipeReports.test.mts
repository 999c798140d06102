import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	hasN8nNodes,
	n8nVersions,
	parametersIn,
	readRecipe,
	runRecipe,
	type Recipe,
} from '../kit/recipe.mts';
import { useService } from '../kit/service.mts';

const folder = join(process.env.N8N_USER_FOLDER ?? '', 'recipe-reports');
process.env.N8N_RESTRICT_FILE_ACCESS_TO = folder;

const service = useService();
useFakeSleep();
const suite = hasN8nNodes ? describe : describe.skip;

const person = (name: string, department = 'Sales', email = `${name}@example.com`) => ({
	...{ employeeId: name, email, department, status: 'active' },
});

function csvOf(people: Array<ReturnType<typeof person>>): string {
	const rows = [Object.keys(person('')), ...people.map((row) => Object.values(row))];
	return rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
}

beforeEach(() => {
	const { recipientGroups } = service.emulator.state;
	for (const { _id } of [...recipientGroups.values()]) recipientGroups.delete(_id);
});

/** Runs a recipe with these people, or with this file. */
async function run(
	file: string,
	list: Array<ReturnType<typeof person>> | Buffer,
	change: (recipe: Recipe) => void = () => undefined,
) {
	const recipe = readRecipe(file);
	change(recipe);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'employees.csv'), Buffer.isBuffer(list) ? list : csvOf(list));
	parametersIn(recipe, 'Read HR export').fileSelector = join(folder, 'employees.csv');
	return await runRecipe(recipe, service.accessKey);
}

const add = (...names: string[]) =>
	names.map((name) => service.emulator.state.people.add({ email: `${name}@example.com` })._id);

suite('a recipe that reads people', () => {
	test('keeps its report if one person fails, syncs all others, and ends with the numbers', async () => {
		add('ada', 'grace', 'nobody');
		const { error, items } = await run('department-groups.json', [
			...[person('ada'), person('nobody', '#REF!'), person('grace', 'IT')],
		]);
		expect(error).toMatch(/^Not everything was done: .*#REF!.* All people: added 2, failed 1$/);
		const totals = items('Totals').map(({ json }) => [json.recipientGroupName, json.status]);
		expect(totals).toEqual(
			expect.arrayContaining([
				['Sales', 'added'],
				['IT', 'added'],
			]),
		);
	});

	test('writes a row with the number of failures into its log, and no address', async () => {
		const ids = add('ada', 'grace', 'former');
		service.emulator.state.addRecipientGroup('All employees (log)', ids);
		const unreadable = person('two', 'Sales', 'a@example.com, b@example.com');
		const { error, items } = await run('nightly-log.json', [
			person('ada'),
			person('grace'),
			unreadable,
		]);
		expect(error).toMatch(/^Not everything was done: .*failed 1$/);
		const [row] = items('Write the log').map(({ json }) => json);
		expect(row).toMatchObject({
			recipientGroup: 'All employees (log)',
			failed: 1,
			invalid: 1,
			removed: 0,
		});
		expect(JSON.stringify(row)).not.toContain('@');
	});

	test('says what the service said if the whole sync fails, and writes its row', async () => {
		add('ada');
		service.emulator.faults.on('GET /recipientGroup', { refuse: 'Maintenance' }, { times: 99 });
		const { error, items } = await run('nightly-log.json', [person('ada')]);
		expect(error).toMatch(/Not everything was done: .*Maintenance/);
		expect(items('Write the log')[0]?.json).toMatchObject({
			recipientGroup: 'All employees (log)',
			failed: 1,
		});
	});

	test('asks for no approval if nobody would be removed, and says in the mail whom the sync would not remove', async () => {
		const ids = add('ada', 'grace', 'left1', 'left2', 'left3');
		const { state } = service.emulator;
		state.addRecipientGroup('Sales', ids);
		state.addRecipientGroup('IT', ids.slice(0, 3));
		const people = [person('ada'), person('ada', 'IT'), person('grace', 'IT')];
		const { ran, items, error } = await run('department-groups.json', people);
		expect(items('Would be removed')[0]?.json).toMatchObject({
			unchanged: expect.stringMatching(/^Sales: .*20 %/),
		});
		expect([ran('Ask the approver'), ran('Totals')]).toEqual([false, true]);
		expect(error).toMatch(/more than the 0 % allowed/);
	});
});

suite('what "Files from Excel" advises', () => {
	const text = 'email;status\np1@example.com;active\np2@example.com;left\n';
	const tabs = text.replaceAll(';', '\t');

	test.each([
		['semicolons', Buffer.from(text), 'utf8', ';'],
		['tabs', Buffer.from(tabs), 'utf8', "={{ '\\t' }}"],
		['Windows-1252', Buffer.from(`${text}p3@example.com;Übertritt`, 'latin1'), 'windows1252', ';'],
		['Unicode Text of Excel', Buffer.from(`\ufeff${tabs}`, 'utf16le'), 'utf16', '\t'],
	])('reads a file with %s', async (_what, file, encoding, delimiter) => {
		add('p1');
		const { items, error } = await run('nightly-group-sync.json', file, (recipe) => {
			parametersIn(recipe, 'Columns and values').assignments = {
				assignments: Object.entries({
					employeeId: 'id',
					email: 'email',
					status: 'status',
					active: 'active',
					left: 'left, übertritt',
				}).map(([name, value]) => ({ id: name, name, value, type: 'string' })),
			};
			Object.assign(Object(parametersIn(recipe, 'Text of the file').options), { encoding });
			Object.assign(Object(parametersIn(recipe, 'HR records').options), { delimiter });
		});
		expect(error).toBeUndefined();
		expect(items('Totals').map(({ json }) => json)).toEqual([{ status: 'added', count_status: 1 }]);
	});
});

suite('the report of "HR records into a recipient group"', () => {
	test('calls a refusal that the service only counts a refusal', async () => {
		const [id = ''] = add('ada');
		const { _id } = service.emulator.state.addRecipientGroup('All employees', [id]);
		const body = {
			success: true,
			data: { successCount: 0, errorCount: 1, errorLog: [{ reason: 'Locked' }] },
		};
		service.emulator.faults.on(`POST /recipientGroup/${_id}/recipients`, { status: 200, body });
		const { items } = await run('hr-records-into-recipient-group.json', [
			person('ada'),
			person('ada'),
		]);
		const report = items('Report').map(({ json }) => json);
		expect(report.map(({ result }) => result)).toEqual(['refused', 'already there']);
		expect(report[0]?.reason).toContain('Locked');
	});
});

suite('text of employees', () => {
	const hostile = {
		a: '=1+1',
		b: '+49 170',
		c: '-x',
		d: '@SUM(A1)',
		e: '\t=1',
		f: '\r=1',
		g: -5,
		h: '-5',
		i: 'Zoë',
	};

	test.each([
		['pulse-survey-results.json', 'Answers by person', 'Answers as CSV'],
		['weekly-campaign-report.json', 'One row per campaign', 'Report as CSV'],
	])(
		'is no formula in the file of %s, which begins with a byte order mark',
		async (file, source, csv) => {
			const recipe = readRecipe(file);
			recipe.pinData = { [source]: [{ json: hostile }], 'Answers by question': [{ json: {} }] };
			const { items, error } = await runRecipe(recipe, service.accessKey);
			expect(error).toBeUndefined();
			const written = Buffer.from(items(csv)[0]?.binary?.data?.data ?? '', 'base64').toString();
			expect(written).toBe(
				`\ufeffa,b,c,d,e,f,g,h,i\n'=1+1,'+49 170,'-x,'@SUM(A1),'\t=1,'\r=1,-5,-5,Zoë`,
			);
		},
	);

	test('is no formula in the rows of "Survey submissions", and each anonymous row has its own key', async () => {
		const recipe = readRecipe('survey-submission-alert.json');
		const json = {
			...{ campaignId: 'c', campaignName: 'Mood', submittedDate: '2026-01-01', userId: null },
			answers: { 'How do you feel?': 9, 'Why?': '=HYPERLINK("x")' },
		};
		recipe.pinData = { 'New submission': [{ json }, { json }] };
		const { items } = await runRecipe(recipe, service.accessKey, 'New submission');
		const rows = items('No formulas').map(({ json: row }) => row);
		expect(rows.map(({ comment }) => comment)).toEqual(Array(2).fill(`'=HYPERLINK("x")`));
		expect(rows[0]?.responseKey).not.toBe(rows[1]?.responseKey);
	});
});

suite('a promise of a page', () => {
	test.each([
		['Send it', { data: { approved: true } }, '1'],
		['Not yet', { data: { approved: false } }, '0'],
		['no response', {}, '0'],
	])('"Campaign approval" sends only after Send it: %s', async (_answer, json, status) => {
		add('hina.suzuki', 'nia.bennett');
		const recipe = readRecipe('campaign-approval.json');
		const pinned = { 'Ask for approval': json, 'Ask what to change': {}, 'Close question': {} };
		recipe.pinData = Object.fromEntries(
			Object.entries(pinned).map(([node, item]) => [node, [{ json: item }]]),
		);
		const { items, error } = await runRecipe(recipe, service.accessKey);
		const id = String(items('Draft campaign')[0]?.json._id);
		const campaign = service.emulator.state.campaigns.get(id);
		expect([error, campaign?.status]).toEqual([undefined, status]);
	});

	test.each([true, false])(
		'"Reminder" reminds nobody if anonymous is true: %s',
		async (anonymous) => {
			service.emulator.reset();
			service.emulator.switches.anonymousRowsNamed = true;
			const [answered = '', ...others] = add('ada', 'grace', 'alan');
			const survey = service.emulator.state.addSurvey({
				...{ name: 'Week', status: '1', anonymous, recipients: new Set([answered, ...others]) },
				liveAt: Date.now() - 3.5 * 86_400_000,
				questions: [{ templateCode: 'input', title: 'Why?' }],
			});
			service.emulator.submitResponse(survey._id, { userId: answered, answers: ['So'] });
			for (const userId of others) service.emulator.submitResponse(survey._id, { userId });
			const { items } = await runRecipe(readRecipe('survey-reminder.json'), service.accessKey);
			const lists = items('One list per survey').map(({ json }) => json.appended_userEmail);
			const all = [['grace@example.com', 'alan@example.com']];
			expect(lists).toEqual(anonymous ? [] : all);
			expect(items('Remind them')).toHaveLength(lists.length);
		},
	);
});

suite('every example', () => {
	const files = readdirSync('examples').filter((file) => file.endsWith('.json'));

	test('uses versions of nodes that this n8n has', () => {
		const versions = n8nVersions();
		const used = files.flatMap((file) => readRecipe(file).nodes.map((node) => ({ file, ...node })));
		const missing = used.filter(
			({ type, typeVersion }) =>
				type.startsWith('n8n-nodes-base.') && !versions.get(type)?.includes(typeVersion),
		);
		expect(missing.map(({ file, name, typeVersion }) => [file, name, typeVersion])).toEqual([]);
	});
});
