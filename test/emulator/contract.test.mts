import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3_1 } from 'openapi-types';
import { contractDocument } from '../../emulator/server/contract.mts';
import { contractPath } from '../../emulator/server/projectRoot.mts';
import { useEmulator } from './client.mts';

/**
 * Every endpoint of the service, in the order of its specification, with its name in the node. Written by hand and never made
 * from the document: it is what the document is held against.
 */
const endpoints = [
	['POST', '/int/v1/oauth/token', 'oauth.token'],
	['GET', '/int/v1/campaign', 'campaign.getAll'],
	['GET', '/int/v1/campaign/{id}', 'campaign.get'],
	['GET', '/int/v1/campaign/{id}/report', 'campaign.getReport'],
	['POST', '/int/v1/campaign', 'campaign.create'],
	['PUT', '/int/v1/campaign/{id}', 'campaign.update'],
	['PUT', '/int/v1/campaign/{id}/close', 'campaign.close'],
	['PUT', '/int/v1/campaign/{id}/addRecipients', 'campaign.addRecipients'],
	['PUT', '/int/v1/campaign/{id}/cancelRecipients', 'campaign.cancelRecipients'],
	['GET', '/int/v1/campaign/{id}/surveyData', 'survey.getResponses'],
	['GET', '/int/v1/campaign/{id}/file', 'campaignFile.getAll'],
	['GET', '/int/v1/campaign/{id}/file/{fileId}', 'campaignFile.get'],
	['POST', '/int/v1/campaign/{id}/file', 'campaignFile.upload'],
	['POST', '/int/v1/campaign/{id}/file/{fileId}', 'campaignFile.replace'],
	['DELETE', '/int/v1/campaign/{id}/file/{fileId}', 'campaignFile.delete'],
	['POST', '/int/v1/campaign/survey', 'survey.create'],
	['PUT', '/int/v1/campaign/survey/{id}', 'survey.update'],
	['GET', '/int/v1/recipientGroup', 'recipientGroup.getAll'],
	['GET', '/int/v1/recipientGroup/{id}', 'recipientGroup.get'],
	['POST', '/int/v1/recipientGroup', 'recipientGroup.create'],
	['DELETE', '/int/v1/recipientGroup/{id}', 'recipientGroup.delete'],
	['POST', '/int/v1/recipientGroup/{id}/recipients', 'recipientGroup.addRecipients'],
	['DELETE', '/int/v1/recipientGroup/{id}/recipients', 'recipientGroup.removeRecipients'],
	['GET', '/int/v1/broadcast', 'broadcast.getAll'],
	['GET', '/int/v1/broadcast/{id}', 'broadcast.get'],
	['POST', '/int/v1/broadcast', 'broadcast.create'],
	['PUT', '/int/v1/broadcast/{id}', 'broadcast.update'],
	['DELETE', '/int/v1/broadcast/{id}', 'broadcast.delete'],
	['PUT', '/int/v1/broadcast/{id}/close', 'broadcast.close'],
	['GET', '/int/v1/broadcast/{id}/file', 'broadcastFile.getAll'],
	['GET', '/int/v1/broadcast/{id}/file/{fileId}', 'broadcastFile.get'],
	['POST', '/int/v1/broadcast/{id}/file', 'broadcastFile.upload'],
	['POST', '/int/v1/broadcast/{id}/file/{fileId}', 'broadcastFile.replace'],
	['DELETE', '/int/v1/broadcast/{id}/file/{fileId}', 'broadcastFile.delete'],
	['GET', '/int/v1/channel', 'channel.getAll'],
	['GET', '/int/v1/channel/{id}', 'channel.get'],
	['POST', '/int/v1/channel', 'channel.create'],
	['PUT', '/int/v1/channel/{id}', 'channel.update'],
	['POST', '/int/v1/channel/{id}/archive', 'channel.archive'],
	['POST', '/int/v1/channel/{id}/restore', 'channel.restore'],
	['GET', '/int/v1/channel/{id}/manager', 'channelManager.getAll'],
	['PUT', '/int/v1/channel/{id}/manager', 'channelManager.set'],
	['DELETE', '/int/v1/channel/{id}/manager', 'channelManager.remove'],
	['GET', '/int/v1/channel/{id}/managerGroup', 'channelManagerGroup.getAll'],
	['PUT', '/int/v1/channel/{id}/managerGroup', 'channelManagerGroup.set'],
	['DELETE', '/int/v1/channel/{id}/managerGroup/{groupId}', 'channelManagerGroup.remove'],
	['GET', '/int/v1/channel/{id}/recipient', 'channelRecipient.getAll'],
	['POST', '/int/v1/channel/{id}/recipient', 'channelRecipient.add'],
	['POST', '/int/v1/channel/{id}/recipient/remove', 'channelRecipient.remove'],
	['POST', '/int/v1/channel/{id}/campaign', 'channel.createCampaign'],
	['POST', '/int/v1/channel/{id}/broadcast', 'channel.createBroadcast'],
	['GET', '/int/v1/template', 'template.getAll'],
	['GET', '/int/v1/me', 'profile.get'],
] as const;

const methods = ['get', 'put', 'post', 'delete'] as const;

function operations() {
	return Object.entries(contractDocument().paths ?? {}).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const { operationId = '', requestBody } = item?.[method] ?? {};
			return item?.[method]
				? [{ method: method.toUpperCase(), path, operationId, requestBody }]
				: [];
		}),
	);
}

const documented = () =>
	operations().map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);

function schema(name: string): OpenAPIV3_1.SchemaObject {
	const found = contractDocument().components?.schemas?.[name];
	if (found === undefined || '$ref' in found) throw new Error(`No schema ${name}`);
	return found;
}

const fields = (name: string): string[] => Object.keys(schema(name).properties ?? {});

const context = useEmulator();

describe('the contract', () => {
	test('is a valid OpenAPI 3.1 document', async () => {
		const validator = new Validator();
		const result = await validator.validate(readFileSync(contractPath(), 'utf8'));
		expect(result).toEqual({ valid: true });
		expect(validator.version).toBe('3.1');
	});

	test('has exactly the endpoints of the service', () => {
		expect(documented().sort()).toEqual(endpoints.map((endpoint) => endpoint.join(' ')).sort());
	});

	test('each endpoint is answered by a handler of its own', async () => {
		const { emulator, client } = context;
		for (const [method, path, operationId] of endpoints) {
			const before = emulator.requests.length;
			await client.call(method, path.replace('/int/v1', '').replace(/\{\w+\}/g, '0'));
			const request = emulator.requests[before];
			expect(request?.operationId).toBe(operationId);
			expect(request?.status).not.toBe(500);
		}
	});

	test('requests are closed: nothing may be sent that the document does not name', () => {
		const open = new Set<string>();
		const walked = new Set<string>();
		const walk = (value: unknown, place: string): void => {
			if (typeof value !== 'object' || value === null) return;
			const reference: unknown = Reflect.get(value, '$ref');
			if (typeof reference === 'string') {
				const name = reference.replace('#/components/schemas/', '');
				if (walked.has(name)) return;
				walked.add(name);
				walk(schema(name), name);
				return;
			}
			const type: unknown = Reflect.get(value, 'type');
			if (type === 'object' && Reflect.get(value, 'additionalProperties') !== false)
				open.add(place);
			for (const [key, part] of Object.entries(value)) {
				// `not` says what may not be sent.
				if (key !== 'not') walk(part, `${place}/${key}`);
			}
		};
		for (const { operationId, requestBody } of operations()) walk(requestBody, operationId);
		// Both lie several references deep: the walk came that far.
		expect([...walked]).toEqual(expect.arrayContaining(['SurveyOption', 'NewRecipient']));
		expect([...open]).toEqual([]);
	});

	test('names every field of the long tables', () => {
		expect(fields('CampaignCreate')).toEqual([
			'name',
			'title',
			'description',
			'status',
			'scheduledTime',
			'templateId',
			'templateData',
			'categories',
			'imageUrl',
			'enableEmail',
			'enableMobileNotification',
			'emailReplyTo',
			'commentVisibility',
			'senderUserEmail',
			'ownerUserEmail',
			'sharedGroups',
			'recipientEmails',
			'recipientGroups',
			'recipients',
		]);
		expect(fields('SurveyQuestion')).toEqual([
			'templateCode',
			'title',
			'desc',
			'placeholder',
			'required',
			'questionId',
			'fork',
			'branch',
			'options',
			'layout',
			'hideText',
			'zeroLabel',
			'tenLabel',
			'min',
			'max',
			'decimal',
			'matrixQuestions',
		]);
		const { sharedGroups, recipientEmails, recipientGroups, recipients, ...channelCampaign } =
			schema('CampaignCreate').properties ?? {};
		expect([sharedGroups, recipientEmails, recipientGroups, recipients]).not.toContain(undefined);
		expect(fields('ChannelCampaignCreate')).toEqual(Object.keys(channelCampaign));
		const {
			recipientEmails: _e,
			recipientGroups: _g,
			recipients: _r,
			status,
			scheduledTime,
			...rest
		} = schema('BroadcastCreate').properties ?? {};
		expect([status, scheduledTime]).not.toContain(undefined);
		expect(fields('ChannelBroadcastCreate')).toEqual(Object.keys(rest));
	});
});
