/**
 * Measures the processor time of a poll over 100,000 respondents, 10 of whom are new. Compares it with the processor time
 * of only fetching and parsing the same data (fetch and JSON.parse). The two alternate in one process; the emulator runs
 * in another process.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import '../kit/setup.cjs';

import { TriggerHost } from '../kit/poll.mts';
import { parseAs } from '../kit/typed.mts';
import { inTurns, report, type Line } from './table.mts';

/**
 * The highest allowed ratio of the poll's processor time to that of fetching and parsing. Anonymous surveys cost more,
 * because their rows are hashed.
 */
const MOST_CPU = { named: 1.5, anonymous: 2.2 };
const ROUNDS = 7;

type Service = { url: string; accessKey: string };
type Survey = { _id: string; name: string };

const settings = 'people=101000 surveys=1 anonymousSurveys=1 campaigns=0 responsesPerSurvey=100000';
const emulator = spawn(
	process.execPath,
	[
		...['--import', 'tsx', 'emulator/main.mts', '--json', '--port', '0'],
		...settings.split(' ').flatMap((setting) => ['--set', setting]),
	],
	{ stdio: ['ignore', 'pipe', 'inherit'] },
);

async function measure({ url, accessKey }: Service, { _id, name }: Survey): Promise<Line> {
	const kind = name.startsWith('Anonymous') ? 'anonymous' : 'named';
	const host = new TriggerHost({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey },
		parameters: { campaignIds: [_id], events: ['surveySubmitted', 'campaignResponded'] },
		workflowId: _id,
	});
	await host.activate();
	let polls = 0;
	const poll = async () => {
		polls++;
		await host.poll();
	};
	const fetchAlone = async () => {
		const headers = { Authorization: `Bearer ${accessKey}` };
		const response = await fetch(`${url}/int/v1/campaign/${_id}/surveyData`, { headers });
		JSON.parse(await response.text());
	};
	// Adds the responses that are new in the next poll. The time of this step is not counted.
	const addPeople = async () => {
		const people = `${url}/console/campaign/${_id}/people`;
		const body = new URLSearchParams({ count: '10' });
		await fetch(people, { method: 'POST', body, redirect: 'manual' });
	};
	const [alone = NaN, cost = NaN] = await inTurns(ROUNDS, [fetchAlone, poll, addPeople]);
	const { length } = host.items;
	if (length !== (polls - 1) * 20) throw new Error(`${length} items came out`);
	return {
		work: `poll over 100,000 respondents (${kind}), 10 new`,
		cost,
		unit: 'ms CPU',
		reference: { name: 'fetch and JSON.parse', cost: alone },
		limit: MOST_CPU[kind],
	};
}

try {
	for await (const text of createInterface(emulator.stdout)) {
		const service = parseAs<{ emulator: Service }>(text).emulator;
		const headers = { Authorization: `Bearer ${service.accessKey}` };
		const response = await fetch(`${service.url}/int/v1/campaign`, { headers });
		const { data } = parseAs<{ data: Survey[] }>(await response.text());
		const lines: Line[] = [];
		for (const survey of data) lines.push(await measure(service, survey));
		report(lines);
		break;
	}
} finally {
	emulator.kill();
}
