import axios, { type Method } from 'axios';
import { clientOf, first, start, timeAfter, useEmulator } from './client.mts';

const { emulator, call, ok, expectViolations } = useEmulator({
	seed: { people: 5, groups: 2, campaigns: 1, surveys: 1, responsesPerSurvey: 2 },
});

async function control<T = unknown>(method: Method, path: string, data?: unknown) {
	return axios.request<T>({
		method,
		url: `${emulator.url}/_emulator${path}`,
		...(data === undefined ? {} : { data }),
		validateStatus: () => true,
	});
}

const surveyId = (): string =>
	emulator.state.campaigns.find((campaign) => campaign.survey !== undefined)?._id ?? '';

test('switches are read and set', async () => {
	await control('POST', '/switches', { unknownEmails: 'errorLog', pageCap: { campaign: 3 } });
	expect(emulator.switches.unknownEmails).toBe('errorLog');
	const read = await control('GET', '/switches');
	expect(read.data).toMatchObject({ unknownEmails: 'errorLog', pageCap: { campaign: 3 } });
	const unknown = await control('POST', '/switches', { unknownSwitch: 1 });
	expect(unknown.status).toBe(400);
	expect(unknown.data).toEqual({ error: 'There is no switch unknownSwitch' });
});

test('faults are added, listed and cleared', async () => {
	const me = () => clientOf(emulator).call('GET /me');
	await control('POST', '/faults', { match: { path: '/int/v1/me' }, action: { status: 503 } });
	expect((await me()).status).toBe(503);
	expect((await me()).status).toBe(200);
	const listed = await control('POST', '/faults', {
		match: { method: 'GET', pathRegExp: '/me$' },
		times: null,
		skip: 1,
		action: { status: 500 },
	});
	expect(listed.data).toEqual([
		{
			match: { method: 'GET', path: String(/\/me$/) },
			action: { status: 500 },
			timesLeft: null,
			skipLeft: 1,
		},
	]);
	expect([(await me()).status, (await me()).status, (await me()).status]).toEqual([200, 500, 500]);
	await control('DELETE', '/faults');
	expect((await me()).status).toBe(200);
	expect((await control('POST', '/faults', {})).status).toBe(400);
});

test('reset starts again from a seed, and keys stay good', async () => {
	const { data } = await control('POST', '/reset', {
		seed: 7,
		people: 11,
		groups: 1,
		campaigns: 0,
		surveys: 0,
	});
	expect(data).toMatchObject({ people: 11, recipientGroups: 1, campaigns: 0 });
	expect(emulator.state.people.size).toBe(11);
	await ok('GET /me');
	expect((await control('POST', '/seed')).data).toMatchObject({ people: 11 });
	expect((await control('GET', '/state')).data).toMatchObject({ people: 11 });
	emulator.reset({ people: 5, groups: 2, campaigns: 1, surveys: 1, responsesPerSurvey: 2 });
});

test('people and groups are made and shown', async () => {
	const people = await control<{ people: number; ids: string[] }>('POST', '/people', [
		{ email: 'csv@people.example', firstName: 'C' },
	]);
	expect(people.data.people).toBe(6);
	expect((await control<unknown[]>('GET', '/people')).data).toHaveLength(6);
	const made = await control<{ _id: string }>('POST', '/groups', {
		name: 'From outside',
		emails: ['csv@people.example', 'other@people.example'],
	});
	expect((await control('GET', `/groups/${made.data._id}/members`)).data).toEqual([
		'csv@people.example',
		'other@people.example',
	]);
	expect((await control<unknown[]>('GET', '/groups')).data).toHaveLength(3);
	const unknown = await control('GET', '/groups/nope/members');
	expect(unknown.status).toBe(400);
	expect(unknown.data).toEqual({ error: 'No recipient group nope' });
	expect((await control('POST', '/people', [{ name: 'x' }])).status).toBe(400);
});

test('survey responses are submitted, changed, hidden and removed', async () => {
	const id = surveyId();
	const path = `/surveys/${id}/responses`;
	const one = await control<{ rowIds: string[] }>('POST', path, { userId: 'u1', answers: [5] });
	const several = await control<{ rowIds: string[] }>('POST', path, [{}, { submitted: true }]);
	expect(several.data.rowIds).toHaveLength(2);
	expect((await control<{ rowIds: string[] }>('POST', path)).data.rowIds).toHaveLength(1);
	const rowId = first(one.data.rowIds);
	await control('PUT', `${path}/${rowId}`, { responseDuration: 9 });
	const rows = async () =>
		(await ok<{ result: Record<string, unknown>[] }>(`GET /campaign/${id}/surveyData`)).result;
	expect((await rows()).find((row) => row.userId === 'u1')).toMatchObject({ responseDuration: 9 });
	await control('POST', `/surveys/${id}/hide`, { rows: [rowId] });
	expect(await rows()).toHaveLength(5);
	expect(await rows()).toHaveLength(6);
	await control('POST', `/surveys/${id}/hide`);
	expect(await rows()).toEqual([]);
	await control('DELETE', `${path}/${rowId}`);
	expect(await rows()).toHaveLength(5);
	expect((await control('GET', '/surveys')).data).toMatchObject([
		{ _id: id, name: 'Survey 1', responses: 5, anonymous: false },
	]);
	expect((await control('POST', '/surveys/nope/responses', {})).status).toBe(400);
});

test('the clock is moved and tokens expire', async () => {
	expect((await control('POST', '/clock', { advanceMs: 1000 })).data).toEqual({
		now: timeAfter(1000),
	});
	await control('POST', '/clock', { set: '2030-01-01T00:00:00.000Z' });
	expect(emulator.clock.now()).toBe(Date.UTC(2030, 0, 1));
	await control('POST', '/clock', { reset: true });
	expect(emulator.clock.now()).toBe(start);
	expect((await control('POST', '/tokens/expire')).data).toEqual({ tokens: 0 });
});

test('the log is read and cleared, and holds nothing of the control interface', async () => {
	await call('GET /me');
	await call('GET /me?x=1');
	await call('POST /recipientGroup', { name: 'x' });
	const all = await control<{ operationId: string }[]>('GET', '/requests');
	expect(all.data.map((request) => request.operationId)).toEqual([
		'profile.get',
		'profile.get',
		'recipientGroup.create',
	]);
	expect((await control<unknown[]>('GET', '/requests?method=POST')).data).toHaveLength(1);
	expect(
		(await control<unknown[]>('GET', '/requests?operationId=profile.get&limit=1')).data,
	).toHaveLength(1);
	expect((await control<unknown[]>('GET', '/violations')).data).toHaveLength(1);
	expect((await control('GET', '/summary')).data).toMatchObject({
		total: 3,
		maxInFlight: 1,
		violations: 1,
	});
	await control('DELETE', '/requests');
	expect((await control('GET', '/summary')).data).toMatchObject({ total: 0, violations: 0 });
});

test('an unknown control path is 404 and no violation', async () => {
	expect((await control('GET', '/nope')).status).toBe(404);
	expectViolations(0);
});

describe('pages for people', () => {
	const page = async (path: string) =>
		axios.get<string>(`${emulator.url}${path}`, { validateStatus: () => true });

	test('the front page shows credentials, records and requests, all escaped', async () => {
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

	test('groups, campaigns and broadcasts have pages, the latter at the URLs of the service', async () => {
		const { state } = emulator;
		const group = first(state.recipientGroups.values());
		const members = await page(`/console/group/${group._id}`);
		for (const email of state.groupEmails(group._id)) expect(members.data).toContain(email);
		const campaign = await ok<{ campaignUrl: string }>(`GET /campaign/${surveyId()}`);
		const shown = await axios.get<string>(campaign.campaignUrl);
		expect(shown.data).toContain('How do you feel?');
		const broadcast = first(state.broadcasts.values());
		expect((await page(`/console/broadcast/${broadcast._id}`)).data).toContain(broadcast.message);
		for (const path of ['group', 'campaign', 'broadcast']) {
			expect((await page(`/console/${path}/nope`)).status).toBe(404);
		}
	});
});

test('templates by category, and the profile', async () => {
	const data = await ok<{ categories: string[] }[]>('GET /template');
	expect(data).toHaveLength(4);
	expect(Object.keys(first(data)).sort().join(' ')).toBe(
		'_id categories isSurvey lang marketImagePath name templateUrl',
	);
	const category = first(first(data).categories);
	const some = await ok<{ categories: string[] }[]>(`GET /template?category=${category}`);
	expect(some).toEqual([expect.objectContaining({ categories: [category] })]);
	emulator.switches.pageCap = { template: 2 };
	expect(await ok<unknown[]>('GET /template')).toHaveLength(2);
});
