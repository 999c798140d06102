import type { FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import type { Campaign } from '../state/campaign.mts';
import { timestamp } from '../state/clock.mts';
import { displayName } from '../state/people.mts';
import {
	optionValues,
	type Question,
	type QuestionInput,
	type Survey,
	type SurveySettings,
} from '../state/survey.mts';
import type { Switches } from '../switches.mts';
import { createCampaign } from './campaignWrite.mts';
import { done, ok, type OnRecord } from './envelope.mts';
import { findRecord } from './paging.mts';
import { campaignReference } from './shapes.mts';

interface SurveyUpdate {
	questions: QuestionInput[];
	surveySettings?: SurveySettings;
}

interface SurveyCreate extends SurveyUpdate {
	name: string;
	title?: string;
	description: string;
	templateId?: string;
	templateData?: string;
}

function questionShape({ _id, title, tags, options, ...question }: Question) {
	const { required = true, desc = '', matrixQuestions = [] } = question;
	return { _id, required, desc, title, options: optionValues(options), tags, matrixQuestions };
}

/** Returns `questions` in the form that the switch surveyQuestionsForm determines. */
function questionsAsShown(context: Context, survey: Survey): unknown {
	const list = survey.questions.map(questionShape);
	// A question that nobody answers must be optional.
	if (!context.switches.firstQuestionAnswered && list[0]) list[0].required = false;
	const first = context.switches.questionNumbering === 'from0' ? 0 : 1;
	const forms: Record<Switches['surveyQuestionsForm'], unknown> = {
		list,
		byId: Object.fromEntries(list.map((question) => [question._id, question])),
		byKey: Object.fromEntries(list.map((question, n) => [`q.${n + first}`, question])),
		titles: list.map(({ title }) => title),
		null: null,
		absent: undefined,
	};
	return forms[context.switches.surveyQuestionsForm];
}

function surveyHead(context: Context, campaign: Campaign, survey: Survey): Record<string, unknown> {
	const sender = context.state.consoleUsers.get(campaign.senderId);
	return {
		name: campaign.name,
		anonymous: survey.anonymous,
		...(sender && { senderName: displayName(sender), senderUserEmail: sender.email }),
		...(campaign.liveAt !== undefined && { liveDate: timestamp(campaign.liveAt) }),
		questions: questionsAsShown(context, survey),
	};
}

function checkQuestions(questions: QuestionInput[]): void {
	if (questions.length === 0) throw new ServiceFailure('questions is mandatory');
}

/** Returns the survey operations (openapi.yaml, survey). */
export function surveyOperations(context: Context) {
	return {
		'survey.getResponses': (request: OnRecord) => {
			const campaign = findRecord(context.state.campaigns, request);
			if (campaign.survey === undefined) throw new ServiceFailure(messages.notASurvey);
			const { questionNumbering: numbering, surveyDataLists: lists } = context.switches;
			const { firstQuestionAnswered, anonymousRowsNamed } = context.switches;
			const view = { numbering, firstQuestionAnswered, anonymousRowsNamed, lists };
			const head = surveyHead(context, campaign, campaign.survey);
			return ok({ ...head, result: campaign.survey.result(view) });
		},

		'survey.create': (request: FastifyRequest<{ Body: SurveyCreate }>) => {
			const { questions, surveySettings, ...content } = request.body;
			checkQuestions(questions);
			const draft = { ...content, status: 'draft' } as const;
			const campaign = createCampaign(context, 'survey.create', draft, {});
			campaign.survey = context.state.newSurvey(questions, surveySettings ?? {});
			return ok(campaignReference(context, campaign));
		},

		'survey.update': (request: OnRecord<SurveyUpdate>) => {
			const { questions, surveySettings } = request.body;
			checkQuestions(questions);
			const { campaigns } = context.state;
			const campaign = findRecord(campaigns, request, messages.draftRequired);
			if (campaign.status !== '0') throw new ServiceFailure(messages.draftRequired);
			campaign.survey = context.state.newSurvey(
				questions,
				surveySettings ?? campaign.survey?.settings ?? {},
			);
			return context.switches.updateSurveyResponse === 'data'
				? ok(campaignReference(context, campaign))
				: done;
		},
	};
}
