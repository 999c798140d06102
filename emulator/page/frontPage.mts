import type { Emulator } from '../api.mts';
import type { RecordedRequest } from '../server/recorder.mts';
import type { Campaign } from '../state/campaign.mts';
import { html, type Html } from './html.mts';
import { page, table, type Columns } from './layout.mts';
import { firstOf, newest, pairColumns, sendableColumns } from './parts.mts';

const requestsShown = 50;

function credentials(emulator: Emulator): Html {
	const { url, accessKey, clientId, clientSecret } = emulator;
	const values = {
		'Base URL': url,
		'Access key': accessKey,
		'Client ID': clientId,
		'Client secret': clientSecret,
	};
	const rows = Object.entries(values).map(
		([name, value]) => [name, html`<code>${value}</code>`] as const,
	);
	const note = 'Use either the access key or the OAuth client.';
	return table('Enter this in the n8n credential', { rows, note }, pairColumns, { wide: true });
}

const link = (kind: string, id: string, text: string): Html =>
	html`<a href="/console/${kind}/${id}">${text}</a>`;

const campaignColumns: Columns<Campaign> = {
	Name: ({ _id, name }) => link('campaign', _id, name),
	...sendableColumns,
};

const requestColumns: Columns<RecordedRequest> = {
	'No.': ({ number }) => number,
	Method: ({ method }) => method,
	Path: ({ path }) => html`<code>${path}</code>`,
	Operation: ({ operationId }) => operationId ?? 'unknown',
	Status: ({ status, response, fault }) => {
		const failed = status !== 200 || response?.success === false;
		const shown = status === 0 ? (fault ?? '…') : status;
		return html`<span class="tag ${failed ? 'bad' : 'live'}">${shown}</span>`;
	},
	Outcome: ({ response, violations }) => {
		if (violations.length > 0) return `Violation: ${violations.join('; ')}`;
		return response?.message ?? (response?.items === undefined ? '' : `${response.items} items`);
	},
};

/** Returns the page with credentials, records of each kind and the last requests. */
export function frontPage(emulator: Emulator): string {
	const { state, requests, maxInFlight, violations } = emulator;
	const campaigns = state.campaigns.values();
	const surveys = campaigns.filter(({ survey }) => survey !== undefined);
	const others = campaigns.filter(({ survey }) => survey === undefined);
	const content = html` ${credentials(emulator)}
	${table('Surveys', newest(surveys), {
		...campaignColumns,
		'#Responses': ({ survey }) => survey?.responseCount ?? 0,
	})}
	${table('Campaigns', newest(others), campaignColumns)}
	${table('Recipient groups', firstOf(state.recipientGroups.values()), {
		Name: ({ _id, name }) => link('group', _id, name),
		'#Members': ({ members }) => members.size,
	})}
	${table('Broadcasts', newest(state.broadcasts.values()), {
		Title: ({ _id, title }) => link('broadcast', _id, title),
		...sendableColumns,
	})}
	${table('Channels', newest(state.channels.values()), {
		Name: ({ _id, name }) => link('channel', _id, name),
		Status: ({ status }) => (status === '1' ? 'active' : 'archived'),
		'#Managers': ({ managers }) => managers.size,
		'#Recipients': ({ recipients }) => recipients.size,
	})}
	${table(
		'Last requests',
		{
			rows: requests.slice(-requestsShown).reverse(),
			note: `${requests.length.toLocaleString('en')} so far, at most ${maxInFlight} at the same time, ${violations.length} violations`,
		},
		requestColumns,
		{ wide: true },
	)}`;
	return page({
		title: 'Messaging service emulator',
		subtitle: 'This is the complete service on your own machine. It sends no messages to anybody.',
		content,
	});
}
