/**
 * What watching a large account costs. Needs a built package:
 *
 *     npm run build && npx tsx test/benchmark/account.mts
 *
 * 1. A year's quarter: 13 weekly surveys of 100,000 respondents, two of them live. How large the state is, how many
 *    surveys a poll reads, and what n8n writes.
 * 2. 500 campaigns, 10 of them live, a service that takes 300 ms for each answer. How long a poll takes.
 * 3. One survey of 100,000 respondents with 20 answers each. The memory of a poll beside that of n8n's own request.
 *
 * Fails when a target is missed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import '../kit/setup.cjs';

import type { IDataObject } from 'n8n-workflow';

import { TriggerHost } from '../kit/poll.mts';
import type { Measured, Task } from '../kit/pollMemory.mts';

const LARGEST_STATE = 1.6e6;
const LONGEST_POLL_MS = 10_000;
/** Two processes that do the same differ by this much. */
const MEMORY_NOISE = 1.05;

const DAY = 86_400_000;

function check(isWell: boolean, target: string): void {
	if (isWell) return;
	console.error(`Missed: ${target}`);
	process.exitCode = 1;
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

function answer(data: unknown): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: true, data } };
}

/** Weeks of a company that sends a survey to 100,000 people each Monday and closes it after two weeks. */
async function weeklySurveys(): Promise<void> {
	const people = 100_000;
	const start = Date.parse('2026-01-05T08:00:00.000Z');
	const weeks = Array.from({ length: 13 }, (_, week) => ({
		_id: `week${week}`,
		liveDate: start + 7 * DAY * week,
	}));
	let now = start;
	let reads = 0;
	let latest = 0;
	const rowsOf = (week: number): IDataObject[] =>
		Array.from({ length: people - 20 + (week === 12 ? latest : 20) }, (_, person) => ({
			userId: `64f1c0ffee${person.toString(16).padStart(14, '0')}`,
			submitted: true,
			responseSubmitted: true,
			read: true,
			submittedDate: new Date(start + 7 * DAY * week + 1000 * person).toISOString(),
		}));
	const host = new TriggerHost({
		credential: { authentication: 'accessKey' },
		parameters: { watch: 'all', events: ['surveySubmitted'] },
		workflowId: 'weekly surveys',
		respond: ({ url, qs }) => {
			const week = Number(/week(\d+)/.exec(url)?.[1] ?? -1);
			if (week === -1) {
				if (qs?.previousLastId !== undefined) return answer([]);
				const sent = weeks.filter(({ liveDate }) => liveDate <= now);
				return answer(
					sent.map((campaign) => ({
						...campaign,
						liveDate: new Date(campaign.liveDate).toISOString(),
						status: now >= campaign.liveDate + 14 * DAY ? '3' : '1',
						recipientAmount: people,
					})),
				);
			}
			reads++;
			return answer({ questions: [], result: rowsOf(week) });
		},
	});
	const realNow = Date.now;
	Date.now = () => now;
	try {
		await host.activate();
		for (let week = 1; week < 13; week++) {
			now = start + 7 * DAY * week + DAY;
			await host.poll();
		}
		// What is left of a day with news: ten answers, each in a poll of its own.
		let written = 0;
		let most = 0;
		for (let poll = 0; poll < 10; poll++) {
			now += 60_000;
			latest++;
			reads = 0;
			const before = host.database.staticData;
			await host.poll();
			most = Math.max(most, reads);
			if (host.database.staticData !== before) written += host.database.staticData.length;
		}
		const quiet = host.database.staticData;
		now += 10 * 60_000;
		await host.poll();
		const bytes = Buffer.byteLength(host.database.staticData);
		console.log(`
13 weekly surveys of ${people} respondents, two of them live, watched for ${host.executions.length} executions:
  saved state                   ${mb(bytes)}
  reads of survey data a poll   ${most} at most
  n8n writes                    ${mb(written / 10)} with each poll that brings news; nothing in a poll without: ${quiet === host.database.staticData}
                                at one a minute ${(((written / 10) * 1440) / 1e9).toFixed(1)} GB a day`);
		check(bytes <= LARGEST_STATE, `a state of ${mb(LARGEST_STATE)}`);
		check(most <= 2, 'two reads of survey data a poll');
		check(quiet === host.database.staticData, 'a quiet poll writes nothing');
	} finally {
		Date.now = realNow;
	}
}

async function slowService(): Promise<void> {
	const campaigns = Array.from({ length: 500 }, (_, number) => ({
		_id: `c${number}`,
		liveDate: new Date(Date.now() - DAY - 60_000 * number).toISOString(),
		status: number % 50 === 0 ? '1' : '3',
	}));
	let requests = 0;
	const host = new TriggerHost({
		credential: { authentication: 'accessKey' },
		parameters: {
			watch: 'all',
			events: ['surveySubmitted'],
			options: { maxReadGapMinutes: 0 },
		},
		workflowId: 'slow service',
		respond: async ({ url, qs }) => {
			requests++;
			await wait(300);
			if (!url.endsWith('/campaign')) return answer({ questions: [], result: [] });
			return answer(qs?.previousLastId === undefined ? campaigns : []);
		},
	});
	const timed = async (work: () => Promise<void>) => {
		requests = 0;
		const before = performance.now();
		await work();
		return { ms: performance.now() - before, requests };
	};
	const first = await timed(async () => await host.activate());
	const next = await timed(async () => await host.poll());
	console.log(`
500 campaigns, 10 of them live, 300 ms an answer:
  first poll                    ${(first.ms / 1000).toFixed(1)} s, ${first.requests} requests
  every other                   ${(next.ms / 1000).toFixed(1)} s, ${next.requests} requests`);
	check(
		Math.max(first.ms, next.ms) <= LONGEST_POLL_MS,
		`a poll within ${LONGEST_POLL_MS / 1000} s`,
	);
}

async function memory(): Promise<void> {
	const row = (person: number): string => {
		const shown: IDataObject = {
			responseSubmitted: true,
			read: true,
			submitted: true,
			submittedDate: new Date(Date.parse('2026-01-05') + person * 1000).toISOString(),
			userId: `64f1c0ffee${person.toString(16).padStart(14, '0')}`,
			userEmail: `person${person}@people.example`,
			responseDuration: person % 300,
		};
		for (let question = 0; question < 20; question++)
			shown[`q.${question}`] = question % 2 ? `Answer ${(person * question) % 977}` : question;
		return JSON.stringify(shown);
	};
	const rows = Array.from({ length: 100_000 }, (_, person) => row(person)).join(',');
	const text = Buffer.from(
		`{"success":true,"data":{"name":"Large","anonymous":false,"questions":[],"result":[${rows}]}}`,
	);
	const server = createServer((request, response: ServerResponse) => {
		response.setHeader('content-type', 'application/json');
		response.end(request.url?.includes('surveyData') ? text : '{"success":true,"data":[]}');
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	const peakOf = async (what: Task['what']): Promise<number> => {
		const child = fork('test/kit/child.cjs', ['test/kit/pollMemory.mts'], { execArgv: [] });
		const task: Task = { url: `http://127.0.0.1:${port}`, campaignId: 'large', what };
		child.send(task);
		const message = new Promise<Measured>((resolve) => {
			child.once('message', (measured: Measured) => resolve(measured));
		});
		const measured = await Promise.race([
			message,
			once(child, 'exit').then(([code]) => {
				throw new Error(`The process ended with ${String(code)}`);
			}),
		]);
		return measured.peak;
	};
	const peaks: Record<Task['what'], number[]> = { request: [], poll: [] };
	for (let round = 0; round < 3; round++) {
		for (const what of ['request', 'poll'] as const) peaks[what].push(await peakOf(what));
	}
	server.close();
	const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[1] ?? NaN;
	const [request, poll] = [median(peaks.request), median(peaks.poll)];
	console.log(`
One survey of 100,000 respondents with 20 answers each, ${mb(text.length)} of JSON, highest memory of the process, median of 3:
  fetched and parsed by n8n     ${mb(request)}
  two polls                     ${mb(poll)}, ${(poll / request).toFixed(2)} times as much`);
	check(poll <= request * MEMORY_NOISE, 'no more memory than the request of n8n itself');
}

await weeklySurveys();
await slowService();
await memory();
