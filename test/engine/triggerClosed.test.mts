import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useFakeSleep } from '../kit/fakeSleep.mts';
import { TriggerHost } from '../kit/poll.mts';
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

const refused = (message: string) => ({ status: 200, body: { success: false, message } });
const emptyList = { status: 200, body: { success: true, data: [] } };

/** Returns the first live campaign: a survey if `isSurvey`, otherwise one that is not a survey. */
function campaign(isSurvey: boolean) {
	const campaigns = [...service.emulator.state.campaigns.values()];
	const found = campaigns.find(
		({ survey, status }) => (survey !== undefined) === isSurvey && status === '1',
	);
	return required(found, 'a campaign');
}

let hosts = 0;
function trigger(parameters: INodeParameters = {}) {
	return new TriggerHost({
		credential: service.accessKey,
		parameters: {
			events: ['surveyClosed'],
			campaignIds: [campaign(true)._id],
			options: { maxReadGapMinutes: 0 },
			...parameters,
		},
		workflowId: `closed ${++hosts}`,
	});
}

const both: INodeParameters = { events: ['surveySubmitted', 'surveyClosed'] };

/** Returns the expected item for a survey that closes after `submitted` responses. */
function closing(submitted = 5): IDataObject {
	const { _id: campaignId, recipients } = campaign(true);
	return {
		event: 'surveyClosed',
		campaignId,
		campaignName: 'Survey 1',
		recipients: recipients.size,
		submitted,
		responseRate: submitted / recipients.size,
	};
}

describe('Survey Closed', () => {
	test.each(['simplified', 'table', 'raw'])(
		'emits the same item in every output, after the last responses: %s',
		async (output) => {
			const host = trigger({ ...both, output });
			const closed = closing(6);
			await host.activate();
			await host.poll();
			expect(host.items).toEqual([]);
			service.emulator.submitResponse(String(closed.campaignId), { answers: {} });
			service.emulator.closeCampaign(String(closed.campaignId));
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
		const closed = closing();
		const { campaignId, recipients, submitted, responseRate } = closed;
		await host.activate();
		service.emulator.closeCampaign(String(campaignId));
		await host.poll();
		const { items } = await service.run('survey', 'getSummary', { campaignId: String(campaignId) });
		expect(items[0]?.json).toMatchObject({ recipients, submitted, responseRate });
		expect(host.items).toEqual([closed]);
	});

	test('alone causes one read of an open survey, at publication', async () => {
		const host = trigger();
		const reads = () => service.emulator.requestCount('GET', '/int/v1/campaign/:id/surveyData');
		const { _id } = campaign(true);
		await host.activate();
		for (let polls = 0; polls < 3; polls++) await host.poll();
		expect(reads()).toBe(1);
		service.emulator.closeCampaign(_id);
		await host.poll();
		await host.poll();
		expect(reads()).toBe(3);
		expect(host.items).toHaveLength(1);
	});

	test('is emitted without recipients and response rate if the report cannot be read', async () => {
		const host = trigger(both);
		const { _id } = campaign(true);
		const closed = { ...closing(6), recipients: null, responseRate: null };
		await host.activate();
		service.emulator.submitResponse(_id, { answers: {} });
		service.emulator.closeCampaign(_id);
		const action = refused('Out of order');
		service.emulator.faults.add({ match: { path: '/int/v1/campaign/:id/report' }, action });
		await host.poll();
		await host.poll();
		expect(host.executions).toEqual([
			[expect.objectContaining({ event: 'surveySubmitted' }), closed],
		]);
	});

	test('is emitted after the last responses if an unlisted survey cannot be read at first', async () => {
		const host = trigger(both);
		const { _id } = campaign(true);
		await host.activate();
		service.emulator.submitResponse(_id, { answers: {} });
		service.emulator.closeCampaign(_id);
		const unlisted = { match: { path: '/int/v1/campaign' }, times: Infinity, action: emptyList };
		service.emulator.faults.add(unlisted);
		const action = refused('Out of order');
		service.emulator.faults.add({ match: { path: '/int/v1/campaign/:id' }, action });
		await host.poll();
		await host.restart();
		await host.poll();
		expect(host.executions.map((items) => items.map(({ event }) => event))).toEqual([
			['surveySubmitted'],
			['surveyClosed'],
		]);
	});

	test('is shown in the editor before the newest rows', async () => {
		expect(await trigger().sample()).toEqual([closing()]);
		const items = await trigger(both).sample();
		expect(items.map(({ event }) => event)).toEqual([
			'surveyClosed',
			...Array<string>(4).fill('surveySubmitted'),
		]);
	});
});

describe('campaigns that are not surveys', () => {
	test.each(['surveySubmitted', 'surveyClosed'])(
		'stop publication with an error that names them: %s',
		async (event) => {
			const { _id, name } = campaign(false);
			const selected = campaign(true)._id;
			const host = trigger({ events: [event], campaignIds: [selected, _id] });
			const message = `"${name}" is not a survey`;
			await expect(host.activate()).rejects.toThrow(message);
			expect(host.saved).toEqual({});

			// The list is empty, as if the campaign were too old to be listed.
			service.emulator.faults.add({ match: { path: '/int/v1/campaign' }, action: emptyList });
			await expect(host.activate()).rejects.toThrow(message);

			host.options.parameters.campaignIds = [selected];
			await host.activate();
			host.options.parameters.campaignIds = [selected, _id];
			for (let times = 0; times < 2; times++)
				await expect(host.activate('update')).rejects.toThrow(message);
		},
	);

	test('do not prevent the restart of a published workflow', async () => {
		const survey = campaign(true)._id;
		const host = trigger({ events: ['surveySubmitted'] });
		await host.activate();
		host.options.parameters.campaignIds = [survey, campaign(false)._id];
		service.emulator.submitResponse(survey, { answers: {} });
		await host.restart();
		expect(host.items).toHaveLength(1);
	});
});
