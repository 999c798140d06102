import { existsSync } from 'node:fs';
import axios from 'axios';
import { source as axeSource } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { questionTypes, type QuestionInput } from '../../emulator/state/survey.mts';
import { first, useEmulator } from './client.mts';

const { emulator, call, ok } = useEmulator({
	seed: { people: 30, groups: 2, campaigns: 4, surveys: 1, responsesPerSurvey: 3 },
});

const survey = () => {
	const found = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
	if (found?.survey === undefined) throw new Error('No survey');
	return { campaign: found, survey: found.survey };
};

/** A form sent by a program; the answer of the page it leads to. */
async function post(path: string, form: Record<string, string | string[]>, headers = {}) {
	return axios.post<string>(
		`${emulator.url}${path}`,
		new URLSearchParams(
			Object.entries(form).flatMap(([name, value]) =>
				[value].flat().map((one): [string, string] => [name, one]),
			),
		),
		{ headers, validateStatus: () => true },
	);
}

describe('actions', () => {
	test('let people answer: recipients who have not, each once, then somebody new', async () => {
		const { campaign, survey: data } = survey();
		const path = `/console/campaign/${campaign._id}/people`;
		expect((await post(path, { count: '20' })).data).toContain('20 people have answered.');
		expect((await post(path, { count: '1', back: '/' })).data).toContain('1 person has answered.');
		expect(data.submittedCount).toBe(24);
		await post(path, { count: '50' });
		const rows = [...data.rows()];
		expect(rows).toHaveLength(74);
		expect(new Set(rows.map((row) => row.userId)).size).toBe(74);
		const recipients = new Set(campaign.recipients);
		expect(rows.filter((row) => recipients.has(row.userId ?? ''))).toHaveLength(30);
		for (const row of rows) expect(row.answers.size).toBeGreaterThanOrEqual(4);
	});

	test.each(['0', '-1', '1.5', 'many', '10001', ''])(
		'"%s" is no number of people',
		async (count) => {
			const answer = await post(`/console/campaign/${survey().campaign._id}/people`, { count });
			expect(answer.status).toBe(400);
			expect(answer.data).toContain('from 1 to 10000');
			expect(survey().survey.responseCount).toBe(3);
		},
	);

	test('a campaign is sent, closed and opened again', async () => {
		const draft = emulator.state.addCampaign({ name: 'Draft', status: '0' });
		const path = `/console/campaign/${draft._id}`;
		expect((await post(`${path}/send`, {})).data).toContain('The campaign has been sent.');
		expect(draft.status).toBe('1');
		expect((await post(`${path}/send`, {})).status).toBe(400);
		await post(`${path}/close`, {});
		expect(draft.status).toBe('3');
		await post(`${path}/reopen`, {});
		expect(draft.status).toBe('1');
		expect((await post('/console/campaign/nope/send', {})).status).toBe(400);
	});

	test('somebody opens a survey without answering', async () => {
		const { campaign, survey: data } = survey();
		await post(`/console/campaign/${campaign._id}/read`, {});
		expect([...data.rows()].at(-1)).toMatchObject({ read: true, submitted: false });
	});

	test('only a live survey is answered, and only from these pages', async () => {
		const { campaign, survey: data } = survey();
		const path = `/console/campaign/${campaign._id}`;
		const foreign = await post(
			`${path}/people`,
			{ count: '1' },
			{ Origin: 'https://attacker.example' },
		);
		expect(foreign.status).toBe(403);
		campaign.status = '3';
		expect((await post(`${path}/people`, { count: '1' })).status).toBe(400);
		expect((await post(`${path}/answer`, {})).status).toBe(400);
		expect(
			(await axios.get(`${emulator.url}${path}/answer`, { validateStatus: () => true })).status,
		).toBe(400);
		expect(data.responseCount).toBe(3);
	});
});

describe('the form of a survey', () => {
	const questions: QuestionInput[] = [
		{ templateCode: 'input', title: 'Name' },
		{ templateCode: 'textarea', title: 'Why', required: false },
		{
			templateCode: 'radio',
			title: 'Stay',
			questionId: 'stay',
			fork: true,
			options: [{ value: 'No', branchQuestions: ['reason'] }, { value: 'Yes' }],
		},
		{
			templateCode: 'dropdown',
			title: 'Reason',
			questionId: 'reason',
			branch: true,
			options: ['Pay', 'Team'],
		},
		{ templateCode: 'multiselect', title: 'Likes', options: [1, 2, 3] },
		{ templateCode: 'matrix', title: 'Rate', options: [1, 2], matrixQuestions: ['Tools', 'Pay'] },
		{ templateCode: 'rank', title: 'Order', options: ['a', 'b', 'c'] },
		{ templateCode: 'rating', title: 'Mood' },
		{ templateCode: 'date', title: 'When' },
		{ templateCode: 'time', title: 'What time' },
		{ templateCode: 'email', title: 'Mail' },
		{ templateCode: 'number', title: 'How many', min: 0, max: 10 },
	];
	const make = (anonymous = false) =>
		emulator.state.addSurvey({
			name: 'Everything',
			anonymous,
			recipients: new Set(emulator.state.people.values().map(({ _id }) => _id)),
			questions,
		});
	const filled = {
		q0: 'Ada',
		q2: 'No',
		q3: 'Pay',
		q4: ['1', '3'],
		'q5.0': '2',
		'q5.1': '1',
		'q6.0': '3',
		'q6.1': '1',
		'q6.2': '2',
		q7: '0',
		q8: '2026-01-31',
		q9: '09:30',
		q10: 'ada@people.example',
		q11: '7',
	};
	const expected = {
		0: 'Ada',
		2: 'No',
		3: 'Pay',
		4: [1, 3],
		5: { Tools: 2, Pay: 1 },
		6: ['b', 'c', 'a'],
		7: 0,
		8: '2026-01-31',
		9: '09:30',
		10: 'ada@people.example',
		11: 7,
	};
	const lastRow = (campaign: ReturnType<typeof make>) =>
		[...(campaign.survey?.rows() ?? [])].at(-1);
	const answersOf = (campaign: ReturnType<typeof make>) =>
		Object.fromEntries(lastRow(campaign)?.answers ?? []);

	test('every type of question is answered as surveyData shows it', async () => {
		const types = new Set(questions.map(({ templateCode }) => templateCode));
		expect(questionTypes.filter((type) => !types.has(type))).toEqual([]);
		const campaign = make();
		const person = first(emulator.state.people.values());
		const answer = await post(`/console/campaign/${campaign._id}/answer`, {
			...filled,
			who: person._id,
		});
		expect(answer.data).toContain('Your answer is there.');
		expect(answersOf(campaign)).toEqual(expected);
		expect(lastRow(campaign)).toMatchObject({ userId: person._id, submitted: true, read: true });
	});

	test('an answer to a branch question that nothing opens does not count', async () => {
		const campaign = make();
		await post(`/console/campaign/${campaign._id}/answer`, { ...filled, q2: 'Yes' });
		const { 3: _reason, ...rest } = expected;
		expect(answersOf(campaign)).toEqual({ ...rest, 2: 'Yes' });
	});

	test('a question that must be answered is named, and nothing is kept', async () => {
		const campaign = make();
		const answer = await post(`/console/campaign/${campaign._id}/answer`, { ...filled, q7: '' });
		expect(answer.status).toBe(400);
		expect(answer.data).toContain('Please answer “Mood”.');
		expect(campaign.survey?.responseCount).toBe(0);
	});

	test('an anonymous survey names nobody, whatever the form says', async () => {
		const campaign = make(true);
		const person = first(emulator.state.people.values());
		await post(`/console/campaign/${campaign._id}/answer`, { ...filled, who: person._id });
		expect(lastRow(campaign)?.userId).toBeUndefined();
		await post(`/console/campaign/${campaign._id}/people`, { count: '5' });
		expect([...(campaign.survey?.rows() ?? [])].filter((row) => row.userId !== undefined)).toEqual(
			[],
		);
	});
});

test('what somebody does meanwhile, through the control interface', async () => {
	const { campaign, survey: data } = survey();
	const control = (path: string, body: unknown = {}) =>
		axios.post(`${emulator.url}/_emulator${path}`, body, { validateStatus: () => true });
	expect((await control(`/surveys/${campaign._id}/people`, { count: 7 })).status).toBe(200);
	expect(data.responseCount).toBe(10);
	for (const [action, status] of [
		['close', '3'],
		['reopen', '1'],
	] as const) {
		await control(`/campaigns/${campaign._id}/${action}`);
		expect(campaign.status).toBe(status);
	}
	await control(`/campaigns/${campaign._id}/unshare`);
	const listed = await ok<{ _id: string }[]>('GET /campaign');
	expect(listed.map(({ _id }) => _id)).not.toContain(campaign._id);
	await axios.delete(`${emulator.url}/_emulator/campaigns/${campaign._id}`);
	expect(emulator.state.campaigns.has(campaign._id)).toBe(false);
	expect((await control(`/campaigns/${campaign._id}/close`)).status).toBe(400);
});

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const inChromium = existsSync(executablePath) ? test : test.skip;
if (inChromium === test.skip)
	console.warn(`No Chromium at ${executablePath}: the pages are not tried in it`);

/** A broadcast that asks for an approval. */
const approval = (actionLink: string, status: '0' | '1' | '3' = '1') =>
	emulator.state.addBroadcast({
		title: 'Send it?',
		message: '12,000 people get this tomorrow.',
		actionLink,
		actionLinkText: 'Approve',
		status,
	});

describe('in Chromium', () => {
	let browser: Browser | undefined;
	afterAll(() => browser?.close());

	/** A page of this width; fails the test when something is wider than the window, or a script runs. */
	async function open(path: string, width: number): Promise<Page> {
		browser ??= await chromium.launch({ executablePath,
			args: [
				'--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
				'--disable-background-networking', '--disable-component-update', '--disable-sync',
			],
		}); // prettier-ignore
		const page = await browser.newPage({ viewport: { width, height: 900 } });
		await page.goto(`${emulator.url}${path}`);
		return page;
	}

	const shot = async (page: Page, name: string) => {
		const folder = process.env.PAGE_SHOTS;
		if (folder !== undefined)
			await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
	};

	const widerThanWindow = (page: Page) =>
		page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

	inChromium.each([1400, 800, 390])('no page is wider than a window of %i', async (width) => {
		const long = 'x'.repeat(300);
		emulator.state.addRecipientGroup(long);
		emulator.state.addCampaign({ name: long, description: long });
		await call(`GET /campaign/${long}?category=${long}`);
		const { campaign } = survey();
		const group = first(emulator.state.recipientGroups.values());
		for (const [name, path] of Object.entries({
			front: '/',
			survey: `/console/campaign/${campaign._id}`,
			answer: `/console/campaign/${campaign._id}/answer`,
			group: `/console/group/${group._id}`,
		})) {
			const page = await open(path, width);
			expect([name, await widerThanWindow(page)]).toEqual([name, 0]);
			await shot(page, `${name}-${width}`);
			await page.close();
		}
	});

	inChromium.each(['light', 'dark'] as const)(
		'every page is accessible, %s',
		async (colorScheme) => {
			const { campaign } = survey();
			const group = first(emulator.state.recipientGroups.values());
			const broadcast = approval('https://n8n.example/webhook-waiting/1');
			const found: unknown[] = [];
			for (const path of [
				'/',
				`/console/campaign/${campaign._id}`,
				`/console/campaign/${campaign._id}/answer`,
				`/console/group/${group._id}`,
				`/console/broadcast/${broadcast._id}`,
			]) {
				const page = await open(path, 1200);
				await page.emulateMedia({ colorScheme });
				await page.evaluate(axeSource);
				found.push(
					...(await page.evaluate<unknown[]>(
						`axe.run().then(({ violations }) => violations.map(({ id, nodes }) => ['${path}', id, nodes[0].html]))`,
					)),
				);
				await page.close();
			}
			expect(found).toEqual([]);
		},
	);

	inChromium('a live broadcast has the button that leads to its action link', async () => {
		const { state, url } = emulator;
		const broadcast = approval(`${url}/?refresh=60`);
		const page = await open(`/console/broadcast/${broadcast._id}`, 390);
		await page.getByText('12,000 people get this tomorrow.').last().waitFor();
		await page.getByRole('link', { name: 'Approve' }).click();
		await page.waitForURL(`${url}/?refresh=60`);
		for (const hidden of [
			approval('javascript:alert(1)'),
			approval(url, '0'),
			approval(url, '3'),
		]) {
			await page.goto(`${url}/console/broadcast/${hidden._id}`);
			expect(await page.getByRole('link', { name: 'Approve' }).count()).toBe(0);
		}
		expect(state.broadcasts.get(broadcast._id)?.status).toBe('1');
	});

	inChromium('a survey is answered, and 50 people answer by one click', async () => {
		const { campaign, survey: data } = survey();
		const page = await open('/', 1200);
		await page.getByRole('link', { name: 'Answer it' }).first().click();
		await page.getByRole('radio', { name: '9', exact: true }).check();
		await page.getByRole('radio', { name: 'Yes' }).check();
		await page.getByRole('checkbox', { name: 'Team' }).check();
		for (const row of ['q3.0', 'q3.1']) await page.locator(`input[name="${row}"]`).nth(4).check();
		await page.locator('textarea').fill('Because');
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByText('Your answer is there.').waitFor();
		expect(Object.fromEntries([...data.rows()].at(-1)?.answers ?? [])).toEqual({
			0: 9,
			1: 'Yes',
			2: ['Team'],
			3: { Leadership: 5, Tools: 5 },
			4: 'Because',
		});
		await page.getByRole('button', { name: '50 people answer' }).click();
		await page.getByText('50 people have answered.').waitFor();
		expect(data.responseCount).toBe(54);
		await page.getByRole('button', { name: 'Close it' }).click();
		await page.getByText('The campaign is closed.').waitFor();
		expect(campaign.status).toBe('3');
		await shot(page, 'after');
	});

	inChromium('branch questions show when an option opens them', async () => {
		const branching = emulator.state.addSurvey({
			name: 'Branching',
			questions: [
				{
					templateCode: 'radio',
					title: 'Stay?',
					questionId: 'stay',
					fork: true,
					options: [{ value: 'No', branchQuestions: ['why'] }, { value: 'Yes' }],
				},
				{ templateCode: 'input', title: 'Why not?', branch: true, questionId: 'why' },
			],
		});
		const page = await open(`/console/campaign/${branching._id}/answer`, 800);
		const why = page.getByText('Why not?');
		expect(await why.isVisible()).toBe(false);
		await page.getByRole('radio', { name: 'No' }).check();
		expect(await why.isVisible()).toBe(true);
		await page.getByRole('radio', { name: 'Yes' }).check();
		expect(await why.isVisible()).toBe(false);
	});
});
