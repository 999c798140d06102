import axios from 'axios';
import { questionTypes } from '../../emulator/state/survey.mts';
import { clientOf, first, start, useEmulator } from './client.mts';

const { emulator, plain, call, ok, refused, expectViolations } = useEmulator({
	seed: { people: 6, groups: 1, campaigns: 2, surveys: 1, responsesPerSurvey: 2, channels: 1 },
});

const survey = () => {
	const found = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
	if (found === undefined) throw new Error('No survey');
	return found;
};
const channel = () => first(emulator.state.channels.values());

describe('emptyList', () => {
	const lists = [
		'/campaign?category=nope',
		'/broadcast?minLiveDate=2100-01-01T00:00:00.000Z',
		'/recipientGroup?skip=99',
		'/channel',
		'/template?category=nope',
	];
	test.each([
		['array', { data: [] }],
		['null', { data: null }],
		['absent', {}],
	] as const)('%s', async (form, rest) => {
		emulator.switches.emptyList = form;
		emulator.state.channels.delete(channel()._id);
		const empty = emulator.state.addChannel({ name: 'Empty' });
		const parts = ['manager', 'managerGroup', 'recipient'].map(
			(part) => `/channel/${empty._id}/${part}`,
		);
		const files = `/campaign/${survey()._id}/file`;
		for (const path of [...lists.filter((list) => list !== '/channel'), ...parts, files]) {
			const { data } = await call<Record<string, unknown>>(`GET ${path}`);
			const { total: _total, ...envelope } = data;
			expect([path, envelope]).toEqual([path, { success: true, ...rest }]);
		}
		expect(await ok<unknown[]>('GET /channel')).toHaveLength(1);
		emulator.state.channels.delete(empty._id);
		const { data } = await call<Record<string, unknown>>('GET /channel');
		expect(data).toEqual({ success: true, ...rest, total: 0 });
	});
});

describe('survey data', () => {
	interface SurveyData {
		questions?: unknown;
		result: Record<string, unknown>[];
	}
	const read = async () => await ok<SurveyData>(`GET /campaign/${survey()._id}/surveyData`);
	const title = 'How do you feel?';

	test('firstQuestionAnswered: false leaves the first answer out, in either count', async () => {
		const keys = async () =>
			Object.keys(first((await read()).result)).filter((key) => key.startsWith('q.'));
		expect(await keys()).toContain('q.0');
		emulator.switches.firstQuestionAnswered = false;
		expect(await keys()).toEqual(['q.1', 'q.2', 'q.3', 'q.4']);
		emulator.switches.questionNumbering = 'from1';
		expect(await keys()).toEqual(['q.2', 'q.3', 'q.4', 'q.5']);
		emulator.switches.firstQuestionAnswered = true;
		expect(await keys()).toEqual(['q.1', 'q.2', 'q.3', 'q.4', 'q.5']);
	});

	test('surveyQuestionsForm', async () => {
		const { switches } = emulator;
		const list = (await read()).questions;
		if (!Array.isArray(list)) throw new Error('No list');
		switches.surveyQuestionsForm = 'byId';
		expect(Object.values((await read()).questions ?? {})).toEqual(list);
		switches.surveyQuestionsForm = 'byKey';
		expect((await read()).questions).toMatchObject({ 'q.0': { title } });
		switches.questionNumbering = 'from1';
		expect((await read()).questions).toMatchObject({ 'q.1': { title } });
		switches.surveyQuestionsForm = 'titles';
		expect((await read()).questions).toHaveLength(5);
		expect((await read()).questions).toContain(title);
		switches.surveyQuestionsForm = 'null';
		expect((await read()).questions).toBeNull();
		switches.surveyQuestionsForm = 'absent';
		expect(await read()).not.toHaveProperty('questions');
		expect((await read()).result).toHaveLength(2);
	});

	test('optionBranchKey: only one of the two names is taken', async () => {
		const radio = { templateCode: 'radio', title: 'x', fork: true, questionId: 'a' };
		const create = (key: string) =>
			call<{ success: boolean; message?: string }>('POST /campaign/survey', {
				...{ name: 'x', description: 'x' },
				questions: [{ ...radio, options: [{ value: 1, [key]: ['b'] }] }],
			});
		for (const [taken, refused] of [
			['branchQuestions', 'branchQuestionId'],
			['branchQuestionId', 'branchQuestions'],
		] as const) {
			emulator.switches.optionBranchKey = taken;
			expect((await create(taken)).data.success).toBe(true);
			expect((await create(refused)).data).toEqual({
				success: false,
				message: `${refused} is not allowed`,
			});
		}
		expectViolations(0);
	});

	test('fork, placeholder and numbers as options are taken on every type', async () => {
		for (const templateCode of questionTypes) {
			const fork = { templateCode, title: 'x', fork: true, questionId: 'a', options: [1, 2.5] };
			const branch = { templateCode, title: 'y', branch: true, questionId: 'b' };
			const questions = [{ ...fork, placeholder: 'Here' }, branch];
			await ok('POST /campaign/survey', { name: 'x', description: 'x', questions });
		}
		expectViolations(0);
	});

	test('an update needs access to the campaign', async () => {
		const draft = emulator.state.addCampaign({ name: 'Ours', status: '0' });
		const body = { questions: [{ templateCode: 'input', title: 'Taken over' }] };
		expect(await plain.refused(`PUT /campaign/survey/${draft._id}`, body)).toBe(
			"Invalid campaign ID for survey creation, 'draft' campaign required",
		);
		expect(draft.survey).toBeUndefined();
		draft.sharedUserIds = [emulator.state.plainUser._id];
		await plain.ok(`PUT /campaign/survey/${draft._id}`, body);
	});
});

describe('updates', () => {
	const draft = () =>
		emulator.state.addCampaign({
			name: 'Draft',
			status: '0',
			title: 'Title',
			description: 'Text',
			categories: ['HR'],
			enableEmail: false,
			imageUrl: 'https://images.example/x.png',
		});

	test.each([
		['accept', true, true],
		['refuse', false, false],
		['refuseUnlessOnlyStatus', false, true],
	] as const)(
		'updateWithoutDescription %s: a title alone %s, a status alone %s',
		async (mode, title, status) => {
			emulator.switches.updateWithoutDescription = mode;
			const path = `/campaign/${draft()._id}`;
			const taken = async (body: object) =>
				(await call<{ success: boolean }>(`PUT ${path}`, body)).data.success;
			expect(await taken({ title: 'x', description: 'y' })).toBe(true);
			expect(await taken({ title: 'x' })).toBe(title);
			expect(await taken({ status: 'live' })).toBe(status);
		},
	);

	test('campaignUpdateAbsent reset takes away what is left out, also when only sending', async () => {
		const campaign = draft();
		const update = (body: object) => ok(`PUT /campaign/${campaign._id}`, body);
		await update({ title: 'Kept' });
		expect(campaign).toMatchObject({ title: 'Kept', description: 'Text', categories: ['HR'] });
		emulator.switches.campaignUpdateAbsent = 'reset';
		await update({ title: 'New' });
		expect(campaign).toMatchObject({
			name: 'Draft',
			title: 'New',
			description: '',
			categories: [],
		});
		expect(campaign).toMatchObject({ enableEmail: true });
		expect(campaign).not.toHaveProperty('imageUrl');
		await update({ status: 'live' });
		expect(campaign).toMatchObject({ status: '1', title: 'Draft', liveAt: start });
	});

	test('channelUpdateAbsent', async () => {
		const { _id, defaults } = channel();
		const update = (body: object) => ok(`PUT /channel/${_id}`, body);
		await update({ description: 'Text', defaults: { enableSms: false, enableEmail: false } });
		await update({ defaults: { enableEmail: false } });
		expect([channel().description, defaults.enableSms]).toEqual(['Text', false]);
		emulator.switches.channelUpdateAbsent = 'resetDefaults';
		await update({ name: 'New' });
		expect([channel().description, defaults.enableSms]).toEqual(['Text', false]);
		await update({ defaults: { enableEmail: false } });
		expect([channel().description, defaults]).toMatchObject([
			'Text',
			{ enableSms: true, enableEmail: false },
		]);
		emulator.switches.channelUpdateAbsent = 'reset';
		await update({ name: 'Newer' });
		expect([channel().title, channel().description, defaults.enableEmail]).toEqual([
			'Newer',
			'',
			true,
		]);
	});
});

describe('channelBroadcastStatus', () => {
	const create = async (status: string) =>
		(
			await call<{ success: boolean; data?: { _id: string } }>(
				`POST /channel/${channel()._id}/broadcast`,
				{ title: 'x', message: 'x', status },
			)
		).data;
	const statusOf = (id: string | undefined) => emulator.state.broadcasts.get(id ?? '')?.status;

	test('refuse', async () => {
		const before = emulator.state.broadcasts.size;
		expect(await create('draft')).toEqual({ success: false, message: 'Invalid parameters' });
		expect(emulator.state.broadcasts.size).toBe(before);
		expectViolations(1);
		emulator.clearRequests();
	});

	test.each([
		['obey', '0'],
		['ignore', '1'],
	] as const)('%s: a draft becomes %s', async (mode, status) => {
		emulator.switches.channelBroadcastStatus = mode;
		expect(statusOf((await create('draft')).data?._id)).toBe(status);
		expectViolations(0);
	});
});

test('superUserReads own: what was unshared is not found by id any more', async () => {
	const campaign = first(emulator.state.campaigns.values());
	campaign.ownerId = emulator.state.plainUser._id;
	await ok(`GET /campaign/${campaign._id}`);
	emulator.switches.superUserReads = 'own';
	expect(await refused(`GET /campaign/${campaign._id}`)).toBe('Not Found.');
	campaign.sharedUserIds = [emulator.state.superUser._id];
	await ok(`GET /campaign/${campaign._id}`);
});

test('tokensPerClient one: a new token makes the older ones of the same client unknown at once', async () => {
	const ask = async (id: string, secret: string) =>
		(
			await axios.post<{ access_token: string }>(
				`${emulator.url}/int/v1/oauth/token`,
				{},
				{
					headers: { Authorization: `Bearer ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
				},
			)
		).data.access_token;
	const mine = () => ask(emulator.clientId, emulator.clientSecret);
	const status = async (token: string) =>
		(await clientOf({ url: emulator.url, accessKey: token }).call('GET /me')).status;
	const [one, two] = [await mine(), await mine()];
	expect([await status(one), await status(two)]).toEqual([200, 200]);
	emulator.switches.tokensPerClient = 'one';
	const other = await ask(emulator.plainClientId, emulator.plainClientSecret);
	const three = await mine();
	expect(await Promise.all([one, two, three, other].map(status))).toEqual([401, 401, 200, 200]);
	const four = await mine();
	expect(await Promise.all([three, four].map(status))).toEqual([401, 200]);
});

test.each([
	['seconds', /^[1-9]\d*$/],
	['date', / GMT$/],
	['none', /^undefined$/],
] as const)('rateLimit with Retry-After as %s', async (retryAfter, header) => {
	emulator.switches.rateLimit = { requests: 3, perMilliseconds: 60_000, retryAfter };
	const answers = await Promise.all(Array.from({ length: 5 }, () => call('GET /me')));
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.data).toEqual({ success: false, message: 'Too many requests' });
	expect(String(refused?.headers['retry-after'])).toMatch(header);
	emulator.reset();
	expect((await call('GET /me')).status).toBe(200);
});
