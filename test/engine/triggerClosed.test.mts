import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { schedulings, TriggerHost, type HostOptions } from '../kit/poll.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({
	seed: 7,
	people: 40,
	campaigns: 4,
	surveys: 2,
	anonymousSurveys: 1,
	responsesPerSurvey: 5,
});

const LIST = '/int/v1/campaign';
const CAMPAIGN = '/int/v1/campaign/:id';
const SURVEY_DATA = '/int/v1/campaign/:id/surveyData';
const refused = (message: string) => ({ status: 200, body: { success: false, message } });

const campaignsWhere = (isSurvey: boolean) =>
	[...service.emulator.state.campaigns.values()].filter(
		({ survey, status }) => (survey !== undefined) === isSurvey && status === '1',
	);
const survey = (number = 0) => required(campaignsWhere(true)[number], `survey ${number}`)._id;

let hosts = 0;
function trigger(parameters: INodeParameters = {}, options: Partial<HostOptions> = {}) {
	return new TriggerHost({
		credential: service.accessKey,
		parameters: {
			events: ['surveyClosed'],
			campaignIds: [survey()],
			options: { maxReadGapMinutes: 0 },
			...parameters,
		},
		workflowId: `closed ${++hosts}`,
		...options,
	});
}

const both: INodeParameters = { events: ['surveySubmitted', 'surveyClosed'] };

/** The closing of the first survey, which 5 of its recipients submitted. */
function closing(more: IDataObject = {}): IDataObject {
	const recipients = required(service.emulator.state.campaigns.get(survey()), 'the survey')
		.recipients.size;
	const item: IDataObject = {
		event: 'surveyClosed',
		campaignId: survey(),
		campaignName: 'Survey 1',
		recipients,
		submitted: 5,
		...more,
	};
	return { ...item, responseRate: Number(item.submitted) / recipients };
}

describe('Survey Closed', () => {
	test.each(['simplified', 'table', 'raw'])(
		'is one item, the same in every output, after the last responses: %s',
		async (output) => {
			const host = trigger({ ...both, output });
			const closed = closing({ submitted: 6 });
			await host.activate();
			await host.poll();
			expect(host.items).toEqual([]);
			service.emulator.submitResponse(survey(), { answers: {} });
			service.emulator.closeCampaign(String(closed.campaignId));
			await host.poll();
			await host.poll();
			await host.restart();
			expect(host.executions).toEqual([
				[expect.objectContaining({ event: 'surveySubmitted' }), closed],
			]);
		},
	);

	test('counts recipients as Get Summary does', async () => {
		service.emulator.switches.surveyDataLists = 'whoActed';
		const host = trigger();
		const [campaignId, closed] = [survey(), closing()];
		await host.activate();
		service.emulator.closeCampaign(campaignId);
		await host.poll();
		const { items } = await service.run('survey', 'getSummary', { campaignId });
		const { recipients, submitted, responseRate } = required(items[0], 'a question').json;
		expect({ recipients, submitted, responseRate }).toEqual({
			recipients: closed.recipients,
			submitted: 5,
			responseRate: closed.responseRate,
		});
		expect(host.items).toEqual([expect.objectContaining(closed)]);
	});

	test('alone, reads a survey when it is published and when it is closed', async () => {
		const host = trigger();
		const [id] = [survey()];
		await host.activate();
		service.emulator.clearRequests();
		for (let polls = 0; polls < 3; polls++) await host.poll();
		expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBe(0);
		service.emulator.closeCampaign(id);
		await host.poll();
		await host.poll();
		expect(service.emulator.requestCount('GET', SURVEY_DATA)).toBe(1);
		expect(host.items).toHaveLength(1);
	});

	test.each([
		['is selected', {}],
		['is selected, with what exists', { options: { emitExisting: true } }],
		['is one of all', { watch: 'all' }],
		['has its event added', { events: ['campaignRead'] }],
	])('is silent about a survey that was closed before it %s', async (_, parameters) => {
		const host = trigger(parameters);
		service.emulator.closeCampaign(survey());
		await host.activate();
		host.options.parameters.events = ['surveyClosed'];
		await host.restart();
		await host.poll();
		expect(host.items).toEqual([]);
	});

	test('comes again when the survey was reopened and is closed again', async () => {
		const host = trigger({ ...both, watch: 'all' });
		const [id] = [survey()];
		await host.activate();
		for (let times = 0; times < 2; times++) {
			service.emulator.closeCampaign(id);
			await host.poll();
			await host.poll();
			service.emulator.reopenCampaign(id);
			await host.poll();
		}
		expect(host.items.map(({ event, campaignId }) => [event, campaignId])).toEqual([
			['surveyClosed', id],
			['surveyClosed', id],
		]);
	});

	test.each(['selected', 'all'])(
		'is asked of the campaign where the list (%s) does not have it: leaving the list is not closing',
		async (watch) => {
			const host = trigger({ watch });
			const [id] = [survey()];
			await host.activate();
			service.emulator.faults.add({
				match: { path: LIST },
				times: Infinity,
				action: { status: 200, body: { success: true, data: [] } },
			});
			await host.poll();
			await host.poll();
			expect(host.items).toEqual([]);
			service.emulator.closeCampaign(id);
			for (let polls = 0; polls < 3; polls++) await host.poll();
			await host.restart();
			expect(host.items.map(({ campaignId }) => campaignId)).toEqual([id]);
		},
	);

	test.each([
		['the report', '/int/v1/campaign/:id/report'],
		['the survey data', SURVEY_DATA],
	])('comes, with its last responses, at the next poll when %s cannot be read', async (_, path) => {
		const host = trigger(both);
		const [id] = [survey()];
		await host.activate();
		service.emulator.submitResponse(id, { answers: {} });
		service.emulator.closeCampaign(id);
		service.emulator.faults.add({ match: { path }, action: refused('Out of order') });
		await expect(host.poll()).rejects.toThrow('Out of order');
		expect(host.items).toEqual([]);
		await host.restart();
		await host.poll();
		expect(host.items.map(({ event }) => event)).toEqual(['surveySubmitted', 'surveyClosed']);
	});

	test('comes later than the responses where the list does not have the campaign, and it cannot be read', async () => {
		const host = trigger(both);
		const [id] = [survey()];
		await host.activate();
		service.emulator.submitResponse(id, { answers: {} });
		service.emulator.closeCampaign(id);
		service.emulator.faults.add({
			match: { path: LIST },
			times: Infinity,
			action: { status: 200, body: { success: true, data: [] } },
		});
		service.emulator.faults.add({ match: { path: CAMPAIGN }, action: refused('Out of order') });
		await host.poll();
		await host.restart();
		await host.poll();
		expect(host.executions.map((items) => items.map(({ event }) => event))).toEqual([
			['surveySubmitted'],
			['surveyClosed'],
		]);
	});

	test('waits for the last of 10,000 and more responses', async () => {
		const rows = 10_000;
		const result = Array.from({ length: rows }, (_, index) => ({
			userId: `u${index}`,
			submitted: true,
		}));
		let status = '1';
		const data = (url: string) => {
			if (url.endsWith('/surveyData'))
				return { questions: [], result: status === '1' ? [] : result };
			if (url.endsWith('/report')) return { recipientsAmount: 20_000 };
			return [{ _id: 'c1', status }];
		};
		const host = trigger(
			{ ...both, campaignIds: ['c1'] },
			{
				respond: ({ url }) => ({
					statusCode: 200,
					headers: {},
					body: { success: true, data: data(url) },
				}),
			},
		);
		await host.activate();
		status = '3';
		await host.poll();
		await host.poll();
		await host.poll();
		expect(host.executions.map(({ length }) => length)).toEqual([9_999, 2]);
		expect(host.items.at(-1)).toEqual(
			expect.objectContaining({ event: 'surveyClosed', submitted: rows, responseRate: 0.5 }),
		);
	});

	test('comes of a survey that went live and was closed between two polls', async () => {
		const host = trigger({ watch: 'all' });
		await host.activate();
		advanceClock(3_600_000);
		const { _id } = service.emulator.state.addSurvey({
			name: 'Short',
			description: 'Closed at once',
			recipients: new Set(),
			liveAt: Date.now(),
			questions: [{ templateCode: 'textarea', title: 'Why?' }],
		});
		service.emulator.closeCampaign(_id);
		advanceClock(60_000);
		await host.poll();
		await host.poll();
		expect(host.items).toEqual([
			expect.objectContaining({ campaignId: _id, recipients: 0, submitted: 0, responseRate: 0 }),
		]);
	});

	test.each(schedulings)('comes once over kills at any time, scheduling %s', async (scheduling) => {
		const host = trigger({ campaignIds: [survey(), survey(1)] }, { scheduling });
		const [first, second] = [survey(), survey(1)];
		await host.activate();
		await host.restart();
		service.emulator.closeCampaign(first);
		await host.restart();
		await host.poll();
		service.emulator.closeCampaign(second);
		await host.poll();
		await host.restart();
		await host.poll();
		expect(host.items.map(({ campaignId }) => campaignId)).toEqual([first, second]);
	});

	test('shows in the editor what its item would be, beside the newest rows', async () => {
		expect(await trigger().sample()).toEqual([closing()]);
		const items = await trigger(both).sample();
		expect(items.map(({ event }) => event)).toEqual([
			'surveyClosed',
			...Array<string>(4).fill('surveySubmitted'),
		]);
	});
});

describe('campaigns that are no surveys', () => {
	const lunch = () => required(campaignsWhere(false)[0], 'a campaign');

	test.each(['surveySubmitted', 'surveyClosed'])(
		'are refused with their names when the workflow is published: %s',
		async (event) => {
			const events = [event];
			const { _id, name } = lunch();
			const host = trigger({ events, campaignIds: [survey(), _id] });
			await expect(host.activate()).rejects.toThrow(`"${name}" is not a survey`);
			expect(host.saved).toEqual({});

			// It is older than those in the list.
			service.emulator.faults.add({
				match: { path: LIST },
				action: { status: 200, body: { success: true, data: [] } },
			});
			await expect(host.activate()).rejects.toThrow(`"${name}" is not a survey`);

			host.options.parameters.campaignIds = [survey()];
			await host.activate();
			host.options.parameters.campaignIds = [survey(), _id];
			await expect(host.activate('update')).rejects.toThrow(`"${name}" is not a survey`);
			await expect(host.activate('update')).rejects.toThrow(`"${name}" is not a survey`);
		},
	);

	test('do not keep a workflow that was published from starting again', async () => {
		const host = trigger({ events: ['surveySubmitted'], campaignIds: [survey()] });
		await host.activate();
		host.options.parameters.campaignIds = [survey(), lunch()._id];
		service.emulator.submitResponse(survey(), { answers: {} });
		await host.restart();
		expect(host.items).toHaveLength(1);
	});
});
