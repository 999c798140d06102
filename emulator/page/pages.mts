import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Emulator } from '../api.mts';
import { onlyOwnOrigin } from '../server/hosts.mts';
import type { Campaign } from '../state/campaign.mts';
import { notYetAnswered } from '../state/employees.mts';
import type { Survey } from '../state/survey.mts';
import { answerPage, readAnswers } from './answerForm.mts';
import { frontPage } from './frontPage.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { broadcastPage, campaignPage, groupPage } from './recordPages.mts';

/** How many people the survey form offers to answer as. */
const peopleOffered = 100;
const mostAtOnce = 10_000;

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
 * Pages for people: what there is, the addresses that campaignUrl and broadcastUrl lead to, and buttons and a
 * form that do what employees and colleagues do. Changes are taken from these pages alone.
 */
export async function registerPages(app: FastifyInstance, emulator: Emulator): Promise<void> {
	await app.register((pages, _options, done) => {
		onlyOwnOrigin(pages);
		pages.addContentTypeParser<string>(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, text, parsed) => parsed(null, parse(text)),
		);
		pages.setErrorHandler((error: FastifyError, _request, reply) =>
			sendPage(
				reply.code(error.statusCode ?? 400),
				page({
					title: 'That did not work',
					subtitle: error.message,
					actions: html`<a href="/">Back to the overview</a>`,
					content: html``,
				}),
			),
		);
		showPages(pages, emulator);
		takeActions(pages, emulator);
		done();
	});
}

function showPages(pages: FastifyInstance, emulator: Emulator): void {
	pages.get<{ Querystring: { refresh?: string; done?: string } }>('/', ({ query }, reply) => {
		const seconds = Number(query.refresh);
		return sendPage(reply, frontPage(emulator, seconds > 0 ? seconds : undefined, query.done));
	});

	pages.get<PageRequest>('/console/group/:id', ({ params }, reply) => {
		const group = emulator.state.recipientGroups.get(params.id);
		return group === undefined ? reply.callNotFound() : sendPage(reply, groupPage(emulator, group));
	});

	pages.get<PageRequest>('/console/campaign/:id', ({ params, query }, reply) => {
		const campaign = emulator.state.campaigns.get(params.id);
		return campaign === undefined
			? reply.callNotFound()
			: sendPage(reply, campaignPage(campaign, query.done));
	});

	pages.get<PageRequest>('/console/broadcast/:id', ({ params }, reply) => {
		const broadcast = emulator.state.broadcasts.get(params.id);
		return broadcast === undefined
			? reply.callNotFound()
			: sendPage(reply, broadcastPage(broadcast));
	});

	pages.get<PageRequest>('/console/campaign/:id/answer', ({ params }, reply) => {
		const { campaign, survey } = liveSurvey(emulator, params.id);
		return sendPage(reply, answerPage(campaign, survey, waiting(emulator, params.id), undefined));
	});
}

/** Each action leads back to the page it was asked for from, with a word about what was done. */
function takeActions(pages: FastifyInstance, emulator: Emulator): void {
	const actions: Record<string, (id: string, form: ParsedUrlQuery) => string> = {
		send: (id) => {
			emulator.sendCampaign(id);
			return 'The campaign has been sent.';
		},
		close: (id) => {
			emulator.closeCampaign(id);
			return 'The campaign is closed.';
		},
		reopen: (id) => {
			emulator.reopenCampaign(id);
			return 'The campaign is live again.';
		},
		people: (id, form) => {
			const count = Number(form.count);
			if (!Number.isInteger(count) || count < 1 || count > mostAtOnce) {
				throw new Error(`A number of people from 1 to ${mostAtOnce} is needed`);
			}
			emulator.letPeopleAnswer(id, count);
			return count === 1 ? '1 person has answered.' : `${count} people have answered.`;
		},
		read: (id) => {
			const [userId] = notYetAnswered(emulator.state, liveSurvey(emulator, id).campaign._id, 1);
			emulator.submitResponse(id, { userId });
			return '1 person has opened it without answering.';
		},
	};
	for (const [name, act] of Object.entries(actions)) {
		pages.post<PageRequest>(`/console/campaign/:id/${name}`, ({ params, body }, reply) => {
			const done = act(params.id, body);
			const place = body.back === '/' ? '/' : `/console/campaign/${params.id}`;
			return reply.redirect(`${place}?done=${encodeURIComponent(done)}`, 303);
		});
	}

	pages.post<PageRequest>('/console/campaign/:id/answer', ({ params, body }, reply) => {
		const { campaign, survey } = liveSurvey(emulator, params.id);
		const read = readAnswers(survey, body);
		if ('missing' in read) {
			const problem = `Please answer “${read.missing}”.`;
			const people = waiting(emulator, params.id);
			return sendPage(reply.code(400), answerPage(campaign, survey, people, problem));
		}
		const isNamed = typeof body.who === 'string' && body.who !== '' && !survey.isAnonymous;
		const userId = isNamed ? String(body.who) : undefined;
		emulator.submitResponse(params.id, { answers: read.answers, userId });
		const done = encodeURIComponent('Your answer is there.');
		return reply.redirect(`/console/campaign/${params.id}?done=${done}`, 303);
	});
}

function liveSurvey(emulator: Emulator, id: string): { campaign: Campaign; survey: Survey } {
	const campaign = emulator.state.campaigns.get(id);
	if (campaign?.survey === undefined) throw new Error('There is no such survey');
	if (campaign.status !== '1') throw new Error('Only a live survey can be answered');
	return { campaign, survey: campaign.survey };
}

function waiting(emulator: Emulator, id: string) {
	return notYetAnswered(emulator.state, id, peopleOffered).flatMap(
		(userId) => emulator.state.people.get(userId) ?? [],
	);
}
