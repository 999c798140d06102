/**
 * Measures the processor time of a poll over 100,000 respondents, 20 of whom are new. Compares it with the processor time of
 * only fetching and parsing the same data.
 */
import '../kit/setup.cjs';

import { anyAccessKey } from '../kit/credentials.mts';
import { TriggerHost } from '../kit/poll.mts';
import { NEW_ROWS, startBareService } from './bareService.mts';
import { compareCpu, report, type Guard } from './guards.mts';

/** A poll takes 1.4 to 1.6 times the reference, and 2.0 to 2.3 times for rows without IDs, which are hashed. */
const surveys = { 'large-100000': 2.2, 'anonymous-100000': 3 };

const { baseUrl, stop } = await startBareService();

async function measure(campaignId: string, limit: number): Promise<Guard> {
	const host = new TriggerHost({
		credential: anyAccessKey(baseUrl),
		parameters: { campaignIds: [campaignId], events: ['surveySubmitted'] },
		workflowId: campaignId,
	});
	await host.activate();
	let fetched = 0;
	const fetchAlone = async () => {
		fetched++;
		await (await fetch(`${baseUrl}/int/v1/campaign/${campaignId}/surveyData`)).json();
	};
	const guard = await compareCpu(
		`poll over ${campaignId}, ${2 * NEW_ROWS} new`,
		limit,
		{ name: 'this node', run: async () => await host.poll() },
		{ name: 'fetch and JSON.parse', run: fetchAlone },
	);
	// The last fetch adds rows that no poll sees.
	const expected = (2 * fetched - 1) * NEW_ROWS;
	if (host.items.length !== expected) {
		throw new Error(`${host.items.length} of ${expected} items came out`);
	}
	return guard;
}

try {
	const guards: Guard[] = [];
	for (const [campaignId, limit] of Object.entries(surveys)) {
		guards.push(await measure(campaignId, limit));
	}
	report(guards);
} finally {
	stop();
}
