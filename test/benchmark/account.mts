/**
 * What watching a large account costs.
 *
 * 1. A year's quarter: 13 weekly surveys of 100,000 respondents, two of them live. How large the state is, how many
 *    surveys a poll reads, and what n8n writes.
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

/** Two surveys of 100,000 at 12 bytes a row. */
const LARGEST_STATE_MB = 2.4;
const MOST_READS = 2;
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

/** Weeks of a company that sends a survey to 100,000 people each Monday and closes it after two weeks. */
async function weeklySurveys(): Promise<Line[]> {
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
		const afterNews = host.database.staticData;
		now += 10 * 60_000;
		await host.poll();
		if (host.database.staticData !== afterNews) throw new Error('A poll without news writes');
		const work = '13 weekly surveys of 100,000, two live';
		return [
			{
				work: `${work}: saved state`,
				cost: Buffer.byteLength(host.database.staticData) / MB,
				unit: 'MB',
				limit: LARGEST_STATE_MB,
			},
			{
				work: `${work}: reads of survey data, a poll`,
				cost: most,
				unit: 'reads',
				limit: MOST_READS,
			},
			{
				work: `${work}: written by n8n, a poll with news`,
				cost: written / 10 / MB,
				unit: 'MB',
				limit: LARGEST_STATE_MB,
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

report([...(await weeklySurveys()), ...(await slowService()), ...(await memory())]);
