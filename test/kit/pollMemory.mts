import { loadPackage } from './engine.mts';
import { TriggerHost } from './poll.mts';

/** What this process measures: only n8n's own request for the survey data, or a whole poll. */
export type Task = { url: string; campaignId: string; what: 'request' | 'poll' };

/** The peak resident memory of the process, in bytes, and the number of items. */
export type Measured = { peak: number; items: number };

async function measure({ url, campaignId, what }: Task): Promise<void> {
	await loadPackage();
	const host = new TriggerHost({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey: 'key' },
		parameters: { campaignIds: [campaignId], events: ['surveySubmitted'] },
	});
	// Both tasks run twice, because a trigger needs two polls: one for the baseline, one that compares with it.
	if (what === 'poll') {
		await host.activate();
		await host.poll();
	} else {
		const context = await host.context();
		for (let time = 0; time < 2; time++) {
			await context.helpers.httpRequestWithAuthentication.call(context, 'messagingServiceApi', {
				url: `/int/v1/campaign/${campaignId}/surveyData`,
				method: 'GET',
				json: true,
				returnFullResponse: true,
			});
		}
	}
	const measured: Measured = {
		peak: process.resourceUsage().maxRSS * 1024,
		items: host.items.length,
	};
	process.send?.(measured, () => process.exit());
}

process.once('message', (task: Task) => void measure(task));
