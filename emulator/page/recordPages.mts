import type { Emulator } from '../api.mts';
import type { Broadcast, Campaign } from '../state/campaign.mts';
import type { Channel } from '../state/channel.mts';
import type { Json } from '../state/json.mts';
import { displayName } from '../state/people.mts';
import type { RecipientGroup } from '../state/recipientGroup.mts';
import type { ResponseRow, Survey } from '../state/survey.mts';
import { html, type Html } from './html.mts';
import { page, table, type Cell, type Columns } from './layout.mts';
import { firstOf, minute, newest, pairColumns, sendableColumns } from './parts.mts';

const membersShown = 2000;

function facts(
	heading: string,
	record: Campaign | Broadcast,
	more: Record<string, Cell>,
	below?: Html,
): Html {
	const common = Object.entries(sendableColumns).map(([name, cell]): [string, Cell] => [
		name.replace('#', ''),
		cell(record),
	]);
	const own = Object.entries({ Created: minute(record.createdAt), ...more });
	return table(heading, { rows: [...common, ...own], note: record._id }, pairColumns, { below });
}

function campaignActions({ _id, status, survey }: Campaign): Html {
	const path = `/console/campaign/${_id}`;
	const button = (action: string, label: string, count = 1): Html =>
		html`<form method="post" action="${path}/${action}">
			<input type="hidden" name="count" value="${count}" /><button>${label}</button>
		</form>`;
	const ofSurvey = html`<a class="button" href="${path}/answer">Answer it like an employee</a>
		${button('people', '1 person answers')} ${button('people', '50 people answer', 50)}`;
	const buttons = {
		'0': button('send', 'Send it now'),
		'4': button('send', 'Send it now'),
		'3': '',
		'1': html`${survey === undefined ? '' : ofSurvey} ${button('close', 'Close it')}`,
	};
	return html`<div class="actions">${buttons[status]}</div>`;
}

function surveySections(survey: Survey): Html {
	const { questions } = survey;
	const columns: Columns<ResponseRow> = {
		Who: ({ userDisplayName, userEmail }) =>
			survey.anonymous ? 'anonymous' : (userDisplayName ?? userEmail ?? 'somebody'),
		Submitted: ({ submitted, submittedDate = 'yes' }) => {
			if (!submitted) return 'only opened';
			return typeof submittedDate === 'number' ? minute(submittedDate) : submittedDate;
		},
	};
	for (const [index, { title }] of questions.entries())
		columns[title] = ({ answers }) => answerText(answers.get(index) ?? '');
	return html`${table(
		'Questions',
		{ rows: questions, note: String(questions.length) },
		{ Title: ({ title }) => title, Type: ({ templateCode }) => templateCode },
	)}
	${table('Responses', newest([...survey.rows()]), columns, { wide: true })}`;
}

/** Formats an answer as text: a list as `a, b`, a matrix as `row: answer, row: answer`. */
function answerText(answer: Json): string {
	if (Array.isArray(answer)) return answer.map(answerText).join(', ');
	if (typeof answer !== 'object' || answer === null) return String(answer);
	return Object.entries(answer)
		.map(([row, value]) => `${row}: ${answerText(value)}`)
		.join(', ');
}

/** Returns the page of a campaign or survey: its fields, possible actions and newest responses. */
export function campaignPage(_emulator: Emulator, campaign: Campaign, notice?: string): string {
	const { name: title, survey } = campaign;
	const kind = survey === undefined ? 'Campaign' : 'Survey campaign';
	const more = {
		Title: campaign.title,
		Description: campaign.description,
		Categories: campaign.categories.join(', '),
	};
	const content = html`${facts(kind, campaign, more, campaignActions(campaign))}
	${survey === undefined ? '' : surveySections(survey)}`;
	return page({ title, subtitle: kind, content, notice });
}

/** Returns the broadcast as an employee sees it. If the action link is a web address, the broadcast has a button. */
function messageSection(broadcast: Broadcast): Html {
	const { title, emoji, message, actionLink = '', actionLinkText } = broadcast;
	return html`<section class="message" aria-label="As an employee sees it">
		<p class="soft">As an employee sees it</p>
		<h2>${emoji} ${title}</h2>
		<p>${message}</p>
		${
			/^https?:/i.test(actionLink)
				? html`<a class="button" href="${actionLink}" rel="noreferrer">${actionLinkText}</a>`
				: ''
		}
	</section>`;
}

/** Returns the page of a broadcast: its fields and, if it is live, the message as an employee sees it. */
export function broadcastPage(_emulator: Emulator, broadcast: Broadcast): string {
	const content = html`${facts('Broadcast', broadcast, { Message: broadcast.message })}
	${broadcast.status === '1' ? messageSection(broadcast) : ''}`;
	return page({ title: broadcast.title, subtitle: 'Broadcast', content });
}

/** Returns a section with people. */
function peopleSection({ state }: Emulator, heading: string, ids: Iterable<string>): Html {
	return table(
		heading,
		firstOf([...ids], membersShown),
		{
			Email: (id) => state.people.get(id)?.email ?? '',
			Name: (id) => displayName(state.people.get(id) ?? { firstName: '', lastName: '' }),
			ID: (id) => id,
		},
		{ wide: true },
	);
}

/** Returns the page of a group and its members. */
export function groupPage(emulator: Emulator, group: RecipientGroup): string {
	const content = peopleSection(emulator, 'Members', group.members);
	return page({ title: group.name, subtitle: 'Recipient group', content });
}

/** Returns the page of a channel and its recipients. */
export function channelPage(emulator: Emulator, channel: Channel): string {
	const content = peopleSection(emulator, 'Recipients', channel.recipients.keys());
	return page({ title: channel.name, subtitle: 'Channel', content });
}
