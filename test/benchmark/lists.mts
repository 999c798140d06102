/**
 * Compares the processor time of our node with that of a reference. The reference is minimal code for the same data:
 *
 * - List: a loop requests the pages with axios and collects the records.
 * - Responses: a loop assigns the answers to the titles of the questions.
 * - Summary: only the request and JSON.parse.
 *
 * Our node runs in n8n's engine. All requests use real HTTP, and the service runs in a separate process.
 */
import '../kit/setup.cjs';

import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { locator } from '../kit/engine.mts';
import { startBareService } from './bareService.mts';
import { run } from './contestants.mts';
import { compareCpu, isShort, report, type Line } from './table.mts';

const ROUNDS = 5;
/** The number of questions in the survey, and of items in its summary. */
const QUESTIONS = 4;
/** The number of segments by team. */
const TEAMS = 2;

const records = isShort ? 50_000 : 200_000;
const people = 100_000;
const campaignId = locator(`large${people}`);

const { baseUrl, stop } = await startBareService();
const surveyDataUrl = `${baseUrl}/int/v1/campaign/large${people}/surveyData`;

type Survey = { questions: Array<{ title: string }>; result: IDataObject[] };

async function fetchAndParse(): Promise<void> {
	const response = await fetch(surveyDataUrl);
	JSON.parse(await response.text());
}

/** The lines of the table: the parameters of our node, the number of items that it returns, and the reference. */
const works: Array<{
	work: string;
	/** The highest allowed ratio of this node's processor time to that of the reference. */
	limit: number;
	parameters: INodeParameters;
	count: number;
	name: string;
	reference: () => Promise<void>;
}> = [
	{
		work: `list of ${records} records`,
		// The reference does not convert the records to items.
		limit: 1.5,
		parameters: {
			...{ resource: 'campaign', operation: 'getAll' },
			...{ returnAll: false, limit: records, simplify: false },
		},
		count: records,
		name: 'axios in a loop',
		reference: async () => {
			const kept: IDataObject[] = [];
			while (kept.length < records) {
				const { data } = await axios.get<{ data: IDataObject[] }>(`${baseUrl}/int/v1/campaign`, {
					params: { limit: 1000, previousLastId: kept.at(-1)?._id },
				});
				for (const record of data.data) kept.push(record);
			}
		},
	},
	{
		work: `responses of ${people} people`,
		// The reference returns two fields per item, our node twelve.
		limit: 2,
		parameters: {
			...{ resource: 'survey', operation: 'getResponses', campaignId },
			...{ output: 'responses', returnAll: true },
		},
		count: people,
		name: 'axios and a loop',
		reference: async () => {
			const { data } = await axios.get<{ data: Survey }>(surveyDataUrl);
			const { questions, result } = data.data;
			const items = result.map((row) => {
				const answers = questions.map(({ title }, index) => [title, row[`q.${index + 1}`]]);
				return { json: { email: row.userEmail, answers: Object.fromEntries(answers) as unknown } };
			});
			if (items.length !== people) throw new Error('Rows are missing');
		},
	},
	{
		work: `summary of ${people} responses`,
		limit: 1.3,
		parameters: { resource: 'survey', operation: 'getSummary', campaignId },
		count: QUESTIONS,
		name: 'fetch and JSON.parse',
		reference: fetchAndParse,
	},
	{
		work: `summary of ${people} responses by team`,
		limit: 1.7,
		parameters: {
			...{ resource: 'survey', operation: 'getSummary', campaignId },
			options: { breakDownBy: 'Which team are you in?' },
		},
		count: QUESTIONS * TEAMS,
		name: 'fetch and JSON.parse',
		reference: fetchAndParse,
	},
];

try {
	const lines: Line[] = [];
	for (const { work, limit, parameters, count, name, reference } of works) {
		const ours = { run: async () => await run(baseUrl, count, { parameters }) };
		lines.push(await compareCpu(work, limit, ROUNDS, ours, { name, run: reference }));
	}
	report(lines);
} finally {
	stop();
}
