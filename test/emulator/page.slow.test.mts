import { existsSync } from 'node:fs';
import axios from 'axios';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Json } from '../../emulator/emulator.mts';
import { questionTypes, type QuestionInput } from '../../emulator/state/survey.mts';
import { first, firstSurvey } from '../kit/required.mts';
import { useEmulator } from './client.mts';

const { emulator } = useEmulator({
	seed: { people: 30, groups: 2, campaigns: 4, surveys: 1, responsesPerSurvey: 3 },
});

const survey = () => firstSurvey(emulator);

/** Sends a form, follows the redirect if there is one, and returns the response. */
async function post(path: string, form: Record<string, string | string[]> = {}) {
	return axios.post<string>(
		`${emulator.url}${path}`,
		new URLSearchParams(
			Object.entries(form).flatMap(([name, value]) =>
				[value].flat().map((one): [string, string] => [name, one]),
			),
		),
		{ validateStatus: () => true },
	);
}

describe('actions', () => {
	test.each([false, true])('each recipient answers once, anonymous: %s', async (anonymous) => {
		const { campaign, survey: data } = survey();
		data.anonymous = anonymous;
		const path = `/console/campaign/${campaign._id}`;
		for (const [action, count, said] of [
			['people', '21', '21 people have answered.'],
			['people', '1', '1 person has answered.'],
			['people', '50', '5 people have answered. All other recipients have answered before'],
			['people', '50', '0 people have answered. All other recipients have answered before'],
		] as const)
			expect((await post(`${path}/${action}`, { count })).data).toContain(said);
		const form = { q0: '1', q1: 'No', q2: 'Pay', 'q3.0': '1', 'q3.1': '1', who: 'somebody' };
		expect((await post(`${path}/answer`, form)).data).toContain('All other recipients');
		const rows = [...data.rows()];
		expect(rows).toHaveLength(30);
		if (!anonymous)
			expect(new Set(rows.map((row) => row.userId))).toEqual(new Set(campaign.recipients));
		for (const row of rows) expect(row.answers.size).toBeGreaterThanOrEqual(4);
	});

	test('a campaign can be sent and closed', async () => {
		const draft = emulator.state.addCampaign({ name: 'Draft', status: '0' });
		for (const [action, note, status] of [
			['send', 'The campaign has been sent.', '1'],
			['send', 'The campaign has another status now', '1'],
			['close', 'The campaign is closed.', '3'],
		] as const) {
			expect((await post(`/console/campaign/${draft._id}/${action}`)).data).toContain(note);
			expect(draft.status).toBe(status);
		}
		expect((await post('/console/campaign/nope/send')).status).toBe(400);
	});

	test('actions are refused for a closed survey', async () => {
		const { campaign, survey: data } = survey();
		const path = `/console/campaign/${campaign._id}`;
		campaign.status = '3';
		for (const action of ['people', 'answer'])
			expect((await post(`${path}/${action}`, { count: '1' })).status).toBe(400);
		const url = `${emulator.url}${path}/answer`;
		expect((await axios.get(url, { validateStatus: () => true })).status).toBe(400);
		expect(data.responseCount).toBe(3);
	});
});

const branching: QuestionInput[] = [
	{
		...{ templateCode: 'radio', title: 'Stay?', questionId: 'stay', fork: true },
		options: [{ value: 'No', branchQuestions: ['why'] }, { value: 'Yes' }],
	},
	{ templateCode: 'input', title: 'Why not?', branch: true, questionId: 'why' },
];

describe('the form of a survey', () => {
	type Field = string | string[];
	/** Each question, the fields that the form sends for it, and the answer in the survey data. */
	const cases: [question: QuestionInput, sent: Field | Record<string, Field>, answer?: Json][] = [
		[{ templateCode: 'input', title: 'Name' }, 'Ada', 'Ada'],
		[{ templateCode: 'textarea', title: 'Why', required: false }, ''],
		...branching.map((question, index): [QuestionInput, string, Json] => {
			const text = ['No', 'Pay'][index] ?? '';
			return [question, text, text];
		}),
		[{ templateCode: 'dropdown', title: 'Team', options: ['A', 'B'] }, 'B', 'B'],
		[{ templateCode: 'multiselect', title: 'Likes', options: [1, 2, 3] }, ['1', '3'], [1, 3]],
		[
			{ templateCode: 'matrix', title: 'Rate', options: [1, 2], matrixQuestions: ['Tools', 'Pay'] },
			{ '.0': '2', '.1': '1' },
			{ Tools: 2, Pay: 1 },
		],
		[
			{ templateCode: 'rank', title: 'Order', options: ['a', 'b', 'c'] },
			{ '.0': 'b', '.1': 'c', '.2': 'a' },
			['b', 'c', 'a'],
		],
		[{ templateCode: 'rating', title: 'Mood' }, '0', 0],
		[{ templateCode: 'date', title: 'When' }, '2026-01-31', '2026-01-31'],
		[{ templateCode: 'time', title: 'What time' }, '09:30', '09:30'],
		[{ templateCode: 'email', title: 'Mail' }, 'ada@people.example', 'ada@people.example'],
		[{ templateCode: 'number', title: 'How many', min: 0, max: 10 }, '7', 7],
	];
	const filled = Object.fromEntries(
		cases.flatMap(([, sent, _answer], index) =>
			typeof sent === 'string' || Array.isArray(sent)
				? [[`q${index}`, sent] as const]
				: Object.entries(sent).map(([part, value]) => [`q${index}${part}`, value] as const),
		),
	);
	const expected = new Map(
		cases.flatMap(([, , answer], index) => (answer === undefined ? [] : [[index, answer]])),
	);

	/** Creates a survey with all these questions, fills in its form and submits it. `form` changes or adds fields. */
	async function answer(form: Record<string, Field>, anonymous = false) {
		const everyone = emulator.state.people.values().map(({ _id }) => _id);
		const { _id, survey: made } = emulator.state.addSurvey({
			...{ name: 'Everything', anonymous, recipients: new Set(everyone) },
			questions: cases.map(([question]) => question),
		});
		const sent = { ...filled, who: person(), ...form };
		const path = `/console/campaign/${_id}/answer`;
		const { data: shown } = await axios.get<string>(`${emulator.url}${path}`);
		const { data } = await post(path, sent);
		const rows = [...(made?.rows() ?? [])];
		return { shown, page: data, rows, answers: rows[0]?.answers };
	}
	const person = () => first(emulator.state.people.values())._id;

	test('saves the answers to all question types, in the format of surveyData', async () => {
		const types = cases.map(([{ templateCode }]) => templateCode);
		expect([...new Set(types)].sort()).toEqual([...questionTypes].sort());
		const { shown, page, rows, answers } = await answer({});
		expect(Object.keys(filled).filter((name) => !shown.includes(`name="${name}"`))).toEqual([]);
		expect(page).toContain('Your answer has been saved.');
		expect(answers).toEqual(expected);
		expect(rows).toMatchObject([{ userId: person(), submitted: true, read: true }]);
	});

	test('drops the answer to a branch question that no chosen option opens', async () => {
		const { answers } = await answer({ q2: 'Yes' });
		expect([answers?.get(2), answers?.has(3)]).toEqual(['Yes', false]);
	});

	test('does not save who answers an anonymous survey, even if the form names a person', async () => {
		expect((await answer({ who: person() }, true)).rows[0]).not.toHaveProperty('userId', person());
	});
});

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const inChromium = existsSync(executablePath) ? test : test.skip;
if (inChromium === test.skip)
	console.warn(`There is no Chromium at ${executablePath}, so the tests in Chromium are skipped`);

describe('in Chromium', () => {
	let browser: Browser | undefined;
	afterAll(() => browser?.close());

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

	inChromium(
		'a survey is found and answered like an employee, and one click adds the answers of 50 people',
		async () => {
			const campaign = emulator.state.addSurvey({
				...{ name: 'Guide', recipients: survey().campaign.recipients },
				questions: [
					{ templateCode: 'rating', title: 'Mood', zeroLabel: 'Bad', tenLabel: 'Great' },
					...branching,
					{
						...{ templateCode: 'dropdown', title: 'Team', questionId: 'team', fork: true },
						options: [{ value: 'Other', branchQuestions: ['which'] }, { value: 'A' }],
					},
					{ templateCode: 'input', title: 'Which?', branch: true, questionId: 'which' },
				],
			});
			const page = await open('/', 390);
			await page.getByRole('link', { name: 'Guide' }).click();
			await page.getByRole('link', { name: 'Answer it' }).click();
			const scale = await page.getByRole('group', { name: 'Mood' }).innerText();
			expect(scale.replace(/\s+/g, ' ')).toContain('Bad 0 1 2 3 4 5 6 7 8 9 10 Great');
			const shown = () => page.getByRole('group').filter({ visible: true }).allInnerTexts();
			const titles = async () => (await shown()).map((text) => text.split('\n')[0]);
			expect(await titles()).toEqual(['1. Mood *', '2. Stay? *', '4. Team *']);
			await page.getByLabel('No', { exact: true }).check();
			await page.getByLabel('Team').selectOption('Other');
			expect(await titles()).toEqual([
				...['1. Mood *', '2. Stay? *', '3. Why not?', '4. Team *', '5. Which?'],
			]);
			await page.getByLabel('Yes', { exact: true }).check();
			expect(await titles()).toEqual(['1. Mood *', '2. Stay? *', '4. Team *', '5. Which?']);
			await page.getByLabel('9', { exact: true }).check();
			await page.getByLabel('Which?').fill('IT');
			await page.getByRole('button', { name: 'Submit' }).click();
			await page.getByText('Your answer has been saved.').waitFor();
			const [row] = campaign.survey?.rows() ?? [];
			expect(Object.fromEntries(row?.answers ?? [])).toEqual({
				0: 9,
				1: 'Yes',
				3: 'Other',
				4: 'IT',
			});
			await page.getByRole('button', { name: '50 people answer' }).click();
			await page.getByText('29 people have answered.').waitFor();
			await page.getByRole('button', { name: 'Close it' }).click();
			await page.getByText('The campaign is closed.').waitFor();
			expect(campaign.status).toBe('3');
		},
	);
});
