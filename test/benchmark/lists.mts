/**
 * What a long list and a large survey cost beside the least code that does the same: axios in a loop that keeps the
 * records, a loop that puts the answers under the titles, and reading alone for a summary. Ours runs in n8n's engine; all over
 * real HTTP, the service in a process of its own.
 */
import { parseArgs } from 'node:util';

import '../kit/setup.cjs';

import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { locator, runNode } from '../kit/engine.mts';
import { startBareService } from './bareService.mts';
import { inTurns, report, type Line } from './table.mts';

/** Times the processor time of the loop, which makes no items of the records. */
const MOST_CPU = 1.5;
/** The loop gives two fields an item, ours twelve. */
const MOST_CPU_OF_RESPONSES = 2;
/** Times reading the responses that are summarized. */
const MOST_CPU_OF_SUMMARY = 1.3;
const ROUNDS = 5;

/** So many questions has the survey, and so many items its summary. */
const QUESTIONS = 4;

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const records = values.short ? 50_000 : 200_000;
const people = 100_000;

const { baseUrl, stop } = await startBareService();
try {
	report([await longList(), await responses(), await summary()]);
} finally {
	stop();
}

async function longList(): Promise<Line> {
	const [cost = NaN, bare = NaN] = await inTurns(ROUNDS, [
		async () => {
			await ours(records, {
				resource: 'campaign',
				operation: 'getAll',
				returnAll: false,
				limit: records,
				simplify: false,
			});
		},
		async () => {
			const kept: IDataObject[] = [];
			while (kept.length < records) {
				const { data } = await axios.get<{ data: IDataObject[] }>(`${baseUrl}/int/v1/campaign`, {
					params: { limit: 1000, previousLastId: kept.at(-1)?._id },
				});
				for (const record of data.data) kept.push(record);
			}
		},
	]);
	return {
		work: `list of ${records} records`,
		cost,
		unit: 'ms CPU',
		yardstick: { name: 'axios in a loop', cost: bare },
		limit: MOST_CPU,
	};
}

/** Each respondent an item, the answers under the titles of their questions. */
async function responses(): Promise<Line> {
	const survey = `large${people}`;
	const [cost = NaN, bare = NaN] = await inTurns(ROUNDS, [
		async () => {
			await ours(people, {
				resource: 'survey',
				operation: 'getResponses',
				campaignId: locator(survey),
				output: 'responses',
				returnAll: true,
			});
		},
		async () => {
			const { data } = await axios.get<{ data: Survey }>(
				`${baseUrl}/int/v1/campaign/${survey}/surveyData`,
			);
			const { questions, result } = data.data;
			const items = result.map((row) => ({
				json: {
					email: row.userEmail,
					answers: Object.fromEntries(
						questions.map(({ title }, index) => [title, row[`q.${index + 1}`]]),
					),
				},
			}));
			if (items.length !== people) throw new Error('Rows are missing');
		},
	]);
	return {
		work: `responses of ${people} people`,
		cost,
		unit: 'ms CPU',
		yardstick: { name: 'axios and a loop', cost: bare },
		limit: MOST_CPU_OF_RESPONSES,
	};
}

async function summary(): Promise<Line> {
	const survey = `large${people}`;
	const [cost = NaN, bare = NaN] = await inTurns(ROUNDS, [
		async () => {
			await ours(QUESTIONS, {
				resource: 'survey',
				operation: 'getSummary',
				campaignId: locator(survey),
			});
		},
		async () => {
			const response = await fetch(`${baseUrl}/int/v1/campaign/${survey}/surveyData`);
			JSON.parse(await response.text());
		},
	]);
	return {
		work: `summary of ${people} responses`,
		cost,
		unit: 'ms CPU',
		yardstick: { name: 'fetch and JSON.parse', cost: bare },
		limit: MOST_CPU_OF_SUMMARY,
	};
}

type Survey = { questions: Array<{ title: string }>; result: IDataObject[] };

async function ours(expected: number, parameters: INodeParameters): Promise<void> {
	const { items, error } = await runNode({
		credential: { baseUrl, authentication: 'accessKey', accessKey: 'key' },
		parameters,
	});
	if (error) throw error;
	if (items.length !== expected) throw new Error(`${items.length} of ${expected} items`);
}
