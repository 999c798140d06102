import type { INodeParameters } from 'n8n-workflow';

import { locator, type RunOptions } from '../kit/engine.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const campaigns = () => service.emulator.state.campaigns;
const texts = { name: 'Picnic', description: 'Where we meet' };
const createCampaign = (parameters: INodeParameters = {}, options: Partial<RunOptions> = {}) =>
	service.run(
		'campaign',
		'create',
		{ name: texts.name, campaignDescription: texts.description, ...parameters },
		options,
	);

describe('create', () => {
	test.each([
		['2099-07-31T09:15:00', 'Europe/Berlin', '2099-07-31T07:15:00.000Z'],
		[
			'={{ DateTime.fromISO("2099-01-31T09:15:00.250") }}',
			'Asia/Tokyo',
			'2099-01-31T00:15:00.250Z',
		],
		['2099-01-31T09:15:00,5z', 'Asia/Tokyo', '2099-01-31T09:15:00.500Z'],
		['={{ new Date(Date.UTC(2099, 0, 31)) }}', 'Asia/Tokyo', '2099-01-31T00:00:00.000Z'],
	])(
		'sends the scheduled time %s in the time zone %s as %s',
		async (given, timezone, scheduledTime) => {
			const status = 'scheduled';
			await createCampaign({ status, scheduledTime: given }, { timezone });
			expect(service.lastRequest.body).toEqual({ ...texts, status, scheduledTime });
		},
	);

	test.each([
		['={{ DateTime.invalid("none") }}', 'Scheduled Time is not a date'],
		['={{ "" }}', 'Scheduled Time is empty'],
	])('refuses the scheduled time %s, and sends nothing', async (scheduledTime, message) => {
		const { error } = await createCampaign({ status: 'scheduled', scheduledTime });
		expect(error?.message).toContain(message);
		expect(service.emulator.requests).toEqual([]);
	});

	test('creates no campaign if the service refuses to schedule it', async () => {
		service.emulator.switches.statusScheduled = 'refuse';
		const before = campaigns().size;
		const scheduled = { status: 'scheduled', scheduledTime: '2099-01-31T09:15' };
		expect((await createCampaign(scheduled)).error).toBeDefined();
		expect(campaigns().size).toBe(before);
	});

	test('sends the time only if an expression for Status returns scheduled', async () => {
		const { error } = await createCampaign(
			{
				status: '={{ $json.when ? "scheduled" : "draft" }}',
				scheduledTime: '={{ $json.when }}',
			},
			{ items: [{ json: {} }, { json: { when: '2099-01-31T09:15:00Z' } }] },
		);
		expect(error).toBeUndefined();
		const scheduledTime = '2099-01-31T09:15:00.000Z';
		const bodies = service.requests.map(({ body }) => body);
		expect(bodies).toHaveLength(2);
		expect(bodies).toContainEqual({ ...texts, status: 'draft' });
		expect(bodies).toContainEqual({ ...texts, status: 'scheduled', scheduledTime });
	});
});

test.each([0, -1, 1.5, '', 'x', true, [3], {}, null])(
	'getAll refuses %j as Limit before sending',
	async (given) => {
		const { error } = await service.run(
			'campaign',
			'getAll',
			{ limit: '={{ $json.given }}' },
			{ items: [{ json: Object.assign({}, { given }) }] },
		);
		expect(error?.message).toBe('Limit must be a whole number of 1 or more');
		expect(service.requests).toEqual([]);
	},
);

test('update sends the campaign to its recipients if Status is set to live', async () => {
	const draft = required(
		campaigns().find(({ status, survey }) => status === '0' && !survey),
		'draft',
	);
	const updateFields = { status: 'live' };
	await service.run('campaign', 'update', { campaignId: locator(draft._id), updateFields });
	expect(service.lastRequest.body).toEqual(updateFields);
	expect(draft.status).toBe('1');
});
