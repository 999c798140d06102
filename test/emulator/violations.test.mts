import axios from 'axios';
import { first } from '../kit/required.mts';
import { useEmulator } from './client.mts';

const { emulator, call, refused } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 0, surveys: 0, broadcasts: 0, channels: 1 },
});

const groupId = () => first(emulator.state.recipientGroups.values())._id;

const required = { name: 'x', description: 'x' };
const ofCampaign: [body: unknown, detail: string][] = [
	[{ ...required, name: 1 }, 'body/name must be string'],
	[{ ...required, templateData: '{broken' }, 'body/templateData must match format "json"'],
	[
		{ ...required, scheduledTime: '2026-01-31' },
		'body/scheduledTime must match format "date-time"',
	],
	[{ ...required, recipients: [{ mail: 'x' }] }, 'body/recipients/0 has the unknown field "mail"'],
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
	...['POST', 'DELETE'].map((method): [string, object, string] => [
		`${method} /recipientGroup/{group}/recipients`,
		{ recipientIds: ['x'], recipientEmails: ['y'] },
		'body: recipientIds and recipientEmails are mutually exclusive',
	]),
])('%s with %j is refused and recorded as a violation', async (request, body, detail) => {
	await refused(request.replace('{group}', groupId()), body);
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
