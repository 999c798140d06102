import FormData from 'form-data';
import { operations } from '../../emulator/routes/operations.mts';
import type { Context } from '../../emulator/server/context.mts';
import { contractOperations } from '../../emulator/contract.mts';
import { only } from '../kit/typed.mts';
import { clientOf, nobody, useEmulator } from './client.mts';

const { emulator, call } = useEmulator();

/** A value for every body field that an operation requires. */
const samples: Record<string, unknown> = {
	...{ name: 'x', description: 'x', title: 'x', message: 'x', status: 'draft' },
	...{ user: 'x', permissions: [], groupId: 'x' },
	questions: [{ templateCode: 'input', title: 'x' }],
};

/** Returns a request with unknown IDs, and a function that creates its body: the required fields and those in `more`. */
function requestOf({ method, path, requestBody }: (typeof contractOperations)[number]) {
	const request = `${method} ${path.replace('/int/v1', '').replace(/\{\w+\}/g, nobody)}`;
	const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
	const { required = [] } = media?.schema ?? {};
	const body = (more: Record<string, string> = {}) => {
		if (method === 'get') return undefined;
		const fields = required.map((field): [string, unknown] => [field, samples[field]]);
		if (type !== 'multipart/form-data') return { ...Object.fromEntries(fields), ...more };
		const form = new FormData();
		form.append('file', Buffer.from('x'), 'x');
		for (const [name, value] of Object.entries(more)) form.append(name, value);
		return form;
	};
	return { request, body };
}

/**
 * The documented messages for an unknown ID (openapi.yaml, Failures), by the start of the operation's name. If several
 * match, the first applies.
 */
const unknownId: [operation: string, message: string][] = [
	['campaignFile', 'campaign Id is required'],
	['broadcastFile', 'campaign Id is required'],
	['survey.update', "Invalid campaign ID for survey creation, 'draft' campaign required"],
	['broadcast.update', 'Invalid request parameters'],
	['broadcast.delete', 'Broadcast not found'],
	['channel', 'Invalid parameters'],
	['recipientGroup', 'Object does not exist'],
	['', 'Not Found.'],
];

describe.each(contractOperations.map((operation) => [operation.operationId, operation] as const))(
	'%s',
	(operationId, operation) => {
		const { request, body } = requestOf(operation);

		test('is refused without a token', async () => {
			const { status } = await clientOf({ url: emulator.url, accessKey: '' }).call(request, body());
			expect(status).toBe(401);
			expect(emulator.requests).toMatchObject([{ operationId, violations: [] }]);
		});

		if (operationId === 'oauth.token') return;
		test('refuses unknown fields', async () => {
			await call(`${request}?foo=1`, body());
			if (body()) await call(request, body({ foo: '1' }));
			expect(emulator.violations.map(({ detail }) => detail)).toEqual([
				'query has the unknown field "foo"',
				...(body() ? ['body has the unknown field "foo"'] : []),
			]);
		});

		if (!operation.path.includes('{id}')) return;
		test('refuses an unknown ID with the documented message, without a violation', async () => {
			const { status, data } = await call(request, body());
			const [, message] = unknownId.find(([start]) => operationId.startsWith(start)) ?? [];
			expect([status, data]).toEqual(
				operationId === 'recipientGroup.get'
					? [404, 'Not Found']
					: [200, { success: false, message }],
			);
			expect(emulator.violations).toEqual([]);
		});
	},
);

describe('the contract', () => {
	test('the contract names each endpoint uniquely, by resource and operation, and each has a handler', () => {
		const ids = contractOperations.map(({ operationId }) => operationId);
		expect(ids.sort()).toEqual(Object.keys(operations(only<Context>({}))).sort());
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.filter((id) => !/^[a-z]\w*\.[a-z]\w*$/.test(id))).toEqual([]);
	});

	test('the contract names every field that a request may contain', () => {
		const open = new Set<string>();
		const walked: string[] = [];
		const walk = (value: unknown, place: string): void => {
			if (typeof value !== 'object' || value === null) return;
			walked.push(place.split('/').at(-1) ?? '');
			const type: unknown = Reflect.get(value, 'type');
			const closed = ['additionalProperties', 'unevaluatedProperties'].some(
				(keyword) => Reflect.get(value, keyword) === false,
			);
			if (type === 'object' && !closed) open.add(place);
			for (const [key, part] of Object.entries(value)) {
				// The keyword `not` describes what must not be sent.
				if (key !== 'not') walk(part, `${place}/${key}`);
			}
		};
		for (const { operationId, requestBody } of contractOperations) walk(requestBody, operationId);
		// These fields of SurveyOption and NewRecipient are several references away from the operations.
		expect(walked).toEqual(expect.arrayContaining(['branchQuestions', 'firstName']));
		expect([...open]).toEqual([]);
	});
});
