import axios from 'axios';
import { first, textWith, useEmulator } from './client.mts';

const context = useEmulator({
	seed: { people: 3, groups: 1, campaigns: 1, surveys: 0, broadcasts: 1, channels: 1 },
});

const group = (): string => first(context.emulator.state.recipientGroups.values())._id;
const campaign = (): string => first(context.emulator.state.campaigns.values())._id;

const details = (): string[] => context.emulator.violations.map((violation) => violation.detail);

describe('what the contract does not allow is answered with "no" and recorded', () => {
	test.each<['POST' | 'PUT' | 'DELETE' | 'GET', () => string, object | undefined, string]>([
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', foo: 1 },
			'body has the unknown field "foo"',
		],
		['POST', () => '/campaign', { name: 1, description: 'x' }, 'body/name must be string'],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', recipientEmails: 'a@b.example' },
			'body/recipientEmails must be array',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', templateData: { a: 1 } },
			'body/templateData must be string',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', templateData: '{broken' },
			'body/templateData is not JSON',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', scheduledTime: '2026-01-31 09:15' },
			'body/scheduledTime must match format "date-time"',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', status: 'scheduled' },
			"body has status 'scheduled' without scheduledTime",
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', commentVisibility: 'disabled' },
			'body/commentVisibility must be one of ["0","1"]',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', enableEmail: 'true' },
			'body/enableEmail must be boolean',
		],
		[
			'POST',
			() => '/campaign',
			{ name: 'x', description: 'x', recipients: [{ mail: 'x' }] },
			'body/recipients/0 has the unknown field "mail"',
		],
		['POST', () => '/campaign', [], 'body must be object'],
		['GET', () => '/campaign?foo=1', undefined, 'query has the unknown field "foo"'],
		['GET', () => '/me?foo=1', undefined, 'query has the unknown field "foo"'],
		['GET', () => `/campaign/${campaign()}?foo=1`, undefined, 'query has the unknown field "foo"'],
		['GET', () => '/template?category=a&category=b', undefined, 'query/category must be string'],
		[
			'GET',
			() => '/recipientGroup?limit=-1',
			undefined,
			'query/limit must match pattern "^[0-9]+$"',
		],
		[
			'GET',
			() => '/recipientGroup?own=yes',
			undefined,
			'query/own must be one of ["true","false"]',
		],
		[
			'PUT',
			() => `/campaign/${campaign()}/close`,
			{ force: true },
			'body has the unknown field "force"',
		],
		[
			'POST',
			() => `/recipientGroup/${group()}/recipients`,
			{ recipientIds: ['x'], recipientEmails: ['y'] },
			'body: recipientIds and recipientEmails are mutually exclusive',
		],
		[
			'DELETE',
			() => `/recipientGroup/${group()}/recipients`,
			{ recipientIds: [], reset: true },
			'body has the unknown field "reset"',
		],
		[
			'DELETE',
			() => `/recipientGroup/${group()}`,
			{ name: 'x' },
			'body has the unknown field "name"',
		],
	])('%s %p %j', async (method, path, body, detail) => {
		await context.client.refused(method, path(), body === undefined ? {} : { body });
		expect(details()).toEqual([detail]);
		expect(context.emulator.violations[0]).toMatchObject({ kind: 'request', method });
		expect(context.emulator.requests[0]?.violations).toEqual([detail]);
	});

	test('broken JSON, another content type and a body on GET', async () => {
		const send = (method: string, contentType: string, data: string) =>
			axios.request<unknown>({
				method,
				url: `${context.emulator.url}/int/v1/campaign`,
				data,
				headers: {
					Authorization: `Bearer ${context.emulator.accessKey}`,
					'Content-Type': contentType,
				},
				transformRequest: (body: unknown) => body,
				validateStatus: () => true,
			});
		await send('POST', 'application/json', '{"name":');
		await send('POST', 'text/plain', '{}');
		await send('POST', 'application/x-www-form-urlencoded', 'name=x');
		await send('GET', 'application/json', '{"limit":1}');
		expect(details()).toEqual([
			'body is not JSON',
			'body has the content type text/plain, not JSON',
			'body has the content type application/x-www-form-urlencoded, not JSON',
			'body is not allowed on GET',
		]);
	});

	test.each([
		['GET', '/campaigns'],
		['PATCH', '/campaign/x'],
		['POST', '/channel/x/unknown'],
		['GET', '/CAMPAIGN'],
	] as const)('there is no endpoint %s %s', async (method, path) => {
		const answer = await context.client.call(method, path);
		expect(answer.status).toBe(404);
		expect(details()).toEqual(['there is no such endpoint']);
	});

	test('an empty id is no id', async () => {
		await context.client.refused('GET', '/campaign/');
		await context.client.refused('PUT', '/campaign//close');
		expect(details()).toEqual([
			'path/id must NOT have fewer than 1 characters',
			'path/id must NOT have fewer than 1 characters',
		]);
	});

	test('a field that is missing is a failure of the service, not a violation', async () => {
		await context.client.refused('POST', '/campaign', { body: {} });
		await context.client.refused('POST', '/broadcast', { body: {} });
		await context.client.refused('POST', '/campaign', {});
		expect(details()).toEqual([]);
	});

	test('missing and unknown together are a violation', async () => {
		await context.client.refused('POST', '/campaign', { body: { nme: 'x', description: 'x' } });
		expect(details()).toEqual([
			`body must have required property 'name'; body has the unknown field "nme"`,
		]);
	});

	test('empty bodies of any content type are fine where none is expected', async () => {
		const id = context.emulator.state.addCampaign({ name: 'x' })._id;
		await context.client.ok('PUT', `/campaign/${id}/close`, {
			body: {},
			headers: { 'Content-Type': 'application/json' },
		});
		expect(details()).toEqual([]);
	});

	test('an id with a slash in it stays one segment', async () => {
		expect(await context.client.refused('GET', `/campaign/${encodeURIComponent('../me')}`)).toBe(
			'Not Found.',
		);
		expect(await context.client.refused('GET', `/campaign/${encodeURIComponent('a/b?c#d')}`)).toBe(
			'Not Found.',
		);
		expect(context.emulator.requests.map((request) => request.path)).toEqual([
			'/int/v1/campaign/..%2Fme',
			'/int/v1/campaign/a%2Fb%3Fc%23d',
		]);
	});
});

test('an answer that breaks the contract is a loud 500, and recorded', async () => {
	const id = campaign();
	Object.assign(context.emulator.state.campaigns.get(id) ?? {}, { title: 42 });
	const answer = await context.client.call('GET', `/campaign/${id}`);
	expect(answer.status).toBe(500);
	expect(answer.data).toEqual({
		success: false,
		message: textWith('The emulator broke the contract of campaign.get: response/data/title'),
	});
	expect(context.emulator.violations).toMatchObject([{ kind: 'response' }]);
	context.emulator.clearRequests();
});

test('an answer with a field nobody documented is a loud 500, too', async () => {
	const template = first(context.emulator.state.templates.values());
	Object.assign(template, { secret: true });
	const answer = await context.client.call('GET', '/template');
	expect(answer.status).toBe(500);
	expect(context.emulator.violations[0]?.detail).toContain('the unknown field "secret"');
	context.emulator.clearRequests();
});
