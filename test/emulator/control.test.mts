import axios, { type Method } from 'axios';
import { first, useEmulator } from './client.mts';

const { emulator, call, ok, expectViolations } = useEmulator({
	seed: { people: 5, groups: 2, campaigns: 1, surveys: 1, responsesPerSurvey: 2 },
});

const control = async (method: Method, path: string, data?: unknown) =>
	axios.request<unknown>({
		method,
		url: `${emulator.url}/_emulator${path}`,
		data,
		validateStatus: () => true,
	});
const show = async (name: string) => (await control('GET', name)).data;
const run = async (name: string, ...args: unknown[]) => control('POST', name, args);

const survey = () => {
	const found = emulator.state.campaigns.find((campaign) => campaign.survey !== undefined);
	if (found?.survey === undefined) throw new Error('No survey');
	return { campaign: found, id: found._id, rows: () => [...(found.survey?.rows() ?? [])] };
};

test('shows and sets switches', async () => {
	const set = { unknownEmails: 'errorLog', pageCap: { campaign: 3 } };
	await control('POST', '/switches', set);
	expect(emulator.switches).toMatchObject(set);
	expect(await show('/switches')).toMatchObject(set);
	expect((await control('POST', '/switches', { unknownSwitch: 1 })).status).toBe(400);
});

test('adds, shows and clears faults', async () => {
	const add = (fault: object) => control('POST', '/faults', fault);
	const statuses = async () => [(await call('GET /me')).status, (await call('GET /me')).status];
	await add({ match: { path: '/int/v1/me' }, action: { status: 503 } });
	expect(await statuses()).toEqual([503, 200]);
	await add({ match: { method: 'GET' }, times: null, skip: 1, action: { status: 500 } });
	expect(await show('/faults')).toMatchObject([{ timesLeft: null, skipLeft: 1 }]);
	expect(await statuses()).toEqual([200, 500]);
	await control('DELETE', '/faults');
	expect(await statuses()).toEqual([200, 200]);
	expect((await add({})).status).toBe(400);
});

test('resets to a seed and keeps keys valid', async () => {
	expect((await run('/reset', { seed: 7, people: 11, campaigns: 0 })).status).toBe(200);
	expect(emulator.state.people.size).toBe(11);
	await control('POST', '/reset');
	expect(emulator.state.people.size).toBe(11);
	await ok('GET /me');
	emulator.reset({ people: 5, groups: 2, campaigns: 1, surveys: 1, responsesPerSurvey: 2 });
});

test('calls methods of the emulator with their arguments', async () => {
	const { campaign, id, rows } = survey();
	const { data } = await run('/submitResponse', id, { userId: 'u1', answers: [5] });
	expect(data).toEqual({ result: rows().at(-1)?.rowId });
	await run('/letPeopleAnswer', id, 3);
	expect(rows()).toHaveLength(6);
	for (const [command, status] of [
		['/closeCampaign', '3'],
		['/reopenCampaign', '1'],
	] as const) {
		await run(command, id);
		expect(campaign.status).toBe(status);
	}
	expect(await show('/surveys')).toEqual([
		{ _id: id, name: 'Survey 1', status: '1', responses: 6, anonymous: false },
	]);
	expect(await run('/submitResponse', 'nope')).toMatchObject({
		status: 400,
		data: { error: 'No survey campaign nope' },
	});
	expect((await run('/stop')).status).toBe(404);
});

test('performs actions of a colleague in the console', async () => {
	const { id } = survey();
	const listed = async () => (await ok<{ _id: string }[]>('GET /campaign')).map(({ _id }) => _id);
	expect(await listed()).toContain(id);
	emulator.unshareCampaign(id);
	expect(await listed()).not.toContain(id);
	emulator.deleteCampaign(id);
	for (const act of ['deleteCampaign', 'sendCampaign'] as const)
		expect(() => emulator[act](id)).toThrow('No campaign');
	const draft = emulator.state.addCampaign({ name: 'x', status: '0' });
	expect(() => emulator.reopenCampaign(draft._id)).toThrow('Only a closed campaign');
	emulator.sendCampaign(draft._id);
	expect(draft.status).toBe('1');
	expect(() => emulator.sendCampaign(draft._id)).toThrow('Only a draft or scheduled campaign');
});

test('shows and clears the log, which omits requests to the control interface', async () => {
	for (const request of ['GET /me', 'GET /me?x=1', 'POST /recipientGroup'])
		await call(request, request.startsWith('POST') ? { name: 'x' } : undefined);
	expect(await show('/requests')).toMatchObject([
		{ operationId: 'profile.get' },
		{ operationId: 'profile.get' },
		{ operationId: 'recipientGroup.create' },
	]);
	expect(await show('/requests?operationId=profile.get')).toHaveLength(2);
	expect(await show('/violations')).toHaveLength(1);
	expect(await show('/summary')).toMatchObject({ total: 3, maxInFlight: 1, violations: 1 });
	await control('POST', '/clearRequests');
	expect(await show('/summary')).toMatchObject({ total: 0, violations: 0 });
	expect((await control('GET', '/nope')).status).toBe(404);
	expectViolations(0);
});

describe('pages for people', () => {
	const page = async (path: string) =>
		axios.get<string>(`${emulator.url}${path}`, { validateStatus: () => true });

	test('show credentials, records and requests on the front page, all escaped', async () => {
		const { state } = emulator;
		state.addRecipientGroup('<script>alert("group")</script>');
		state.addCampaign({ name: `Tom & "Jerry's"` });
		await call('GET /campaign?x=<b>');
		const { data, headers } = await page('/');
		expect(String(headers['content-type'])).toBe('text/html; charset=utf-8');
		for (const text of [
			emulator.url,
			emulator.accessKey,
			emulator.clientId,
			emulator.clientSecret,
			'&lt;script&gt;alert(&quot;group&quot;)&lt;/script&gt;',
			'Tom &amp; &quot;Jerry&#39;s&quot;',
			'Survey 1',
			'Channel 1',
			'Violation: query has the unknown field &quot;x&quot;',
		]) {
			expect(data).toContain(text);
		}
		expect(data).not.toContain('<script');
		expect(data).not.toContain('http-equiv="refresh"');
		expect((await page('/?refresh=3')).data).toMatch(/<meta http-equiv="refresh" content="3"/);
		expect((await page('/?refresh=%22%3E')).data).not.toContain('http-equiv');
	});

	test('show groups, and campaigns and broadcasts at the URLs of the service', async () => {
		const { state } = emulator;
		const group = first(state.recipientGroups.values());
		const members = await page(`/console/group/${group._id}`);
		for (const email of state.groupEmails(group._id)) expect(members.data).toContain(email);
		const campaign = await ok<{ campaignUrl: string }>(`GET /campaign/${survey().id}`);
		const shown = await axios.get<string>(campaign.campaignUrl);
		expect(shown.data).toContain('How do you feel?');
		const broadcast = first(state.broadcasts.values());
		expect((await page(`/console/broadcast/${broadcast._id}`)).data).toContain(broadcast.message);
		for (const path of ['group', 'campaign', 'broadcast']) {
			expect((await page(`/console/${path}/nope`)).status).toBe(404);
		}
	});
});
