import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { expectedMembers, sampleEmployees } from '../../../sandbox/examples/employees.mts';
import { groupMembers, newJoiners } from '../../../sandbox/examples/emulator.mts';
import { exampleWorkflow } from '../../../sandbox/sandbox.mts';
import { nightlyReport, nightlySync } from '../../../sandbox/examples/nightly-sync.mts';
import { approving } from '../../../sandbox/examples/approving.mts';
import { line } from '../settings.mts';
import { startSftpServer } from '../support/sftp-server.mts';
import { everyTenSeconds } from '../support/workflow.mts';
import { sharedSandbox } from './shared-sandbox.mts';

const manual = 'When clicking Execute workflow';

describe('the example "HR records into a recipient group"', () => {
	/** Runs the example. Returns how many records it read, and how many of them had which result. */
	const runOnce = async () => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('hr-records-into-recipient-group.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const results = execution.items('Report').map(({ json }) => json.result);
		const count = (wanted: string) => results.filter((result) => result === wanted).length;
		assert.equal(execution.items('HR records').length, 250);
		assert.equal(execution.items('Still employed').length, results.length);
		const members = groupMembers(emulator, 'All employees');
		return { members, added: count('added'), alreadyThere: count('already there') };
	};

	test('fills the group with everybody whom the service knows', async () => {
		const { members, added } = await runOnce();
		assert.deepEqual(members, expectedMembers(await sampleEmployees()));
		assert.equal(added, members.length);
	});

	test('adds nobody twice when it runs again', async () => {
		const { members, added, alreadyThere } = await runOnce();
		assert.equal(added, 0);
		assert.equal(members.length, alreadyThere - duplicates);
	});
});

describe('the example "Nightly group sync"', () => {
	const runOnce = async () => {
		const sandbox = await sharedSandbox();
		const workflow = await exampleWorkflow(nightlySync.file);
		const report = nightlyReport(await sandbox.runWorkflow(workflow, nightlySync.trigger));
		return { sandbox, report };
	};

	test('makes the group everybody whom the service knows, and says who is unknown', async () => {
		const { sandbox, report } = await runOnce();
		const employees = await sampleEmployees();
		const expected = expectedMembers(employees);
		assert.deepEqual(groupMembers(sandbox.emulator, nightlySync.group), expected);
		assert.deepEqual(report.counts, {
			added: expected.length,
			duplicate: duplicates,
			unknown: employees.filter(({ status }) => status === 'starting').length,
			invalid: withoutAddress,
		});
		const starting = employees.filter(({ status }) => status === 'starting');
		const ids = report.unknown.map(({ employeeId }) => employeeId);
		for (const { employeeId } of starting) assert.ok(ids.includes(employeeId), employeeId);
		assert.equal(ids.length, starting.length + withoutAddress);
	});

	test('removes whoever has left in a later night, and nobody else', async () => {
		const { state } = (await sharedSandbox()).emulator;
		const groups = [...state.recipientGroups.values()];
		const group = groups.find(({ name }) => name === nightlySync.group);
		group?.members.add(state.people.add({ email: 'gone@example.com' })._id);
		const { sandbox, report } = await runOnce();
		const expected = expectedMembers(await sampleEmployees());
		assert.deepEqual(groupMembers(sandbox.emulator, nightlySync.group), expected);
		assert.equal(report.counts.removed, 1);
		assert.equal(report.counts.added, undefined);
		assert.equal(report.counts.alreadyMember, expected.length);
		assert.deepEqual(
			[...state.recipientGroups.values()].filter(({ name }) => name.startsWith('n8n sync')),
			[],
		);
	});
});

describe('the example "Groups of all departments"', () => {
	const runOnce = async (approved = true) => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('department-groups.json');
		workflow.pinData = { 'Ask the approver': [{ json: { data: { approved } } }] };
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		return { emulator, execution };
	};

	test('creates the group of each department with its people, and asks nobody', async () => {
		const { emulator, execution } = await runOnce();
		const employees = await sampleEmployees();
		for (const department of new Set(employees.map((employee) => employee.department))) {
			const own = employees.filter((employee) => employee.department === department);
			assert.deepEqual(groupMembers(emulator, department), expectedMembers(own));
		}
		assert.ok(execution.items('Dry run').every(({ json }) => json.recipientGroupId === null));
		assert.ok(!execution.ran('Ask the approver'));
	});

	test('removes somebody only once it is approved', async () => {
		const { emulator } = await sharedSandbox();
		const { state } = emulator;
		const leaver = state.people.add({ email: 'left@example.com' });
		const sales = [...state.recipientGroups.values()].find(({ name }) => name === 'Sales');
		sales?.members.add(leaver._id);
		const declined = await runOnce(false);
		const list = declined.execution.items('Would be removed').map(({ json }) => json.list);
		assert.deepEqual(list, [`Sales: ${leaver._id}`]);
		assert.ok(!declined.execution.ran('Sync all departments'));
		assert.ok(groupMembers(emulator, 'Sales').includes('left@example.com'));
		const { execution } = await runOnce();
		const removed = execution.items('Totals').filter(({ json }) => json.status === 'removed');
		assert.deepEqual(
			removed.map(({ json }) => [json.recipientGroupName, json.count_status]),
			[['Sales', 1]],
		);
		assert.ok(!groupMembers(emulator, 'Sales').includes('left@example.com'));
	});
});

describe('the example "Survey with branching to a group"', () => {
	test('creates the survey, gives it to the group and sends it', async () => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const members = groupMembers(emulator, newJoiners);
		const workflow = await exampleWorkflow('survey-with-branching-to-a-group.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const [sent] = execution.items('What was sent');
		const survey = emulator.state.campaigns.get(String(sent?.json._id));
		assert.equal(survey?.status, '1');
		assert.ok((survey.survey?.questions ?? []).length > 1);
		const recipients = [...survey.recipients].map((id) => emulator.state.people.get(id)?.email);
		assert.ok(members.length > 0);
		assert.deepEqual(recipients.sort(), members);
	});
});

describe('the example "Reminder to those who have not answered"', () => {
	test('leaves one draft a survey, for exactly those who have not submitted it', async () => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('survey-reminder.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const [reminder, ...others] = execution.items('Remind them');
		assert.deepEqual(others, []);
		const broadcast = emulator.state.broadcasts.get(String(reminder?.json._id));
		assert.equal(broadcast?.status, '0');
		assert.equal(broadcast.title, 'A reminder: How was your first week?');
		const late = execution.items('People with an address');
		assert.equal(late.length, 5);
		assert.equal(broadcast.recipients.size, 5);
	});
});

describe('the example "Results of a pulse survey into a table"', () => {
	test('gives a row a question and a row a person, each as a file', async () => {
		const { runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('pulse-survey-results.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const questions = execution.items('One row a question').map(({ json }) => json);
		assert.equal(questions.length, 4);
		assert.equal(questions[1]?.answers, 'Yes: 12, No: 6');
		const people = execution.items('Answers by person');
		assert.equal(people.length, 18);
		assert.ok('Do you have what you need?' in (people[0]?.json ?? {}));
		for (const file of ['Summary as CSV', 'Answers as CSV']) {
			assert.equal(execution.items(file).length, 1);
		}
	});

	test('gives a row a question and segment with Break Down By', async () => {
		const { runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('pulse-survey-results.json');
		const summary = workflow.nodes.find(({ name }) => name === 'Answers by question');
		const options = { breakDownBy: 'Do you have what you need?', minimumResponses: 1 };
		Object.assign(summary?.parameters ?? {}, { options });
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const segments = execution.items('One row a question').map(({ json }) => json.segment);
		assert.deepEqual(segments, Array(4).fill(['Yes', 'No']).flat());
	});
});

describe('the example "Survey results by team"', () => {
	const tooFew = 'too few answers';

	/** Runs the example. Returns the text of its page, and the widths of the bars in percent. */
	const pageOf = async (pinData = {}) => {
		const { runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('survey-results-by-team.json');
		const execution = await runWorkflow({ ...workflow, pinData }, 'Survey closed');
		assert.equal(execution.error, undefined);
		const [page, ...others] = execution.items('Page').map(({ json }) => String(json.html));
		assert.ok(page !== undefined && others.length === 0);
		const [file] = execution.items('Page as file');
		assert.equal(file?.binary?.data?.fileName, 'survey-results.html');
		const text = page
			.slice(page.indexOf('<h1>'))
			.replace(/<[^>]+>/g, ' ')
			.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
			.replace(/\s+/g, ' ');
		const widths = [...page.matchAll(/width: (\d+)%"><\/div>/g)].map(([, width]) => Number(width));
		return { text, widths };
	};

	test('shows the figures of each team, and no figure of a team that is too small', async () => {
		const { emulator } = await sharedSandbox();
		const pulse = emulator.state.campaigns.find(({ name }) => name === 'Pulse survey');
		const rows = [...(pulse?.survey?.rows() ?? [])].map(({ answers }) => answers);
		const widths: number[] = [];
		/** The team's answers to a question as the page should list them. */
		const shown = (team: string, question: number) => {
			const own = rows.filter((row) => row.get(3) === team).map((row) => row.get(question));
			assert.ok(own.length >= 5, `${team} is too small to be shown`);
			const bars = [...new Set(own)]
				.sort((a, b) => (typeof a === 'number' ? a - Number(b) : a === 'Yes' ? -1 : 1))
				.map((answer) => {
					const people = own.filter((one) => one === answer).length;
					const percent = Math.round((100 * people) / own.length);
					widths.push(percent);
					return `${String(answer)}: ${people} (${percent} %)`;
				});
			const numbers = own.filter((answer) => typeof answer === 'number');
			const promoters = numbers.filter((answer) => answer > 8).length;
			const detractors = numbers.filter((answer) => answer < 7).length;
			const enps = Math.round((100 * (promoters - detractors)) / own.length);
			const average = numbers.reduce((sum, answer) => sum + answer, 0) / own.length;
			const figures = question === 0 ? `, eNPS ${enps}, average ${average.toFixed(1)}` : '';
			return [`${team} ${own.length} answers${figures}`, ...bars];
		};
		const hidden = (...teams: string[]) => teams.map((team) => `${team} ${tooFew}`);
		const expected = [
			`Pulse survey ${rows.length} of 20 people answered (90 %)`,
			'How likely are you to recommend us as an employer?',
			...[shown('Sales', 0), shown('Engineering', 0), hidden('Support', 'HR')].flat(),
			'Do you have what you need?',
			...[shown('Sales', 1), shown('Engineering', 1), hidden('Support', 'HR')].flat(),
			'What should we change?',
			...hidden('Sales', 'Engineering', 'Support', 'HR'),
			'"Too few answers" is not 0',
		].join(' ');
		const page = await pageOf();
		assert.equal(page.text.trim().slice(0, expected.length), expected);
		assert.deepEqual(page.widths, widths);
	});

	test('published, makes the page when the survey is closed', async () => {
		const { emulator, rest, saveWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('survey-results-by-team.json');
		Object.assign(workflow.nodes[0]?.parameters ?? {}, { pollTimes: everyTenSeconds });
		const id = await saveWorkflow({ ...workflow, name: `${workflow.name} (published)` });
		const pulse = emulator.state.campaigns.find(({ name }) => name === 'Pulse survey');
		assert.ok(pulse);
		const path = `/int/v1/campaign/${pulse._id}/surveyData`;
		const isRead = () => emulator.requests.some((request) => request.path === path);
		emulator.clearRequests();
		await rest.activate(id);
		await pWaitFor(isRead, { interval: 100, timeout: 60_000 });
		pulse.status = '3';
		try {
			const execution = await rest.nextExecution(id, new Set());
			assert.equal(execution.mode, 'trigger');
			assert.equal(execution.items('Survey closed')[0]?.json.submitted, 18);
			assert.match(String(execution.items('Page')[0]?.json.html), /7 answers/);
		} finally {
			pulse.status = '1';
			await rest.deactivate(id);
		}
	});

	test('keeps surveys apart, shows every type of question and leaves what people wrote as text', async () => {
		const common = { responses: 8, submitted: 8, recipients: 16, responseRate: 0.5 };
		const hostile = `<b>&amp; $& $' {{ 1 }}`;
		const matrix = {
			question: 'Satisfied?',
			segment: hostile,
			distribution: { Tools: { 4: 1, 5: 3 } },
			rows: { Tools: { responses: 4 } },
			suppressedRows: ['Pay'],
		};
		const rank = { distribution: { Pay: 8, Time: 8 }, averageRank: { Pay: 1.25, Time: 1.75 } };
		const other = { distribution: { Bus: 6 }, otherAnswers: 2, segment: 'Sales' };
		const summary = [
			{ ...common, ...matrix, campaignId: '1', campaignName: 'Same name' },
			{ ...common, ...rank, question: 'Order?', campaignId: '1', campaignName: 'Same name' },
			{ ...common, ...other, question: 'Order?', campaignId: '2', campaignName: 'Same name' },
		];
		const { text, widths } = await pageOf({ 'Results by team': summary.map((json) => ({ json })) });
		const survey = 'Same name 8 of 16 people answered (50 %)';
		const expected = [
			...[survey, 'Satisfied?', hostile, `8 answers, Pay: ${tooFew}`],
			...['Tools: 4: 1 (25 %)', 'Tools: 5: 3 (75 %)'],
			...['Order?', 'Other teams 8 answers, Pay: average rank 1.3, Time: average rank 1.8'],
			...[survey, 'Order?', 'Sales 8 answers, 2 in own words', 'Bus: 6 (75 %)'],
		].join(' ');
		assert.equal(text.trim().slice(0, expected.length), expected);
		assert.deepEqual(widths, [25, 75, 75]);
	});
});

describe('the example "Weekly campaign report"', () => {
	test('gives one row a campaign, and the table as a file', async () => {
		const { runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('weekly-campaign-report.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		const campaigns = execution.items('Campaigns of the week');
		assert.ok(campaigns.length > 0);
		const rows = execution.items('One row a campaign');
		assert.equal(rows.length, campaigns.length);
		for (const { json } of rows) {
			assert.match(String(json.State), /^(Live|Closed|Scheduled)$/);
			assert.match(String(json.Link), /^https?:/);
		}
		assert.equal(execution.items('Report as CSV').length, 1);
	});
});

describe('the example "Survey submissions into a table, alert on a low score"', () => {
	test('gives a row a submission, and leaves a draft for each low score', async () => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow('survey-submission-alert.json');
		const execution = await runWorkflow(workflow, 'New submission');
		assert.equal(execution.error, undefined);
		const submissions = execution.items('New submission').map(({ json }) => json);
		assert.ok(submissions.length > 0);
		const rows = execution.items('Table row').map(({ json }) => json);
		assert.deepEqual(
			rows.map(({ survey, score }) => [survey, score]),
			submissions.map(({ campaignName, answers }) => {
				const given = new Map<string, unknown>(Object.entries(answers ?? {}));
				return [campaignName, given.get('How do you feel?') ?? null];
			}),
		);
		const low = rows.filter(({ score }) => typeof score === 'number' && score <= 3);
		assert.ok(low.length > 0 && low.length < rows.length);
		const alerts = execution.items('Alert').map(({ json }) => String(json._id));
		assert.equal(alerts.length, low.length);
		for (const id of alerts) assert.equal(emulator.state.broadcasts.get(id)?.status, '0');
	});
});

describe('the example "Onboarding channel"', () => {
	test('welcomes each hire with the letter, in a channel with its managers', async () => {
		const { emulator, runWorkflow } = await sharedSandbox();
		const before = emulator.state.channels.size;
		const workflow = await exampleWorkflow('onboarding-channel.json');
		const execution = await runWorkflow(workflow, manual);
		assert.equal(execution.error, undefined);
		assert.equal(emulator.state.channels.size, before + 1);
		const hires = execution.items('One item a hire').length;
		const letters = execution.items('Attach letter');
		assert.ok(hires > 0);
		assert.equal(letters.length, hires);
		for (const { json } of letters) assert.ok(emulator.state.files.has(String(json._id)));
		assert.ok(execution.items('Set manager').length > 0);
	});
});

describe('the examples "HR data from …"', () => {
	for (const [file, group] of [
		['hr-from-google-sheets.json', 'All employees (Google Sheets)'],
		['hr-from-microsoft-entra.json', 'All employees (Entra)'],
		['hr-from-bamboohr.json', 'All employees (BambooHR)'],
		['hr-from-csv-file.json', 'All employees (CSV)'],
		['hr-from-sftp.json', 'All employees (SFTP)'],
		['hr-from-http-api.json', 'All employees (HTTP)'],
	] as const) {
		test(`${file} changes nothing in its dry run, then syncs the pinned records`, async () => {
			const { emulator, runWorkflow } = await sharedSandbox();
			const workflow = await exampleWorkflow(file);
			const dryRun = await runWorkflow(workflow, manual);
			assert.equal(dryRun.error, undefined);
			assert.deepEqual(groupMembers(emulator, group), []);
			const sync = workflow.nodes.find(({ name }) => name === 'Sync the group');
			assert.equal(sync?.parameters.dryRun, true);
			sync.parameters.dryRun = false;
			const execution = await runWorkflow(workflow, manual);
			assert.equal(execution.error, undefined);
			assert.deepEqual(groupMembers(emulator, group), [
				'luiza.souza@example.com',
				'rhys.oconnor@example.com',
			]);
			const counts = execution.items('Totals').map(({ json }) => [json.status, json.count_status]);
			assert.deepEqual(counts.sort(), [
				['added', 2],
				['unknown', 1],
			]);
		});
	}
});

test('hr-from-sftp.json, unpinned, reads the file from an SFTP server', async () => {
	const { emulator, rest, runWorkflow } = await sharedSandbox();
	const workflow = await exampleWorkflow('hr-from-sftp.json');
	const [, , group, download] = workflow.nodes;
	assert.ok(group && download?.type === 'n8n-nodes-base.ftp');
	group.parameters.name = 'From SFTP';
	const rows = ['employeeId,email,status', 'E1,Luiza.Souza@example.com,active', 'E2,x@y,left'];
	const password = 'for the test';
	const path = String(download.parameters.path);
	const server = await startSftpServer(line, path, rows.join('\n'), password);
	try {
		const login = { host: '127.0.0.1', port: server.port, username: 'hr', password };
		const { id, name } = await rest.saveCredential('HR files', 'sftp', login);
		download.credentials = { sftp: { id, name } };
		const execution = await runWorkflow({ ...workflow, name: 'From SFTP', pinData: {} }, manual);
		assert.equal(execution.error, undefined);
		assert.deepEqual(
			execution
				.items('Sync the group')
				.map(({ json }) => [json.recipient, json.status, json.dryRun]),
			[['Luiza.Souza@example.com', 'added', true]],
		);
		assert.deepEqual(emulator.violations, []);
	} finally {
		server.stop();
	}
});

describe('the example "Alert when the nightly sync fails or stops"', () => {
	const file = 'sync-watchdog.json';

	test('tells of a failure, and of a last run that is more than 36 hours ago', async () => {
		const { runWorkflow } = await sharedSandbox();
		const workflow = await exampleWorkflow(file);
		const failure = await runWorkflow(workflow, 'Nightly sync failed');
		assert.equal(failure.error, undefined);
		assert.match(String(failure.items('Failure text')[0]?.json.text), /Example Error Message/);
		assert.ok(failure.ran('Send alert'));
		const overdue = await runWorkflow(workflow, manual);
		assert.match(String(overdue.items('Overdue text')[0]?.json.text), /2026-01-01/);
		assert.ok(overdue.ran('Send alert'));
	});

	for (const [what, runs, alerts] of [
		['no successful run at all', [], true],
		['one an hour ago', [{ stoppedAt: new Date(Date.now() - 3_600_000).toISOString() }], false],
	] as const) {
		test(`${alerts ? 'tells of' : 'is silent about'} ${what}`, async () => {
			const { runWorkflow } = await sharedSandbox();
			const workflow = await exampleWorkflow(file);
			// What n8n gives for an empty result of a node with Always Output Data is one empty item.
			const pinned = (runs.length > 0 ? runs : [{}]).map((json) => ({ json }));
			workflow.pinData = { ...Object(workflow.pinData), 'Last successful run': pinned };
			const execution = await runWorkflow(workflow, manual);
			assert.equal(execution.error, undefined);
			assert.equal(execution.ran('Send alert'), alerts);
		});
	}
});

test('no example sends anything that the service does not know', async () => {
	const { emulator } = await sharedSandbox();
	assert.deepEqual(emulator.violations, []);
});

/** Records of people who are still there and have no address. */
const withoutAddress = 3;

/** Records of somebody who is in the sample a second time. */
const duplicates = 3;

describe('the example "Campaign approval"', () => {
	test('sends the campaign once it is approved', async () => {
		const sandbox = await sharedSandbox();
		const workflow = await exampleWorkflow('campaign-approval.json');
		const running = sandbox.runWorkflow(workflow, 'When clicking Execute workflow');
		const execution = await approving(sandbox.emulator, running);
		assert.equal(execution.status, 'success', execution.error);
		const [sent] = execution.items('Send campaign');
		assert.equal(sandbox.emulator.state.campaigns.get(String(sent?.json._id))?.status, '1');
		assert.ok(!execution.ran('Close question'));
	});
});
