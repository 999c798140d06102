import type { IDataObject } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	approve,
	withN8nNodes,
	n8nVersions,
	parametersIn,
	readRecipe,
	recipeFiles,
	runRecipe,
	useHrExport,
	type Recipe,
} from '../kit/recipe.mts';
import { useService } from '../kit/service.mts';
import { startServer } from '../kit/testServer.mts';

const setHrExport = useHrExport('recipe-reports');

const service = useService();
useFakeSleep();

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
	setHrExport(recipe, Buffer.isBuffer(list) ? list : csvOf(list));
	return await runRecipe(recipe, service.accessKey);
}

const add = (...names: string[]) =>
	names.map((name) => service.emulator.state.people.add({ email: `${name}@example.com` })._id);

withN8nNodes('a recipe that reads people', () => {
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
		// As it is imported, a first click removes nobody.
		expect((await run('department-groups.json', people)).ran('Sync all departments')).toBe(false);
		const { error } = await run('department-groups.json', people, approve);
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
		const { error } = await run('department-groups.json', people, approve);
		expect(unseen.members.has(other)).toBe(true);
		expect(error).toMatch(/more than the 0 % allowed/);
	});
});

withN8nNodes('an export that did not arrive', () => {
	const files = recipeFiles.filter((file) =>
		readRecipe(file).nodes.some(({ name }) => name === 'Read HR export'),
	);

	/** Runs a recipe, and expects that HR List ends it with this error. */
	const expectEnd = async (recipe: Recipe, message: RegExp) => {
		const { error, last } = await runRecipe(recipe, service.accessKey);
		expect([last, error]).toEqual(['HR List', expect.stringMatching(message)]);
	};

	test.each(files)('on the disk ends %s with the error of HR List', async (file) => {
		const recipe = readRecipe(file);
		const { N8N_RESTRICT_FILE_ACCESS_TO: folder } = process.env;
		parametersIn(recipe, 'Read HR export').fileSelector = `${folder}/nowhere.csv`;
		recipe.pinData = { ...recipe.pinData, 'Keep list': [{ json: {} }] };
		await expectEnd(recipe, /^There is no file in item 0/);
	});

	test('by SFTP ends the recipe with the error of HR List', async () => {
		const recipe = { ...readRecipe('hr-from-sftp.json'), pinData: {} };
		await expectEnd(recipe, /^There is no file in item 0 \(No such file\)$/);
	});

	test('by HTTP ends the recipe with the error of HR List', async () => {
		const server = await startServer((_request, response) => response.writeHead(404).end('No'));
		const recipe = { ...readRecipe('hr-from-csv-file.json'), pinData: {} };
		parametersIn(recipe, 'Download the CSV file').url = `${server.url}/employees.csv`;
		await expectEnd(recipe, /^There is no file in item 0 \(.*404/);
		await server.stop();
	});

	test('as a page of an API ends the recipe with the error of HR List', async () => {
		const recipe = readRecipe('hr-from-http-api.json');
		const employees = [{ id: 'E1', contact: { email: 'ada@example.com' }, terminated: false }];
		const pages = [{ employees }, { error: 'No access' }];
		recipe.pinData = { 'Read the HR system': pages.map((json) => ({ json })) };
		await expectEnd(recipe, /^These are no records of the list: item 1/);
	});
});

withN8nNodes('the report of "HR records into a recipient group"', () => {
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

withN8nNodes('text of employees', () => {
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

	/** Returns the text of the file that a node made. */
	const written = ([item]: ReturnType<Awaited<ReturnType<typeof runRecipe>>['items']>) =>
		Buffer.from(item?.binary?.data?.data ?? '', 'base64').toString();

	test('is no formula in the file of the weekly report, which begins with a byte order mark', async () => {
		const recipe = readRecipe('weekly-campaign-report.json');
		recipe.pinData = { 'One row per campaign': [{ json: hostile }] };
		const { items, error } = await runRecipe(recipe, service.accessKey);
		expect(error).toBeUndefined();
		expect(written(items('Report as CSV'))).toBe(
			`\ufeffa,b,c,d,e,f,g,h,i\n'=1+1,'+49 170,'-x,'@SUM(A1),'\t=1,'\r=1,-5,-5,Zoë`,
		);
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

	test('"Survey submissions" drafts an alert for a low score only, and N/A does not stop it', async () => {
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
		const { broadcasts } = service.emulator.state;
		const alerts = items('Alert').map(({ json }) => broadcasts.get(String(json._id))?.status);
		expect(alerts).toEqual(['0']);
	});
});

withN8nNodes('a promise of a page', () => {
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

	test('"Results of a pulse survey" counts the answers in each row of a matrix', async () => {
		const matrix = { title: 'Q', matrixQuestions: ['Pay', 'Tools'], options: [1, 2] };
		const { _id } = service.emulator.state.addSurvey({
			...{ name: 'Grid', questions: [{ templateCode: 'matrix', ...matrix }] },
		});
		for (let index = 0; index < 5; index++)
			service.emulator.submitResponse(_id, { answers: [{ Pay: 1, Tools: 2 }] });
		const recipe = readRecipe('pulse-survey-results.json');
		parametersIn(recipe, 'Answers by question').campaignId = locator('Grid', 'name');
		const { items } = await runRecipe(recipe, service.accessKey);
		const [row] = items('One row per question').map(({ json }) => json);
		const summary = '5 answers; Pay: 5 answers, average 1.0; Tools: 5 answers, average 2.0';
		expect(row).toMatchObject({ answers: 'Pay - 1: 5, Tools - 2: 5', summary });
	});

	test('"What my key can do" has a row for each area, and says which one is refused', async () => {
		service.emulator.faults.on('GET /recipientGroup', { refuse: 'No rights for groups' });
		const recipe = readRecipe('what-my-key-can-do.json');
		const { items, error } = await runRecipe(recipe, service.accessKey);
		const rows = items('What my key can do').map(({ json }) => json);
		const areas = [
			'Profile',
			'Campaigns',
			'Broadcasts',
			'Recipient groups',
			'Channels',
			'Templates',
		];
		expect([error, rows.map(({ area }) => area)]).toEqual([undefined, areas]);
		const [refused, ...others] = rows.filter(({ allowed }) => allowed !== true);
		const message = expect.stringContaining('No rights for groups');
		expect(refused).toMatchObject({ area: areas[3], allowed: false, records: null, message });
		expect([others, rows[0]?.records, rows[0]?.message]).toEqual([[], 1, '']);
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

	test.each<[string, (id: string) => void, RegExp, number]>([
		['recipients are not listed', () => undefined, /^(One|Two): 1 recipients are not listed/, 2],
		[
			'a survey cannot be read',
			(id) =>
				service.emulator.faults.on(`GET /campaign/${id}/surveyData`, { refuse: 'No permission' }),
			/^Two: .*No permission/,
			1,
		],
	])('"Reminder" ends red if %s, after the other reminders', async (_what, fail, message, sent) => {
		service.emulator.reset();
		const [ada = '', grace = ''] = add('ada', 'grace');
		let last = '';
		for (const name of ['One', 'Two']) {
			const recipients = new Set(sent === 2 ? [ada, grace] : [ada]);
			({ _id: last } = ofLastWeek({ name, recipients }));
			service.emulator.submitResponse(last, { userId: ada });
		}
		fail(last);
		const { error, reminded } = await remind();
		expect(error).toMatch(message);
		expect(reminded).toEqual(Array(sent).fill([ada]));
	});
});

withN8nNodes('what people wrote is no markup on a page and in a mail', () => {
	const hostile = '<b>&amp; $& {{ 1 }}';
	const team = { templateCode: 'dropdown' as const, title: 'Which team are you in?' };
	const how = { templateCode: 'radio' as const, title: 'How <b>?', options: ['1', '2', 'N/A'] };

	/** Adds a closed survey: one team with a hostile name gives these answers. Returns the event of its closing. */
	function closedSurvey(answers: string[]): IDataObject {
		const questions = [{ ...team, options: [hostile] }, how];
		const { _id: campaignId } = service.emulator.state.addSurvey({
			...{ name: 'Pulse <b>', status: '3', questions },
		});
		for (const answer of answers)
			service.emulator.submitResponse(campaignId, { answers: { 'q.0': hostile, 'q.1': answer } });
		return { campaignId, campaignName: 'Pulse <b>' };
	}
	const answers = [...Array<string>(6).fill('2'), ...Array<string>(5).fill('=my <b>bike'), 'N/A'];

	test.each<[string, string, string, () => IDataObject[], RegExp]>([
		[
			'survey-results-by-team.json',
			'Survey closed',
			'Page',
			() => [closedSurvey(answers), closedSurvey(answers)],
			/<h1>Pulse &#60;b&#62;.* 5 in own words<.*>2: 6 \(50 %\)<.*width: 50%/s,
		],
		[
			'pulse-results.json',
			'Survey closed',
			'Numbers as a table',
			() => [closedSurvey(answers)],
			/too few answers or no number<.*>2\.0</,
		],
		[
			'pulse-trend.json',
			'All rounds',
			'Page',
			() =>
				[null, 5].map((average, n) => ({
					...{ campaignId: `c${n}`, round: ['2026-02-03', 'Pulse of <b>'][n], average },
					...{ survey: 'Pulse', question: 'How <b>?', team: 'Sales' },
				})),
			/aria-label="Sales: 3 Feb too few answers or no number, Pulse of 5\.0"/,
		],
	])('%s', async (file, node, last, given, shown) => {
		service.emulator.reset();
		const recipe = readRecipe(file);
		recipe.pinData = { ...recipe.pinData, [node]: given().map((json) => ({ json })) };
		const start = node === 'Survey closed' ? node : undefined;
		const { items, error } = await runRecipe(recipe, service.accessKey, start);
		expect(error).toBeUndefined();
		const html = items(last)
			.map(({ json }) => String(json.html))
			.join();
		expect(html).toMatch(shown);
		expect(html).not.toMatch(/<b>|bike/);
	});
});

withN8nNodes('every example', () => {
	test('uses versions of nodes that this n8n has', () => {
		const versions = n8nVersions();
		const used = recipeFiles.flatMap((file) =>
			readRecipe(file).nodes.map((node) => ({ file, ...node })),
		);
		const missing = used.filter(
			({ type, typeVersion }) =>
				type.startsWith('n8n-nodes-base.') && !versions.get(type)?.includes(typeVersion),
		);
		expect(missing.map(({ file, name, typeVersion }) => [file, name, typeVersion])).toEqual([]);
	});
});
