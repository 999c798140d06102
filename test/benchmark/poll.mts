/**
 * CPU of a poll over 100,000 respondents with 10 new ones, beside that of fetching and JSON-parsing the same answer:
 * alone (the global fetch and JSON.parse), and the way every n8n node does it. Rounds of all three take turns in one
 * run; the emulator is a process of its own. Needs a built package:
 *
 *     npm run build && npx tsx test/benchmark/poll.mts [--responses 100000] [--rounds 9]
 *
 * Fails when the median poll takes more than LIMIT times the CPU of the median fetch.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import '../kit/setup.cjs';

import { apiRequest } from '../../nodes/shared/service/transport.ts';
import { TriggerHost } from '../kit/poll.mts';
import { parseAs } from '../kit/typed.mts';

const LIMIT = 1.5;

// Each piece of work starts with a clean heap, so that none pays for the garbage of the one before.
setFlagsFromString('--expose-gc');
const evaluate: (code: string) => () => void = runInNewContext;
const collectGarbage = evaluate('gc');

const { values } = parseArgs({
	options: {
		responses: { type: 'string', default: '100000' },
		rounds: { type: 'string', default: '9' },
	},
});

type Service = { url: string; accessKey: string };
type Survey = { _id: string; anonymous: boolean };

async function startEmulator(): Promise<{ service: Service; stop: () => void }> {
	const child = spawn(
		process.execPath,
		[
			...['--import', 'tsx', 'emulator/main.mts', '--json', '--port', '0'],
			...['--people', '0', '--surveys', '1', '--anonymous-surveys', '1', '--campaigns', '0'],
			...['--responses', values.responses],
		],
		{ stdio: ['ignore', 'pipe', 'inherit'] },
	);
	for await (const line of createInterface(child.stdout)) {
		const { emulator } = parseAs<{ emulator: Service }>(line);
		return { service: emulator, stop: () => child.kill() };
	}
	throw new Error('The emulator did not start');
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

function median(numbers: number[]): number {
	return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

async function measure({ url, accessKey }: Service, { _id, anonymous }: Survey): Promise<number> {
	const host = new TriggerHost({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey },
		parameters: { campaignIds: [_id], events: ['surveySubmitted', 'campaignResponded'] },
		workflowId: _id,
	});
	const context = await host.context();
	const path = `/int/v1/campaign/${_id}/surveyData`;
	const work = {
		fetch: async () => {
			const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${accessKey}` } });
			JSON.parse(await answer.text());
		},
		request: async () => {
			await apiRequest.call(context, { url: path });
		},
		poll: async () => await host.poll(),
	};
	const times: Record<keyof typeof work, number[]> = { fetch: [], request: [], poll: [] };
	const baseline = await cpuOf(async () => await host.activate());
	for (let round = 0; round < Number(values.rounds); round++) {
		const news = Array.from({ length: 10 }, (_, number) => ({
			answers: { 'How do you feel?': number, 'Why?': `Round ${round}` },
		}));
		const body = JSON.stringify(news);
		const headers = { 'Content-Type': 'application/json' };
		await fetch(`${url}/_emulator/surveys/${_id}/responses`, { method: 'POST', headers, body });
		for (const name of ['fetch', 'request', 'poll'] as const) {
			collectGarbage();
			times[name].push(await cpuOf(work[name]));
		}
	}
	const emitted = host.items.length;
	if (emitted !== Number(values.rounds) * 20) throw new Error(`${emitted} items came out`);

	const [alone, request, poll] = [median(times.fetch), median(times.request), median(times.poll)];
	const bytes = Buffer.byteLength(host.database.staticData) / Number(values.responses);
	console.log(`
${anonymous ? 'Anonymous survey' : 'Survey with names'}, ${values.responses} respondents, 10 new ones, median of ${values.rounds} rounds, CPU:
  fetch and JSON.parse alone    ${alone.toFixed(0)} ms
  fetched and parsed by n8n     ${request.toFixed(0)} ms
  poll                          ${poll.toFixed(0)} ms   ${(poll / alone).toFixed(2)} times the first, ${(poll / request).toFixed(2)} times the second
  first poll (baseline)         ${baseline.toFixed(0)} ms
  saved state                   ${bytes.toFixed(2)} bytes a respondent, ${(bytes / 2).toFixed(2)} a respondent and event`);
	return poll / alone;
}

const { service, stop } = await startEmulator();
try {
	const answer = await fetch(`${service.url}/_emulator/surveys`);
	const surveys = parseAs<Survey[]>(await answer.text());
	for (const survey of surveys) {
		const ratio = await measure(service, survey);
		if (ratio > LIMIT) {
			console.error(`The poll takes more than ${LIMIT} times the CPU of the fetch.`);
			process.exitCode = 1;
		}
	}
} finally {
	stop();
}
