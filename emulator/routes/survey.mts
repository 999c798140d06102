import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../server/context.mts';
import { messages, ServiceFailure } from '../server/failure.mts';
import { violation } from '../server/requestErrors.mts';
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
import { createCampaign } from './campaignWrite.mts';
import { callerOf, done, ok, type OnRecord } from './envelope.mts';
import { findViewable } from './paging.mts';
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

/** The settings that survey.update always accepts. The switch surveySettingsOnUpdate can allow the others. */
const settingsShownOnUpdate = [
	...['show_questions_individually', 'show_user_response', 'full_height', 'adaptive_height'],
	...['text_width', 'text_color', 'text_position', 'input_width', 'input_color'],
];

function questionShape({ _id, title, tags, options, ...question }: Question) {
	const { required = true, desc = '', matrixQuestions = [] } = question;
	return { _id, required, desc, title, options: optionValues(options), tags, matrixQuestions };
}

/** Returns `questions` in the form that the switch surveyQuestionsForm determines. */
function questionsAsShown(context: Context, survey: Survey): { questions?: unknown } {
	const list = survey.questions.map(questionShape);
	// Only optional questions can remain without an answer.
	if (!context.switches.firstQuestionAnswered && list[0]) list[0].required = false;
	const first = context.switches.questionNumbering === 'from0' ? 0 : 1;
	switch (context.switches.surveyQuestionsForm) {
		case 'list':
			return { questions: list };
		case 'byId':
			return { questions: Object.fromEntries(list.map((question) => [question._id, question])) };
		case 'byKey':
			return { questions: Object.fromEntries(list.map((one, n) => [`q.${n + first}`, one])) };
		case 'titles':
			return { questions: list.map(({ title }) => title) };
		case 'null':
			return { questions: null };
		case 'absent':
			return {};
	}
}

function surveyHead(context: Context, campaign: Campaign, survey: Survey): Record<string, unknown> {
	const sender = context.state.consoleUsers.get(campaign.senderId);
	return {
		name: campaign.name,
		anonymous: survey.isAnonymous,
		...(sender && { senderName: displayName(sender), senderUserEmail: sender.email }),
		...(campaign.liveAt !== undefined && { liveDate: timestamp(campaign.liveAt) }),
		...questionsAsShown(context, survey),
	};
}

function checkQuestions(context: Context, questions: QuestionInput[]): void {
	if (questions.length === 0) throw new ServiceFailure('questions is mandatory');
	const taken = context.switches.optionBranchKey;
	if (taken === 'either') return;
	const other = taken === 'branchQuestions' ? 'branchQuestionId' : 'branchQuestions';
	for (const { options = [] } of questions) {
		for (const option of options) {
			if (typeof option === 'object' && option[other] !== undefined) {
				throw new ServiceFailure(`${other} is not allowed`);
			}
		}
	}
}

/** Returns the survey operations (openapi.yaml, survey). */
export function surveyOperations(context: Context) {
	return {
		/** Sends `result` as serialized JSON. Checks only a sample of its rows against the contract. */
		'survey.getResponses': async (request: OnRecord, reply: FastifyReply) => {
			const campaign = findViewable(context, context.state.campaigns, request);
			if (campaign.survey === undefined) throw new ServiceFailure(messages.notASurvey);
			const head = surveyHead(context, campaign, campaign.survey);
			const { questionNumbering: numbering, surveyDataLists: lists } = context.switches;
			const { firstQuestionAnswered, anonymousRowsNamed } = context.switches;
			const view = { numbering, firstQuestionAnswered, anonymousRowsNamed, lists };
			const result = campaign.survey.result(view);
			const problem = context.responses.problem('survey.getResponses', 200, 'application/json', {
				success: true,
				data: { ...head, result: result.sample },
			});
			// recordRequests.mts checks this sample again and reports the violation.
			if (problem !== undefined) return ok({ ...head, result: result.sample });
			const { emulatorRecord } = request;
			if (emulatorRecord !== undefined)
				emulatorRecord.response = { success: true, items: result.rows };
			const start = `{"success":true,"data":${JSON.stringify(head).slice(0, -1)},"result":`;
			return reply
				.type('application/json; charset=utf-8')
				.send(Buffer.concat([Buffer.from(start), result.json, Buffer.from('}}')]));
		},

		'survey.create': (request: FastifyRequest<{ Body: SurveyCreate }>) => {
			const { questions, surveySettings, ...content } = request.body;
			checkQuestions(context, questions);
			const draft = { ...content, status: 'draft' } as const;
			const campaign = createCampaign(context, 'survey.create', callerOf(request), draft, {});
			campaign.survey = context.state.newSurvey(questions, surveySettings ?? {});
			return ok(campaignReference(context, campaign));
		},

		'survey.update': (request: OnRecord<SurveyUpdate>) => {
			const { questions, surveySettings } = request.body;
			checkQuestions(context, questions);
			const { campaigns } = context.state;
			const campaign = findViewable(context, campaigns, request, messages.draftRequired);
			if (campaign.status !== '0') throw new ServiceFailure(messages.draftRequired);
			if (context.switches.surveySettingsOnUpdate === 'upToInputColor') {
				const unknown = Object.keys(surveySettings ?? {}).find(
					(name) => !settingsShownOnUpdate.includes(name),
				);
				if (unknown !== undefined) {
					throw violation(
						'survey.update',
						`body/surveySettings has the unknown field "${unknown}"`,
					);
				}
			}
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
