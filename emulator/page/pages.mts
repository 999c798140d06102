import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../running.mts';
import type { RecordedRequest } from '../server/recorder.mts';
import type { Broadcast, Campaign, Sendable } from '../state/campaign.mts';
import { timestamp } from '../state/clock.mts';
import { displayName } from '../state/people.mts';
import { html, type Html } from './html.mts';
import { page, tableSection } from './layout.mts';

const rowsShown = 12;
const membersShown = 2000;
const requestsShown = 50;

const statusNames = { '0': 'draft', '1': 'live', '3': 'closed', '4': 'scheduled' } as const;

function statusTag(record: Sendable): Html {
	const name = statusNames[record.status];
	return html`<span class="tag ${name}">${name}</span>`;
}

const minute = (time: number): string => timestamp(time).slice(0, 16).replace('T', ' ');

function when(record: Sendable): string {
	const time = record.liveAt ?? record.scheduledAt;
	return time === undefined ? '' : minute(time);
}

function newest<T>(records: readonly T[]): { rows: T[]; note: string } {
	const rows = records.slice(-rowsShown).reverse();
	const total = records.length.toLocaleString('en');
	return { rows, note: rows.length < records.length ? `newest ${rows.length} of ${total}` : total };
}

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

function surveySection(campaigns: readonly Campaign[]): Html {
	const { rows, note } = newest(campaigns.filter((campaign) => campaign.survey !== undefined));
	return tableSection(
		'Surveys',
		note,
		['Name', 'Status', '#Questions', '#Responses'],
		rows.map((campaign) => [
			html`<a href="/console/campaign/${campaign._id}">${campaign.name}</a>`,
			statusTag(campaign),
			campaign.survey?.questions.length ?? 0,
			campaign.survey?.responseCount ?? 0,
		]),
	);
}

function requestRow(request: RecordedRequest): (string | number | Html)[] {
	const failed = request.status !== 200 || request.answer?.success === false;
	const outcome =
		request.answer?.message ??
		(request.answer?.items === undefined ? '' : `${request.answer.items} items`);
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

function frontPage(emulator: Emulator, refresh: number | undefined): string {
	const { state } = emulator;
	const groups = state.recipientGroups.values();
	const groupsShown = groups.slice(0, rowsShown);
	const campaigns = state.campaigns.values();
	const broadcasts = newest(state.broadcasts.values());
	const channels = newest(state.channels.values());
	const lastRequests = emulator.requests.slice(-requestsShown).reverse();
	const content = html` ${credentials(emulator)}
	${tableSection(
		'Recipient groups',
		groupsShown.length < groups.length
			? `first ${groupsShown.length} of ${groups.length.toLocaleString('en')}`
			: String(groups.length),
		['Name', '#Members'],
		groupsShown.map((group) => [
			html`<a href="/console/group/${group._id}">${group.name}</a>`,
			group.members.size,
		]),
	)}
	${campaignSection(campaigns)} ${surveySection(campaigns)}
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
	return page(
		'Messaging service emulator',
		'The whole service on your own machine. Nothing is ever sent to anybody.',
		actions,
		content,
		refresh,
	);
}

const back = html`<a href="/">Back</a>`;

function facts(record: Campaign | Broadcast): (string | number | Html)[][] {
	return [
		['Status', statusTag(record)],
		['Goes or went live', when(record)],
		['Created', minute(record.createdAt)],
		['Recipients', record.recipients.size],
	];
}

function questionsSection(campaign: Campaign): Html {
	return campaign.survey === undefined
		? html``
		: tableSection(
				'Questions',
				`${campaign.survey.responseCount.toLocaleString('en')} responses`,
				['Title', 'Type'],
				campaign.survey.questions.map((question) => [question.title, question.templateCode]),
			);
}

/** Pages for people: what there is, and the addresses that campaignUrl and broadcastUrl lead to. */
export function registerPages(app: FastifyInstance, emulator: Emulator): void {
	const asHtml = 'text/html; charset=utf-8';

	app.get<{ Querystring: { refresh?: string } }>('/', async ({ query }, reply) => {
		const seconds = Number(query.refresh);
		return reply.type(asHtml).send(frontPage(emulator, seconds > 0 ? seconds : undefined));
	});

	app.get<{ Params: { id: string } }>('/console/group/:id', async ({ params }, reply) => {
		const group = emulator.state.recipientGroups.get(params.id);
		if (group === undefined) return reply.callNotFound();
		const members = Array.from(group.members)
			.slice(0, membersShown)
			.map((id) => {
				const person = emulator.state.people.get(id);
				return person === undefined
					? [id, '', '']
					: [person.email, displayName(person), person._id];
			});
		const total = group.members.size.toLocaleString('en');
		const note =
			members.length < group.members.size ? `first ${members.length} of ${total}` : total;
		const content = tableSection('Members', note, ['Email', 'Name', 'Id'], members, true);
		return reply.type(asHtml).send(page(group.name, 'Recipient group', back, content));
	});

	app.get<{ Params: { id: string } }>('/console/campaign/:id', async ({ params }, reply) => {
		const campaign = emulator.state.campaigns.get(params.id);
		if (campaign === undefined) return reply.callNotFound();
		const content = html`${tableSection(
			'Campaign',
			campaign._id,
			['What', 'Value'],
			[
				...facts(campaign),
				['Title', campaign.title],
				['Description', campaign.description],
				['Categories', campaign.categories.join(', ')],
			],
		)}
		${questionsSection(campaign)}`;
		return reply.type(asHtml).send(page(campaign.name, 'Campaign', back, content));
	});

	app.get<{ Params: { id: string } }>('/console/broadcast/:id', async ({ params }, reply) => {
		const broadcast = emulator.state.broadcasts.get(params.id);
		if (broadcast === undefined) return reply.callNotFound();
		const content = tableSection(
			'Broadcast',
			broadcast._id,
			['What', 'Value'],
			[...facts(broadcast), ['Message', broadcast.message]],
		);
		return reply.type(asHtml).send(page(broadcast.title, 'Broadcast', back, content));
	});
}
