/**
 * Compares the processor time of our node with that of minimal code for the same data. For a list, a loop requests the
 * pages with axios and collects the records. For a summary, the reference is only the request and JSON.parse.
 */
import '../kit/setup.cjs';

import axios from 'axios';

import { locator } from '../kit/engine.mts';
import { QUESTIONS, startBareService } from './bareService.mts';
import { run } from './contestants.mts';
import { compareCpu, report } from './guards.mts';

const RECORDS = 200_000;
const PEOPLE = 100_000;
/** Lists take 1.4 to 1.6 times, and summaries 1.2 to 1.4 times the processor time of the reference. */
const MOST_CPU = { list: 2.2, summary: 2 };

const { baseUrl, stop } = await startBareService();

async function listAlone(): Promise<void> {
	const kept: Array<{ _id: string }> = [];
	while (kept.length < RECORDS) {
		const { data } = await axios.get<{ data: typeof kept }>(`${baseUrl}/int/v1/campaign`, {
			params: { limit: 1000, previousLastId: kept.at(-1)?._id },
		});
		kept.push(...data.data);
	}
}

const listParameters = { returnAll: false, limit: RECORDS, simplify: false };
const list = { resource: 'campaign', operation: 'getAll', ...listParameters };
const campaignId = `large-${PEOPLE}`;
const surveyDataUrl = `${baseUrl}/int/v1/campaign/${campaignId}/surveyData`;
const summary = { resource: 'survey', operation: 'getSummary', campaignId: locator(campaignId) };

try {
	report([
		await compareCpu(
			`list of ${RECORDS} records`,
			MOST_CPU.list,
			{ name: 'this node', run: async () => await run(baseUrl, RECORDS, { parameters: list }) },
			{ name: 'axios in a loop', run: listAlone },
		),
		await compareCpu(
			`summary of ${PEOPLE} responses`,
			MOST_CPU.summary,
			{
				name: 'this node',
				run: async () => await run(baseUrl, QUESTIONS, { parameters: summary }),
			},
			{
				name: 'fetch and JSON.parse',
				run: async () => void (await (await fetch(surveyDataUrl)).json()),
			},
		),
	]);
} finally {
	stop();
}
