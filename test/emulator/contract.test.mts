import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenAPIV3_1 } from 'openapi-types';
import { contractDocument, httpMethods } from '../../emulator/server/contract.mts';
import { contractPath } from '../../emulator/server/projectRoot.mts';
import { useEmulator } from './client.mts';

function operations() {
	return Object.entries(contractDocument().paths ?? {}).flatMap(([path, item]) =>
		httpMethods.flatMap((method) => {
			const { operationId = '', requestBody } = item?.[method] ?? {};
			return item?.[method] ? [{ method, path, operationId, requestBody }] : [];
		}),
	);
}

function schema(name: string): OpenAPIV3_1.SchemaObject {
	const found = contractDocument().components?.schemas?.[name];
	if (found === undefined || '$ref' in found) throw new Error(`No schema ${name}`);
	return found;
}

const fields = (name: string): string => Object.keys(schema(name).properties ?? {}).join(' ');

const { emulator, call } = useEmulator();

describe('the contract', () => {
	test('is a valid OpenAPI 3.1 document', async () => {
		const validator = new Validator();
		const result = await validator.validate(readFileSync(contractPath(), 'utf8'));
		expect(result).toEqual({ valid: true });
		expect(validator.version).toBe('3.1');
	});

	test('names each endpoint once, after its resource and operation', () => {
		const ids = operations().map(({ operationId }) => operationId);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.filter((id) => !/^[a-z]\w*\.[a-z]\w*$/.test(id))).toEqual([]);
	});

	test('each endpoint has a handler of its own', async () => {
		for (const { method, path, operationId } of operations()) {
			const before = emulator.requests.length;
			await call(`${method} ${path.replace('/int/v1', '').replace(/\{\w+\}/g, '0')}`);
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
		expect(fields('CampaignCreate')).toBe(
			'name title description status scheduledTime templateId templateData categories imageUrl ' +
				'enableEmail enableMobileNotification emailReplyTo commentVisibility senderUserEmail ' +
				'ownerUserEmail sharedGroups recipientEmails recipientGroups recipients',
		);
		expect(fields('SurveyQuestion')).toBe(
			'templateCode title desc placeholder required questionId fork branch options layout hideText ' +
				'zeroLabel tenLabel min max decimal matrixQuestions',
		);
		const shared = 'sharedGroups recipientEmails recipientGroups recipients';
		expect(fields('CampaignCreate')).toBe(`${fields('ChannelCampaignCreate')} ${shared}`);
		const ofBroadcast = fields('BroadcastCreate').replace(' status scheduledTime', '');
		const recipients = 'recipientEmails recipientGroups recipients';
		expect(ofBroadcast).toBe(`${fields('ChannelBroadcastCreate')} ${recipients}`);
	});
});
