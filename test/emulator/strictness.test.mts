import axios from 'axios';
import { first, textWith, useEmulator, withIds } from './client.mts';

const { emulator, call, ok, refused, expectViolations } = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 1, surveys: 0, broadcasts: 1, channels: 1 },
});

const details = () => emulator.violations.map(({ detail }) => detail);
const required = { name: 'x', description: 'x' };

describe('what the contract does not allow is answered with "no" and recorded', () => {
	test.each<[body: unknown, detail: string]>([
		[{ ...required, foo: 1 }, 'body has the unknown field "foo"'],
		[{ ...required, name: 1 }, 'body/name must be string'],
		[{ ...required, recipientEmails: 'a@b.example' }, 'body/recipientEmails must be array'],
		[{ ...required, templateData: { a: 1 } }, 'body/templateData must be string'],
		[{ ...required, templateData: '{broken' }, 'body/templateData is not JSON'],
		[
			{ ...required, scheduledTime: '2026-01-31 09:15' },
			'body/scheduledTime must match format "date-time"',
		],
		[{ ...required, status: 'scheduled' }, "body has status 'scheduled' without scheduledTime"],
		[
			{ ...required, commentVisibility: 'disabled' },
			'body/commentVisibility must be one of ["0","1"]',
		],
		[{ ...required, enableEmail: 'true' }, 'body/enableEmail must be boolean'],
		[
			{ ...required, recipients: [{ mail: 'x' }] },
			'body/recipients/0 has the unknown field "mail"',
		],
		[
			{ nme: 'x', description: 'x' },
			`body must have required property 'name'; body has the unknown field "nme"`,
		],
		[[], 'body must be object'],
	])('a campaign created with %j', async (body, detail) => {
		await refused('POST /campaign', body);
		expect(details()).toEqual([detail]);
		expect(emulator.violations[0]).toMatchObject({ kind: 'request', method: 'POST' });
		expect(emulator.requests[0]?.violations).toEqual([detail]);
	});

	test.each<[request: string, body: object | undefined, detail: string]>([
		['GET /campaign?foo=1', undefined, 'query has the unknown field "foo"'],
		['GET /me?foo=1', undefined, 'query has the unknown field "foo"'],
		['GET /campaign/{campaign}?foo=1', undefined, 'query has the unknown field "foo"'],
		['GET /template?category=a&category=b', undefined, 'query/category must be string'],
		['GET /recipientGroup?limit=-1', undefined, 'query/limit must match pattern "^[0-9]+$"'],
		['GET /recipientGroup?own=yes', undefined, 'query/own must be one of ["true","false"]'],
		['GET /campaign/', undefined, 'path/id must NOT have fewer than 1 characters'],
		['PUT /campaign//close', undefined, 'path/id must NOT have fewer than 1 characters'],
		['PUT /campaign/{campaign}/close', { force: true }, 'body has the unknown field "force"'],
		[
			'POST /recipientGroup/{group}/recipients',
			{ recipientIds: ['x'], recipientEmails: ['y'] },
			'body: recipientIds and recipientEmails are mutually exclusive',
		],
		[
			'DELETE /recipientGroup/{group}/recipients',
			{ recipientIds: [], reset: true },
			'body has the unknown field "reset"',
		],
		['DELETE /recipientGroup/{group}', { name: 'x' }, 'body has the unknown field "name"'],
	])('%s with %j', async (request, body, detail) => {
		const { campaigns, recipientGroups } = emulator.state;
		const campaign = first(campaigns.values())._id;
		const group = first(recipientGroups.values())._id;
		await refused(withIds(request, { campaign, group }), body);
		expect(details()).toEqual([detail]);
	});

	test.each([
		['POST', 'application/json', '{"name":', 'body is not JSON'],
		['POST', 'text/plain', '{}', 'body has the content type text/plain, not JSON'],
		[
			'POST',
			'application/x-www-form-urlencoded',
			'name=x',
			'body has the content type application/x-www-form-urlencoded, not JSON',
		],
		['GET', 'application/json', '{"limit":1}', 'body is not allowed on GET'],
	])('%s with %s: %s', async (method, contentType, data, detail) => {
		await axios.request<unknown>({
			method,
			url: `${emulator.url}/int/v1/campaign`,
			data,
			headers: { Authorization: `Bearer ${emulator.accessKey}`, 'Content-Type': contentType },
			transformRequest: (body: unknown) => body,
			validateStatus: () => true,
		});
		expect(details()).toEqual([detail]);
	});

	test.each([
		'GET /campaigns',
		'PATCH /campaign/x',
		'POST /channel/x/unknown',
		'GET /{campaign}',
	] as const)('there is no endpoint %s', async (request) => {
		expect((await call(request)).status).toBe(404);
		expect(details()).toEqual(['there is no such endpoint']);
	});

	test.each(['POST /campaign', 'POST /broadcast'] as const)(
		'a field that is missing in %s is a failure of the service, not a violation',
		async (request) => {
			for (const body of [{}, undefined]) await refused(request, body);
			expectViolations(0);
		},
	);

	test('empty bodies of any content type are fine where none is expected', async () => {
		const { _id } = emulator.state.addCampaign({ name: 'x' });
		await ok(`PUT /campaign/${_id}/close`, {});
		expectViolations(0);
	});

	test.each([
		['../me', '..%2Fme'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
	])('the id %s stays one segment', async (id, segment) => {
		expect(await refused(`GET /campaign/${encodeURIComponent(id)}`)).toBe('Not Found.');
		expect(emulator.requests[0]?.path).toBe(`/int/v1/campaign/${segment}`);
	});
});

test.each([
	['wrong', 'name', 42, 'The emulator broke the contract of template.getAll: response/data/0/name'],
	['undocumented', 'secret', true, 'the unknown field "secret"'],
])('an answer with a field that is %s is a loud 500, and recorded', async (...row) => {
	const [, field, value, message] = row;
	Object.assign(first(emulator.state.templates.values()), { [field]: value });
	expect(await call('GET /template')).toMatchObject({
		status: 500,
		data: { success: false, message: textWith(message) },
	});
	expect(emulator.violations).toMatchObject([{ kind: 'response' }]);
	emulator.clearRequests();
});
