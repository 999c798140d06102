/**
 * Measures the processor time of a poll over 100,000 respondents, 10 of whom are new. Compares it with the processor time
 * of only fetching and parsing the same data (fetch and JSON.parse). The two alternate in one process; the emulator runs
 * in another process.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import '../kit/setup.cjs';

import { TriggerHost } from '../kit/poll.mts';
import { parseAs } from '../kit/typed.mts';
import { inTurns, report, type Line } from './table.mts';

/**
 * The highest allowed ratio of the poll's processor time to that of fetching and parsing. Anonymous surveys cost more,
 * because their rows are hashed.
 */
const MOST_CPU = { named: 1.5, anonymous: 2.2 };

const { values } = parseArgs({
	options: {
		responses: { type: 'string', default: '100000' },
		rounds: { type: 'string', default: '7' },
		short: { type: 'boolean', default: false },
	},
});

type Service = { url: string; accessKey: string };
type Survey = { _id: string; name: string };

async function startEmulator(): Promise<{ service: Service; stop: () => void }> {
	const child = spawn(
		process.execPath,
		[
			...['--import', 'tsx', 'emulator/main.mts', '--json', '--port', '0'],
			...['people=0', 'surveys=1', 'anonymousSurveys=1', 'campaigns=0'].flatMap((one) => [
				'--set',
				one,
			]),
			...['--set', `responsesPerSurvey=${values.responses}`],
		],
		{ stdio: ['ignore', 'pipe', 'inherit'] },
	);
	for await (const line of createInterface(child.stdout)) {
		const { emulator } = parseAs<{ emulator: Service }>(line);
		return { service: emulator, stop: () => child.kill() };
	}
	throw new Error('The emulator did not start');
}

async function measure({ url, accessKey }: Service, { _id, name }: Survey): Promise<Line> {
	const anonymous = name.startsWith('Anonymous');
	const host = new TriggerHost({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey },
		parameters: { campaignIds: [_id], events: ['surveySubmitted', 'campaignResponded'] },
		workflowId: _id,
	});
	const path = `/int/v1/campaign/${_id}/surveyData`;
	await host.activate();
	let round = 0;
	const [alone = NaN, poll = NaN] = await inTurns(Number(values.rounds), [
		async () => {
			const response = await fetch(url + path, {
				headers: { Authorization: `Bearer ${accessKey}` },
			});
			JSON.parse(await response.text());
		},
		async () => await host.poll(),
		// Adds the responses that are new in the next round. The time of this step is not counted.
		async () => {
			const body = new URLSearchParams({ count: '10' });
			await fetch(`${url}/console/campaign/${_id}/people`, {
				method: 'POST',
				body,
				redirect: 'manual',
			});
			round += 1;
		},
	]);
	const { length } = host.items;
	if (length !== (round - 1) * 20) throw new Error(`${length} items came out`);
	return {
		work: `poll over ${values.responses} ${anonymous ? 'anonymous respondents' : 'respondents'}, 10 new`,
		cost: poll,
		unit: 'ms CPU',
		reference: { name: 'fetch and JSON.parse', cost: alone },
		limit: anonymous ? MOST_CPU.anonymous : MOST_CPU.named,
	};
}

const { service, stop } = await startEmulator();
try {
	const response = await fetch(`${service.url}/int/v1/campaign`, {
		headers: { Authorization: `Bearer ${service.accessKey}` },
	});
	const { data } = parseAs<{ data: Survey[] }>(await response.text());
	const lines: Line[] = [];
	for (const survey of data) {
		lines.push(await measure(service, survey));
	}
	report(lines);
} finally {
	stop();
}
