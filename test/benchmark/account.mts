/**
 * What watching a large account costs.
 *
 * 1. Weekly surveys, those of two weeks live: a quarter with one of 100,000 respondents a week, and a year with ten of
 *    2,000 a week. How large the state is, how many surveys a poll reads, and what n8n writes.
 * 2. 500 campaigns, 10 of them live, a service that takes 300 ms for each answer. How long a poll takes.
 * 3. One survey of 100,000 respondents with 20 answers each. The memory of a poll beside that of n8n's own request.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import '../kit/setup.cjs';

import type { IDataObject } from 'n8n-workflow';

import { TriggerHost } from '../kit/poll.mts';
import type { Measured, Task } from '../kit/pollMemory.mts';
import { median, report, type Line } from './table.mts';

/** Bytes that a row may take in the state, and a campaign beside its rows. */
const MOST_BYTES = { row: 12, campaign: 200 };
/** Weeks for which a survey is live. */
const LIVE_WEEKS = 2;
const LONGEST_POLL_S = 10;
/** Times the memory of n8n's own request. */
const MOST_MEMORY = 1;

const DAY = 86_400_000;
const MB = 1e6;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const memoryRounds = values.short ? 3 : 9;

function answer(data: unknown): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: true, data } };
}

type Weekly = { weeks: number; surveys: number; people: number };

/** Weeks of a company that sends surveys each Monday and closes them after two weeks. */
async function weeklySurveys({ weeks, surveys, people }: Weekly): Promise<Line[]> {
	const start = Date.parse('2026-01-05T08:00:00.000Z');
	const campaigns = Array.from({ length: weeks * surveys }, (_, number) => ({
		_id: `survey${number}`,
		liveDate: start + 7 * DAY * Math.floor(number / surveys),
	}));
	let now = start;
	let reads = 0;
	let latest = 0;
	const rowsOf = (number: number, liveDate: number): IDataObject[] =>
		Array.from(
			{ length: people - 20 + (number === campaigns.length - 1 ? latest : 20) },
			(_, person) => ({
				userId: `64f1c0ffee${person.toString(16).padStart(14, '0')}`,
				submitted: true,
				responseSubmitted: true,
				read: true,
				submittedDate: new Date(liveDate + 1000 * person).toISOString(),
			}),
		);
	const host = new TriggerHost({
		credential: { authentication: 'accessKey' },
		parameters: { watch: 'all', events: ['surveySubmitted'] },
		workflowId: `weekly surveys ${people}`,
		respond: ({ url, qs }) => {
			const number = Number(/survey(\d+)/.exec(url)?.[1] ?? -1);
			const campaign = campaigns[number];
			if (!campaign) {
				if (qs?.previousLastId !== undefined) return answer([]);
				const sent = campaigns.filter(({ liveDate }) => liveDate <= now);
				return answer(
					sent.map(({ _id, liveDate }) => ({
						_id,
						liveDate: new Date(liveDate).toISOString(),
						status: now >= liveDate + LIVE_WEEKS * 7 * DAY ? '3' : '1',
						recipientAmount: people,
					})),
				);
			}
			reads++;
			return answer({ questions: [], result: rowsOf(number, campaign.liveDate) });
		},
	});
	const realNow = Date.now;
	Date.now = () => now;
	try {
		await host.activate();
		for (let week = 1; week < weeks; week++) {
			now = start + 7 * DAY * week + DAY;
			// A poll emits a part of many new rows, and the next ones the rest.
			do {
				host.executions = [];
				now += 60_000;
				await host.poll();
			} while (host.executions.length > 0);
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
		const afterNews = host.database.staticData;
		now += 10 * 60_000;
		await host.poll();
		if (host.database.staticData !== afterNews) throw new Error('A poll without news writes');
		const live = LIVE_WEEKS * surveys;
		const work = `${campaigns.length} weekly surveys of ${people}, ${live} live`;
		const largest = (live * people * MOST_BYTES.row + campaigns.length * MOST_BYTES.campaign) / MB;
		return [
			{
				work: `${work}: saved state`,
				cost: Buffer.byteLength(host.database.staticData) / MB,
				unit: 'MB',
				limit: largest,
			},
			{
				work: `${work}: reads of survey data, a poll`,
				cost: most,
				unit: 'reads',
				limit: live,
			},
			{
				work: `${work}: written by n8n, a poll with news`,
				cost: written / 10 / MB,
				unit: 'MB',
				limit: largest,
			},
		];
	} finally {
		Date.now = realNow;
	}
}

async function slowService(): Promise<Line[]> {
	const campaigns = Array.from({ length: 500 }, (_, number) => ({
		_id: `c${number}`,
		liveDate: new Date(Date.now() - DAY - 60_000 * number).toISOString(),
		status: number % 50 === 0 ? '1' : '3',
	}));
	let requests = 0;
	const host = new TriggerHost({
		credential: { authentication: 'accessKey' },
		parameters: { watch: 'all', events: ['surveySubmitted'], options: { maxReadGapMinutes: 0 } },
		workflowId: 'slow service',
		respond: async ({ url, qs }) => {
			requests++;
			await wait(300);
			if (!url.endsWith('/campaign')) return answer({ questions: [], result: [] });
			return answer(qs?.previousLastId === undefined ? campaigns : []);
		},
	});
	const timed = async (work: () => Promise<void>): Promise<number> => {
		const before = performance.now();
		await work();
		return (performance.now() - before) / 1000;
	};
	const work = '500 campaigns, 10 live, 300 ms an answer';
	const first = await timed(async () => await host.activate());
	requests = 0;
	const next = await timed(async () => await host.poll());
	return [
		{ work: `${work}: first poll`, cost: first, unit: 's', limit: LONGEST_POLL_S },
		{ work: `${work}: every other`, cost: next, unit: 's', limit: LONGEST_POLL_S },
		// The list, and those that are live.
		{ work: `${work}: requests`, cost: requests, unit: 'requests', limit: 12 },
	];
}

async function memory(): Promise<Line[]> {
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
	for (let round = 0; round < memoryRounds; round++) {
		// Which goes first makes a difference where the machine is short of memory.
		const both = ['request', 'poll'] as const;
		for (const what of round % 2 ? both.toReversed() : both) peaks[what].push(await peakOf(what));
	}
	server.close();
	return [
		{
			work: 'poll over 100,000 × 20 answers, memory',
			cost: median(peaks.poll) / MB,
			unit: 'MB',
			yardstick: { name: "n8n's own request", cost: median(peaks.request) / MB },
			limit: MOST_MEMORY,
		},
	];
}

const weekly = [
	...(await weeklySurveys({ weeks: 13, surveys: 1, people: 100_000 })),
	...(await weeklySurveys({ weeks: 50, surveys: 10, people: 2_000 })),
];
report([...weekly, ...(await slowService()), ...(await memory())]);
