import { editorContext } from './engine.mts';
import { TriggerHost } from './poll.mts';

/** What this process measures: only n8n's own request for the survey data, or a whole poll. */
export type Task = { url: string; campaignId: string; what: 'request' | 'poll' };

async function measure({ url, campaignId, what }: Task): Promise<void> {
	const credential = { baseUrl: url, authentication: 'accessKey', accessKey: 'key' };
	const parameters = { campaignIds: [campaignId], events: ['surveySubmitted'] };
	const host = new TriggerHost({ credential, parameters });
	const { context } = await editorContext(credential);
	const { helpers } = context;
	const options = {
		...{ url: `/int/v1/campaign/${campaignId}/surveyData`, method: 'GET' as const },
		...{ json: true, returnFullResponse: true },
	};
	// Both tasks run twice, because a trigger needs two polls: one for the baseline, one that compares with it.
	for (const isFirst of [true, false]) {
		if (what === 'request')
			await helpers.httpRequestWithAuthentication.call(context, 'messagingServiceApi', options);
		else await (isFirst ? host.activate() : host.poll());
	}
	// The peak resident memory, in bytes.
	process.send?.(process.resourceUsage().maxRSS * 1024, () => process.exit());
}

process.once('message', (task: Task) => void measure(task));
