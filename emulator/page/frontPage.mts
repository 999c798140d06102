import type { Emulator } from '../api.mts';
import type { RecordedRequest } from '../server/recorder.mts';
import type { Campaign } from '../state/campaign.mts';
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

function campaignSection(campaigns: readonly Campaign[]): Html {
	const { rows, note } = newest(campaigns.filter((campaign) => campaign.survey === undefined));
	return tableSection(
		'Campaigns',
		note,
		['Name', 'Status', 'Goes or went live', '#Recipients'],
		rows.map((campaign) => [
			html`<a href="/console/campaign/${campaign._id}">${campaign.name}</a>`,
			statusTag(campaign),
			when(campaign),
			campaign.recipients.size,
		]),
	);
}

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

function surveySection(campaigns: readonly Campaign[]): Html {
	const { rows, note } = newest(campaigns.filter((campaign) => campaign.survey !== undefined));
	return tableSection(
		'Surveys',
		`${note}; each answer is news for the n8n trigger`,
		['Name', 'Status', 'Like an employee', '#Questions', '#Responses'],
		rows.map((campaign) => [
			html`<a href="/console/campaign/${campaign._id}">${campaign.name}</a>`,
			statusTag(campaign),
			surveyActions(campaign),
			campaign.survey?.questions.length ?? 0,
			campaign.survey?.responseCount ?? 0,
		]),
		true,
	);
}

function requestRow(request: RecordedRequest): (string | number | Html)[] {
	const failed = request.status !== 200 || request.response?.success === false;
	const outcome =
		request.response?.message ??
		(request.response?.items === undefined ? '' : `${request.response.items} items`);
	return [
		request.number,
		request.method,
		html`<code>${decoded(request.path)}</code>`,
		request.operationId ?? 'unknown',
		html`<span class="tag ${failed ? 'bad' : 'live'}"
			>${request.status === 0 ? (request.fault ?? '…') : request.status}</span
		>`,
		request.violations.length > 0 ? `Violation: ${request.violations.join('; ')}` : outcome,
	];
}

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
	const groups = firstOnes(state.recipientGroups.values());
	const campaigns = state.campaigns.values();
	const broadcasts = newest(state.broadcasts.values());
	const channels = newest(state.channels.values());
	const lastRequests = emulator.requests.slice(-requestsShown).reverse();
	const content = html` ${credentials(emulator)} ${surveySection(campaigns)}
	${campaignSection(campaigns)}
	${tableSection(
		'Recipient groups',
		groups.note,
		['Name', '#Members'],
		groups.rows.map((group) => [
			html`<a href="/console/group/${group._id}">${group.name}</a>`,
			group.members.size,
		]),
	)}
	${tableSection(
		'Broadcasts',
		broadcasts.note,
		['Title', 'Status', 'Goes or went live', '#Recipients'],
		broadcasts.rows.map((broadcast) => [
			html`<a href="/console/broadcast/${broadcast._id}">${broadcast.title}</a>`,
			statusTag(broadcast),
			when(broadcast),
			broadcast.recipients.size,
		]),
	)}
	${tableSection(
		'Channels',
		channels.note,
		['Name', 'Status', '#Managers', '#Recipients'],
		channels.rows.map((channel) => [
			channel.name,
			html`<span class="tag ${channel.status === '1' ? 'live' : ''}"
				>${channel.status === '1' ? 'active' : 'archived'}</span
			>`,
			channel.managers.size,
			channel.recipients.size,
		]),
	)}
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
	${tableSection(
		'Last requests',
		`${emulator.summary.total.toLocaleString('en')} so far, at most ${emulator.maxInFlight} at the same time, ${emulator.violations.length} violations`,
		['No.', 'Method', 'Path', 'Operation', 'Status', 'Outcome'],
		lastRequests.map(requestRow),
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
		...(refresh === undefined ? {} : { refresh }),
		...(notice === undefined ? {} : { notice }),
	});
}
