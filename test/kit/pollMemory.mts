import { loadPackage } from './engine.mts';
import { TriggerHost } from './poll.mts';

/** The task of the parent process: n8n's own request for the survey data, or a poll that reads it. */
export type Task = { url: string; campaignId: string; what: 'request' | 'poll' };

/** The peak resident memory of the process, in bytes, and the number of items. */
export type Measured = { peak: number; items: number };

async function measure({ url, campaignId, what }: Task): Promise<void> {
	await loadPackage();
	const host = new TriggerHost({
		credential: { baseUrl: url, authentication: 'accessKey', accessKey: 'key' },
		parameters: { campaignIds: [campaignId], events: ['surveySubmitted'] },
	});
	// Runs each task twice: the first poll takes the baseline, the second compares with it.
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
