import type { Emulator } from '../api.mts';
import type { Broadcast, Campaign } from '../state/campaign.mts';
import type { Json } from '../state/json.mts';
import { displayName } from '../state/people.mts';
import type { RecipientGroup } from '../state/recipientGroup.mts';
import type { Survey } from '../state/survey.mts';
import { html, type Html } from './html.mts';
import { page, tableSection } from './layout.mts';
import { button, firstOnes, minute, newest, statusTag, when } from './parts.mts';

const membersShown = 2000;

const back = html`<a href="/">Back to the overview</a>`;

function facts(record: Campaign | Broadcast): (string | number | Html)[][] {
	return [
		['Status', statusTag(record)],
		['Goes or went live', when(record)],
		['Created', minute(record.createdAt)],
		['Recipients', record.recipients.size.toLocaleString('en')],
	];
}

function campaignActions(campaign: Campaign): Html {
	const path = `/console/campaign/${campaign._id}`;
	if (campaign.status === '0' || campaign.status === '4') {
		return html`<div class="actions">${button(`${path}/send`, 'Send it now')}</div>`;
	}
	if (campaign.status === '3') {
		return html`<div class="actions">${button(`${path}/reopen`, 'Open it again')}</div>`;
	}
	return html`<div class="actions">
		${campaign.survey === undefined
			? ''
			: html`<a class="button" href="${path}/answer">Answer it like an employee</a> ${button(
						`${path}/people`,
						'1 person answers',
						{ count: 1 },
					)}
					${button(`${path}/people`, '50 people answer', { count: 50 })}
					${button(`${path}/read`, '1 person opens it')}`}
		${button(`${path}/close`, 'Close it')}
	</div>`;
}

function surveySections(survey: Survey): Html {
	const { rows, note } = newest([...survey.rows()]);
	return html`${tableSection(
		'Questions',
		String(survey.questions.length),
		['Title', 'Type'],
		survey.questions.map((question) => [question.title, question.templateCode]),
	)}
	${tableSection(
		'Responses',
		note,
		['Who', 'Submitted', ...survey.questions.map((question) => question.title)],
		rows.map((row) => [
			survey.isAnonymous ? 'anonymous' : (row.userDisplayName ?? row.userEmail ?? 'somebody'),
			row.submitted ? submittedAt(row.submittedDate) : 'only opened',
			...survey.questions.map((_, index) => {
				const answer = row.answers.get(index);
				if (answer === undefined) return '';
				return answerText(answer);
			}),
		]),
		true,
	)}`;
}

/** A list with commas, a matrix as rows with their answers. */
function answerText(answer: Json): string {
	if (Array.isArray(answer)) return answer.map(answerText).join(', ');
	if (typeof answer !== 'object' || answer === null) return String(answer);
	return Object.entries(answer)
		.map(([row, value]) => `${row}: ${answerText(value)}`)
		.join(', ');
}

function submittedAt(date: number | string | undefined): string {
	if (date === undefined) return 'yes';
	return typeof date === 'number' ? minute(date) : date;
}

/** A campaign or survey: what it is, what can be done with it, the newest responses. */
export function campaignPage(campaign: Campaign, notice: string | undefined): string {
	const content = html`${tableSection(
		campaign.survey === undefined ? 'Campaign' : 'Survey',
		campaign._id,
		['What', 'Value'],
		[
			...facts(campaign),
			['Title', campaign.title],
			['Description', campaign.description],
			['Categories', campaign.categories.join(', ')],
		],
		false,
		campaignActions(campaign),
	)}
	${campaign.survey === undefined ? '' : surveySections(campaign.survey)}`;
	return page({
		title: campaign.name,
		subtitle: campaign.survey === undefined ? 'Campaign' : 'Survey campaign',
		actions: back,
		content,
		notice,
	});
}

/** The broadcast in the employee app; its button opens the action link, where a web page can be. */
function messageSection({
	title,
	emoji,
	message,
	actionLink = '',
	actionLinkText,
}: Broadcast): Html {
	const button = /^https?:/i.test(actionLink)
		? html`<a class="button" href="${actionLink}" rel="noreferrer">${actionLinkText}</a>`
		: '';
	return html`<section class="message" aria-label="As an employee sees it">
		<p class="soft">As an employee sees it</p>
		<h2>${emoji} ${title}</h2>
		<p>${message}</p>
		${button}
	</section>`;
}

/** A broadcast: what the console knows of it, and once it is live the message as an employee sees it. */
export function broadcastPage(broadcast: Broadcast): string {
	const content = html`${tableSection(
		'Broadcast',
		broadcast._id,
		['What', 'Value'],
		[...facts(broadcast), ['Message', broadcast.message]],
	)}
	${broadcast.status === '1' ? messageSection(broadcast) : ''}`;
	return page({ title: broadcast.title, subtitle: 'Broadcast', actions: back, content });
}

/** A group's members. */
export function groupPage(emulator: Emulator, group: RecipientGroup): string {
	const { rows, note } = firstOnes([...group.members], membersShown);
	const members = rows.map((id) => {
		const person = emulator.state.people.get(id);
		return person === undefined ? [id, '', ''] : [person.email, displayName(person), person._id];
	});
	const content = tableSection('Members', note, ['Email', 'Name', 'Id'], members, true);
	return page({ title: group.name, subtitle: 'Recipient group', actions: back, content });
}
