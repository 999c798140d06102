import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import type { Json } from '../../emulator/emulator.mts';
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
import { startServer } from '../kit/testServer.mts';

const folder = join(process.env.N8N_USER_FOLDER ?? '', 'recipe-reports');
process.env.N8N_RESTRICT_FILE_ACCESS_TO = folder;
beforeAll(() => mkdirSync(folder, { recursive: true }));

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
	writeFileSync(join(folder, 'employees.csv'), Buffer.isBuffer(list) ? list : csvOf(list));
	parametersIn(recipe, 'Read HR export').fileSelector = join(folder, 'employees.csv');
	return await runRecipe(recipe, service.accessKey);
}

const add = (...names: string[]) =>
	names.map((name) => service.emulator.state.people.add({ email: `${name}@example.com` })._id);

suite('a recipe that reads people', () => {
	test('keeps its report if one person fails, syncs all others, and ends with the name and the reason', async () => {
		add('ada', 'grace', 'nobody');
		const { error, items } = await run('department-groups.json', [
			...[person('ada'), person('nobody', '#REF!'), person('grace', 'IT')],
		]);
		expect(error).toMatch(/^Not everything was done: .*#REF!.*\nFailed: 1 \(nobody@example.com\)$/);
		const totals = items('Totals').map(({ json }) => [json.recipientGroupName, json.status]);
		expect(totals).toEqual(
			expect.arrayContaining([
				['Sales', 'added'],
				['IT', 'added'],
			]),
		);
	});

	test('names the first five of the people who failed', async () => {
		const failing = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => person(name, '#REF!'));
		add('ada');
		const { error } = await run('department-groups.json', [person('ada'), ...failing]);
		expect(error).toMatch(/Failed: 6 \(a@example.com, (.@example.com, ){3}e@example.com\)$/);
	});

	test('writes a row with the number of failures into its log, and no address', async () => {
		const ids = add('ada', 'grace', 'former');
		service.emulator.state.addRecipientGroup('All employees (log)', ids);
		const unreadable = person('two', 'Sales', 'two(at)example.com');
		const { error, items } = await run('nightly-log.json', [
			person('ada'),
			person('grace'),
			unreadable,
		]);
		expect(error).toMatch(/^Not everything was done: Not removed: .*\nFailed: 1 /);
		const [row, ...others] = items('Write the log').map(({ json }) => json);
		expect(others).toEqual([]);
		expect(row).toMatchObject({
			recipientGroup: 'All employees (log)',
			people: 3,
			failed: 1,
			invalid: 1,
			removed: 0,
			note: expect.stringMatching(/^Not removed: /),
		});
		expect(JSON.stringify(row)).not.toContain('@');
	});

	test('says what the service said if the whole sync fails, and writes its row', async () => {
		add('ada');
		service.emulator.faults.on('GET /recipientGroup', { refuse: 'Maintenance' }, { times: 99 });
		const { error, items } = await run('nightly-log.json', [person('ada')]);
		expect(error).toMatch(/Not everything was done: .*Maintenance/);
		expect(items('Write the log').map(({ json }) => json)).toEqual([
			expect.objectContaining({ recipientGroup: 'All employees (log)', people: 1, failed: 1 }),
		]);
	});

	test('writes no row for a dry run', async () => {
		add('ada');
		const { ran, error } = await run('nightly-log.json', [person('ada')], (recipe) => {
			parametersIn(recipe, 'Sync the group').dryRun = true;
		});
		expect([error, ran('Write the log')]).toEqual([undefined, false]);
	});

	test('asks for no approval if nobody would be removed, and removes nobody', async () => {
		const ids = add('ada', 'grace', 'left1', 'left2', 'left3');
		const { state } = service.emulator;
		state.addRecipientGroup('Sales', ids);
		const { ran, error } = await run('department-groups.json', [person('ada')]);
		expect([ran('Ask the approver'), ran('Totals')]).toEqual([false, false]);
		expect(error).toMatch(/more than the 0 % allowed/);
	});

	test('asks for approval with whom it would remove, and whom it would not remove and why', async () => {
		const [former = '', ...others] = add('former', 'ada', 'left1', 'left2');
		const staff = Array.from({ length: 20 }, (_, index) => `it${index}`);
		const { state } = service.emulator;
		state.addRecipientGroup('Sales', others);
		const it = state.addRecipientGroup('IT', [former, ...add(...staff)]);
		const people = [person('ada'), ...staff.map((name) => person(name, 'IT'))];
		// Unpinned, the stand-in of the mail node outputs the mail, without an approval.
		const { items, ran } = await run('department-groups.json', people, (recipe) => {
			recipe.pinData = {};
		});
		const [mail] = items('Ask the approver').map(({ json }) => json);
		expect(mail?.subject).toBe('Remove 1 people from their groups?');
		expect(mail?.message).toMatch(new RegExp(`^IT: ${former}\n\n.*:\nSales: .*20 %[^\n]*$`));
		expect(ran('Sync all departments')).toBe(false);
		const { error } = await run('department-groups.json', people);
		expect(error).toMatch(/more than the 20 % allowed/);
		expect(it.members.has(former)).toBe(false);
	});

	test('removes nobody from a group that the approver did not see', async () => {
		const [former = '', other = ''] = add('former', 'other');
		const { state, faults } = service.emulator;
		const staff = Array.from({ length: 20 }, (_, index) => `person${index}`);
		const ids = add(...staff);
		state.addRecipientGroup('Sales', [former, ...ids.slice(0, 10)]);
		const unseen = state.addRecipientGroup('IT', [other, ...ids.slice(10)]);
		faults.on(`GET /recipientGroup/${unseen._id}`, { refuse: 'Busy' });
		const people = staff.map((name, index) => person(name, index < 10 ? 'Sales' : 'IT'));
		const { error } = await run('department-groups.json', people);
		expect(unseen.members.has(other)).toBe(true);
		expect(error).toMatch(/more than the 0 % allowed/);
	});
});

suite('an export that did not arrive', () => {
	let respond: RequestListener = () => undefined;
	let server: Awaited<ReturnType<typeof startServer>>;
	beforeAll(async () => {
		server = await startServer((request, response) => respond(request, response));
	});
	afterAll(async () => await server.stop());

	const files = readdirSync('examples').filter(
		(file) =>
			file.endsWith('.json') &&
			readRecipe(file).nodes.some(({ name }) => name === 'Read HR export'),
	);

	test.each(files)('on the disk ends %s with the error of HR List', async (file) => {
		const recipe = readRecipe(file);
		parametersIn(recipe, 'Read HR export').fileSelector = join(folder, 'nowhere.csv');
		recipe.pinData = { ...recipe.pinData, 'Keep list': [{ json: {} }] };
		const { error, last } = await runRecipe(recipe, service.accessKey);
		expect([last, error]).toEqual([
			'HR List',
			expect.stringMatching(/^There is no file in item 0/),
		]);
	});

	test('by SFTP ends the recipe with the error of HR List', async () => {
		const recipe = readRecipe('hr-from-sftp.json');
		recipe.pinData = {};
		const { error, last } = await runRecipe(recipe, service.accessKey);
		expect([last, error]).toEqual(['HR List', 'There is no file in item 0 (No such file)']);
	});

	test.each([
		['that does not exist', 404, 'Not found', /^There is no file in item 0 \(.*404/],
		['that is empty', 200, '', /^The file is empty|^There is no file/],
		['that is a login page', 200, '<!DOCTYPE html><title>Log in</title>', /web page/],
	])(
		'by HTTP %s ends the recipe with the error of HR List',
		async (_what, status, body, message) => {
			respond = (_request, response) => response.writeHead(status).end(body);
			const recipe = readRecipe('hr-from-csv-file.json');
			parametersIn(recipe, 'Download the CSV file').url = `${server.url}/employees.csv`;
			recipe.pinData = {};
			const { error, last } = await runRecipe(recipe, service.accessKey);
			expect([last, error]).toEqual(['HR List', expect.stringMatching(message)]);
		},
	);

	test.each([[{ error: 'No access' }], [{ employees: null }]])(
		'as a page %j of an API ends the recipe with the error of HR List',
		async (page) => {
			const recipe = readRecipe('hr-from-http-api.json');
			const employees = [{ id: 'E1', contact: { email: 'ada@example.com' }, terminated: false }];
			const pages = [{ employees }, page];
			recipe.pinData = { 'Read the HR system': pages.map((json) => ({ json })) };
			const { error, last } = await runRecipe(recipe, service.accessKey);
			expect([last, error]).toEqual([
				'HR List',
				expect.stringMatching(/^These are no records of the list: item 1/),
			]);
		},
	);
});

suite('what "Files from Excel" advises', () => {
	const text = 'email;status\np1@example.com;active\np2@example.com;left\n';
	const tabs = text.replaceAll(';', '\t');

	test.each([
		['semicolons', Buffer.from(text), {}],
		['tabs', Buffer.from(tabs), {}],
		['Unicode Text of Excel', Buffer.from(`\ufeff${tabs}`, 'utf16le'), {}],
		[
			'Windows-1252',
			Buffer.from(`${text}p3@example.com;Übertritt`, 'latin1'),
			{ encoding: 'windows-1252' },
		],
	])('reads a file with %s', async (_what, file, options) => {
		add('p1');
		const { items, error } = await run('nightly-group-sync.json', file, (recipe) => {
			Object.assign(parametersIn(recipe, 'HR List'), { leftValues: 'left, Übertritt', options });
		});
		expect(error).toBeUndefined();
		const people = items('Sync the group').map(({ json }) => [json.recipient, json.status]);
		expect(people).toEqual([['p1@example.com', 'added']]);
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

	test.each([['weekly-campaign-report.json', 'One row per campaign', 'Report as CSV']])(
		'is no formula in the file of %s, which begins with a byte order mark',
		async (file, source, csv) => {
			const recipe = readRecipe(file);
			recipe.pinData = { [source]: [{ json: hostile }] };
			const { items, error } = await runRecipe(recipe, service.accessKey);
			expect(error).toBeUndefined();
			const written = Buffer.from(items(csv)[0]?.binary?.data?.data ?? '', 'base64').toString();
			expect(written).toBe(
				`\ufeffa,b,c,d,e,f,g,h,i\n'=1+1,'+49 170,'-x,'@SUM(A1),'\t=1,'\r=1,-5,-5,Zoë`,
			);
		},
	);

	test('is no formula in the files of "Results of a pulse survey"', async () => {
		const survey = service.emulator.state.addSurvey({
			...{ name: 'Pulse survey', questions: [{ templateCode: 'input', title: '=Why?' }] },
		});
		for (const answer of ['=1+1', '-5', ...Array<string>(9).fill('@x')])
			service.emulator.submitResponse(survey._id, { answers: { 'q.0': answer } });
		const { items, error } = await runRecipe(
			readRecipe('pulse-survey-results.json'),
			service.accessKey,
		);
		expect(error).toBeUndefined();
		const written = (csv: string) =>
			Buffer.from(items(csv)[0]?.binary?.data?.data ?? '', 'base64').toString();
		expect(written('Answers as CSV')).toContain("'=Why?");
		expect(written('Answers as CSV')).toContain(",'=1+1");
		expect(written('Answers as CSV')).toMatch(/,-5\r?\n/);
		expect(written('Summary as CSV')).toMatch(/\n'=Why\?,/);
		expect(written('Summary as CSV')).toContain("'@x: 9");
		for (const csv of ['Answers as CSV', 'Summary as CSV'])
			expect(written(csv)).not.toMatch(/(^|[\n,"])[=@]/);
	});

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

	test('N/A as a score does not stop "Survey submissions", and drafts no alert', async () => {
		const recipe = readRecipe('survey-submission-alert.json');
		const scores = ['N/A', 9, '2', null];
		recipe.pinData = {
			'New submission': scores.map((score) => ({
				json: { campaignId: 'c', campaignName: 'Mood', answers: { 'How do you feel?': score } },
			})),
		};
		const { items, error } = await runRecipe(recipe, service.accessKey, 'New submission');
		expect(error).toBeUndefined();
		expect(items('No formulas').map(({ json }) => json.score)).toEqual([null, 9, 2, null]);
		expect(items('Alert')).toHaveLength(1);
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

	test('"Campaign approval" waits for the reason, too, only for a limited time', async () => {
		const recipe = readRecipe('campaign-approval.json');
		expect(parametersIn(recipe, 'Ask what to change').options).toEqual(
			parametersIn(recipe, 'Ask for approval').options,
		);
		add('hina.suzuki', 'nia.bennett');
		const declined = { json: { data: { approved: false } } };
		recipe.pinData = { 'Ask for approval': [declined], 'Ask what to change': [{ json: {} }] };
		const { items, error } = await runRecipe(recipe, service.accessKey);
		expect(error).toBeUndefined();
		const [message] = items('Back to the author').map(({ json }) => json.message);
		expect(message).toBe('The summer party was not approved: no reason was given');
	});

	const ofLastWeek = (more: { anonymous?: boolean; recipients: Set<string>; name?: string }) =>
		service.emulator.state.addSurvey({
			...{ name: 'Week', status: '1', ...more, liveAt: Date.now() - 3.5 * 86_400_000 },
			questions: [{ templateCode: 'input', title: 'Why?' }],
		});
	const reminders = (before: Set<unknown>) =>
		[...service.emulator.state.broadcasts.values()].filter((one) => !before.has(one));
	const remind = async () => {
		const before = new Set<unknown>(service.emulator.state.broadcasts.values());
		const { error } = await runRecipe(readRecipe('survey-reminder.json'), service.accessKey);
		return { error, reminded: reminders(before).map(({ recipients }) => [...recipients]) };
	};

	test.each([true, false])(
		'"Reminder" reminds nobody if anonymous is true: %s',
		async (anonymous) => {
			service.emulator.reset();
			service.emulator.switches.anonymousRowsNamed = true;
			const [answered = '', ...others] = add('ada', 'grace', 'alan');
			const survey = ofLastWeek({ anonymous, recipients: new Set([answered, ...others]) });
			service.emulator.submitResponse(survey._id, { userId: answered, answers: ['So'] });
			for (const userId of others) service.emulator.submitResponse(survey._id, { userId });
			const { error, reminded } = await remind();
			expect(error).toBeUndefined();
			expect(reminded).toEqual(anonymous ? [] : [others]);
		},
	);

	test('"Reminder" ends red if recipients are not listed, after the other reminders', async () => {
		service.emulator.reset();
		const [ada = '', grace = ''] = add('ada', 'grace');
		for (const name of ['One', 'Two']) {
			const { _id } = ofLastWeek({ name, recipients: new Set([ada, grace]) });
			service.emulator.submitResponse(_id, { userId: ada });
		}
		const { error, reminded } = await remind();
		expect(error).toMatch(/^(One|Two): 1 recipients are not listed/);
		expect(reminded).toEqual([[ada], [ada]]);
	});
});

suite('"Pulse programme"', () => {
	test.each([
		['reminds, and says how many', {}, 'Pulse: 1 people were reminded', 1],
		['says that it failed', { anonymous: true }, 'Pulse: the reminder failed', 0],
	])('%s, and closes the survey', async (_what, more, subject, sent) => {
		service.emulator.reset();
		const { state } = service.emulator;
		const [ada = '', grace = ''] = add('ada', 'grace');
		state.addRecipientGroup('New joiners', [ada, grace]);
		const survey = state.addSurvey({
			...{ name: 'Pulse', status: '1', recipients: new Set([ada, grace]), ...more },
			questions: [{ templateCode: 'rating', title: 'How?' }],
		});
		service.emulator.submitResponse(survey._id, { userId: ada, submitted: false });
		const recipe = readRecipe('pulse-programme.json');
		expect(parametersIn(recipe, 'Launch the survey').name).toContain("'Trial' : 'Pulse'");
		const waited = [{ json: {} }];
		recipe.pinData = {
			'Launch the survey': [{ json: { _id: survey._id } }],
			...{ 'Third working day': waited, 'Seventh day': waited },
		};
		const before = state.broadcasts.values().length;
		const { items, error } = await runRecipe(recipe, service.accessKey);
		expect(error).toBeUndefined();
		expect(items('About the reminder').map(({ json }) => json.subject)).toEqual([subject]);
		expect(state.broadcasts.values().length - before).toBe(sent);
		expect(survey.status).toBe('3');
	});
});

suite('"Pulse results"', () => {
	const team = 'Which team are you in?';
	const score = { templateCode: 'radio' as const, title: 'How <b>?', options: ['1', '2', 'N/A'] };
	const results = async (sizes: Record<string, number>) => {
		service.emulator.reset();
		const { _id: campaignId } = service.emulator.state.addSurvey({
			...{ name: 'Pulse 2026-01-06', status: '3' },
			questions: [{ templateCode: 'dropdown', title: team, options: Object.keys(sizes) }, score],
		});
		for (const [name, size] of Object.entries(sizes))
			for (let n = 0; n < size; n++)
				service.emulator.submitResponse(campaignId, {
					answers: { 'q.0': name, 'q.1': n === 0 ? 'N/A' : '2' },
				});
		const recipe = readRecipe('pulse-results.json');
		const closing = { campaignId, campaignName: 'Pulse 2026-01-06' };
		recipe.pinData = { ...recipe.pinData, 'Survey closed': [{ json: closing }] };
		const { items, error } = await runRecipe(recipe, service.accessKey, 'Survey closed');
		expect(error).toBeUndefined();
		const rows = items('Save the round').filter(({ json }) => json.question === score.title);
		return {
			rows: rows.map(({ json }) => [json.round, json.team, json.average]),
			mail: items('Numbers as a table').map(({ json }) => json.html),
		};
	};

	test('saves and mails the teams and everybody, and one N/A takes no average away', async () => {
		const { rows, mail } = await results({ Sales: 6, IT: 7, HR: 2 });
		expect(rows).toEqual([
			...[
				['2026-01-06', 'Sales', null],
				['2026-01-06', 'IT', 2],
				['2026-01-06', 'HR', null],
				['2026-01-06', '(everybody)', 2],
			],
		]);
		const ofIt = mail.find((row) => String(row).includes('IT'));
		expect(mail.join()).toContain('too few answers or no number');
		expect(mail.join()).not.toContain('<b>');
		expect(ofIt).toBeDefined();
	});

	test('saves no average of everybody if all teams are too small', async () => {
		const { rows } = await results({ Sales: 3, IT: 4 });
		expect(rows.map(([, , average]) => average)).toEqual([null, null, null]);
	});
});

suite('"Pulse trend"', () => {
	test('shows two surveys of one day as two points, and a gap as too few answers or no number', async () => {
		const row = (campaignId: string, round: string, average: number | null) => ({
			json: { campaignId, round, average, survey: 'Pulse', question: 'How <b>?', team: 'Sales' },
		});
		const recipe = readRecipe('pulse-trend.json');
		const rounds = [
			...[row('d', 'Pulse of <b>', 5), row('c', '2026-02-03', null)],
			...[row('a', '2026-01-06', 7), row('b', '2026-01-06', 3)],
		];
		recipe.pinData = { 'All rounds': rounds };
		const { items, error } = await runRecipe(recipe, service.accessKey);
		expect(error).toBeUndefined();
		const [line] = items('Points').map(({ json }) => json.points);
		expect(line).toEqual([
			...[
				{ round: '2026-01-06', average: 7 },
				{ round: '2026-01-06', average: 3 },
			],
			...[
				{ round: '2026-02-03', average: null },
				{ round: 'Pulse of <b>', average: 5 },
			],
		]);
		const [page = ''] = items('Page').map(({ json }) => String(json.html));
		const label = /aria-label="Sales: ([^"]*)"/.exec(page)?.[1];
		expect(label).toBe('6 Jan 7.0, 6 Jan 3.0, 3 Feb too few answers or no number, Pulse of 5.0');
		const places = [...page.matchAll(/<circle cx="(\d+)"/g)].map(([, x]) => Number(x));
		expect(places).toEqual([40, 92, 196]);
		expect(page).not.toContain('<b>');
	});
});

suite('"Survey results by team"', () => {
	const hostile = '<b>&amp; $& {{ 1 }}';
	const team = { templateCode: 'dropdown' as const, title: 'Which team are you in?' };

	/** Adds a survey that is closed, and returns the item of its closing. */
	const closedSurvey = (
		question: Parameters<typeof service.emulator.state.addSurvey>[0]['questions'][number],
		answers: Json[],
	) => {
		const { _id: campaignId } = service.emulator.state.addSurvey({
			...{ name: 'Same name', status: '3', questions: [{ ...team, options: [hostile] }, question] },
		});
		for (const answer of answers)
			service.emulator.submitResponse(campaignId, { answers: { 'q.0': hostile, 'q.1': answer } });
		return { json: { campaignId } };
	};

	test('shows each result in words and bars, separates surveys of one name, and escapes what people wrote', async () => {
		service.emulator.reset();
		const options = ['1', '5'];
		const recipe = readRecipe('survey-results-by-team.json');
		recipe.pinData = {
			'Survey closed': [
				closedSurvey(
					{
						templateCode: 'matrix',
						title: 'Satisfied?',
						options,
						matrixQuestions: ['Pay', 'Tools'],
					},
					[1, 5, 5, 5, 5].map((score, n) => ({ Tools: score, ...(n === 0 && { Pay: 1 }) })),
				),
				closedSurvey({ templateCode: 'rank', title: 'Order?', options: ['Pay', 'Time'] }, [
					...Array<string[]>(4).fill(['Pay', 'Time']),
					['Time', 'Pay'],
				]),
				closedSurvey({ templateCode: 'radio', title: 'How?', options: ['Bus'] }, [
					...Array<string>(6).fill('Bus'),
					...Array<string>(5).fill('=my <b>bike'),
				]),
			],
		};
		const { items, error } = await runRecipe(recipe, service.accessKey, 'Survey closed');
		expect(error).toBeUndefined();
		const [page = '', ...others] = items('Page').map(({ json }) => String(json.html));
		expect(others).toEqual([]);
		const text = page
			.slice(page.indexOf('<h1>'), page.indexOf('</table>'))
			.replace(/<[^>]+>/g, ' ')
			.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
			.replace(/\s+/g, ' ');
		expect(text.trim()).toBe(
			[
				...['Same name 5 of 5 people answered (100 %)', 'Satisfied?', hostile],
				'5 answers; Tools: 5 answers, average 4.2; Pay: too few answers',
				...['Tools: 1: 1 (20 %)', 'Tools: 5: 4 (80 %)'],
				...['Same name 5 of 5 people answered (100 %)', 'Order?', hostile],
				'5 answers, Pay: average rank 1.2, Time: average rank 1.8',
				...['Same name 11 of 11 people answered (100 %)', 'How?', hostile],
				...['11 answers, 5 in own words', 'Bus: 6 (55 %)'],
			].join(' '),
		);
		const widths = [...page.matchAll(/width: (\d+)%"><\/div>/g)].map(([, width]) => Number(width));
		expect(widths).toEqual([20, 80, 55]);
		expect(page).not.toMatch(/<b>|bike/);
	});
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
