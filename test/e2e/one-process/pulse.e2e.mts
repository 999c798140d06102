import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import pWaitFor from 'p-wait-for';

import { newJoiners, groupMembers } from '../../../local-n8n/examples/emulator.mts';
import { pulseRounds } from '../../../local-n8n/examples/tables.mts';
import { exampleWorkflow } from '../../../local-n8n/local-n8n.mts';
import {
	checkReadable,
	closedSurvey,
	parametersOf,
	runExample,
	type RunExampleOptions,
} from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

const programme = 'pulse-programme.json';
const results = 'pulse-results.json';
const trend = 'pulse-trend.json';
const table = 'Pulse results';

async function addressesOf(recipients: Iterable<string>): Promise<string[]> {
	const { people } = (await sharedN8n()).emulator.state;
	return [...recipients].map((id) => people.get(id)?.email ?? id).sort();
}

/** Runs the example "Pulse programme" while three people open the survey and one of them answers. */
async function runProgramme(change: RunExampleOptions['change'] = () => undefined) {
	const { emulator } = await sharedN8n();
	const { campaigns } = emulator.state;
	const known = new Set(campaigns.values());
	const run = runExample(programme, { change });
	const survey = await pWaitFor(
		() => {
			const launched = campaigns.values().find((one) => !known.has(one) && one.status === '1');
			return launched ? pWaitFor.resolveWith(launched) : false;
		},
		{ interval: 50, timeout: 60_000 },
	);
	const recipients = [...survey.recipients];
	for (const [index, userId] of recipients.slice(0, 3).entries())
		emulator.submitResponse(survey._id, {
			userId,
			...(index === 0 ? { answers: ['Sales', 8, 8] } : { submitted: false, submittedDate: null }),
		});
	const late = await addressesOf(recipients.slice(1, 3));
	return { ...(await run), survey, late };
}

describe('the example "Pulse programme"', () => {
	test('asks only the trial group, reminds those who have not answered, and closes the survey', async () => {
		const { emulator, survey, late, state, execution, output } = await runProgramme();
		assert.match(survey.name, /^Trial \d{4}-\d\d-\d\d$/);
		assert.equal(survey.status, '3');
		assert.deepEqual(await addressesOf(survey.recipients), groupMembers(emulator, newJoiners));
		const reminder = state.broadcasts.get(String(output('Remind them')[0]?._id));
		assert.equal(reminder?.status, '1');
		assert.deepEqual(await addressesOf(reminder.recipients), late);
		assert.ok(execution.ran('About the reminder'));
	});

	test('closes the survey even if the reminder fails, and tells somebody', async () => {
		const { survey, execution } = await runProgramme(
			(workflow) => (parametersOf(workflow, 'Remind them').title = ' '),
		);
		assert.ok(execution.ran('About the reminder'));
		assert.equal(survey.status, '3');
	});

	test('reminds nobody of an anonymous survey', async () => {
		const { emulator } = await sharedN8n();
		const { state } = emulator;
		const people = [...state.people.values()].slice(0, 9).map(({ _id }) => _id);
		const survey = state.addSurvey({
			name: 'Pulse, anonymous',
			anonymous: true,
			description: 'Nobody can be named',
			recipients: new Set(people),
			status: '1',
			questions: [{ templateCode: 'rating', title: 'How do you feel at work?' }],
		});
		// The service lists only people who opened the survey.
		for (const userId of people.slice(0, 3))
			emulator.submitResponse(survey._id, { userId, submitted: false, submittedDate: null });
		const pinned = { 'Launch the survey': [{ _id: survey._id }] };
		const broadcasts = [...state.broadcasts.values()];
		const { execution } = await runExample(programme, { pinned });
		assert.deepEqual([...state.broadcasts.values()], broadcasts);
		assert.ok(execution.ran('About the reminder'));
		assert.equal(survey.status, '3');
	});

	for (const [today, remindAt, closeAt] of [
		['2026-01-06', '2026-01-08T17:00', '2026-01-13T17:00'],
		['2026-01-09', '2026-01-13T17:00', '2026-01-16T17:00'],
		['2026-01-20', '2026-01-22T17:00', '2026-01-27T17:00'],
		['2025-12-23'],
		['2026-01-13'],
	] as const) {
		test(`by schedule, ${remindAt ? `reminds on ${remindAt} and closes on ${closeAt}` : 'asks nobody'} if it is ${today}`, async () => {
			const mocked = [
				...['Who gets it', 'Launch the survey', 'Third working day', 'Seventh day'],
				...['Remind them', 'Close the survey'],
			];
			const { output } = await runExample(programme, {
				pinned: Object.fromEntries(mocked.map((name) => [name, [{ _id: '1' }]])),
				change: (workflow) => {
					const nodes = JSON.stringify(workflow.nodes)
						.replaceAll("$execution.mode === 'test'", 'false')
						.replaceAll('$today', `DateTime.fromISO('${today}')`);
					Object.assign(workflow.nodes, JSON.parse(nodes));
				},
			});
			const dates = output('Dates').map((json) => [json.remindAt, json.closeAt]);
			assert.deepEqual(
				dates.flat().map((date) => String(date).slice(0, 16)),
				remindAt ? [remindAt, closeAt] : [],
			);
		});
	}
});

const feeling = 'How do you feel at work?';
const teams = ['Sales', 'IT', 'HR'];

const questions = [
	{ templateCode: 'dropdown' as const, title: 'Which team are you in?', options: teams },
	{ templateCode: 'rating' as const, title: feeling },
	{ templateCode: 'textarea' as const, title: 'What should we change?', required: false },
];

/** Adds a closed round with a number of answers per team. Returns the trigger's event for the closed round. */
async function closedRound(name: string, sizes: Record<string, number>) {
	const answers = Object.entries(sizes).flatMap(([team, size]) =>
		Array.from({ length: size }, (_, index) => [team, (index % 3) + 6, 'The coffee']),
	);
	return await closedSurvey(name, questions, answers);
}

/**
 * Runs the example "Pulse results" for closed surveys. Returns the rows that the example saves for the question about how
 * people feel.
 */
async function saveRound(...closings: object[]) {
	const { output, execution } = await runExample(results, {
		trigger: 'Survey closed',
		pinned: { 'Survey closed': closings },
	});
	const rows = output('Save the round').filter(({ question }) => question === feeling);
	const averages = rows.map(({ team, average }) => [String(team), average] as const);
	return { output, execution, averages: new Map(averages) };
}

describe('the example "Pulse results"', () => {
	before(async () => await (await sharedN8n()).dataTables.clear(table));

	test('saves the summary of a round, and updates the saved rows in later runs', async () => {
		const { dataTables } = await sharedN8n();
		const closing = await closedRound('Pulse 2026-01-06', { Sales: 9, IT: 6, HR: 6 });
		const { averages, output, execution } = await saveRound(closing);
		assert.deepEqual([...averages.keys()].sort(), ['(everybody)', 'HR', 'IT', 'Sales']);
		assert.equal(averages.get('Sales'), 7);
		const saved = await dataTables.rows(table);
		assert.deepEqual(Object.keys(saved[0] ?? {}).sort(), [
			...['average', 'campaignId', 'createdAt', 'id', 'question', 'round', 'survey'],
			...['team', 'updatedAt'],
		]);
		const { emulator } = await sharedN8n();
		const userId = [...emulator.state.people.values()][40]?._id;
		emulator.submitResponse(closing.campaignId, { userId, answers: ['Sales', 1, ''] });
		const later = await saveRound(closing);
		assert.equal(later.averages.get('Sales'), 6.4);
		assert.deepEqual(
			(await dataTables.rows(table)).map(({ id }) => id),
			saved.map(({ id }) => id),
		);
		const mail = output('Numbers as a table')
			.map(({ html }) => html)
			.join('\n');
		assert.match(mail, /Pulse 2026/);
		assert.match(mail, /Sales<\/td><td style="text-align: right">7.0</);
		assert.match(mail, /What should we change.*too few answers or no number/);
		assert.ok(execution.ran('Mail the numbers'));
	});

	test('saves no average of a team or a round with too few answers', async () => {
		const closing = await closedRound('Pulse 2026-01-20', { Sales: 9, IT: 6, HR: 2 });
		const { averages } = await saveRound(closing);
		assert.deepEqual([...averages.keys()].sort(), ['(everybody)', 'HR', 'IT', 'Sales']);
		assert.equal(averages.get('Sales'), 7);
		assert.deepEqual([averages.get('HR'), averages.get('IT')], [null, null]);
		assert.equal(typeof averages.get('(everybody)'), 'number');
		const small = await saveRound(await closedRound('Pulse 2026-02-03', { Sales: 2, IT: 1 }));
		assert.ok([...small.averages.values()].every((average) => average === null));
	});

	test('saves no average of everybody if all teams are hidden', async () => {
		const closing = await closedRound('Pulse 2026-02-17', { Sales: 3, IT: 4 });
		const { averages } = await saveRound(closing);
		assert.deepEqual([...new Set(averages.values())], [null]);
	});
});

describe('the example "Pulse trend"', () => {
	/**
	 * Returns the page and the lines of its chart. For each line, returns the label, the number of sections and the number
	 * of points.
	 */
	const pageOf = async () => {
		const { output } = await runExample(trend);
		const html = String(output('Page')[0]?.html);
		const lines = [...html.matchAll(/aria-label="([^"]*)".*?<path d="([^"]*)"/gs)];
		const text = (label = '') =>
			label.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
		return {
			html,
			lines: lines.map(([, label, path = '']) => ({
				label: text(label),
				sections: path.split('M').length - 1,
				points: path.split(/[ML]/).length - 1,
			})),
		};
	};

	const clear = async () => await (await sharedN8n()).dataTables.clear(table);
	before(clear);
	after(clear);

	test('shows twelve rounds, with gaps where too few people answered', async () => {
		const { dataTables } = await sharedN8n();
		assert.match((await pageOf()).html, /There is no round with numbers yet/);
		const rows = pulseRounds();
		const [{ round = '' } = {}] = rows;
		const isFirst = (row: (typeof rows)[number]) => row.round === round;
		await dataTables.insert(table, rows.filter(isFirst));
		await checkReadable((await pageOf()).html, 'pulse-trend-1');
		await dataTables.insert(
			table,
			rows.filter((row) => !isFirst(row)),
		);
		const { lines, html } = await pageOf();
		assert.deepEqual(
			lines.map(({ label, sections, points }) => [label.split(':')[0], sections, points]),
			[
				['(everybody)', 1, 12],
				['Engineering', 1, 12],
				['HR', 2, 10],
				['Sales', 1, 12],
			],
		);
		assert.match(lines[2]?.label ?? '', /17 Feb too few answers or no number/);
		await checkReadable(html, 'pulse-trend-12');
	});

	test('asks for a name and a password', async () => {
		const { authentication } = parametersOf(await exampleWorkflow(trend), 'Page is opened');
		assert.equal(authentication, 'basicAuth');
	});
});
