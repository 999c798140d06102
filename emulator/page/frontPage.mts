import type { Emulator } from '../api.mts';
import type { RecordedRequest } from '../server/recorder.mts';
import type { Broadcast, Campaign } from '../state/campaign.mts';
import type { Channel } from '../state/channel.mts';
import { html, type Html } from './html.mts';
import { page, tableSection } from './layout.mts';
import { button, firstOnes, newest, statusTag, when } from './parts.mts';

const requestsShown = 50;

function credentials(emulator: Emulator): Html {
	const code = (text: string): Html => html`<code>${text}</code>`;
	return tableSection(
		'Type this into the n8n credential',
		'the access key, or the OAuth client',
		['Field', 'Value'],
		[
			['Base URL', code(emulator.url)],
			['Access key', code(emulator.accessKey)],
			['Client ID', code(emulator.clientId)],
			['Client secret', code(emulator.clientSecret)],
			['Access key of a user who is no Super User', code(emulator.plainAccessKey)],
		],
		true,
	);
}

/** How a record is shown, by column. */
type Columns<T> = Record<string, (record: T) => string | number | Html>;

/** A table of records. */
function recordTable<T>(
	heading: string,
	{ rows, note }: { rows: readonly T[]; note: string },
	columns: Columns<T>,
	wide = false,
): Html {
	const cells = rows.map((record) => Object.values(columns).map((cell) => cell(record)));
	return tableSection(heading, note, Object.keys(columns), cells, wide);
}

const link = (kind: string, id: string, text: string): Html =>
	html`<a href="/console/${kind}/${id}">${text}</a>`;

/** What tables of campaigns and of broadcasts show. */
const sendable: Columns<Campaign | Broadcast> = {
	Status: statusTag,
	'Goes or went live': when,
	'#Recipients': ({ recipients }) => recipients.size,
};

const campaignName = { Name: ({ _id, name }: Campaign) => link('campaign', _id, name) };

/** What can be done with a survey at once: news for the trigger by one click. */
function surveyActions(campaign: Campaign): Html {
	const path = `/console/campaign/${campaign._id}`;
	if (campaign.status === '0' || campaign.status === '4') return button(`${path}/send`, 'Send');
	if (campaign.status === '3') return html``;
	return html`<div class="actions">
		${button(`${path}/people`, '1 person answers', { count: 1, back: '/' })}
		${button(`${path}/people`, '50 people answer', { count: 50, back: '/' })}
		<a class="button" href="${path}/answer">Answer it</a>
	</div>`;
}

const surveyColumns: Columns<Campaign> = {
	...campaignName,
	Status: statusTag,
	'Like an employee': surveyActions,
	'#Questions': ({ survey }) => survey?.questions.length ?? 0,
	'#Responses': ({ survey }) => survey?.responseCount ?? 0,
};

const channelColumns: Columns<Channel> = {
	Name: ({ name }) => name,
	Status: ({ status }) =>
		status === '1'
			? html`<span class="tag live">active</span>`
			: html`<span class="tag">archived</span>`,
	'#Managers': ({ managers }) => managers.size,
	'#Recipients': ({ recipients }) => recipients.size,
};

/** What became of a request, in a word. */
function outcomeOf({ response, violations }: RecordedRequest): string {
	if (violations.length > 0) return `Violation: ${violations.join('; ')}`;
	return response?.message ?? (response?.items === undefined ? '' : `${response.items} items`);
}

function requestStatus({ status, response, fault }: RecordedRequest): Html {
	const failed = status !== 200 || response?.success === false;
	const shown = status === 0 ? (fault ?? '…') : status;
	return html`<span class="tag ${failed ? 'bad' : 'live'}">${shown}</span>`;
}

const requestColumns: Columns<RecordedRequest> = {
	'No.': ({ number }) => number,
	Method: ({ method }) => method,
	Path: ({ path }) => html`<code>${decoded(path)}</code>`,
	Operation: ({ operationId }) => operationId ?? 'unknown',
	Status: requestStatus,
	Outcome: outcomeOf,
};

function decoded(path: string): string {
	try {
		return decodeURI(path);
	} catch {
		return path;
	}
}

/** Credentials, everything there is, and the last requests; `refresh` in seconds. */
export function frontPage(
	emulator: Emulator,
	refresh: number | undefined,
	notice: string | undefined,
): string {
	const { state } = emulator;
	const campaigns = state.campaigns.values();
	const surveys = newest(campaigns.filter(({ survey }) => survey !== undefined));
	const { total } = emulator.summary;
	const content = html` ${credentials(emulator)}
	${recordTable(
		'Surveys',
		{ ...surveys, note: `${surveys.note}; each response starts the n8n trigger` },
		surveyColumns,
		true,
	)}
	${recordTable('Campaigns', newest(campaigns.filter(({ survey }) => survey === undefined)), {
		...campaignName,
		...sendable,
	})}
	${recordTable('Recipient groups', firstOnes(state.recipientGroups.values()), {
		Name: ({ _id, name }) => link('group', _id, name),
		'#Members': ({ members }) => members.size,
	})}
	${recordTable('Broadcasts', newest(state.broadcasts.values()), {
		Title: ({ _id, title }) => link('broadcast', _id, title),
		...sendable,
	})}
	${recordTable('Channels', newest(state.channels.values()), channelColumns)}
	${tableSection(
		'Everything else',
		'',
		['What', '#Number'],
		[
			['Known recipients', state.people.size],
			['Console users', state.consoleUsers.values().length],
			['Console user groups', state.consoleUserGroups.size],
			['Templates', state.templates.size],
			['Files', state.files.size],
		],
	)}
	${recordTable(
		'Last requests',
		{
			rows: emulator.requests.slice(-requestsShown).reverse(),
			note: `${total.toLocaleString('en')} so far, at most ${emulator.maxInFlight} at the same time, ${emulator.violations.length} violations`,
		},
		requestColumns,
		true,
	)}`;
	const actions =
		refresh === undefined
			? html`<a href="/?refresh=3">Refresh every 3 seconds</a>`
			: html`<a href="/">Stop refreshing</a>`;
	return page({
		title: 'Messaging service emulator',
		subtitle: 'The whole service on your own machine. Nothing is ever sent to anybody.',
		actions,
		content,
		refresh,
		notice,
	});
}
