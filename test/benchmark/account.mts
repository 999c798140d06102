/**
 * Measures the cost of the trigger in a large account.
 *
 * 1. Weekly surveys, each live for two weeks. Two cases: 13 weeks with one survey a week (100,000 respondents), and 50
 *    weeks with ten surveys a week (2,000 respondents each). Measures the size of the state, the number of surveys that a
 *    poll reads, and the data that n8n writes.
 * 2. 500 campaigns, 10 of them live, and a service that takes 300 ms per response. Measures the time of a poll.
 * 3. One survey of 100,000 respondents with 20 answers each. Compares the memory of a poll with that of n8n's own request
 *    for the same data.
 */
import { setTimeout as wait } from 'node:timers/promises';

import '../kit/setup.cjs';

import type { IDataObject } from 'n8n-workflow';

import { TriggerHost } from '../kit/poll.mts';
import type { Task } from '../kit/pollMemory.mts';
import { startServer } from '../kit/testServer.mts';
import { respondent } from './bareService.mts';
import { isShort, measureInChild, median, report, type Line } from './table.mts';

/** The highest allowed size of the state in bytes: per row, and per campaign without its rows. */
const MOST_BYTES = { row: 12, campaign: 200 };
const LIVE_WEEKS = 2;
const LONGEST_POLL_S = 10;
/** The highest allowed ratio of the poll's memory to that of n8n's own request for the same data. */
const MOST_MEMORY = 1.1;

const DAY = 86_400_000;
const MB = 1e6;

const memoryRounds = isShort ? 3 : 9;

function respond(data: unknown): IDataObject {
	return { statusCode: 200, headers: {}, body: { success: true, data } };
}

type Weekly = { weeks: number; surveys: number; people: number };

/** Measures polls for a company that sends surveys each Monday and closes them after two weeks. */
async function weeklySurveys({ weeks, surveys, people }: Weekly): Promise<Line[]> {
	const start = Date.parse('2026-01-05T08:00:00.000Z');
	const campaigns = Array.from({ length: weeks * surveys }, (_, number) => ({
		_id: `survey${number}`,
		liveDate: start + 7 * DAY * Math.floor(number / surveys),
	}));
	let now = start;
	let reads = 0;
	let latest = 0;
	const rowsOf = (number: number, liveDate: number): IDataObject[] => {
		const length = people - 20 + (number === campaigns.length - 1 ? latest : 20);
		return Array.from({ length }, (_, person) => respondent(person, liveDate));
	};
	const host = new TriggerHost({
		credential: { authentication: 'accessKey' },
		parameters: { watch: 'all', events: ['surveySubmitted'] },
		workflowId: `weekly surveys ${people}`,
		respond: ({ url, qs }) => {
			const number = Number(/survey(\d+)/.exec(url)?.[1] ?? -1);
			const campaign = campaigns[number];
			if (!campaign) {
				if (qs?.previousLastId !== undefined) return respond([]);
				const sent = campaigns.filter(({ liveDate }) => liveDate <= now);
				return respond(
					sent.map(({ _id, liveDate }) => ({
						_id,
						liveDate: new Date(liveDate).toISOString(),
						status: now >= liveDate + LIVE_WEEKS * 7 * DAY ? '3' : '1',
						recipientAmount: people,
					})),
				);
			}
			reads++;
			return respond({ questions: [], result: rowsOf(number, campaign.liveDate) });
		},
	});
	const realNow = Date.now;
	Date.now = () => now;
	try {
		await host.activate();
		for (let week = 1; week < weeks; week++) {
			now = start + 7 * DAY * week + DAY;
			// If there are many new rows, a poll emits some of them, and the next polls emit the rest.
			do {
				host.executions = [];
				now += 60_000;
				await host.poll();
			} while (host.executions.length > 0);
		}
		// Ten more responses arrive, one before each poll.
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
		const saved = host.database.staticData;
		now += 10 * 60_000;
		await host.poll();
		if (host.database.staticData !== saved) throw new Error('A poll without new events writes');
		const live = LIVE_WEEKS * surveys;
		const work = `${campaigns.length} weekly surveys with ${people} respondents each, ${live} live`;
		const largest = (live * people * MOST_BYTES.row + campaigns.length * MOST_BYTES.campaign) / MB;
		const writes = 'data that n8n writes at a poll with new events';
		// Besides the live surveys, those closed a few minutes ago are read once more.
		const atMost = { unit: 'reads', limit: live + surveys };
		const megabytes = { unit: 'MB', limit: largest };
		return [
			{ ...megabytes, work: `${work}: saved state`, cost: Buffer.byteLength(saved) / MB },
			{ work: `${work}: reads of survey data per poll`, cost: most, ...atMost },
			{ ...megabytes, work: `${work}: ${writes}`, cost: written / 10 / MB },
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
			if (!url.endsWith('/campaign')) return respond({ questions: [], result: [] });
			return respond(qs?.previousLastId === undefined ? campaigns : []);
		},
	});
	const timed = async (work: () => Promise<void>): Promise<number> => {
		const before = performance.now();
		await work();
		return (performance.now() - before) / 1000;
	};
	const work = '500 campaigns, 10 live, 300 ms per response';
	const first = await timed(async () => await host.activate());
	requests = 0;
	const next = await timed(async () => await host.poll());
	return [
		{ work: `${work}: first poll`, cost: first, unit: 's', limit: LONGEST_POLL_S },
		{ work: `${work}: each later poll`, cost: next, unit: 's', limit: LONGEST_POLL_S },
		// Two pages of the list, and the 10 live campaigns.
		{ work: `${work}: requests of each later poll`, cost: requests, unit: 'requests', limit: 12 },
	];
}

async function memory(): Promise<Line[]> {
	const row = (person: number): string => {
		const answers = Array.from({ length: 20 }, (_, question) => [
			`q.${question}`,
			question % 2 ? `Answer ${(person * question) % 977}` : question,
		]);
		return JSON.stringify({
			...respondent(person),
			userEmail: `person${person}@people.example`,
			responseDuration: person % 300,
			...Object.fromEntries(answers),
		});
	};
	const rows = Array.from({ length: 100_000 }, (_, person) => row(person)).join(',');
	const text = Buffer.from(
		`{"success":true,"data":{"name":"Large","anonymous":false,"questions":[],"result":[${rows}]}}`,
	);
	const server = await startServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(request.url?.includes('surveyData') ? text : '{"success":true,"data":[]}');
	});
	const peaks: Record<Task['what'], number[]> = { request: [], poll: [] };
	for (let round = 0; round < memoryRounds; round++) {
		// The order alternates, because the order affects the result on a machine with little memory.
		const both = ['request', 'poll'] as const;
		for (const what of round % 2 ? both.toReversed() : both) {
			const task: Task = { url: server.url, campaignId: 'large', what };
			peaks[what].push(await measureInChild('test/kit/pollMemory.mts', task));
		}
	}
	await server.stop();
	return [
		{
			work: 'poll over 100,000 × 20 answers, memory',
			cost: median(peaks.poll) / MB,
			unit: 'MB',
			reference: { name: "n8n's own request", cost: median(peaks.request) / MB },
			limit: MOST_MEMORY,
		},
	];
}

const weekly = [
	...(await weeklySurveys({ weeks: 13, surveys: 1, people: 100_000 })),
	...(await weeklySurveys({ weeks: 50, surveys: 10, people: 2_000 })),
];
report([...weekly, ...(await slowService()), ...(await memory())]);
