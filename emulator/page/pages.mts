import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Emulator } from '../api.mts';
import { onlyOwnOrigin } from '../server/hosts.mts';
import type { Campaign, CampaignStatus } from '../state/campaign.mts';
import { letPeopleAnswer, notYetAnswered } from '../state/employees.mts';
import type { Identified, OrderedStore } from '../state/orderedStore.mts';
import type { EmulatorState } from '../state/state.mts';
import type { Survey } from '../state/survey.mts';
import { answerPage, readAnswers } from './answerForm.mts';
import { frontPage } from './frontPage.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { broadcastPage, campaignPage, channelPage, groupPage } from './recordPages.mts';

/** The number of people whom the survey form offers as respondents. */
const peopleOffered = 100;
/** What is said of an ID that no record has. */
const UNKNOWN =
	'It was deleted, or it belongs to an earlier run of the emulator: npm run emulator forgets its records when it stops, and npm start -- --fresh begins anew.';
const nobodyElse = 'All other recipients have answered before.';

interface PageRequest {
	Params: { id: string };
	Querystring: { done?: string };
	Body: ParsedUrlQuery;
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
	return reply
		.headers({
			'content-security-policy':
				"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			'cache-control': 'no-store',
		})
		.type('text/html; charset=utf-8')
		.send(text);
}

/**
 * Registers the front page, the pages of records (at campaignUrl and broadcastUrl), and the survey form. Buttons and the
 * form do what employees and console users would do. Web pages of other origins cannot change anything.
 */
export async function registerPages(app: FastifyInstance, emulator: Emulator): Promise<void> {
	await app.register((pages, _options, done) => {
		onlyOwnOrigin(pages);
		pages.addContentTypeParser<string>(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, text, parsed) => parsed(null, parse(text)),
		);
		pages.setErrorHandler((error: FastifyError, _request, reply) => {
			const text = { title: 'That did not work', subtitle: error.message, content: html`` };
			return sendPage(reply.code(error.statusCode ?? 400), page(text));
		});
		showPages(pages, emulator);
		acceptActions(pages, emulator);
		done();
	});
}

function showPages(pages: FastifyInstance, emulator: Emulator): void {
	pages.get('/', (_request, reply) => sendPage(reply, frontPage(emulator)));

	const show = <T extends Identified>(
		kind: string,
		store: (state: EmulatorState) => OrderedStore<T>,
		pageOf: (emulator: Emulator, record: T, done?: string) => string,
	) => {
		pages.get<PageRequest>(`/console/${kind}/:id`, ({ params, query }, reply) => {
			const record = store(emulator.state).get(params.id);
			if (record) return sendPage(reply, pageOf(emulator, record, query.done));
			const title = `The emulator has no such ${kind}`;
			return sendPage(reply.code(404), page({ title, subtitle: UNKNOWN, content: html`` }));
		});
	};
	show('group', (state) => state.recipientGroups, groupPage);
	show('campaign', (state) => state.campaigns, campaignPage);
	show('channel', (state) => state.channels, channelPage);
	show('broadcast', (state) => state.broadcasts, broadcastPage);

	pages.get<PageRequest>('/console/campaign/:id/answer', ({ params: { id } }, reply) => {
		const { campaign, survey } = liveSurvey(emulator, id);
		const waiting = notYetAnswered(emulator.state, id, peopleOffered);
		if (waiting.length === 0) throw new Error(nobodyElse);
		const people = waiting.flatMap((userId = '') => emulator.state.people.get(userId) ?? []);
		return sendPage(reply, answerPage(campaign, survey, people));
	});
}

/** Registers the actions. Each action redirects to the page of its campaign with a note about the result. */
function acceptActions(pages: FastifyInstance, emulator: Emulator): void {
	const actions: Record<string, (id: string, form: ParsedUrlQuery) => string> = {
		send: (id) => {
			emulator.state.goLive(campaignIn(emulator, id, ['0', '4']));
			return 'The campaign has been sent.';
		},
		close: (id) => {
			campaignIn(emulator, id, ['1']).status = '3';
			return 'The campaign is closed.';
		},
		people: (id, form) => {
			const count = Number(form.count);
			liveSurvey(emulator, id);
			const answered = letPeopleAnswer(emulator.state, emulator.clock.now(), id, count);
			const said = answered === 1 ? '1 person has answered.' : `${answered} people have answered.`;
			return answered === count ? said : `${said} ${nobodyElse}`;
		},
		answer: (id, form) => {
			const { survey } = liveSurvey(emulator, id);
			const answers = readAnswers(survey, form);
			const waiting = notYetAnswered(emulator.state, id, Infinity);
			const userId = survey.anonymous ? undefined : String(form.who);
			if (!waiting.includes(userId)) throw new Error(nobodyElse);
			emulator.submitResponse(id, { answers, userId });
			return 'Your answer has been saved.';
		},
	};
	for (const [name, act] of Object.entries(actions)) {
		pages.post<PageRequest>(`/console/campaign/:id/${name}`, ({ params, body }, reply) => {
			const done = encodeURIComponent(act(params.id, body));
			return reply.redirect(`/console/campaign/${params.id}?done=${done}`, 303);
		});
	}
}

/** Returns a campaign. @throws if there is none, or if it has another status */
function campaignIn({ state }: Emulator, id: string, statuses: CampaignStatus[]): Campaign {
	const campaign = state.campaigns.get(id);
	if (campaign && statuses.includes(campaign.status)) return campaign;
	throw new Error(campaign ? 'The campaign has another status now' : 'Campaign not found');
}

function liveSurvey(emulator: Emulator, id: string): { campaign: Campaign; survey: Survey } {
	const campaign = campaignIn(emulator, id, ['1']);
	if (campaign.survey === undefined) throw new Error('Survey not found');
	return { campaign, survey: campaign.survey };
}
