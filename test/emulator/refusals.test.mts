import axios from 'axios';
import { first, nobody, useEmulator, withIds } from './client.mts';

const { emulator, call, ok, refused, expectViolations } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 0, surveys: 0, broadcasts: 0, channels: 1 },
});

/** Returns the IDs for the placeholders in the requests below, such as `{draft}`. */
const ids = () => {
	const { state } = emulator;
	return {
		campaign: state.addCampaign({ name: 'Live' })._id,
		draft: state.addCampaign({ name: 'Draft', status: '0' })._id,
		closed: state.addBroadcast({ title: 'Closed', message: 'x', status: '3' })._id,
		group: first(state.recipientGroups.values())._id,
		channel: first(state.channels.values())._id,
	};
};

/** The known error messages (openapi.yaml, Failures) with requests that cause them. The contract test covers unknown IDs. */
const failures: [message: string, ...requests: [string, object?][]][] = [
	[
		'Illegal parameters',
		['GET /campaign?status=9'],
		['GET /campaign?limit=0'],
		['GET /campaign?all=true&onlyApi=true'],
		['GET /broadcast?maxLiveDate=today'],
		['GET /broadcast?category=HR'],
	],
	[
		'description is mandatory',
		['POST /campaign', { name: 'x' }],
		['POST /campaign', { name: 'x', description: '' }],
		['PUT /campaign/{draft}', { description: '' }],
	],
	['name is mandatory', ['POST /campaign', undefined], ['POST /campaign/survey', {}]],
	['questions is mandatory', ['POST /campaign/survey', { name: 'x', description: 'x' }]],
	['Campaign is not a survey', ['GET /campaign/{campaign}/surveyData']],
	[
		"Invalid campaign ID for survey creation, 'draft' campaign required",
		['PUT /campaign/survey/{campaign}', { questions: [{ templateCode: 'input', title: 'x' }] }],
	],
	[
		'RecipientGroup validation failed: name: Path `name` is required.',
		['POST /recipientGroup', {}],
		['POST /recipientGroup', { name: '' }],
	],
	[
		'Title is mandatory',
		['POST /broadcast', { message: 'x' }],
		['POST /broadcast', { title: '', message: 'x' }],
	],
	['message is mandatory', ['POST /broadcast', { title: 'x' }]],
	[
		'Invalid request parameters',
		['PUT /broadcast/{closed}', { status: 'draft' }],
		['PUT /broadcast/{closed}', { status: 'live' }],
		['PUT /broadcast/{closed}', { title: 'x' }],
	],
	['Campaign already closed', ['PUT /broadcast/{closed}/close']],
	[
		'Invalid parameters',
		['POST /channel', { name: 1 }],
		['POST /channel', { defaults: { enablePushNotification: true } }],
		['PUT /channel/{channel}', { defaults: { template: 'nope' } }],
		['POST /channel/{channel}/restore'],
		['GET /channel/{channel}/manager?limit=x'],
		['GET /channel/{channel}/manager?conditions={"email":{"$where":1}}'],
		['PUT /channel/{channel}/manager', { user: 'x' }],
		['PUT /channel/{channel}/manager', { user: 'nobody', permissions: [] }],
		['PUT /channel/{channel}/managerGroup', { groupId: nobody, permissions: [] }],
		[`DELETE /channel/{channel}/managerGroup/${nobody}`],
		['POST /channel/{channel}/recipient', { recipients: 'x@y.example' }],
		['POST /channel/{channel}/campaign', { name: 'x' }],
		['POST /channel/{channel}/campaign', { name: 'x', description: 'x', sharedGroups: [] }],
		['POST /channel/{channel}/broadcast', { title: 'x' }],
	],
];

test.each(failures)('refuses requests with the message "%s"', async (message, ...requests) => {
	const known = ids();
	for (const [request, body] of requests)
		expect([request, await refused(withIds(request, known), body)]).toEqual([request, message]);
});

const required = { name: 'x', description: 'x' };
const ofCampaign: [body: unknown, detail: string][] = [
	[{ ...required, name: 1 }, 'body/name must be string'],
	[{ ...required, recipientEmails: 'a@b.example' }, 'body/recipientEmails must be array'],
	[{ ...required, templateData: '{broken' }, 'body/templateData is not JSON'],
	[
		{ ...required, scheduledTime: '2026-01-31' },
		'body/scheduledTime must match format "date-time"',
	],
	[{ ...required, status: 'scheduled' }, "body has status 'scheduled' without scheduledTime"],
	[{ ...required, commentVisibility: 'no' }, 'body/commentVisibility must be one of ["0","1"]'],
	[{ ...required, enableEmail: 'true' }, 'body/enableEmail must be boolean'],
	[{ ...required, recipients: [{ mail: 'x' }] }, 'body/recipients/0 has the unknown field "mail"'],
	[
		{ nme: 'x', ...required, name: undefined },
		`body must have required property 'name'; body has the unknown field "nme"`,
	],
	[[], 'body must be object'],
	...[
		['Emails', 'Groups'],
		['Emails', 's'],
		['Groups', 's'],
	].map(([one, other]): [object, string] => [
		{ ...required, [`recipient${one}`]: [], [`recipient${other}`]: [] },
		'body: recipientEmails, recipientGroups and recipients are mutually exclusive',
	]),
];

test.each<[request: string, body: unknown, detail: string]>([
	...ofCampaign.map(([body, detail]): [string, unknown, string] => [
		'POST /campaign',
		body,
		detail,
	]),
	['GET /template?category=a&category=b', undefined, 'query/category must be string'],
	['GET /recipientGroup?limit=-1', undefined, 'query/limit must match pattern "^[0-9]+$"'],
	['GET /recipientGroup?own=yes', undefined, 'query/own must be one of ["true","false"]'],
	['GET /campaign/', undefined, 'path/id must NOT have fewer than 1 characters'],
	['PUT /campaign//close', undefined, 'path/id must NOT have fewer than 1 characters'],
	...['POST', 'DELETE'].map((method): [string, object, string] => [
		`${method} /recipientGroup/{group}/recipients`,
		{ recipientIds: ['x'], recipientEmails: ['y'] },
		'body: recipientIds and recipientEmails are mutually exclusive',
	]),
])('%s with %j is refused and recorded as a violation', async (request, body, detail) => {
	await refused(withIds(request, ids()), body);
	expect(emulator.violations).toMatchObject([{ kind: 'request', detail }]);
	expect(emulator.requests[0]?.violations).toEqual([detail]);
});

test.each([
	['POST', 'application/json', '{"name":', 'body is not JSON'],
	['POST', 'text/plain', '{}', 'body has the content type text/plain, not JSON'],
	['GET', 'application/json', '{"limit":1}', 'body is not allowed on GET'],
])('records a violation for %s with %s: %s', async (method, contentType, data, detail) => {
	await axios.request<unknown>({
		method,
		url: `${emulator.url}/int/v1/campaign`,
		data,
		headers: { Authorization: `Bearer ${emulator.accessKey}`, 'Content-Type': contentType },
		transformRequest: (body: unknown) => body,
		validateStatus: () => true,
	});
	expect(emulator.violations).toMatchObject([{ detail }]);
});

test.each(['GET /campaigns', 'PATCH /campaign/x', 'POST /channel/x/unknown'])(
	'refuses the unknown endpoint %s',
	async (request) => {
		expect((await call(request)).status).toBe(404);
		expect(emulator.violations).toMatchObject([{ detail: 'there is no such endpoint' }]);
	},
);

test('records no violation for a missing field or an empty body', async () => {
	for (const request of ['POST /campaign', 'POST /broadcast'])
		for (const body of [{}, undefined]) await refused(request, body);
	await ok(`PUT /campaign/${ids().campaign}/close`, {});
	expectViolations(0);
});

test.each([
	['../me', '..%2Fme'],
	['a/b?c#d', 'a%2Fb%3Fc%23d'],
])('keeps the ID %s in one segment of the path', async (id, segment) => {
	expect(await refused(`GET /campaign/${encodeURIComponent(id)}`)).toBe('Not Found.');
	expect(emulator.requests[0]?.path).toBe(`/int/v1/campaign/${segment}`);
});

test.each([
	['name', 42, 'response/data/0/name must be string'],
	['secret', true, 'response/data/0 has the unknown field "secret"'],
])(
	'turns a response that violates the contract (%s) into HTTP 500 and a violation',
	async (field, value, problem) => {
		Object.assign(first(emulator.state.templates.values()), { [field]: value });
		expect(await call('GET /template')).toMatchObject({
			status: 500,
			data: {
				success: false,
				message: `The emulator broke the contract of template.getAll: ${problem}`,
			},
		});
		expect(emulator.violations).toMatchObject([{ kind: 'response' }]);
		emulator.clearRequests();
	},
);
